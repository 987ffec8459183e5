//! Players: Assay's engine in this process, or a program that speaks UCI or CECP (XBoard).

pub mod builtin;
pub mod cecp;
pub mod info;
mod slot;
mod thinking;
pub mod uci;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use assay_client::connection::{Connection, EngineError};
use assay_client::log::GameLog;
use assay_client::options::{self, EngineOption};
use assay_rules::{Game, GameDef, Move};

use crate::game::clock::{Clock, Clocks, EngineLimits};
use crate::game::{EngineFault, Eval, Reply};
use crate::settings::EngineProgram;

pub use builtin::{BuiltinPlayer, BuiltinPlayers};
use info::ReportedInfo;
pub use slot::{EngineSlot, StartError, WITHOUT_OPTION};

/// A player's answer, with what it reported about the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub reply: Reply,
    pub info: ReportedInfo,
    /// Time from the request to the answer.
    pub elapsed: Duration,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The caller raised the stop flag.
    Stopped,
    /// The player is at fault, for example because its answer was late.
    Fault(EngineFault),
}

/// Chooses the moves of one side of a game, or of both.
pub trait Player {
    /// Starts a new game. The player forgets earlier games, so that games do not depend on each
    /// other.
    ///
    /// # Errors
    /// If the player does not get ready.
    fn new_game(&mut self, game: &Game, stop: &AtomicBool) -> Result<(), NoAnswer>;

    /// Chooses a move for the side to move.
    ///
    /// # Errors
    /// If there is no answer in time.
    fn choose_move(&mut self, game: &Game, clocks: &Clocks, stop: &AtomicBool) -> Result<Answer, NoAnswer>;

    /// Returns false if the player must be started again for the next game.
    fn is_reusable(&self) -> bool {
        true
    }

    /// Lets the player think in the opponent's time, if it does so. It has just moved.
    fn ponder(&mut self, _game: &Game, _clocks: &Clocks) {}

    /// Ends the thinking in the opponent's time. The next game begins with [`Player::new_game`].
    fn end_game(&mut self) {}

    /// Multiplies the piece values of a built-in linear evaluation by these factors, one per kind.
    /// Other players have none.
    fn set_value_factors(&mut self, _factors: &[f64]) {}
}

/// What a program needs to become a player.
#[derive(Clone, Debug)]
pub(crate) struct ProgramSetup {
    pub(crate) program: EngineProgram,
    /// Its name in the run.
    pub(crate) name: String,
    pub(crate) game: Arc<GameDef>,
    /// The file of a user's definition.
    pub(crate) definition: Option<PathBuf>,
    /// Whether games begin elsewhere than at the start position.
    pub(crate) needs_positions: bool,
    pub(crate) limits: EngineLimits,
    /// How long it may be silent beyond its time, or without a clock.
    pub(crate) stall: Duration,
    pub(crate) log: Option<Arc<GameLog>>,
}

impl ProgramSetup {
    /// Starts the program; what it is sent and answers is logged.
    fn start(&self) -> Result<Connection, EngineError> {
        let log = self.log.as_ref().map(|log| (self.name.clone(), Arc::clone(log)));
        Ok(Connection::start(&self.program.command)?.logged(log))
    }

    /// The file that defines the game for the engine: its own, or else that of the match.
    fn variant_path(&self, options: &[EngineOption]) -> Option<String> {
        let definition = self.definition.as_ref().filter(|_| options::find(options, "VariantPath").is_some());
        self.program.variant_path.clone().or_else(|| Some(definition?.display().to_string()))
    }

    /// The options to set: without those that the engine lacks, unless the name resembles another,
    /// which a typing error does.
    fn known_options<'s>(&'s self, options: &'s [EngineOption]) -> impl Iterator<Item = &'s (String, String)> {
        let set = self.program.options.iter();
        set.filter(|(name, _)| !lacks_option(options, name))
    }
}

/// Whether an engine has neither this option nor one with a similar name.
fn lacks_option(options: &[EngineOption], name: &str) -> bool {
    let names = options.iter().map(|option| option.name.as_str());
    options::find(options, name).is_none() && options::closest(name, names).is_none()
}

/// A player in a process of its own.
pub(crate) trait Program: Player {
    /// The name that the program reported; empty if it reported none.
    fn name(&self) -> &str;

    /// The options that the program reported.
    fn options(&self) -> &[EngineOption];
}

/// Best move and evaluation of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningEval {
    pub mv: Move,
    /// Evaluation from the side to move's point of view.
    pub eval: Option<Eval>,
}

/// The clock of the side to move.
fn own_clock<'c>(clocks: &'c Clocks, game: &Game) -> Option<&'c Clock> {
    clocks[game.position().side_to_move()].as_ref()
}

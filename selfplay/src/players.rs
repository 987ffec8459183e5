//! Players: Assay's engine in this process, or a program that speaks UCI or CECP (XBoard).

pub mod builtin;
#[cfg(feature = "runs")]
pub mod cecp;
pub mod info;
#[cfg(feature = "runs")]
mod program;
#[cfg(feature = "runs")]
mod slot;
#[cfg(feature = "runs")]
mod thinking;
#[cfg(feature = "runs")]
pub mod uci;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use assay_rules::{Game, Move};

use crate::game::clock::{Clock, Clocks};
use crate::game::{EngineFault, Eval, Reply};

pub use builtin::{BuiltinPlayer, BuiltinPlayers};
use info::ReportedInfo;
#[cfg(feature = "runs")]
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

    /// Returns true if the player may still search after a game. Its answer would then be taken for
    /// one in the next game, unless it is started again.
    fn may_search(&self) -> bool {
        false
    }

    /// Lets the player think in the opponent's time, if it does so. It has just moved.
    fn ponder(&mut self, _game: &Game, _clocks: &Clocks) {}

    /// Ends the thinking in the opponent's time. The next game begins with [`Player::new_game`].
    fn end_game(&mut self) {}

    /// Multiplies the piece values of a built-in linear evaluation by these factors, one per kind.
    /// Other players have none.
    fn set_value_factors(&mut self, _factors: &[f64]) {}
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

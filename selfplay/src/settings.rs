//! The settings of a run: [`RunSettings`] determine its games, [`RunOptions`] do not.
//!
//! Self-play, matches and playtests differ in their settings only. A run file stores the settings
//! as JSON (see `docs/data.md`), and a run is resumed only with equal settings.

mod engine;
pub(crate) mod eval_jitter;
mod game_source;
mod import;
mod openings;
mod players;
#[cfg(feature = "runs")]
mod run_options;
mod self_play;
mod shard;
mod tournament;

use std::sync::Arc;
use std::time::Duration;

use assay_rules::GameDef;

use crate::mirror::exchanged;
use crate::statistics::Sprt;
use crate::tournament::adjudication::Adjudication;
use crate::tournament::score::MatchScore;

pub use engine::{BuiltinEngine, EngineKind, EngineProgram, EngineSettings, Evaluation};
pub use eval_jitter::EvalJitter;
pub use game_source::GameSource;
pub use import::{ClusterBy, Filters, ImportSettings};
pub use openings::{
    BookFormat, BookOrder, BookSettings, Material, OpeningPolicy, OpeningSource, RandomOpenings, StartChoice,
};
pub use players::PlayerSlots;
#[cfg(feature = "runs")]
pub use run_options::RunOptions;
pub use self_play::{SelfPlay, SelfPlayError};
pub use shard::{MAX_SHARDS, Shard};
pub use tournament::{MAX_PLAYERS, Tournament, TournamentFormat};

/// Everything that determines the games of a run. Two runs with equal settings and the same
/// programs play the same games if no player has a time limit.
#[derive(Clone, Debug)]
pub struct RunSettings {
    pub source: GameSource,
    pub players: PlayerSlots,
    pub openings: OpeningSource,
    /// Whether games come in pairs, as [`SecondGame`] says.
    pub repeat: bool,
    /// The seed of all random choices.
    pub seed: u64,
    /// Changes to the built-in players' piece values.
    pub eval_jitter: EvalJitter,
    pub adjudication: Adjudication,
    /// The test that ends the run as soon as it is decided.
    pub sprt: Option<Sprt>,
    /// How long an engine may be silent beyond its time, or without a clock.
    pub stall: Duration,
}

/// The start of the second game of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecondGame {
    /// As the first one; players exchange colors.
    Same,
    /// With the armies of the first one exchanged: self-play.
    ArmiesExchanged,
    /// With other random moves and the same material: self-play of a game whose armies cannot be
    /// exchanged.
    OwnOpening,
}

/// The default of [`RunSettings::stall`].
pub const DEFAULT_STALL: Duration = Duration::from_mins(1);

impl RunSettings {
    /// The definition of the game.
    pub fn game(&self) -> &Arc<GameDef> {
        &self.source.game
    }

    /// Games of each opening: 2 or 1.
    pub fn games_per_opening(&self) -> u64 {
        if self.repeat { 2 } else { 1 }
    }

    /// The number of the round, from 0, of a pair.
    pub fn round(&self, pair: u64) -> u64 {
        pair / self.players.pairing_count()
    }

    /// The number of pairs that have the same opening: those of a round, unless each has its own.
    pub fn pairs_per_opening(&self) -> u64 {
        match &self.openings {
            OpeningSource::Book(book) if book.policy == OpeningPolicy::Encounter => 1,
            _ => self.players.pairing_count(),
        }
    }

    /// The side, 0 or 1, that has White in a game: side 0 in the first game of a pair; without
    /// pairs, in every other round.
    pub fn white_side(&self, index: u64) -> usize {
        let pairings = self.players.pairing_count();
        let number = if self.repeat { index } else { index / pairings + index % pairings };
        (number % 2) as usize
    }

    /// The score of a pairing before its first game.
    pub fn new_score(&self) -> MatchScore {
        MatchScore::new(self.source.results(), self.repeat, self.sprt)
    }

    /// The settings of random openings; `None` if openings come from a file or are the game's
    /// start.
    pub fn random_openings(&self) -> Option<&RandomOpenings> {
        match &self.openings {
            OpeningSource::Random(random) => Some(random),
            _ => None,
        }
    }

    /// The start of the second game of a pair. Takes as long as exchanging the armies of all
    /// starts.
    pub fn second_game(&self) -> SecondGame {
        let random = self.random_openings().filter(|_| self.players.is_self_play());
        // A start that does not exist is reported when openings are drawn.
        let starts = random.map(|random| random.start.positions(self.game()).unwrap_or_default());
        match starts.map(|starts| exchanged(&starts)) {
            None => SecondGame::Same,
            Some(Some(_)) => SecondGame::ArmiesExchanged,
            Some(None) => SecondGame::OwnOpening,
        }
    }

    /// The settings of imported games; `None` for games that Assay has played.
    pub fn import(&self) -> Option<&ImportSettings> {
        match &self.openings {
            OpeningSource::Import(import) => Some(import),
            _ => None,
        }
    }

    /// The largest node limit per move of any player; 0 if no player has one.
    pub fn nodes(&self) -> u64 {
        let nodes = self.players.all().iter().filter_map(|player| player.limits.nodes);
        nodes.max().unwrap_or(0)
    }

    /// The largest transposition table of a built-in player, in MiB; 0 without built-in players.
    pub fn hash_mb(&self) -> usize {
        self.hash_sizes().max().unwrap_or(0)
    }

    /// The transposition table of each built-in player, in MiB.
    pub(crate) fn hash_sizes(&self) -> impl Iterator<Item = usize> {
        self.players.all().iter().filter_map(|player| match &player.kind {
            EngineKind::Builtin(engine) => Some(engine.hash_mb),
            EngineKind::Uci(_) | EngineKind::Cecp(_) | EngineKind::Unknown => None,
        })
    }
}

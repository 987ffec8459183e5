//! Jobs for the worker thread.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;

use assay_rules::GameDef;

use super::event::{Event, SearchId};
use super::search_request::SearchRequest;
use crate::bench::BenchSettings;
use crate::protocol::eval_file::Evaluation;
use crate::protocol::genfens::GenfensArgs;
use crate::protocol::options::SearchOptions;

/// Start of the `position` command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StartPosition {
    /// The game's default start position.
    Default,
    Fen(String),
    /// A named start position, with or without handicaps: `14`, `14+pawn:e4`.
    Id(String),
}

pub(crate) enum Job {
    /// Sets up a position. If it is invalid, there is no position until the next valid one.
    Position {
        start: StartPosition,
        moves: Vec<String>,
    },
    /// There is no position until the next valid one, because of this error.
    NoPosition(String),
    /// Runs a task; the flag stops it.
    Task(Task, Arc<AtomicBool>),
    ShowPosition,
    ShowEvaluation,
    NewGame,
    Options(SearchOptions),
    ClearHash,
    Evaluation(Evaluation),
    /// Starts over with another game.
    Game(GameSettings),
    /// Reports the event when all earlier jobs are done.
    Report(Event),
    /// Sends when all earlier jobs are done.
    Wait(Sender<()>),
    /// Panics in the worker, for tests.
    #[cfg(debug_assertions)]
    Panic,
}

/// A job that may take long and can be stopped.
pub(crate) enum Task {
    Search {
        id: SearchId,
        request: SearchRequest,
        /// True until `ponderhit`.
        pondering: Option<Arc<AtomicBool>>,
    },
    /// Counts leaf nodes for each root move.
    Perft(u32),
    Bench(BenchSettings),
    Genfens(GenfensArgs),
}

/// A game, and the options of its searches.
pub(crate) struct GameSettings {
    pub(super) game: Arc<GameDef>,
    pub(super) evaluation: Evaluation,
    pub(super) options: SearchOptions,
}

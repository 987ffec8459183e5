//! Jobs for the worker thread.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::time::Duration;

use assay_rules::GameDef;

use super::event::{Event, SearchId};
use super::search_request::SearchRequest;
use crate::bench::BenchSettings;
use crate::protocol::eval_file::Evaluation;
use crate::protocol::genfens::GenfensArgs;
use crate::protocol::options::Options;

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
    /// Size of the transposition table in MiB.
    Hash(usize),
    Threads(usize),
    MultiPv(usize),
    ClearHash,
    MoveOverhead(Duration),
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
    pub(super) hash: usize,
    pub(super) threads: usize,
    pub(super) multi_pv: usize,
    pub(super) move_overhead: Duration,
}

impl GameSettings {
    pub(super) fn new(options: &Options, evaluation: Evaluation) -> GameSettings {
        GameSettings {
            game: options.game.clone(),
            evaluation,
            hash: options.hash,
            threads: options.threads,
            multi_pv: options.multi_pv,
            move_overhead: options.move_overhead,
        }
    }
}

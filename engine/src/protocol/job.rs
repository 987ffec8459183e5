//! Jobs for the worker thread.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::eval_file::Evaluation;
use super::event::SearchId;
use super::search_request::SearchRequest;

/// Start of the `position` command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StartPosition {
    /// The game's default start position.
    Default,
    Fen(String),
    /// A named start position, with or without handicaps: `14`, `14+pawn:e4`.
    Id(String),
}

/// A job for the worker.
pub(super) enum Job {
    /// Sets up a position. The old position is kept if the new one is invalid.
    Position {
        start: StartPosition,
        moves: Vec<String>,
    },
    Search {
        id: SearchId,
        request: SearchRequest,
        stop: Arc<AtomicBool>,
        /// True until `ponderhit`.
        pondering: Option<Arc<AtomicBool>>,
    },
    /// Counts leaf nodes for each root move.
    Perft {
        depth: u32,
        stop: Arc<AtomicBool>,
    },
    Bench {
        depth: Option<u32>,
        stop: Arc<AtomicBool>,
    },
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
    /// Sends a message when all earlier jobs are done.
    Sync(Sender<()>),
}

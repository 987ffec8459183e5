//! Events from the worker, with moves in UCI notation. Each protocol formats them in its own way.

use std::sync::Arc;
use std::time::Duration;

use crate::eval::Score;
use crate::search::Bound;

/// Number of a search in the session, from 1.
pub(crate) type SearchId = u64;

/// An event from the worker.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// Information for the user.
    Message(String),
    Error(String),
    /// Output of a command such as `d`, `eval` or `perft`.
    Text(String),
    /// A line of the protocol, such as `readyok`.
    Reply(String),
    Pv(SearchId, PvLine),
    /// The root move that is being searched.
    CurrentMove {
        depth: u32,
        mv: String,
        /// From 1.
        number: usize,
    },
    BestMove(SearchId, BestMove),
}

/// A principal variation; see [`crate::search::PvInfo`].
#[derive(Clone, Debug)]
pub(crate) struct PvLine {
    pub(crate) depth: u32,
    pub(crate) seldepth: u32,
    pub(crate) multipv: usize,
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    pub(crate) nodes: u64,
    pub(crate) elapsed: Duration,
    pub(crate) hashfull: u32,
    pub(crate) pv: Vec<String>,
}

impl PvLine {
    pub(crate) fn nps(&self) -> u64 {
        (u128::from(self.nodes) * 1_000_000_000 / self.elapsed.as_nanos().max(1)) as u64
    }
}

/// The answer to a request for a search.
#[derive(Clone, Debug)]
pub(crate) enum BestMove {
    Found {
        mv: String,
        ponder: Option<String>,
    },
    NoLegalMove {
        score: Score,
    },
    /// There was no search.
    Refused,
}

/// Receives events on the worker thread.
pub(crate) type EventListener = Arc<dyn Fn(Event) + Send + Sync>;

//! What the worker tells, with moves as text: the protocols write it in their own ways.

use std::sync::Arc;
use std::time::Duration;

use crate::eval::Score;
use crate::search::Bound;

/// The number of a search, counted from 1 in the order of asking.
pub(crate) type SearchId = u64;

/// News from the worker.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// Something that the user should know.
    Message(String),
    /// What was asked for in words: a board, a table, counts.
    Text(String),
    /// A line of play.
    Pv(SearchId, PvLine),
    /// A root move is searched now.
    CurrentMove {
        depth: u32,
        mv: String,
        /// From 1.
        number: usize,
    },
    /// A search has ended.
    BestMove(SearchId, BestMove),
}

/// A line of play; see [`crate::search::PvInfo`].
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
    /// Nodes per second.
    pub(crate) fn nps(&self) -> u64 {
        (u128::from(self.nodes) * 1_000_000_000 / self.elapsed.as_nanos().max(1)) as u64
    }
}

/// The result of a search; see [`crate::search::SearchResult`].
#[derive(Clone, Debug)]
pub(crate) struct BestMove {
    /// None when there is no legal move.
    pub(crate) best_move: Option<String>,
    pub(crate) ponder: Option<String>,
    pub(crate) score: Score,
}

/// Is told events, on the worker's thread.
pub(crate) type EventListener = Arc<dyn Fn(Event) + Send + Sync>;

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
    Note(String),
    /// What was asked for in words: a board, a table, counts.
    Text(String),
    /// A line of play.
    Line(SearchId, LineText),
    /// A root move is searched now.
    Root {
        depth: u32,
        mv: String,
        /// From 1.
        number: usize,
    },
    /// A search has ended.
    Best(SearchId, BestText),
}

/// A line of play; see [`crate::search::PvInfo`].
#[derive(Clone, Debug)]
pub(crate) struct LineText {
    pub(crate) depth: u32,
    pub(crate) selective_depth: u32,
    pub(crate) number: usize,
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    pub(crate) nodes: u64,
    pub(crate) elapsed: Duration,
    pub(crate) table_permill: u32,
    pub(crate) pv: Vec<String>,
}

impl LineText {
    /// Nodes per second.
    pub(crate) fn speed(&self) -> u64 {
        (u128::from(self.nodes) * 1_000_000_000 / self.elapsed.as_nanos().max(1)) as u64
    }
}

/// The result of a search; see [`crate::search::SearchResult`].
#[derive(Clone, Debug)]
pub(crate) struct BestText {
    /// None when there is no legal move.
    pub(crate) best: Option<String>,
    pub(crate) ponder: Option<String>,
    pub(crate) score: Score,
}

/// Is told events, on the worker's thread.
pub(crate) type Listener = Arc<dyn Fn(Event) + Send + Sync>;

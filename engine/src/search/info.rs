//! What a search reports: its result, and information while it runs.

use std::io;
use std::time::Duration;

use crate::eval::Score;
use crate::moves::Move;

/// Bound type of a search score: exact, lower or upper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// The true score is at least this (fail high).
    Lower,
    /// The true score is at most this (fail low).
    Upper,
}

/// Result of a finished search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move, or `None` if there is no legal move.
    pub best_move: Option<Move>,
    /// The expected reply to the best move.
    pub ponder: Option<Move>,
    /// Score from the point of view of the side to move.
    pub score: Score,
    /// Depth of the last completed iteration, in plies.
    pub depth: u32,
    /// Number of visited nodes.
    pub nodes: u64,
    /// Principal variation, starting with the best move.
    pub pv: Vec<Move>,
}

/// Information that a running search reports, like UCI's `info`.
#[derive(Clone, Debug)]
pub enum SearchInfo<'s> {
    /// A principal variation and its score: after each completed iteration, in long searches after
    /// each aspiration window that fails, and at the end of a search that stops during an
    /// iteration.
    Pv(PvInfo<'s>),
    /// The root move that is being searched. Reported only after the first seconds.
    CurrentMove {
        /// Depth of the iteration, in plies.
        depth: u32,
        mv: Move,
        /// Number of the move in the root's order, from 1.
        number: usize,
    },
    /// The system refused to start some of the threads; the search runs on fewer.
    MissingThreads {
        started: usize,
        wanted: usize,
        /// Error of the first thread that could not be started.
        error: &'s io::Error,
    },
}

/// A principal variation with its score and the state of the search.
#[derive(Clone, Debug)]
pub struct PvInfo<'s> {
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// Selective depth: the deepest ply that was visited.
    pub seldepth: u32,
    /// Rank of the line in a MultiPV search; 1 is the best.
    pub multipv: usize,
    /// Score from the point of view of the side to move.
    pub score: Score,
    /// Bound type of the score.
    pub bound: Bound,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// Time since the search started.
    pub elapsed: Duration,
    /// Occupancy of the transposition table in permille.
    pub hashfull: u32,
    /// Principal variation, the best move first.
    pub pv: &'s [Move],
}

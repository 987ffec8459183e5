//! What a search tells while it goes on.

use std::time::Duration;

use crate::eval::Score;
use crate::moves::Move;

/// News from a search that goes on.
#[derive(Clone, Debug)]
pub enum SearchInfo<'s> {
    /// A line of play and its score: an iteration is finished, or has taken long and knows more than the last one.
    Pv(PvInfo<'s>),
    /// A move of the root is searched now. Told only when the search has taken a while.
    CurrentMove {
        /// The iteration, in plies.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its number, from 1.
        number: usize,
    },
}

/// A line of play with what is known of it.
#[derive(Clone, Debug)]
pub struct PvInfo<'s> {
    /// The iteration, in plies.
    pub depth: u32,
    /// The deepest ply that was looked at.
    pub selective_depth: u32,
    /// The number of the line, the best being 1.
    pub number: usize,
    /// The score from the side to move's point of view.
    pub score: Score,
    /// What the score says of the true one.
    pub bound: Bound,
    /// Nodes visited so far, by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// How full the transposition table is, in thousandths.
    pub table_permill: u32,
    /// The moves.
    pub pv: &'s [Move],
}

/// What a score says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the score.
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

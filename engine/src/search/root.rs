//! The root: every legal move with what the search has found of it.

use crate::mv::Move;
use crate::score::Score;

/// A move of the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Its score in this iteration, when it was the best so far; else none.
    pub(super) score: Option<Score>,
    /// The best line that begins with it, as long as it was the best.
    pub(super) line: Vec<Move>,
    /// Nodes spent on it in this iteration.
    pub(super) nodes: u64,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: None,
            line: vec![mv],
            nodes: 0,
        }
    }
}

//! The root: every legal move with what the search has found of it.

use crate::eval::Score;
use crate::moves::Move;

/// A move of the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Its score in this iteration, when it was the best so far; else none.
    pub(super) score: Option<Score>,
    /// The last score that it had.
    pub(super) last_score: Option<Score>,
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
            last_score: None,
            line: vec![mv],
            nodes: 0,
        }
    }

    /// A new iteration begins.
    pub(super) fn begin(&mut self) {
        self.last_score = self.score.or(self.last_score);
        self.score = None;
        self.nodes = 0;
    }
}

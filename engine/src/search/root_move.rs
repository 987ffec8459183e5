//! Moves of the root position.

use crate::eval::Score;
use crate::moves::Move;

/// A legal move of the root position, with what the search knows about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Score in this iteration; `None` if the move has not been the best.
    pub(super) score: Option<Score>,
    /// Score of the last iteration in which the move was the best.
    pub(super) previous_score: Option<Score>,
    /// Principal variation when the move was last the best.
    pub(super) pv: Vec<Move>,
    /// Nodes spent on the move in this iteration.
    pub(super) nodes: u64,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: None,
            previous_score: None,
            pv: vec![mv],
            nodes: 0,
        }
    }

    pub(super) fn start_iteration(&mut self) {
        self.previous_score = self.score.or(self.previous_score);
        self.score = None;
        self.nodes = 0;
    }
}

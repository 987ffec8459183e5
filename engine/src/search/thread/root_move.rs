//! Moves of the root position.

use crate::eval::Score;
use crate::moves::Move;
use crate::search::info::Bound;

/// A legal move of the root position with its search results.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// Score in this iteration; `None` if the move has not been the best.
    pub(crate) score: Option<Score>,
    /// Bound type of `score`: a lower bound if the search was stopped after a fail high.
    pub(crate) bound: Bound,
    /// Score of the last iteration in which the move was the best.
    pub(crate) previous_score: Option<Score>,
    /// Principal variation when the move was last the best.
    pub(crate) pv: Vec<Move>,
    /// Nodes spent on the move in this iteration.
    pub(crate) nodes: u64,
}

impl RootMove {
    pub(crate) fn new(mv: Move) -> RootMove {
        RootMove { mv, score: None, bound: Bound::Exact, previous_score: None, pv: vec![mv], nodes: 0 }
    }

    pub(crate) fn start_iteration(&mut self) {
        self.previous_score = self.score.or(self.previous_score);
        self.score = None;
        self.nodes = 0;
    }
}

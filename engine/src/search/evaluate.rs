//! What the search asks for the evaluation of a position: the network where there is one, else the linear terms.

use std::sync::Arc;

use super::Searcher;
use crate::eval::Score;
use crate::nnue::{Accumulators, Network};
use crate::position::Position;
use crate::search::CompiledSearch;

impl<R: CompiledSearch> Searcher<R> {
    /// The evaluation of a position `ply` plies from the root, for its side to move.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position<R>, ply: usize) -> Score {
        match &mut self.network {
            Some(accumulators) => {
                let score = accumulators.evaluate(position, ply);
                self.evaluator.damp(position, score)
            }
            None => self.evaluator.evaluate(position),
        }
    }

    /// Evaluates with a network from now on, or with the weights alone. The weights still say what pieces are worth in exchanges
    /// and when a lead is hard to win.
    ///
    /// # Panics
    /// When the network is another game's.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.network = network.map(|network| {
            assert!(network.is_for(self.tables.game()), "networks are for one game");
            Accumulators::new(&network)
        });
        self.forget_evaluations();
    }

    /// The network that it evaluates with; `None` where it is the weights alone.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref().map(Accumulators::network)
    }

    /// What it knows was found with another evaluation.
    pub(super) fn forget_evaluations(&mut self) {
        self.clear();
        let threads = self.threads();
        self.set_threads(1);
        self.set_threads(threads);
    }
}

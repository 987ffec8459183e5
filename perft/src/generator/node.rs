//! Interface of a generator.

use std::sync::atomic::AtomicBool;

use assay_rules::{Move, Outcome, Position};

use super::count::CountMode;

/// A move generator of one game.
pub trait Generator: Send + Sync {
    /// Starts from a position.
    fn node(&self, position: &Position) -> Box<dyn Node>;
}

/// A position in one of the generators.
pub trait Node: Send {
    /// The position in the representation of the rules.
    fn position(&self) -> Position;

    /// Legal moves in ascending order.
    fn legal_moves(&self) -> Vec<Move>;

    /// Makes each legal move, calls `visit` with the result, and unmakes the move.
    fn for_each_child(&mut self, visit: &mut dyn FnMut(Move, &mut dyn Node));

    /// Makes a legal move. It cannot be unmade.
    fn make(&mut self, mv: Move);

    /// Returns true if the side to move is in check.
    fn in_check(&self) -> bool;

    /// Legal moves that give check, in ascending order, found without making them; `None` in the rules.
    fn checks(&self) -> Option<Vec<Move>> {
        None
    }

    /// Outcome of the game if it is over. The engine detects repetitions among the moves made on this node; the rules see only the
    /// position.
    fn outcome(&mut self) -> Option<Outcome>;

    /// The engine's incremental hash; `None` in the rules.
    fn hash(&self) -> Option<u64>;

    /// The engine's hash computed from the position alone; `None` in the rules.
    fn hash_from_scratch(&self) -> Option<u64>;

    /// Number of move sequences of `depth` plies; `None` if `stop` is raised.
    fn perft(&mut self, depth: u32, mode: &CountMode, stop: &AtomicBool) -> Option<u64>;
}

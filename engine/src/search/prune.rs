//! The decisions to leave out or shorten parts of the tree, each a short function of numbers.

use super::parameters::{moves, node};
use crate::score::Score;

/// Is the evaluation so far above beta that the node fails high anyway?
pub(super) fn fails_high(evaluation: Score, beta: Score, depth: i32, improving: bool) -> bool {
    let margin = node::REVERSE_FUTILITY_MARGIN * (depth - i32::from(improving)).max(0);
    depth <= node::REVERSE_FUTILITY_DEPTH && !beta.is_mate() && evaluation - margin >= beta
}

/// Is the evaluation so far below alpha that only captures could help?
pub(super) fn is_hopeless(evaluation: Score, alpha: Score, depth: i32) -> bool {
    let (base, step) = node::RAZOR_MARGIN;
    depth <= node::RAZOR_DEPTH && !alpha.is_mate() && evaluation + (base + step * depth) < alpha
}

/// How many plies less deep the node after a pass is searched.
pub(super) fn null_reduction(evaluation: Score, beta: Score, depth: i32) -> i32 {
    let (base, divisor) = node::NULL_REDUCTION;
    let (unit, most) = node::NULL_MARGIN;
    base + depth / divisor + ((evaluation - beta) / unit).clamp(0, most)
}

/// Is a quiet move too little at this depth, the evaluation being so far below alpha?
pub(super) fn is_futile(evaluation: Score, alpha: Score, depth: i32) -> bool {
    let (base, step) = moves::FUTILITY_MARGIN;
    depth <= moves::FUTILITY_DEPTH && !alpha.is_mate() && evaluation + (base + step * depth) <= alpha
}

/// How many moves are tried before the other quiet ones are left out; `None`: all of them.
pub(super) fn most_moves(depth: i32, improving: bool) -> Option<usize> {
    let count = (moves::COUNT_BASE + depth * depth) / if improving { 1 } else { 2 };
    (depth <= moves::COUNT_DEPTH).then_some(count as usize)
}

/// What a move may lose by exchange and still be tried; `None`: anything.
pub(super) fn least_exchange(depth: i32, quiet: bool) -> Option<i32> {
    let step = if quiet {
        moves::EXCHANGE_QUIET
    } else {
        moves::EXCHANGE_CAPTURE
    };
    (depth <= moves::EXCHANGE_DEPTH).then_some(-step * depth)
}

/// How many plies late moves are shortened by.
#[derive(Clone, Debug)]
pub(super) struct Reductions(Vec<[u8; Reductions::SIZE]>);

impl Reductions {
    const SIZE: usize = 64;

    pub(super) fn new() -> Reductions {
        let logarithm = |number: usize| (number.max(1) as f64).ln();
        let reduction = |depth: usize, number: usize| {
            (moves::REDUCTION_BASE + logarithm(depth) * logarithm(number) / moves::REDUCTION_DIVISOR) as u8
        };
        Reductions(
            (0..Self::SIZE)
                .map(|depth| std::array::from_fn(|number| reduction(depth, number)))
                .collect(),
        )
    }

    /// For move number `number` (from 0) at `depth`.
    #[inline]
    pub(super) fn of(&self, depth: i32, number: usize) -> i32 {
        let index = (depth.max(0) as usize).min(Self::SIZE - 1);
        i32::from(self.0[index][number.min(Self::SIZE - 1)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let reductions = Reductions::new();
        assert_eq!(reductions.of(1, 0), 0);
        assert!(reductions.of(3, 3) >= 1);
        assert!(reductions.of(20, 40) > reductions.of(5, 40));
        assert_eq!(reductions.of(1000, 1000), reductions.of(63, 63));
    }

    #[test]
    fn mates_are_never_pruned_by_evaluation() {
        let far = Score::from_centipawns(-5000);
        assert!(!is_futile(far, Score::mated(3), 1));
        assert!(!fails_high(-far, Score::mating(3), 1, false));
    }
}

//! The decisions to leave out or shorten parts of the tree, each a short function of numbers.

use super::parameters as p;
use crate::score::Score;

/// Is the evaluation so far above beta that the node fails high anyway?
pub(super) fn fails_high(evaluation: Score, beta: Score, depth: i32, improving: bool) -> bool {
    let margin = p::reverse_futility_margin() * (depth - i32::from(improving)).max(0);
    depth <= p::reverse_futility_depth() && !beta.is_mate() && !evaluation.is_mate() && evaluation - margin >= beta
}

/// Is the evaluation so far below alpha that only captures could help?
pub(super) fn is_hopeless(evaluation: Score, alpha: Score, depth: i32) -> bool {
    let margin = p::razor_base() + p::razor_step() * depth * depth;
    depth <= p::razor_depth() && !alpha.is_mate() && evaluation + margin < alpha
}

/// Is the evaluation good enough for a pass to be worth a try?
pub(super) fn may_pass(evaluation: Score, beta: Score, depth: i32) -> bool {
    depth >= p::null_depth() && evaluation >= beta + (p::null_base() - p::null_step() * depth).max(0)
}

/// How many plies less deep the node after a pass is searched.
pub(super) fn null_reduction(evaluation: Score, beta: Score, depth: i32) -> i32 {
    p::null_reduction() + depth / p::null_divisor() + ((evaluation - beta) / p::null_margin()).clamp(0, 3)
}

/// Is a quiet move too little at this reduced depth, the evaluation being so far below alpha?
pub(super) fn is_futile(evaluation: Score, alpha: Score, depth: i32) -> bool {
    let margin = p::futility_base() + p::futility_step() * depth;
    depth <= p::futility_depth() && !alpha.is_mate() && evaluation + margin <= alpha
}

/// Has a quiet move been so bad elsewhere that it is left out at this reduced depth?
pub(super) fn is_bad(history: i32, depth: i32) -> bool {
    depth <= p::history_depth() && history < -p::history_margin() * depth.max(1)
}

/// How many moves are tried before the other quiet ones are left out; `None`: all of them.
pub(super) fn most_moves(depth: i32, improving: bool) -> Option<usize> {
    let count = (p::count_base() + depth * depth) / if improving { 1 } else { 2 };
    (depth <= p::count_depth()).then_some(count.max(1) as usize)
}

/// What a move may lose by exchange and still be tried; `None`: anything. `reduced` is the depth that a quiet move would
/// have.
pub(super) fn least_exchange(depth: i32, reduced: i32, quiet: bool) -> Option<i32> {
    let loss = if quiet {
        p::exchange_quiet() * reduced * reduced
    } else {
        p::exchange_capture() * depth
    };
    (depth <= p::exchange_depth()).then_some(-loss)
}

/// How many 1024ths of a ply late moves are shortened by.
#[derive(Clone, Debug)]
pub(super) struct Reductions(Vec<[i32; Reductions::SIZE]>);

impl Reductions {
    const SIZE: usize = 64;

    pub(super) fn new() -> Reductions {
        let logarithm = |number: usize| (number.max(1) as f64).ln();
        let divisor = f64::from(p::reduction_divisor()) / 100.0;
        let reduction = |depth: usize, number: usize| {
            p::reduction_base() + (1024.0 * logarithm(depth) * logarithm(number) / divisor) as i32
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
        self.0[index][number.min(Self::SIZE - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let reductions = Reductions::new();
        assert!(reductions.of(1, 0) < 1024);
        assert!(reductions.of(4, 4) >= 1024);
        assert!(reductions.of(20, 40) > reductions.of(5, 40));
        assert_eq!(reductions.of(1000, 1000), reductions.of(63, 63));
    }

    #[test]
    fn mates_are_never_pruned_by_evaluation() {
        let far = Score::from_centipawns(-5000);
        assert!(!is_futile(far, Score::mated(3), 1));
        assert!(!fails_high(-far, Score::mating(3), 1, false));
        assert!(!is_hopeless(far, Score::mating(3), 1));
    }
}

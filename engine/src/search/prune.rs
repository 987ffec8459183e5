//! The decisions to leave out or shorten parts of the tree, each a short function of numbers.

use super::parameters as p;
use crate::eval::Score;

/// Is the evaluation so far above beta that the node fails high anyway?
pub(super) fn fails_high(evaluation: Score, beta: Score, depth: i32, improving: bool) -> bool {
    let margin = p::rfp_margin() * (depth - i32::from(improving)).max(0);
    depth <= p::rfp_depth() && !beta.is_mate() && !evaluation.is_mate() && evaluation - margin >= beta
}

/// Is the evaluation so far below alpha that only captures could help?
pub(super) fn is_hopeless(evaluation: Score, alpha: Score, depth: i32) -> bool {
    let margin = p::razoring_base() + p::razoring_slope() * depth * depth;
    depth <= p::razoring_depth() && !alpha.is_mate() && evaluation + margin < alpha
}

/// Is the evaluation good enough for a pass to be worth a try?
pub(super) fn may_pass(evaluation: Score, beta: Score, depth: i32) -> bool {
    depth >= p::nmp_depth() && evaluation >= beta + (p::nmp_margin_base() - p::nmp_margin_slope() * depth).max(0)
}

/// How many plies less deep the node after a pass is searched.
pub(super) fn null_reduction(evaluation: Score, beta: Score, depth: i32) -> i32 {
    p::nmp_reduction_base() + depth / p::nmp_depth_divisor() + ((evaluation - beta) / p::nmp_eval_divisor()).clamp(0, 3)
}

/// Is a quiet move too little at this reduced depth, the evaluation being so far below alpha?
pub(super) fn is_futile(evaluation: Score, alpha: Score, depth: i32) -> bool {
    let margin = p::futility_base() + p::futility_slope() * depth;
    depth <= p::futility_depth() && !alpha.is_mate() && evaluation + margin <= alpha
}

/// Has a quiet move been so bad elsewhere that it is left out at this reduced depth?
pub(super) fn is_bad(history: i32, depth: i32) -> bool {
    depth <= p::history_pruning_depth() && history < -p::history_pruning_margin() * depth.max(1)
}

/// How many moves are tried before the other quiet ones are left out; `None`: all of them.
pub(super) fn most_moves(depth: i32, improving: bool) -> Option<usize> {
    let count = (p::lmp_base() + depth * depth) / if improving { 1 } else { 2 };
    (depth <= p::lmp_depth()).then_some(count.max(1) as usize)
}

/// What a move may lose by exchange and still be tried; `None`: anything. `reduced` is the depth that a quiet move would
/// have.
pub(super) fn least_exchange(depth: i32, reduced: i32, quiet: bool) -> Option<i32> {
    let loss = if quiet {
        p::see_quiet_margin() * reduced * reduced
    } else {
        p::see_capture_margin() * depth
    };
    (depth <= p::see_pruning_depth()).then_some(-loss)
}

/// How many 1024ths of a ply late moves are shortened by.
#[derive(Clone, Debug)]
pub(super) struct Reductions(Vec<[i32; Reductions::SIZE]>);

impl Reductions {
    const SIZE: usize = 64;

    pub(super) fn new() -> Reductions {
        let logarithm = |number: usize| (number.max(1) as f64).ln();
        let divisor = f64::from(p::lmr_divisor()) / 100.0;
        let reduction = |depth: usize, number: usize| {
            p::lmr_base() + (1024.0 * logarithm(depth) * logarithm(number) / divisor) as i32
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

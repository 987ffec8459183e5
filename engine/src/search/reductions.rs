//! Late move reductions (LMR).

use super::context::{MoveContext, NodeContext};
use super::parameters as p;

/// Base reductions by depth and move number, in 1/1024 ply.
#[derive(Clone, Debug)]
pub(crate) struct Reductions(Vec<[i32; Reductions::SIZE]>);

impl Reductions {
    const SIZE: usize = 64;

    pub(crate) fn new() -> Reductions {
        let ln = |number: usize| (number.max(1) as f64).ln();
        let divisor = f64::from(p::lmr_divisor()) / 100.0;
        let reduction =
            |depth: usize, number: usize| p::lmr_base() + (1024.0 * ln(depth) * ln(number) / divisor) as i32;
        Reductions((0..Self::SIZE).map(|depth| std::array::from_fn(|number| reduction(depth, number))).collect())
    }

    /// Base reduction of the move with this number, from 0.
    #[inline]
    fn base(&self, depth: i32, number: usize) -> i32 {
        let index = (depth.max(0) as usize).min(Self::SIZE - 1);
        self.0[index][number.min(Self::SIZE - 1)]
    }

    /// Depth reduction of a move in plies; 0 for checks.
    pub(crate) fn plies(&self, is_pv: bool, node: NodeContext, mv: MoveContext) -> i32 {
        if node.depth < p::lmr_depth() || mv.number < p::lmr_first_move() as usize || mv.gives_check {
            return 0;
        }
        let term = |applies: bool, amount: i32| if applies { amount } else { 0 };
        let mut reduction = self.base(node.depth, mv.number);
        reduction += term(node.cut_node, p::lmr_cut_node());
        reduction += term(!mv.improving, p::lmr_not_improving());
        reduction += term(mv.tt_capture && mv.is_quiet, p::lmr_tt_capture());
        reduction -= term(is_pv, p::lmr_pv());
        reduction -= term(node.in_check, p::lmr_check());
        reduction -= term(mv.is_killer, p::lmr_killer());
        reduction -= term(!mv.is_quiet, p::lmr_capture());
        reduction -= mv.history * 1024 / p::lmr_history_divisor();
        (reduction / 1024).clamp(0, node.depth - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_move_number() {
        let reductions = Reductions::new();
        assert!(reductions.base(1, 0) < 1024);
        assert!(reductions.base(4, 4) >= 1024);
        assert!(reductions.base(20, 40) > reductions.base(5, 40));
        assert_eq!(reductions.base(1000, 1000), reductions.base(63, 63));
    }
}

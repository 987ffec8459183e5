//! Pruning: short conditions on evaluation and depth, null-move pruning, and the decision about a
//! move.

use std::sync::atomic::AtomicBool;

use assay_rules::Turn;

use crate::eval::Score;
use crate::moves::Move;
use crate::position::{CompiledPosition, Position};
use crate::ruleset::Mechanics;
use crate::search::context::{MoveContext, NodeContext, Window};
use crate::search::ordering::see;
use crate::search::parameters as p;
use crate::search::thread::SearchThread;

/// Returns true if the evaluation is so far above beta that the node fails high without a search
/// (reverse futility).
pub(crate) fn reverse_futility(eval: Score, beta: Score, depth: i32, improving: bool) -> bool {
    let margin = p::rfp_margin() * (depth - i32::from(improving)).max(0);
    depth <= p::rfp_depth() && !beta.is_mate() && !eval.is_mate() && eval - margin >= beta
}

/// Returns true if the evaluation is high enough to try a null move.
pub(crate) fn can_try_null_move(eval: Score, beta: Score, depth: i32) -> bool {
    depth >= p::nmp_depth() && eval >= beta + (p::nmp_margin_base() - p::nmp_margin_slope() * depth).max(0)
}

/// Depth reduction of a null move in plies.
pub(crate) fn null_move_reduction(eval: Score, beta: Score, depth: i32) -> i32 {
    p::nmp_reduction_base() + depth / p::nmp_depth_divisor() + ((eval - beta) / p::nmp_eval_divisor()).clamp(0, 3)
}

/// Number of moves after which quiet moves are pruned (late move pruning); `None` at higher depths.
pub(crate) fn lmp_count(depth: i32, improving: bool) -> Option<usize> {
    let count = (p::lmp_base() + depth * depth) / if improving { 1 } else { 2 };
    (depth <= p::lmp_depth()).then_some(count.max(1) as usize)
}

/// Returns true if the evaluation is so far below alpha that no quiet move will raise it (futility
/// pruning).
pub(crate) fn is_futile(eval: Score, alpha: Score, reduced_depth: i32) -> bool {
    let margin = p::futility_base() + p::futility_slope() * reduced_depth;
    reduced_depth <= p::futility_depth() && !alpha.is_mate() && eval + margin <= alpha
}

/// Static exchange value below which a move is pruned (SEE pruning); `None` at higher depths.
pub(crate) fn see_threshold(depth: i32, reduced_depth: i32, mv: MoveContext) -> Option<i32> {
    let loss = if mv.gives_check {
        p::see_check_margin() * depth
    } else if mv.is_quiet {
        p::see_quiet_margin() * reduced_depth * reduced_depth
    } else {
        p::see_capture_margin() * depth
    };
    (depth <= p::see_pruning_depth()).then_some(-loss)
}

/// Decision about a move: search or skip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MovePruning {
    Search,
    Skip,
    /// Skip the move and all remaining quiet moves.
    SkipQuiets,
}

impl<R: CompiledPosition> SearchThread<R> {
    /// Null-move pruning: if the side to move can pass and still fails high in a reduced search,
    /// the node fails high. At high depth a reduced search without null moves verifies the cutoff.
    pub(crate) fn null_move(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        node: NodeContext,
        eval: Score,
        stop: &AtomicBool,
    ) -> Option<Score> {
        let NodeContext { ply, depth, .. } = node;
        let is_allowed = can_try_null_move(eval, window.beta, depth)
            && !window.beta.is_losing_mate()
            && self.previous_moves(ply).one_ply_ago.is_some()
            && ply >= self.nmp_min_ply
            && (!R::MECHANICS.contains(Mechanics::HANDICAPS)
                || position.turn() == Turn::Single(position.side_to_move()));
        if !is_allowed || !self.count_node(stop) {
            return None;
        }
        let reduced_depth = depth - null_move_reduction(eval, window.beta, depth);
        self.stack[ply].piece_to = None;
        position.make_null();
        let child = NodeContext { ply: ply + 1, depth: reduced_depth, in_check: false, cut_node: false };
        let score = -self.search_node::<false>(position, window.negated(), child, stop);
        position.unmake_null();
        if self.stopped || score < window.beta {
            return None;
        }
        // A mate found after a null move is not proven.
        let score = if score.is_winning_mate() { window.beta } else { score };
        if depth < p::nmp_verification_depth() {
            return Some(score);
        }
        let min_ply = ply + 1 + (reduced_depth.max(0) as usize) * 3 / 4;
        let outer_min_ply = std::mem::replace(&mut self.nmp_min_ply, min_ply);
        let verification = NodeContext { depth: reduced_depth, cut_node: false, ..node };
        let verified = self.search_node::<false>(position, window, verification, stop);
        self.nmp_min_ply = outer_min_ply;
        (verified >= window.beta).then_some(score)
    }

    /// Decides whether a move after the first is pruned. Checks are only if they lose material.
    pub(crate) fn should_prune<const PV: bool>(
        &self,
        position: &Position<R>,
        mv: Move,
        alpha: Score,
        node: NodeContext,
        mv_context: MoveContext,
        eval: Option<Score>,
    ) -> MovePruning {
        let depth = node.depth;
        let reduced_depth = (depth - self.reductions.plies(PV, node, mv_context)).max(1);
        if mv_context.is_quiet && !mv_context.gives_check {
            // Late move pruning (LMP)
            let is_late = lmp_count(depth, mv_context.improving).is_some_and(|count| mv_context.number >= count);
            if is_late && !node.in_check {
                return MovePruning::SkipQuiets;
            }
            // Futility pruning
            if eval.is_some_and(|eval| is_futile(eval, alpha, reduced_depth)) {
                return MovePruning::SkipQuiets;
            }
        }
        // SEE pruning
        let threshold = see_threshold(depth, reduced_depth, mv_context);
        let loses_material = !node.in_check
            && threshold.is_some_and(|threshold| !see::see_ge(self.evaluator(), position, mv, threshold));
        if loses_material { MovePruning::Skip } else { MovePruning::Search }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_scores_are_never_pruned_by_evaluation() {
        let low = Score::from_centipawns(-5000);
        assert!(!is_futile(low, Score::mated(3), 1));
        assert!(!reverse_futility(-low, Score::mating(3), 1, false));
    }
}

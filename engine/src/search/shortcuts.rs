//! Ways to know a node's score, or a move's worth, by searching something cheaper: a pass, a good capture, all other moves.

use std::sync::atomic::AtomicBool;

use assay_rules::Turn;

use super::CompiledSearch;
use super::Searcher;
use super::info::Bound;
use super::movepick::GenType;
use super::node::{NodeContext, NodeEval, Window, has_pieces};
use super::parameters as p;
use super::prune;
use super::see;
use super::tt::TtEntry;
use crate::eval::Score;
use crate::moves::Move;
use crate::position::Position;

impl<R: CompiledSearch> Searcher<R> {
    /// Tries to finish a node without trying its moves.
    pub(super) fn prune_node(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        place: NodeContext,
        outlook: &NodeEval,
        stop: &AtomicBool,
    ) -> Option<Score> {
        let evaluation = outlook.evaluation?;
        let NodeContext { ply, depth, .. } = place;
        // With pawns alone having to move may be what loses, or what stalemates.
        if !has_pieces(position) {
            return None;
        }
        if prune::fails_high(evaluation, window.beta, depth, outlook.improving) {
            return Some(window.beta + (evaluation - window.beta) / 2);
        }
        if prune::is_hopeless(evaluation, window.alpha, depth) {
            let score = self.quiescence::<false>(position, window, ply, 0, false, stop);
            if score <= window.alpha {
                return Some(score);
            }
        }
        self.pass(position, window, place, evaluation, stop)
            .or_else(|| self.probe_captures(position, window, place, outlook, stop))
    }

    /// Null move: when even passing leaves the other side without an answer, the node fails high.
    ///
    /// Not after a pass, and not within a two-move handicap.
    fn pass(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        place: NodeContext,
        evaluation: Score,
        stop: &AtomicBool,
    ) -> Option<Score> {
        let NodeContext { ply, depth, .. } = place;
        let allowed = prune::may_pass(evaluation, window.beta, depth)
            && !window.beta.is_losing_mate()
            && self.before(ply).reply.is_some()
            && ply >= self.no_pass_before
            && (!R::MECHANICS.handicaps || position.turn() == Turn::Single(position.side_to_move()));
        if !allowed || !self.enter(stop) {
            return None;
        }
        let reduced = depth - prune::null_reduction(evaluation, window.beta, depth);
        self.frames[ply].moved = None;
        position.make_null();
        let below = NodeContext {
            ply: ply + 1,
            depth: reduced,
            checked: false,
            cut: false,
        };
        let score = -self.node::<false>(position, window.flipped(), below, stop);
        position.unmake_null();
        if self.stopped || score < window.beta {
            return None;
        }
        // A mate found after a pass need not be one.
        let score = if score.is_winning_mate() { window.beta } else { score };
        if depth < p::nmp_verification_depth() {
            return Some(score);
        }
        let outer = std::mem::replace(&mut self.no_pass_before, ply + 1 + (reduced.max(0) as usize) * 3 / 4);
        let verified = self.node::<false>(
            position,
            window,
            NodeContext {
                depth: reduced,
                cut: false,
                ..place
            },
            stop,
        );
        self.no_pass_before = outer;
        (verified >= window.beta).then_some(score)
    }

    /// `ProbCut`: when a capture is far above beta even by a shallow search, the node fails high.
    fn probe_captures(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        place: NodeContext,
        outlook: &NodeEval,
        stop: &AtomicBool,
    ) -> Option<Score> {
        let NodeContext { ply, depth, .. } = place;
        let beta = window.beta + p::probcut_margin();
        let evaluation = outlook.evaluation?;
        let below_it = |known: &TtEntry| i32::from(known.depth) >= depth - 3 && known.score < beta;
        let out_of_reach = depth < p::probcut_depth()
            || window.beta.is_mate()
            || R::MECHANICS.handicaps && position.is_handicap_turn()
            || outlook.known.as_ref().is_some_and(below_it);
        if out_of_reach {
            return None;
        }
        let known = outlook.known.and_then(|known| known.best);
        let gain = beta - evaluation;
        let mut picker = self.moves_of(position, ply, GenType::Gaining(0), known);
        let mut found = None;
        while let Some(mv) = self.next_move(&mut picker, position) {
            if !see::see_ge(&self.evaluator, position, mv, gain) {
                continue;
            }
            if !self.enter(stop) {
                break;
            }
            self.frames[ply].moved = Some(self.history.moved(position.moved_kind(mv), mv.to()));
            position.make(mv);
            let checked = position.in_check();
            let asked = Window {
                alpha: -beta,
                beta: -beta + 1,
            };
            let mut score = -self.quiescence::<false>(position, asked, ply + 1, 0, checked, stop);
            if !self.stopped && score >= beta {
                let below = NodeContext {
                    ply: ply + 1,
                    depth: depth - 4,
                    checked,
                    cut: !place.cut,
                };
                score = -self.node::<false>(position, asked, below, stop);
            }
            position.unmake();
            if self.stopped {
                break;
            }
            if score >= beta {
                found = Some((mv, score));
                break;
            }
        }
        self.drop_moves(&picker);
        let (mv, score) = found?;
        let known = TtEntry {
            best: Some(mv),
            score,
            evaluation: outlook.raw,
            depth: (depth - 3) as u8,
            bound: Bound::Lower,
        };
        self.table.store(position.hash(), ply, &known);
        Some(if score.is_mate() {
            score
        } else {
            score - (beta - window.beta)
        })
    }

    /// Is the table's move the only good one? All others are searched less deep, against a score a little below the table's.
    pub(super) fn singular(
        &mut self,
        position: &mut Position<R>,
        mv: Move,
        window: Window,
        place: NodeContext,
        outlook: &NodeEval,
        stop: &AtomicBool,
    ) -> Singular {
        let NodeContext { ply, depth, .. } = place;
        let Some(known) = outlook.known else {
            return Singular::Extend(0);
        };
        let testable = depth >= p::singular_depth()
            && i32::from(known.depth) >= depth - 3
            && known.bound != Bound::Upper
            && !known.score.is_mate()
            && ply < 2 * self.iteration as usize;
        if !testable {
            return Singular::Extend(0);
        }
        let beta = known.score - depth * p::singular_margin() / 8;
        let below = NodeContext {
            depth: (depth - 1) / 2,
            ..place
        };
        self.frames[ply].excluded = Some(mv);
        let score = self.node::<false>(position, Window::above(beta - 1), below, stop);
        self.frames[ply].excluded = None;
        if self.stopped {
            return Singular::Extend(0);
        }
        let pv = window.beta - window.alpha > 1;
        if score < beta {
            let twice = !pv && score < beta - p::double_extension_margin();
            Singular::Extend(1 + i32::from(twice))
        } else if beta >= window.beta && !pv {
            // Several moves are good enough.
            Singular::Cutoff(beta)
        } else if known.score >= window.beta {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        }
    }
}

/// What the test of the table's move has shown.
pub(super) enum Singular {
    /// How many plies deeper it is to be searched.
    Extend(i32),
    /// The node fails high without it, too.
    Cutoff(Score),
}

//! The root node: search of all root moves.

mod aspiration;
mod iterative_deepening;

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;

use super::context::{MoveContext, NodeContext, Window};
use super::info::{Bound, PvInfo, SearchInfo};
use super::ordering::history::PreviousMoves;
use super::ordering::movepick::is_quiet;
use super::parameters::time as tm;
use super::thread::SearchThread;
use crate::eval::Score;
use crate::moves::Move;
use crate::position::{CompiledPosition, Position};

impl<R: CompiledPosition> SearchThread<R> {
    /// Searches all root moves except the first moves of better principal variations, and moves the
    /// best one to the front.
    fn search_root(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        in_check: bool,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> Score {
        let node = NodeContext { ply: 0, depth: self.root_depth, in_check, cut_node: false };
        let mut alpha = window.alpha;
        let mut best_score = -Score::INFINITE;
        let first = self.pv_index;
        let check_squares = position.check_squares();
        for index in first..self.root_moves.len() {
            let mv = self.root_moves[index].mv;
            if self.is_verbose() {
                report(&SearchInfo::CurrentMove { depth: self.iteration as u32, mv, number: index + 1 });
            }
            let is_quiet = is_quiet(position, mv);
            let piece_to = self.history.piece_to(position.moved_kind(mv), mv.to());
            let history = if is_quiet {
                self.history.quiet_score(position.side_to_move(), piece_to, PreviousMoves::default())
            } else {
                0
            };
            let mv_context = MoveContext {
                number: index - first,
                is_quiet,
                gives_check: position.gives_check(&check_squares, mv),
                history,
                improving: true,
                tt_capture: false,
                is_killer: false,
            };
            let nodes_before = self.nodes;
            if !self.count_node(stop) {
                break;
            }
            self.stack[0].piece_to = Some(piece_to);
            position.make(mv);
            let score = self.search_root_child(position, Window { alpha, ..window }, node, mv_context, stop);
            position.unmake();
            self.root_moves[index].nodes += self.nodes - nodes_before;
            if self.stopped {
                break;
            }
            best_score = best_score.max(score);
            if score > alpha {
                alpha = score;
                let bound = if score >= window.beta { Bound::Lower } else { Bound::Exact };
                self.set_best_root_move(index, mv, score, bound);
                if score >= window.beta {
                    break;
                }
            }
        }
        // Among the moves that were not in a principal variation, those with the largest subtrees
        // are the most likely to become the best.
        if !self.stopped {
            let others = self.pv_count().max(first + 1);
            self.root_moves[others..].sort_by_key(|root_move| Reverse(root_move.nodes));
        }
        best_score
    }

    /// Searches the position after a root move with LMR and PVS.
    fn search_root_child(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        node: NodeContext,
        mv_context: MoveContext,
        stop: &AtomicBool,
    ) -> Score {
        let child = NodeContext { ply: 1, depth: node.depth - 1, in_check: mv_context.gives_check, cut_node: true };
        if mv_context.number > 0 {
            let reduction = self.reductions.plies(true, node, mv_context);
            let reduced = NodeContext { depth: child.depth - reduction, ..child };
            let zero_width = Window::zero_width(window.alpha);
            let mut score = self.negamax::<false>(position, zero_width, reduced, stop);
            if !self.stopped && score > window.alpha && reduction > 0 {
                score = self.negamax::<false>(position, zero_width, child, stop);
            }
            if self.stopped || score <= window.alpha {
                return score;
            }
        }
        let child = NodeContext { cut_node: false, ..child };
        self.negamax::<true>(position, window, child, stop)
    }

    /// Records a new best root move and moves it to the front.
    fn set_best_root_move(&mut self, index: usize, mv: Move, score: Score, bound: Bound) {
        let line = self.pv_table.line(1);
        let root_move = &mut self.root_moves[index];
        root_move.score = Some(score);
        root_move.bound = bound;
        root_move.pv.clear();
        root_move.pv.push(mv);
        root_move.pv.extend_from_slice(line);
        self.root_moves[self.pv_index..=index].rotate_right(1);
    }

    /// Returns true if the search has run long enough to report more than completed iterations.
    fn is_verbose(&self) -> bool {
        self.time.elapsed() >= tm::VERBOSE_AFTER
    }

    /// Reports a principal variation with its latest score, if it has one: that of this iteration
    /// or, in a stopped search, of the last.
    pub(crate) fn report_pv(&self, pv_index: usize, report: &mut dyn FnMut(&SearchInfo<'_>)) {
        let root_move = &self.root_moves[pv_index];
        match (root_move.score, root_move.previous_score) {
            (Some(score), _) => self.report_score(pv_index, self.iteration, score, root_move.bound, report),
            (None, Some(score)) => self.report_score(pv_index, self.iteration - 1, score, Bound::Exact, report),
            (None, None) => {}
        }
    }

    fn report_score(
        &self,
        pv_index: usize,
        depth: i32,
        score: Score,
        bound: Bound,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) {
        report(&SearchInfo::Pv(PvInfo {
            depth: depth as u32,
            seldepth: self.seldepth as u32,
            multipv: pv_index + 1,
            score,
            bound,
            nodes: self.total_nodes(),
            elapsed: self.time.elapsed(),
            hashfull: self.tt.hashfull(),
            pv: &self.root_moves[pv_index].pv,
        }));
    }
}

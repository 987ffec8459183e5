//! Iterative deepening.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::eval::{MAX_PLY, Score};
use crate::position::{CompiledPosition, Position};
use crate::search::info::{SearchInfo, SearchResult};
use crate::search::limits::Limits;
use crate::search::node::game_end::no_moves_score;
use crate::search::ordering::movepick::{GenType, PickedMove};
use crate::search::parameters::time as tm;
use crate::search::thread::SearchThread;
use crate::search::thread::root_move::RootMove;
use crate::search::thread::time::IterationStats;

/// Helper threads start at depths from 1 to this, so that not all search the same iteration.
const HELPER_START_DEPTHS: u32 = 3;

impl<R: CompiledPosition> SearchThread<R> {
    /// Runs iterative deepening until a limit is reached or `stop` is set.
    pub(crate) fn iterative_deepening(
        &mut self,
        position: &mut Position<R>,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> SearchResult {
        let in_check = position.in_check();
        self.generate_root_moves(position, limits);
        if self.root_moves.is_empty() {
            self.wait_for_stop(limits, stop);
            return self.result_without_moves(position, limits);
        }
        let static_eval = (!in_check).then(|| self.evaluate(position, 0));
        self.stack[0].static_eval = static_eval;
        let mut result = SearchResult {
            best_move: Some(self.root_moves[0].mv),
            ponder: None,
            score: static_eval.unwrap_or(Score::DRAW),
            depth: 0,
            nodes: 0,
            pv: vec![self.root_moves[0].mv],
        };
        let max_depth = limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32 - 1);
        let start_depth = (1 + self.id % HELPER_START_DEPTHS).min(max_depth);
        let mut stability = 0;
        for depth in start_depth..=max_depth {
            self.iteration = depth as i32;
            let (nodes_before, previous_score) = (self.nodes, result.score);
            self.search_pvs(position, in_check, previous_score, stop, report);
            // The best move of an unfinished iteration is at least as good as the last iteration's.
            let best = &self.root_moves[0];
            let is_new_best = result.best_move != Some(best.mv);
            if let Some(score) = best.score {
                stability = if is_new_best { 0 } else { stability + 1 };
                result.best_move = Some(best.mv);
                result.pv.clone_from(&best.pv);
                result.score = score;
            }
            if self.stopped {
                self.report_stopped(result.score, report);
                break;
            }
            result.depth = depth;
            self.report_pvs(report);
            let stats = IterationStats {
                stability,
                node_share: self.root_moves[0].nodes as f64 / (self.nodes - nodes_before).max(1) as f64,
                score_drop: score_drop(previous_score, result.score),
            };
            let is_done = self.is_done(limits, &result) || !self.time.allows_another_iteration(stats);
            if is_done && !limits.infinite && !self.time.is_pondering() {
                break;
            }
        }
        self.wait_for_stop(limits, stop);
        result.nodes = self.nodes;
        result.ponder = result.pv.get(1).copied();
        result
    }

    /// Reports the principal variations with the final node count.
    fn report_stopped(&mut self, score: Score, report: &mut dyn FnMut(&SearchInfo<'_>)) {
        // A search that is stopped in its first iteration may have no score but the static
        // evaluation.
        let best = &mut self.root_moves[0];
        best.previous_score = best.previous_score.or(Some(score));
        self.report_pvs(report);
    }

    fn report_pvs(&self, report: &mut dyn FnMut(&SearchInfo<'_>)) {
        for pv_index in 0..self.pv_count() {
            self.report_pv(pv_index, report);
        }
    }

    /// Number of principal variations to search for.
    pub(crate) fn pv_count(&self) -> usize {
        self.multi_pv.min(self.root_moves.len())
    }

    /// Searches one iteration: the best line, then the best line that starts with another move, and
    /// so on.
    fn search_pvs(
        &mut self,
        position: &mut Position<R>,
        in_check: bool,
        previous_score: Score,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) {
        self.root_moves.iter_mut().for_each(RootMove::start_iteration);
        for pv_index in 0..self.pv_count() {
            self.pv_index = pv_index;
            let previous_score = match pv_index {
                0 => previous_score,
                _ => self.root_moves[pv_index].previous_score.unwrap_or(previous_score),
            };
            self.aspiration_window(position, in_check, previous_score, stop, report);
            if self.stopped {
                break;
            }
            // A later line may score higher than an earlier one.
            self.root_moves[..=pv_index].sort_by_key(|root_move| Reverse(root_move.score));
        }
    }

    /// Generates the legal root moves that may be searched, in the order of a node's moves.
    fn generate_root_moves(&mut self, position: &Position<R>, limits: &Limits) {
        let tt_move = self.tt.probe(position.hash(), 0).and_then(|entry| entry.best_move);
        let mut picker = self.pick_moves(position, GenType::All, 0, tt_move);
        self.root_moves.clear();
        while let Some(PickedMove { mv, .. }) = self.next_move(&mut picker, position) {
            if limits.search_moves.is_empty() || limits.search_moves.contains(&mv) {
                self.root_moves.push(RootMove::new(mv));
            }
        }
        self.finish_moves(&picker);
    }

    /// Result if there is no root move to search.
    fn result_without_moves(&mut self, position: &Position<R>, limits: &Limits) -> SearchResult {
        let is_over = !position.has_legal_move();
        debug_assert!(is_over || !limits.search_moves.is_empty());
        let score = if is_over { no_moves_score(position, 0) } else { self.evaluate(position, 0) };
        SearchResult { best_move: None, ponder: None, score, depth: 0, nodes: 0, pv: Vec::new() }
    }

    /// Returns true if another iteration is useless: the mate of the limit has been found, or in a
    /// game with a clock the move is forced or mates.
    fn is_done(&self, limits: &Limits, result: &SearchResult) -> bool {
        let found_mate = |moves: u32| result.score.mate().is_some_and(|mate| mate > 0 && mate.unsigned_abs() <= moves);
        if limits.mate.is_some_and(found_mate) {
            return true;
        }
        let is_mate = result.score.mate_plies().is_some_and(|plies| plies.unsigned_abs() + 2 < result.depth);
        limits.clock.is_some() && (self.root_moves.len() == 1 || is_mate)
    }

    /// Waits until an infinite or pondering search may end.
    fn wait_for_stop(&mut self, limits: &Limits, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) && (limits.infinite || self.time.is_pondering()) {
            std::thread::sleep(tm::POLL_INTERVAL);
        }
    }
}

/// Centipawns by which the score has dropped; 0 if it has risen or either score is a mate.
fn score_drop(previous: Score, current: Score) -> i32 {
    let both = previous.centipawns().zip(current.centipawns());
    both.map_or(0, |(previous, current)| (previous - current).max(0))
}

//! Quiescence search: captures and promotions that do not lose material, and in its first plies
//! checks, until the position is quiet.

use std::sync::atomic::AtomicBool;

use super::game_end::{no_moves_score, over_or_won_score};
use super::tt_cutoff;
use crate::eval::{MAX_PLY, Score};
use crate::moves::Move;
use crate::position::{CompiledPosition, Position};
use crate::search::context::{NodeEval, Window, same_side_moves_again};
use crate::search::info::Bound;
use crate::search::ordering::movepick::{GenType, PickedMove, is_quiet};
use crate::search::parameters::{self as p, QS_STALEMATE_PIECES};
use crate::search::thread::SearchThread;
use crate::search::tt::TtEntry;

impl<R: CompiledPosition> SearchThread<R> {
    /// Searches good captures and promotions, in the first plies also good checks; in check, all
    /// moves. Returns the score from the point of view of the side to move, as
    /// [`SearchThread::search_node`] does. `qs_ply` counts plies from the start of the quiescence
    /// search; after some plies only recaptures are searched.
    pub(crate) fn quiescence<const PV: bool>(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        ply: usize,
        qs_ply: i32,
        in_check: bool,
        stop: &AtomicBool,
    ) -> Score {
        self.pv_table.clear(ply);
        self.seldepth = self.seldepth.max(ply);
        if let Some(score) = over_or_won_score(position, ply) {
            return score;
        }

        // Transposition-table cutoff
        let hash = position.hash();
        // Who must capture cannot stand pat, like a side in check. In long exchanges it can, or
        // there would be no end of them.
        let in_check = in_check || qs_ply < p::qs_recapture_ply() && position.must_capture();
        let tt_entry = self.tt.probe(hash, ply);
        if !PV
            && let Some(entry) = tt_entry
            && let Some(score) = tt_cutoff(&entry, window, 0)
        {
            return score;
        }

        // Static evaluation and stand pat
        let NodeEval { raw_eval, eval, .. } = self.evaluate_node(position, ply, in_check, tt_entry);
        if ply >= MAX_PLY - 1 {
            return eval.unwrap_or(Score::DRAW);
        }
        let mut best_score = eval.unwrap_or(-Score::INFINITE);
        if best_score >= window.beta {
            if tt_entry.is_none() {
                self.store_quiescence(hash, ply, None, best_score, raw_eval, Bound::Lower);
            }
            return best_score;
        }
        let mut alpha = window.alpha.max(best_score);

        // Move loop
        let gen_type = if in_check {
            GenType::All
        } else if qs_ply < p::qs_check_plies() {
            GenType::GoodCapturesAndChecks
        } else {
            GenType::GoodCaptures
        };
        let tt_move = tt_entry.and_then(|entry| entry.best_move);
        let mut picker = self.pick_moves(position, gen_type, ply, tt_move);
        let recapture_target =
            (qs_ply >= p::qs_recapture_ply() && !in_check).then(|| position.last_move()).flatten().map(Move::to);
        let mut best_move = None;
        let mut has_moves = false;
        while let Some(PickedMove { mv, gives_check }) = self.next_move(&mut picker, position) {
            has_moves = true;
            if recapture_target.is_some_and(|target| mv.to() != target) {
                continue;
            }

            // Delta pruning
            if let Some(eval) = eval
                && !gives_check
                && !alpha.is_mate()
            {
                let optimistic = eval + (self.max_gain(position, mv) + p::qs_delta_margin());
                if optimistic <= alpha {
                    best_score = best_score.max(optimistic);
                    continue;
                }
            }

            // Make the move and search it
            if !self.count_node(stop) {
                break;
            }
            let is_quiet = is_quiet(position, mv);
            self.stack[ply].piece_to = Some(self.history.piece_to(position.moved_kind(mv), mv.to()));
            self.tt.prefetch(position.hash_after(mv));
            position.make(mv);
            let child_window = Window { alpha, ..window };
            let score = self.quiescence_child::<PV>(position, child_window, ply + 1, qs_ply + 1, gives_check, stop);
            position.unmake();
            if self.stopped {
                break;
            }

            // New best move, beta cutoff
            best_score = best_score.max(score);
            if score > alpha {
                alpha = score;
                best_move = Some(mv);
                if PV {
                    self.pv_table.update(ply, mv);
                }
                if score >= window.beta {
                    break;
                }
            }
            if in_check && is_quiet && !best_score.is_losing_mate() {
                // One quiet evasion that is not mated is enough.
                picker.skip_quiets();
            }
        }
        let has_no_moves = !has_moves && self.had_no_moves(&picker);
        self.finish_moves(&picker);
        if self.stopped {
            return Score::DRAW;
        }

        // Mate and stalemate
        if has_no_moves && (in_check || is_stalemate(position)) {
            return no_moves_score(position, ply);
        }

        // Store the result
        let bound = if best_score >= window.beta {
            Bound::Lower
        } else if best_move.is_some() && PV {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.store_quiescence(hash, ply, best_move, best_score, raw_eval, bound);
        best_score
    }

    /// Searches the position after a move. Window and score are from the point of view of the side
    /// that has moved.
    fn quiescence_child<const PV: bool>(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        ply: usize,
        qs_ply: i32,
        in_check: bool,
        stop: &AtomicBool,
    ) -> Score {
        if same_side_moves_again(position) {
            self.quiescence::<PV>(position, window, ply, qs_ply, in_check, stop)
        } else {
            -self.quiescence::<PV>(position, window.negated(), ply, qs_ply, in_check, stop)
        }
    }

    fn store_quiescence(
        &self,
        hash: u64,
        ply: usize,
        best_move: Option<Move>,
        score: Score,
        raw_eval: Option<Score>,
        bound: Bound,
    ) {
        let entry = TtEntry { best_move, score, raw_eval, depth: 0, bound };
        self.tt.store(hash, ply, &entry);
    }

    /// Maximum material gain of a capture or promotion, in centipawns.
    fn max_gain(&self, position: &Position<R>, mv: Move) -> i32 {
        let value = |kind| self.evaluator().see_value(kind);
        let promotion = mv.promotion().map_or(0, |kind| value(kind) - value(position.moved_kind(mv)));
        let blast = position.blast(position.moved_kind(mv), mv) & position.by_color(!position.side_to_move());
        let exploded = blast.into_iter().filter(|&square| square != mv.to());
        let exploded = exploded.filter_map(|square| position.kind_at(square)).map(value);
        position.captured_kind(mv).map_or(0, value) + exploded.sum::<i32>() + promotion
    }
}

/// Detects stalemate of a side that has no captures and is not in check. Sides with many pieces are
/// not tested, because they are hardly ever stalemated.
fn is_stalemate<R: CompiledPosition>(position: &Position<R>) -> bool {
    position.by_color(position.side_to_move()).count() <= QS_STALEMATE_PIECES && !position.has_legal_move()
}

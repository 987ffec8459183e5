//! The quiescence search: captures and promotions that do not lose, until nothing is left to take.

use std::sync::atomic::AtomicBool;

use super::CompiledSearch;
use super::Searcher;
use super::correction::CorrectionKeys;
use super::ending::{ended, without_moves};
use super::info::Bound;
use super::movepick::{GenType, is_quiet};
use super::node::{Views, Window, cutoff, is_same_side_again};
use super::parameters::{self as p, STALEMATE_MEN};
use super::tt::TtEntry;
use crate::eval::{MAX_PLY, Score};
use crate::moves::Move;
use crate::position::Position;

impl<R: CompiledSearch> Searcher<R> {
    /// The score of a position for its side to move, when that side may stop capturing at any time; in check it looks at all
    /// its moves instead. `depth` is the number of plies since the quiescence search began: when that is many, only the piece
    /// that has captured last may be captured.
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        ply: usize,
        depth: i32,
        checked: bool,
        stop: &AtomicBool,
    ) -> Score {
        self.variations.begin(ply);
        self.selective_depth = self.selective_depth.max(ply);
        if let Some(score) = ended(position, ply) {
            return score;
        }
        let key = position.hash();
        let known = self.table.probe(key, ply);
        if !PV
            && let Some(known) = known
            && let Some(score) = cutoff(&known, window, 0)
        {
            return score;
        }
        let keys = CorrectionKeys::of(position, self.before(ply));
        let Views {
            raw, best: evaluation, ..
        } = self.views(position, ply, checked, known, keys);
        if ply >= MAX_PLY - 1 {
            return evaluation.unwrap_or(Score::DRAW);
        }
        let mut best = evaluation.unwrap_or(-Score::INFINITE);
        let mut alpha = window.alpha;
        if best >= window.beta {
            if known.is_none() {
                self.keep_quiet(key, ply, None, best, raw, Bound::Lower);
            }
            return best;
        }
        alpha = alpha.max(best);

        let wanted = if checked { GenType::All } else { GenType::Gaining(0) };
        let mut picker = self.moves_of(position, ply, wanted, known.and_then(|known| known.best));
        let target = (depth >= p::qs_recapture_ply() && !checked)
            .then(|| position.last_move())
            .flatten()
            .map(Move::to);
        let mut best_move = None;
        let mut number = 0;
        while let Some(mv) = self.next_move(&mut picker, position) {
            number += 1;
            if target.is_some_and(|target| mv.to() != target) {
                continue;
            }
            if let Some(evaluation) = evaluation
                && !alpha.is_mate()
            {
                let most = evaluation + (self.most_gain(position, mv) + p::qs_delta_margin());
                if most <= alpha {
                    best = best.max(most);
                    continue;
                }
            }
            if !self.enter(stop) {
                break;
            }
            let quiet = is_quiet(position, mv);
            self.frames[ply].moved = Some(self.history.moved(position.moved_kind(mv), mv.to()));
            position.make(mv);
            let score = self.after_capture::<PV>(position, Window { alpha, ..window }, ply + 1, depth + 1, stop);
            position.unmake();
            if self.stopped {
                break;
            }
            best = best.max(score);
            if score > alpha {
                alpha = score;
                best_move = Some(mv);
                if PV {
                    self.variations.extend(ply, mv);
                }
                if score >= window.beta {
                    break;
                }
            }
            if quiet && !best.is_losing_mate() {
                // One quiet way out of check that does not lose is enough to know what it is worth.
                picker.leave_out_quiet();
            }
        }
        let none = number == 0 && self.has_none(&picker);
        self.drop_moves(&picker);
        if self.stopped {
            return Score::DRAW;
        }
        if none && (checked || is_stalemate(position)) {
            return without_moves(position, ply);
        }
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best_move.is_some() && PV {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.keep_quiet(key, ply, best_move, best, raw, bound);
        best
    }

    /// The score of the position after a move, for the side that made it.
    fn after_capture<const PV: bool>(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        ply: usize,
        depth: i32,
        stop: &AtomicBool,
    ) -> Score {
        let checked = position.in_check();
        if R::MECHANICS.handicaps && is_same_side_again(position) {
            self.quiescence::<PV>(position, window, ply, depth, checked, stop)
        } else {
            -self.quiescence::<PV>(position, window.flipped(), ply, depth, checked, stop)
        }
    }

    fn keep_quiet(
        &mut self,
        key: u64,
        ply: usize,
        best: Option<Move>,
        score: Score,
        evaluation: Option<Score>,
        bound: Bound,
    ) {
        self.table.store(
            key,
            ply,
            &TtEntry {
                best,
                score,
                evaluation,
                depth: 0,
                bound,
            },
        );
    }

    /// The most that a capture or promotion can bring, in centipawns.
    fn most_gain(&self, position: &Position<R>, mv: Move) -> i32 {
        let value = |kind| self.evaluator.see_value(kind);
        let promoted = mv
            .promotion()
            .map_or(0, |kind| value(kind) - value(position.game().pawn));
        position.captured_kind(mv).map_or(0, value) + promoted
    }
}

/// Is a side to move that is not in check and cannot capture stalemated? Looked for only when it has few pieces left.
fn is_stalemate<R: CompiledSearch>(position: &Position<R>) -> bool {
    position.by_color(position.side_to_move()).count() <= STALEMATE_MEN && !position.has_legal_move()
}

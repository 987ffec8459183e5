//! The search of an inner node: principal variation search with alpha-beta pruning.

mod extensions;
pub(super) mod game_end;
mod pruning;
mod quiescence;

use std::sync::atomic::AtomicBool;

use arrayvec::ArrayVec;
use assay_rules::piece::Kind;

use super::context::{MoveContext, NodeContext, NodeEval, Window, has_pieces, same_side_moves_again};
use super::correction::CorrectionKeys;
use super::info::Bound;
use super::ordering::history::{PieceTo, history_bonus};
use super::ordering::movepick::{GenType, PickedMove, is_quiet};
use super::parameters as p;
use super::thread::SearchThread;
use super::tt::TtEntry;
use crate::eval::{MAX_PLY, Score};
use crate::moves::Move;
use crate::position::{CompiledPosition, Position};
use extensions::Singularity;
use game_end::{drawn_score, game_over_score, no_moves_score};
use pruning::MovePruning;

impl<R: CompiledPosition> SearchThread<R> {
    /// Searches a node and returns its score from the point of view of the side to move: exact
    /// inside the window, a bound at or beyond its ends. After a stop the score is meaningless.
    #[expect(clippy::too_many_lines, reason = "the steps of the search in order")]
    pub(crate) fn search_node<const PV: bool>(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        node: NodeContext,
        stop: &AtomicBool,
    ) -> Score {
        debug_assert!(window.alpha < window.beta && (PV || window.beta - window.alpha == 1));
        debug_assert_eq!(node.in_check, position.in_check());
        let NodeContext { ply, in_check, depth, .. } = node;

        // Quiescence search at the horizon
        if depth <= 0 {
            return self.quiescence::<PV>(position, window, ply, 0, in_check, stop);
        }
        self.pv_table.clear(ply);
        self.seldepth = self.seldepth.max(ply);

        // Extinction, goal, checks, bare king, dead position, repetition, move rule, maximum ply
        if let Some(score) = game_over_score(position, ply) {
            return score;
        }
        if ply >= MAX_PLY - 1 {
            return if in_check { Score::DRAW } else { self.evaluate(position, ply) };
        }

        // A goal that both sides reach
        if ply > 0 && position.can_follow() {
            return drawn_score(position, ply);
        }

        // A win by the next move
        if let Some(mv) = position.winning_move() {
            self.pv_table.clear(ply + 1);
            self.pv_table.update(ply, mv);
            return Score::mating(ply + 1);
        }

        // Mate distance pruning
        let Some(window) = window.within_mate_distance(ply, position.game().can_win_without_moves()) else {
            return window.alpha.max(Score::mated(ply));
        };

        // Transposition-table cutoff
        let excluded = self.stack[ply].excluded_move;
        let tt_entry = match excluded {
            None => self.tt.probe(position.hash(), ply),
            Some(_) => None,
        };
        let tt_move = tt_entry.and_then(|entry| entry.best_move);
        if !PV
            && let Some(entry) = tt_entry
            && let Some(score) = tt_cutoff(&entry, window, depth)
        {
            return score;
        }

        // Static evaluation and correction history
        let node_eval = self.evaluate_node(position, ply, in_check, tt_entry);
        self.stack[ply].static_eval = node_eval.static_eval;
        let improving = self.is_improving(ply);
        // With king and pawns alone, and where captures are forced, zugzwang and stalemate are too
        // frequent for pruning.
        let has_pieces = has_pieces(position) && position.game().mechanisms.forced_captures.is_none();

        if !PV
            && excluded.is_none()
            && has_pieces
            && let Some(eval) = node_eval.eval
        {
            // Reverse futility pruning
            if pruning::reverse_futility(eval, window.beta, depth, improving) {
                return window.beta + (eval - window.beta) / 2;
            }

            // Null-move pruning
            if let Some(score) = self.null_move(position, window, node, eval, stop) {
                return score;
            }
        }

        // Internal iterative reduction (IIR)
        let reduce = tt_move.is_none() && excluded.is_none() && depth >= p::iir_depth() && (PV || node.cut_node);
        let node = NodeContext { depth: depth - i32::from(reduce), ..node };

        // Move loop
        let tt_capture = tt_move.is_some_and(|mv| !is_quiet(position, mv));
        let color = position.side_to_move();
        let previous = self.previous_moves(ply);
        let killers = self.history.killers(ply);
        let mut alpha = window.alpha;
        let mut best = BestMove { mv: None, score: -Score::INFINITE };
        let mut searched = SearchedMoves::default();
        let mut number = 0;
        let mut picker = self.pick_moves(position, GenType::All, ply, tt_move);
        while let Some(PickedMove { mv, gives_check }) = self.next_move(&mut picker, position) {
            if Some(mv) == excluded {
                continue;
            }
            let is_quiet = is_quiet(position, mv);
            let piece_to = self.history.piece_to(position.moved_kind(mv), mv.to());
            let victim = position.captured_kind(mv);
            let mv_context = MoveContext {
                number,
                is_quiet,
                gives_check,
                history: match victim {
                    _ if is_quiet => self.history.quiet_score(color, piece_to, previous),
                    Some(victim) => self.history.capture_score(piece_to, victim),
                    None => 0,
                },
                improving,
                tt_capture,
                is_killer: killers.contains(&Some(mv)),
            };

            // Late move, futility and SEE pruning
            if number > 0 && has_pieces && !best.score.is_losing_mate() && !position.reaches_goal(mv) {
                let pruning = self.should_prune::<PV>(position, mv, alpha, node, mv_context, node_eval.eval);
                if pruning != MovePruning::Search {
                    if pruning == MovePruning::SkipQuiets {
                        picker.skip_quiets();
                    }
                    number += 1;
                    continue;
                }
            }

            // Singular extension
            let mut extension = 0;
            if number == 0
                && excluded.is_none()
                && Some(mv) == tt_move
                && let Some(entry) = tt_entry
            {
                match self.test_singular(position, mv, window, node, &entry, stop) {
                    Singularity::Extension(plies) => extension = plies,
                    Singularity::MultiCut(score) if !PV => {
                        self.finish_moves(&picker);
                        return score;
                    }
                    Singularity::MultiCut(_) => {}
                }
                if self.stopped {
                    break;
                }
            }

            // Make the move and search it with LMR and PVS
            if !self.count_node(stop) {
                break;
            }
            self.stack[ply].piece_to = Some(piece_to);
            self.tt.prefetch(position.hash_after(mv));
            position.make(mv);
            let score =
                self.search_child::<PV>(position, Window { alpha, ..window }, node, mv_context, extension, stop);
            position.unmake();
            if self.stopped {
                break;
            }
            number += 1;

            // New best move, beta cutoff
            best.score = best.score.max(score);
            if score > alpha {
                alpha = score;
                best.mv = Some(mv);
                if PV {
                    self.pv_table.update(ply, mv);
                }
                if score >= window.beta {
                    self.update_histories(position, mv, node, &searched);
                    break;
                }
            }
            match victim {
                _ if is_quiet => searched.add_quiet(piece_to),
                Some(victim) => searched.add_capture(piece_to, victim),
                None => {}
            }
        }
        self.finish_moves(&picker);
        if self.stopped {
            return Score::DRAW;
        }

        // Mate and stalemate
        if number == 0 {
            return match excluded {
                None => no_moves_score(position, ply),
                // The excluded move is the only one, so it is singular.
                Some(_) => window.alpha,
            };
        }

        // Store the result
        if excluded.is_none() {
            self.store_tt(position, node, window, &node_eval, &best);
        }
        best.score
    }

    /// Evaluates a node, reusing the evaluation of its transposition-table entry.
    #[inline]
    pub(crate) fn evaluate_node(
        &mut self,
        position: &Position<R>,
        ply: usize,
        in_check: bool,
        tt_entry: Option<TtEntry>,
    ) -> NodeEval {
        let correction_keys = CorrectionKeys::new(position, self.previous_moves(ply));
        if in_check {
            return NodeEval { correction_keys, ..NodeEval::default() };
        }
        let raw_eval = tt_entry.and_then(|entry| entry.raw_eval).unwrap_or_else(|| self.evaluate(position, ply));
        let static_eval = self.correction_history.correct(correction_keys, raw_eval);
        let eval = match tt_entry {
            Some(entry) if tt_score_improves(&entry, static_eval) => entry.score,
            _ => static_eval,
        };
        NodeEval { raw_eval: Some(raw_eval), static_eval: Some(static_eval), eval: Some(eval), correction_keys }
    }

    /// Returns true if the static evaluation is higher than at this side's previous move, or if
    /// there was none: in check, or before the root.
    fn is_improving(&self, ply: usize) -> bool {
        let earlier = ply.checked_sub(2).and_then(|ply| self.stack[ply].static_eval);
        self.stack[ply].static_eval.is_some_and(|now| earlier.is_none_or(|earlier| now > earlier))
    }

    /// Searches the position after a move and returns its score from the point of view of the side
    /// that made the move.
    fn search_child<const PV: bool>(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        node: NodeContext,
        mv_context: MoveContext,
        extension: i32,
        stop: &AtomicBool,
    ) -> Score {
        let mut child = NodeContext {
            ply: node.ply + 1,
            depth: node.depth - 1 + extension,
            in_check: mv_context.gives_check,
            cut_node: !node.cut_node,
        };
        let zero_width = Window::zero_width(window.alpha);
        let mut score = -Score::INFINITE;

        // Late move reduction (LMR)
        let reduction = self.reductions.plies(PV, node, mv_context);
        if reduction > 0 && child.depth > 1 {
            let reduced = NodeContext { depth: (child.depth - reduction).max(1), cut_node: true, ..child };
            score = self.negamax::<false>(position, zero_width, reduced, stop);
            if self.stopped || score <= window.alpha {
                return score;
            }
            child.depth += i32::from(score > window.alpha + p::lmr_deeper_margin());
            child.depth -= i32::from(score < window.alpha + p::lmr_shallower_margin());
        }

        // Principal variation search (PVS): zero-width window, then the full one
        if !PV || mv_context.number > 0 {
            score = self.negamax::<false>(position, zero_width, child, stop);
        }
        if PV && (mv_context.number == 0 || !self.stopped && score > window.alpha) {
            let child = NodeContext { cut_node: false, ..child };
            score = self.negamax::<true>(position, window, child, stop);
        }
        score
    }

    /// Searches a child node. Window and score are from the point of view of the side that has
    /// moved, which is also the side to move in the first half of a two-move handicap.
    #[inline]
    pub(crate) fn negamax<const PV: bool>(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        child: NodeContext,
        stop: &AtomicBool,
    ) -> Score {
        if same_side_moves_again(position) {
            self.search_node::<PV>(position, window, child, stop)
        } else {
            -self.search_node::<PV>(position, window.negated(), child, stop)
        }
    }

    /// Rewards the move that caused a beta cutoff and penalizes the moves searched before it.
    fn update_histories(&mut self, position: &Position<R>, mv: Move, node: NodeContext, searched: &SearchedMoves) {
        let NodeContext { ply, depth, .. } = node;
        let color = position.side_to_move();
        let previous = self.previous_moves(ply);
        let piece_to = self.history.piece_to(position.moved_kind(mv), mv.to());
        let bonus = history_bonus(depth);
        if is_quiet(position, mv) {
            self.history.add_refutation(ply, mv, previous);
            self.history.update_quiet(color, piece_to, previous, bonus);
            for &other in &searched.quiets {
                self.history.update_quiet(color, other, previous, -bonus);
            }
        } else if let Some(victim) = position.captured_kind(mv) {
            self.history.update_capture(piece_to, victim, bonus);
        }
        for &(other, victim) in &searched.captures {
            self.history.update_capture(other, victim, -bonus);
        }
    }

    /// Stores the result of a node in the transposition table and updates the correction history.
    fn store_tt(
        &mut self,
        position: &Position<R>,
        node: NodeContext,
        window: Window,
        node_eval: &NodeEval,
        best: &BestMove,
    ) {
        let bound = if best.score >= window.beta {
            Bound::Lower
        } else if best.mv.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = TtEntry {
            best_move: best.mv,
            score: best.score,
            raw_eval: node_eval.raw_eval,
            depth: node.depth as u8,
            bound,
        };
        self.tt.store(position.hash(), node.ply, &entry);
        // A capture says nothing about the static evaluation, nor does a bound that is consistent
        // with it.
        let is_quiet = best.mv.is_none_or(|mv| is_quiet(position, mv));
        if let Some(static_eval) = self.stack[node.ply].static_eval
            && is_quiet
            && !best.score.is_mate()
            && !(bound == Bound::Lower && best.score <= static_eval)
            && !(bound == Bound::Upper && best.score >= static_eval)
        {
            self.correction_history.update(node_eval.correction_keys, best.score - static_eval, node.depth);
        }
    }
}

/// Best move and score of a node so far.
struct BestMove {
    /// The last move that raised alpha.
    mv: Option<Move>,
    score: Score,
}

/// The first moves searched at a node.
#[derive(Default)]
struct SearchedMoves {
    quiets: ArrayVec<PieceTo, 32>,
    captures: ArrayVec<(PieceTo, Kind), 16>,
}

impl SearchedMoves {
    fn add_quiet(&mut self, piece_to: PieceTo) {
        let _ = self.quiets.try_push(piece_to);
    }

    fn add_capture(&mut self, piece_to: PieceTo, victim: Kind) {
        let _ = self.captures.try_push((piece_to, victim));
    }
}

/// Returns the score of a transposition-table entry that is deep enough and decides the window.
pub(crate) fn tt_cutoff(entry: &TtEntry, window: Window, depth: i32) -> Option<Score> {
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= window.beta,
        Bound::Upper => entry.score <= window.alpha,
    };
    (decides && i32::from(entry.depth) >= depth).then_some(entry.score)
}

/// Returns true if the score of a transposition-table entry is a better estimate than the static
/// evaluation.
fn tt_score_improves(entry: &TtEntry, static_eval: Score) -> bool {
    !entry.score.is_mate()
        && match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.score > static_eval,
            Bound::Upper => entry.score < static_eval,
        }
}

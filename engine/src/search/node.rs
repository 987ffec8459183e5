//! An inner node of the tree: principal variation alpha-beta search with a transposition table.

use std::sync::atomic::AtomicBool;

use assay_rules::piece::Kind;

use super::CompiledSearch;
use super::Searcher;
use super::correction::CorrectionKeys;
use super::ending::{ended, without_moves};
use super::history::{Moved, bonus};
use super::info::Bound;
use super::movepick::{GenType, is_quiet};
use super::parameters as p;
use super::prune;
use super::see;
use super::shortcuts::Singular;
use super::tt::TtEntry;
use crate::eval::{MAX_PLY, Score};
use crate::moves::Move;
use crate::position::Position;

/// The scores that still matter: below `alpha` the side to move has better elsewhere, from `beta` on the other side has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// The window that only asks whether the score is above `alpha`.
    pub(super) fn above(alpha: Score) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// The same window as the other side sees it.
    pub(super) fn flipped(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

/// Where in the tree a node is.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeContext {
    /// Plies from the root.
    pub(super) ply: usize,
    /// Plies that are still to be searched.
    pub(super) depth: i32,
    /// Is the side to move in check?
    pub(super) checked: bool,
    /// Is the node expected to fail high?
    pub(super) cut: bool,
}

/// What is known of a node before its moves are tried.
pub(super) struct NodeEval {
    pub(super) known: Option<TtEntry>,
    /// The evaluation as it was made; none in check.
    pub(super) raw: Option<Score>,
    /// The same corrected, and brought nearer to the truth by the table's score where that says more.
    pub(super) evaluation: Option<Score>,
    /// Where its corrections are kept.
    keys: CorrectionKeys,
    /// Is the evaluation better than at this side's last turn?
    pub(super) improving: bool,
}

impl<R: CompiledSearch> Searcher<R> {
    /// The score of a node for its side to move. Exact within the window; at or beyond its ends a bound.
    ///
    /// When the search has been stopped, the score means nothing.
    pub(super) fn node<const PV: bool>(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        place: NodeContext,
        stop: &AtomicBool,
    ) -> Score {
        debug_assert!(window.alpha < window.beta && (PV || window.beta - window.alpha == 1));
        debug_assert_eq!(place.checked, position.in_check());
        let NodeContext {
            ply, checked, depth, ..
        } = place;
        if depth <= 0 {
            return self.quiescence::<PV>(position, window, ply, 0, checked, stop);
        }
        self.variations.begin(ply);
        self.selective_depth = self.selective_depth.max(ply);
        if let Some(score) = ended(position, ply) {
            return score;
        }
        if ply >= MAX_PLY - 1 {
            return if checked {
                Score::DRAW
            } else {
                self.evaluate(position, ply)
            };
        }
        let Some(window) = within_mates(window, ply) else {
            return window.alpha.max(Score::mated(ply));
        };

        let excluded = self.frames[ply].excluded;
        let known = match excluded {
            None => self.table.probe(position.hash(), ply),
            Some(_) => None,
        };
        if !PV
            && let Some(known) = known
            && let Some(score) = cutoff(&known, window, depth)
        {
            return score;
        }
        let outlook = self.look(position, ply, checked, known);
        if !PV
            && excluded.is_none()
            && let Some(score) = self.prune_node(position, window, place, &outlook, stop)
        {
            return score;
        }
        let unknown = known.is_none_or(|known| known.best.is_none()) && excluded.is_none();
        let reduced = unknown && depth >= p::iir_depth() && (PV || place.cut);
        let place = NodeContext {
            depth: depth - i32::from(reduced),
            ..place
        };
        self.try_moves::<PV>(position, window, place, &outlook, stop)
    }

    /// Evaluates a node, or remembers its evaluation.
    fn look(&mut self, position: &Position<R>, ply: usize, checked: bool, known: Option<TtEntry>) -> NodeEval {
        let keys = CorrectionKeys::of(position, self.before(ply));
        let Views { raw, corrected, best } = self.views(position, ply, checked, known, keys);
        self.frames[ply].evaluation = corrected;
        let now = self.frames[ply].evaluation;
        let earlier = ply.checked_sub(2).and_then(|ply| self.frames[ply].evaluation);
        let improving = now.is_some_and(|now| earlier.is_none_or(|earlier| now > earlier));
        NodeEval {
            known,
            raw,
            evaluation: best,
            keys,
            improving,
        }
    }

    /// What may be thought of a position before its moves are tried.
    #[inline]
    pub(super) fn views(
        &mut self,
        position: &Position<R>,
        ply: usize,
        checked: bool,
        known: Option<TtEntry>,
        keys: CorrectionKeys,
    ) -> Views {
        if checked {
            return Views::default();
        }
        let raw = known
            .and_then(|known| known.evaluation)
            .unwrap_or_else(|| self.evaluate(position, ply));
        let corrected = self.corrections.apply(keys, raw);
        let best = match known {
            Some(known) if says_more(&known, corrected) => known.score,
            _ => corrected,
        };
        Views {
            raw: Some(raw),
            corrected: Some(corrected),
            best: Some(best),
        }
    }

    /// Tries the moves of a node.
    fn try_moves<const PV: bool>(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        place: NodeContext,
        outlook: &NodeEval,
        stop: &AtomicBool,
    ) -> Score {
        let ply = place.ply;
        let excluded = self.frames[ply].excluded;
        let tt_move = outlook.known.and_then(|known| known.best);
        let table_capture = tt_move.is_some_and(|mv| !is_quiet(position, mv));
        let mover = position.side_to_move();
        let before = self.before(ply);
        let killers = self.history.killers(ply);
        let has_pieces = has_pieces(position);
        let mut found = Found {
            best: None,
            score: -Score::INFINITE,
            alpha: window.alpha,
        };
        let mut tried = Tried::default();
        let mut number = 0;
        let mut picker = self.moves_of(position, ply, GenType::All, tt_move);
        while let Some(mv) = self.next_move(&mut picker, position) {
            if Some(mv) == excluded {
                continue;
            }
            let quiet = is_quiet(position, mv);
            let moved = self.history.moved(position.moved_kind(mv), mv.to());
            let victim = position.captured_kind(mv);
            let step = MoveContext {
                number,
                quiet,
                history: match victim {
                    _ if quiet => self.history.of(mover, moved, before),
                    Some(victim) => self.history.of_capture(moved, victim),
                    None => 0,
                },
                improving: outlook.improving,
                table_capture,
                killer: killers.contains(&Some(mv)),
            };
            if number > 0 && has_pieces && !found.score.is_losing_mate() {
                let verdict = self.judge::<PV>(position, mv, found.alpha, place, step, outlook);
                if verdict != Verdict::Try {
                    if verdict == Verdict::LeaveOutQuiet {
                        picker.leave_out_quiet();
                    }
                    number += 1;
                    continue;
                }
            }
            let mut extension = 0;
            if Some(mv) == tt_move && excluded.is_none() && number == 0 {
                match self.singular(position, mv, window, place, outlook, stop) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::Cutoff(score) if !PV => {
                        self.drop_moves(&picker);
                        return score;
                    }
                    Singular::Cutoff(_) => {}
                }
                if self.stopped {
                    break;
                }
            }
            if !self.enter(stop) {
                break;
            }
            self.frames[ply].moved = Some(moved);
            position.make(mv);
            self.table.prefetch(position.hash());
            let alpha = found.alpha;
            let score = self.child::<PV>(position, Window { alpha, ..window }, place, step, extension, stop);
            position.unmake();
            if self.stopped {
                break;
            }
            number += 1;
            found.score = found.score.max(score);
            if score > found.alpha {
                found.alpha = score;
                found.best = Some(mv);
                if PV {
                    self.variations.extend(ply, mv);
                }
                if score >= window.beta {
                    self.refuted(position, mv, place, &tried);
                    break;
                }
            }
            match victim {
                _ if quiet => tried.quiet(moved),
                Some(victim) => tried.capture(moved, victim),
                None => {}
            }
        }
        self.drop_moves(&picker);
        match excluded {
            _ if self.stopped => return Score::DRAW,
            None if number == 0 => return without_moves(position, ply),
            // Without any other move the excluded one is singular indeed.
            Some(_) if number == 0 => return window.alpha,
            Some(_) => {}
            None => self.keep(position, place, window, outlook, &found),
        }
        found.score
    }

    /// A move has refuted the node: it, and what was tried before it, are remembered.
    fn refuted(&mut self, position: &Position<R>, mv: Move, place: NodeContext, tried: &Tried) {
        let NodeContext { ply, depth, .. } = place;
        let mover = position.side_to_move();
        let before = self.before(ply);
        let moved = self.history.moved(position.moved_kind(mv), mv.to());
        let bonus = bonus(depth);
        if is_quiet(position, mv) {
            self.history.refuted(ply, mv, before);
            self.history.add(mover, moved, before, bonus);
            for &other in &tried.quiet {
                self.history.add(mover, other, before, -bonus);
            }
        } else if let Some(victim) = position.captured_kind(mv) {
            self.history.add_capture(moved, victim, bonus);
        }
        for &(other, victim) in &tried.captures {
            self.history.add_capture(other, victim, -bonus);
        }
    }

    /// Keeps what was found of a node: in the table, and as a correction of its evaluation.
    fn keep(&mut self, position: &Position<R>, place: NodeContext, window: Window, outlook: &NodeEval, found: &Found) {
        let bound = if found.score >= window.beta {
            Bound::Lower
        } else if found.best.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let known = TtEntry {
            best: found.best,
            score: found.score,
            evaluation: outlook.raw,
            depth: place.depth as u8,
            bound,
        };
        self.table.store(position.hash(), place.ply, &known);
        // A capture says nothing of the evaluation, and a bound only when it is on the far side of it.
        let quiet = found.best.is_none_or(|mv| is_quiet(position, mv));
        if let Some(evaluation) = self.frames[place.ply].evaluation
            && quiet
            && !found.score.is_mate()
            && !(bound == Bound::Lower && found.score <= evaluation)
            && !(bound == Bound::Upper && found.score >= evaluation)
        {
            self.corrections
                .learn(outlook.keys, found.score - evaluation, place.depth);
        }
    }

    /// Is a move worth being tried at all? Asked of every move but the first.
    fn judge<const PV: bool>(
        &self,
        position: &Position<R>,
        mv: Move,
        alpha: Score,
        place: NodeContext,
        step: MoveContext,
        outlook: &NodeEval,
    ) -> Verdict {
        let reduced = (place.depth - self.reduction(PV, place, false, step)).max(1);
        if step.quiet {
            let enough = prune::most_moves(place.depth, outlook.improving).is_some_and(|most| step.number >= most);
            if enough && !place.checked {
                return Verdict::LeaveOutQuiet;
            }
            if prune::is_bad(step.history, reduced) && !place.checked {
                return Verdict::LeaveOut;
            }
            let futile = outlook
                .evaluation
                .is_some_and(|evaluation| prune::is_futile(evaluation, alpha, reduced));
            if futile {
                return Verdict::LeaveOutQuiet;
            }
        }
        let least = prune::least_exchange(place.depth, reduced, step.quiet);
        let loses = !place.checked && least.is_some_and(|least| !see::see_ge(&self.evaluator, position, mv, least));
        if loses { Verdict::LeaveOut } else { Verdict::Try }
    }

    /// The score, for the side that has just moved, of the position after a move: late moves are first asked whether they
    /// are any better than the best so far, at less depth.
    fn child<const PV: bool>(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        place: NodeContext,
        step: MoveContext,
        extension: i32,
        stop: &AtomicBool,
    ) -> Score {
        let checked = position.in_check();
        let mut below = NodeContext {
            ply: place.ply + 1,
            depth: place.depth - 1 + extension,
            checked,
            cut: !place.cut,
        };
        // The same side moves again when it has two moves.
        let again = R::MECHANICS.handicaps && is_same_side_again(position);
        let mut score = -Score::INFINITE;
        let reduction = self.reduction(PV, place, checked, step);
        let asked = Window::above(window.alpha);
        if reduction > 0 && below.depth > 1 {
            let reduced = NodeContext {
                depth: (below.depth - reduction).max(1),
                cut: true,
                ..below
            };
            score = self.turn::<false>(position, asked, reduced, again, stop);
            if self.stopped || score <= window.alpha {
                return score;
            }
            below.depth += i32::from(score > window.alpha + p::lmr_deeper_margin());
            below.depth -= i32::from(score < window.alpha + p::lmr_shallower_margin());
        }
        if !PV || step.number > 0 {
            score = self.turn::<false>(position, asked, below, again, stop);
        }
        if PV && (step.number == 0 || !self.stopped && score > window.alpha) {
            let below = NodeContext { cut: false, ..below };
            score = self.turn::<true>(position, window, below, again, stop);
        }
        score
    }

    /// A node below as the side above sees it.
    #[inline]
    pub(super) fn turn<const PV: bool>(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        place: NodeContext,
        again: bool,
        stop: &AtomicBool,
    ) -> Score {
        if again {
            self.node::<PV>(position, window, place, stop)
        } else {
            -self.node::<PV>(position, window.flipped(), place, stop)
        }
    }

    /// How many plies a late move is shortened by.
    pub(super) fn reduction(&self, pv: bool, place: NodeContext, gives_check: bool, step: MoveContext) -> i32 {
        if place.depth < p::lmr_depth() || step.number < p::lmr_first_move() as usize {
            return 0;
        }
        let flag = |set: bool, parts: i32| if set { parts } else { 0 };
        let mut parts = self.reductions.of(place.depth, step.number);
        parts += flag(place.cut, p::lmr_cut_node());
        parts += flag(!step.improving, p::lmr_not_improving());
        parts += flag(step.table_capture && step.quiet, p::lmr_tt_capture());
        parts -= flag(pv, p::lmr_pv());
        parts -= flag(gives_check || place.checked, p::lmr_check());
        parts -= flag(step.killer, p::lmr_killer());
        parts -= flag(!step.quiet, p::lmr_capture());
        parts -= step.history * 1024 / p::lmr_history_divisor();
        (parts / 1024).clamp(0, place.depth - 1)
    }
}

/// What becomes of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Try,
    LeaveOut,
    /// It and all quiet moves after it.
    LeaveOutQuiet,
}

/// Evaluations of a position; none in check.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Views {
    /// As it was made.
    pub(super) raw: Option<Score>,
    /// With what searches have found it to be wrong by.
    pub(super) corrected: Option<Score>,
    /// The table's score where that says more, else the corrected one.
    pub(super) best: Option<Score>,
}

/// The best so far of a node.
struct Found {
    /// The move that raised alpha last.
    best: Option<Move>,
    score: Score,
    alpha: Score,
}

/// The move being tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveContext {
    /// How many were tried or left out before it.
    pub(super) number: usize,
    pub(super) quiet: bool,
    /// How good it was elsewhere.
    pub(super) history: i32,
    pub(super) improving: bool,
    /// Does the table's move of this node capture?
    pub(super) table_capture: bool,
    /// Is it a killer?
    pub(super) killer: bool,
}

/// The moves tried at a node, the first ones of each sort. More would hardly teach anything.
#[derive(Default)]
struct Tried {
    quiet: arrayvec::ArrayVec<Moved, 32>,
    captures: arrayvec::ArrayVec<(Moved, Kind), 16>,
}

impl Tried {
    fn quiet(&mut self, moved: Moved) {
        let _ = self.quiet.try_push(moved);
    }

    fn capture(&mut self, moved: Moved, victim: Kind) {
        let _ = self.captures.try_push((moved, victim));
    }
}

/// The window without the mates that are out of reach at `ply`; `None` when nothing of it is left.
fn within_mates(window: Window, ply: usize) -> Option<Window> {
    let narrow = Window {
        alpha: window.alpha.max(Score::mated(ply)),
        beta: window.beta.min(Score::mating(ply + 1)),
    };
    (narrow.alpha < narrow.beta).then_some(narrow)
}

/// The score that the table gives at this depth, when it decides the window.
pub(super) fn cutoff(known: &TtEntry, window: Window, depth: i32) -> Option<Score> {
    let decides = match known.bound {
        Bound::Exact => true,
        Bound::Lower => known.score >= window.beta,
        Bound::Upper => known.score <= window.alpha,
    };
    (decides && i32::from(known.depth) >= depth).then_some(known.score)
}

/// Is the table's score nearer to the truth than the evaluation?
fn says_more(known: &TtEntry, evaluation: Score) -> bool {
    !known.score.is_mate()
        && match known.bound {
            Bound::Exact => true,
            Bound::Lower => known.score > evaluation,
            Bound::Upper => known.score < evaluation,
        }
}

/// Has the side to move any pieces but king and pawns?
pub(super) fn has_pieces<R: CompiledSearch>(position: &Position<R>) -> bool {
    let side = position.side_to_move();
    let game = position.game();
    let others = position.pieces(side, game.king) | position.pieces(side, game.pawn);
    (position.by_color(side) & !others).any()
}

/// Has the side to move just moved, too?
pub(super) fn is_same_side_again<R: CompiledSearch>(position: &Position<R>) -> bool {
    let Some(mv) = position.last_move() else { return false };
    position.color_at(mv.to()) == Some(position.side_to_move())
}

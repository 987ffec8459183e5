//! An inner node of the tree: principal variation alpha-beta search with a transposition table.

use std::sync::atomic::AtomicBool;

use assay_rules::Turn;

use super::Searcher;
use super::ending::{ended, without_moves};
use super::history::Moved;
use super::ordering::{Wanted, is_quiet};
use super::parameters::{moves, node};
use super::prune;
use super::table::{Bound, Known};
use crate::mv::Move;
use crate::position::Position;
use crate::ruleset::Ruleset;
use crate::score::{MAX_PLY, Score};
use crate::see;

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
    fn flipped(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

/// Where in the tree a node is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Plies from the root.
    pub(super) ply: usize,
    /// Plies that are still to be searched.
    pub(super) depth: i32,
    /// Is the side to move in check?
    pub(super) checked: bool,
}

/// What is known of a node before its moves are tried.
struct Outlook {
    known: Option<Known>,
    /// None in check.
    evaluation: Option<Score>,
    /// Is the evaluation better than at this side's last turn?
    improving: bool,
}

impl<R: Ruleset> Searcher<R> {
    /// The score of a node for its side to move. Exact within the window; at or beyond its ends a bound.
    ///
    /// When the search has been stopped, the score means nothing.
    pub(super) fn node<const PV: bool>(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        place: Place,
        stop: &AtomicBool,
    ) -> Score {
        debug_assert!(window.alpha < window.beta && (PV || window.beta - window.alpha == 1));
        debug_assert_eq!(place.checked, position.in_check());
        let Place { ply, checked, .. } = place;
        // A check is answered before anything is judged.
        let depth = place.depth + i32::from(checked && ply < 2 * self.iteration as usize);
        if depth <= 0 {
            return self.quiescence::<PV>(position, window, ply, checked, stop);
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

        let key = position.hash();
        let known = self.table.probe(key, ply);
        if !PV
            && let Some(known) = known
            && let Some(score) = cutoff(&known, window, depth)
        {
            return score;
        }
        let outlook = self.look(position, ply, checked, known);
        let place = Place { depth, ..place };
        if !PV && let Some(score) = self.prune_node(position, window, place, &outlook, stop) {
            return score;
        }
        let depth = if depth >= node::NO_MOVE_DEPTH && known.is_none_or(|known| known.best.is_none()) {
            depth - 1
        } else {
            depth
        };
        self.try_moves::<PV>(position, window, Place { depth, ..place }, &outlook, stop)
    }

    /// Evaluates a node, or remembers its evaluation.
    fn look(&mut self, position: &Position<R>, ply: usize, checked: bool, known: Option<Known>) -> Outlook {
        let evaluation = if checked {
            None
        } else {
            known
                .and_then(|known| known.evaluation)
                .or_else(|| Some(self.evaluate(position, ply)))
        };
        self.frames[ply].evaluation = evaluation;
        let earlier = ply.checked_sub(2).and_then(|ply| self.frames[ply].evaluation);
        let improving = evaluation.is_some_and(|now| earlier.is_none_or(|earlier| now > earlier));
        Outlook {
            known,
            evaluation,
            improving,
        }
    }

    /// Tries to finish a node without trying its moves.
    fn prune_node(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        place: Place,
        outlook: &Outlook,
        stop: &AtomicBool,
    ) -> Option<Score> {
        let evaluation = outlook.evaluation?;
        let Place { ply, depth, .. } = place;
        if prune::fails_high(evaluation, window.beta, depth, outlook.improving) {
            return Some(evaluation);
        }
        if prune::is_hopeless(evaluation, window.alpha, depth) {
            let score = self.quiescence::<false>(position, window, ply, false, stop);
            if score <= window.alpha {
                return Some(score);
            }
        }
        self.pass(position, window, place, evaluation, stop)
    }

    /// Null move: when even passing leaves the other side without an answer, the node fails high.
    ///
    /// Not after a pass, not within a two-move handicap, and not with pawns alone, where having to move may be what loses.
    fn pass(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        place: Place,
        evaluation: Score,
        stop: &AtomicBool,
    ) -> Option<Score> {
        let Place { ply, depth, .. } = place;
        let allowed = depth >= node::NULL_DEPTH
            && evaluation >= window.beta
            && !window.beta.is_losing_mate()
            && self.before(ply).is_some()
            && ply >= self.no_pass_before
            && has_pieces(position)
            && (!R::MECHANICS.handicaps || position.turn() == Turn::Single(position.side()));
        if !allowed || !self.enter(stop) {
            return None;
        }
        let reduced = depth - prune::null_reduction(evaluation, window.beta, depth);
        self.frames[ply].moved = None;
        position.make_null();
        let below = Place {
            ply: ply + 1,
            depth: reduced,
            checked: false,
        };
        let score = -self.node::<false>(position, window.flipped(), below, stop);
        position.unmake_null();
        if self.stopped || score < window.beta {
            return None;
        }
        // A mate found after a pass need not be one.
        let score = if score.is_winning_mate() { window.beta } else { score };
        if depth < node::NULL_VERIFY_DEPTH {
            return Some(score);
        }
        let outer = std::mem::replace(&mut self.no_pass_before, ply + 1 + (reduced.max(0) as usize) * 3 / 4);
        let verified = self.node::<false>(
            position,
            window,
            Place {
                depth: reduced,
                ..place
            },
            stop,
        );
        self.no_pass_before = outer;
        (verified >= window.beta).then_some(score)
    }

    /// Tries the moves of a node.
    fn try_moves<const PV: bool>(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        place: Place,
        outlook: &Outlook,
        stop: &AtomicBool,
    ) -> Score {
        let ply = place.ply;
        let table_move = outlook.known.and_then(|known| known.best);
        let mut picker = self.moves_of(position, ply, Wanted::All, table_move);
        if !self.has_moves(&picker) {
            self.drop_moves(&picker);
            return without_moves(position, ply);
        }
        let mover = position.side();
        let has_pieces = has_pieces(position);
        let mut found = Found {
            best: None,
            score: -Score::INFINITE,
            alpha: window.alpha,
        };
        let mut tried = Tried::default();
        let mut number = 0;
        while let Some(mv) = self.next_move(&mut picker, position) {
            let quiet = is_quiet(position, mv);
            if number > 0 && !found.score.is_losing_mate() && has_pieces {
                if quiet && are_enough(number, found.alpha, place, outlook) {
                    picker.leave_out_quiet();
                    if !self.history.killers(ply).contains(&Some(mv)) {
                        continue;
                    }
                }
                if self.loses_too_much(position, mv, quiet, place) {
                    number += 1;
                    continue;
                }
            }
            let moved = self.history.moved(position.moved_kind(mv), mv.to());
            let history = if quiet {
                self.history.of(mover, moved, self.before(ply))
            } else {
                0
            };
            if !self.enter(stop) {
                break;
            }
            self.frames[ply].moved = Some(moved);
            position.make(mv);
            let step = Step {
                number,
                quiet,
                history,
                improving: outlook.improving,
            };
            let score = self.child::<PV>(
                position,
                Window {
                    alpha: found.alpha,
                    ..window
                },
                place,
                step,
                stop,
            );
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
                    if quiet {
                        let before = self.before(ply);
                        self.history.kill(ply, mv);
                        self.history.reward(mover, place.depth, moved, tried.as_slice(), before);
                    }
                    break;
                }
            }
            if quiet {
                tried.push(moved);
            }
        }
        self.drop_moves(&picker);
        if self.stopped {
            return Score::DRAW;
        }
        self.keep(position.hash(), place, window, outlook, &found);
        found.score
    }

    /// Keeps what was found of a node in the table.
    fn keep(&mut self, key: u64, place: Place, window: Window, outlook: &Outlook, found: &Found) {
        let bound = if found.score >= window.beta {
            Bound::Lower
        } else if found.best.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let known = Known {
            best: found.best,
            score: found.score,
            evaluation: outlook.evaluation,
            depth: place.depth as u8,
            bound,
        };
        self.table.store(key, place.ply, &known);
    }

    /// Does a move lose too much by exchange to be tried at this depth?
    fn loses_too_much(&self, position: &Position<R>, mv: Move, quiet: bool, place: Place) -> bool {
        let least = prune::least_exchange(place.depth, quiet);
        !place.checked && least.is_some_and(|least| !see::wins_at_least(&self.evaluator, position, mv, least))
    }

    /// The score, for the side that has just moved, of the position after a move: late moves are first asked whether they
    /// are any better than the best so far, at less depth.
    fn child<const PV: bool>(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        place: Place,
        step: Step,
        stop: &AtomicBool,
    ) -> Score {
        let checked = position.in_check();
        let below = Place {
            ply: place.ply + 1,
            depth: place.depth - 1,
            checked,
        };
        // The same side moves again when it has two moves.
        let again = R::MECHANICS.handicaps && is_same_side_again(position);
        let mut score = -Score::INFINITE;
        let reduction = self.reduction(PV, place, checked, step);
        if reduction > 0 {
            let reduced = Place {
                depth: (below.depth - reduction).max(1),
                ..below
            };
            score = self.turn::<false>(position, Window::above(window.alpha), reduced, again, stop);
            if self.stopped || score <= window.alpha {
                return score;
            }
        }
        if !PV || step.number > 0 {
            score = self.turn::<false>(position, Window::above(window.alpha), below, again, stop);
        }
        if PV && (step.number == 0 || !self.stopped && score > window.alpha) {
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
        place: Place,
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
    pub(super) fn reduction(&self, pv: bool, place: Place, gives_check: bool, step: Step) -> i32 {
        let (least_depth, first) = moves::REDUCTION_FROM;
        if place.depth < least_depth || step.number < first || gives_check || place.checked {
            return 0;
        }
        let mut reduction = self.reductions.of(place.depth, step.number);
        if step.quiet {
            reduction += i32::from(!step.improving) - step.history / moves::REDUCTION_HISTORY;
        } else {
            // Captures come late only when they lose.
            reduction -= 1;
        }
        (reduction - i32::from(pv)).clamp(0, place.depth - 2)
    }
}

/// Have so many moves been tried, or is the evaluation so far below alpha, that quiet moves are left out at this depth?
fn are_enough(number: usize, alpha: Score, place: Place, outlook: &Outlook) -> bool {
    outlook.evaluation.is_some_and(|evaluation| {
        prune::most_moves(place.depth, outlook.improving).is_some_and(|most| number >= most)
            || prune::is_futile(evaluation, alpha, place.depth)
    })
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
pub(super) struct Step {
    /// How many were tried or left out before it.
    pub(super) number: usize,
    pub(super) quiet: bool,
    /// How good it was elsewhere.
    pub(super) history: i32,
    pub(super) improving: bool,
}

/// The quiet moves tried at a node, the first ones.
#[derive(Default)]
struct Tried(arrayvec::ArrayVec<Moved, 32>);

impl Tried {
    fn push(&mut self, moved: Moved) {
        // More would hardly teach anything.
        let _ = self.0.try_push(moved);
    }

    fn as_slice(&self) -> &[Moved] {
        &self.0
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
pub(super) fn cutoff(known: &Known, window: Window, depth: i32) -> Option<Score> {
    let decides = match known.bound {
        Bound::Exact => true,
        Bound::Lower => known.score >= window.beta,
        Bound::Upper => known.score <= window.alpha,
    };
    (decides && i32::from(known.depth) >= depth).then_some(known.score)
}

/// Has the side to move any men but king and pawns?
fn has_pieces<R: Ruleset>(position: &Position<R>) -> bool {
    let side = position.side();
    let game = position.game();
    let others = position.men(side, game.king) | position.men(side, game.pawn);
    (position.by_color(side) & !others).any()
}

/// Has the side to move just moved, too?
pub(super) fn is_same_side_again<R: Ruleset>(position: &Position<R>) -> bool {
    let Some(mv) = position.last_move() else { return false };
    position.color_at(mv.to()) == Some(position.side())
}

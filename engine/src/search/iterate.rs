//! Iterative deepening: one search of the root after the other, each a ply deeper, with windows around the last score.

use std::sync::atomic::{AtomicBool, Ordering};

use super::node::{Place, Step, Window, is_same_side_again};
use super::ordering::{Wanted, is_quiet};
use super::parameters::{aspiration, time};
use super::root::RootMove;
use super::{Limits, Report, SearchResult, Searcher};
use crate::mv::Move;
use crate::position::Position;
use crate::ruleset::Ruleset;
use crate::score::{MAX_PLY, Score};

impl<R: Ruleset> Searcher<R> {
    /// Searches deeper and deeper until a limit is reached.
    pub(super) fn iterate(
        &mut self,
        position: &mut Position<R>,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Report<'_>),
    ) -> SearchResult {
        let checked = position.in_check();
        self.list_root_moves(position, limits);
        if self.root_moves.is_empty() {
            return self.without_root_moves(position, limits);
        }
        let evaluation = (!checked).then(|| self.evaluator.evaluate(position));
        self.frames[0].evaluation = evaluation;
        let mut result = SearchResult {
            best: Some(self.root_moves[0].mv),
            ponder: None,
            score: evaluation.unwrap_or(Score::DRAW),
            depth: 0,
            nodes: 0,
            pv: vec![self.root_moves[0].mv],
        };
        let deepest = limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32 - 1);
        let mut steadiness = 0;
        for depth in 1..=deepest {
            self.iteration = depth as i32;
            let score = self.aspire(position, checked, result.score, stop);
            let best = &self.root_moves[0];
            if best.score.is_some() {
                // Also when the iteration was cut short: its first move is the best so far, or a better one.
                steadiness = if result.best == Some(best.mv) {
                    steadiness + 1
                } else {
                    0
                };
                result.best = Some(best.mv);
                result.pv.clone_from(&best.line);
                result.score = best.score.unwrap_or(score);
            }
            if self.stopped {
                break;
            }
            result.depth = depth;
            report(&Report {
                depth,
                selective_depth: self.selective_depth as u32,
                score: result.score,
                nodes: self.nodes,
                elapsed: self.clock.elapsed(),
                table_permill: self.table.permill_full(),
                pv: &result.pv,
            });
            if !limits.infinite && (self.is_enough(limits, &result) || !self.clock.allows_another_iteration(steadiness))
            {
                break;
            }
        }
        result.nodes = self.nodes;
        result.ponder = result.pv.get(1).copied();
        if limits.infinite {
            self.wait(stop);
        }
        result
    }

    /// Lists the legal moves of the root that may be searched, the likeliest first.
    fn list_root_moves(&mut self, position: &Position<R>, limits: &Limits) {
        let known = self.table.probe(position.hash(), 0).and_then(|known| known.best);
        let mut picker = self.moves_of(position, 0, Wanted::All, known);
        self.root_moves.clear();
        while let Some(mv) = self.next_move(&mut picker, position) {
            if limits.search_moves.is_empty() || limits.search_moves.contains(&mv) {
                self.root_moves.push(RootMove::new(mv));
            }
        }
        self.drop_moves(&picker);
    }

    /// The result when there is no move to search.
    fn without_root_moves(&self, position: &Position<R>, limits: &Limits) -> SearchResult {
        let over = !position.has_legal_move();
        debug_assert!(over || !limits.search_moves.is_empty());
        let score = if over {
            super::ending::without_moves(position, 0)
        } else {
            self.evaluator.evaluate(position)
        };
        SearchResult {
            best: None,
            ponder: None,
            score,
            depth: 0,
            nodes: 0,
            pv: Vec::new(),
        }
    }

    /// Has everything been found that was asked for?
    fn is_enough(&self, limits: &Limits, result: &SearchResult) -> bool {
        let found = |moves: u32| {
            result
                .score
                .mate()
                .is_some_and(|mate| mate > 0 && mate.unsigned_abs() <= moves)
        };
        if limits.mate.is_some_and(found) {
            return true;
        }
        // With a clock running, a forced move needs no thought and a mate no second look.
        let hurried = limits.clock.is_some();
        let mate = result
            .score
            .mate_plies()
            .is_some_and(|plies| plies.unsigned_abs() + 2 < result.depth);
        hurried && (self.root_moves.len() == 1 || mate)
    }

    /// An unbounded search that has nothing left to find waits until it is told to stop.
    fn wait(&self, stop: &AtomicBool) {
        while !self.stopped && !stop.load(Ordering::Relaxed) {
            std::thread::sleep(time::LEAST);
        }
    }

    /// One iteration: searches the root with a window around the last score, and wider ones until the score is inside.
    fn aspire(&mut self, position: &mut Position<R>, checked: bool, last: Score, stop: &AtomicBool) -> Score {
        for root_move in &mut self.root_moves {
            root_move.score = None;
            root_move.nodes = 0;
        }
        let mut width = aspiration::WIDTH;
        let mut window = Window {
            alpha: -Score::INFINITE,
            beta: Score::INFINITE,
        };
        if self.iteration >= aspiration::FROM_DEPTH && !last.is_mate() {
            window = Window {
                alpha: last - width,
                beta: last + width,
            };
        }
        loop {
            let score = self.root(position, window, checked, stop);
            if self.stopped {
                return score;
            }
            if score <= window.alpha {
                window.beta = (window.alpha + (window.beta - window.alpha) / 2).max(window.alpha + 1);
                window.alpha = if width > aspiration::WIDEST {
                    -Score::INFINITE
                } else {
                    score - width
                };
            } else if score >= window.beta {
                window.beta = if width > aspiration::WIDEST {
                    Score::INFINITE
                } else {
                    score + width
                };
            } else {
                return score;
            }
            width *= 2;
        }
    }

    /// Searches all moves of the root, and puts the best one first.
    fn root(&mut self, position: &mut Position<R>, window: Window, checked: bool, stop: &AtomicBool) -> Score {
        let place = Place {
            ply: 0,
            depth: self.iteration,
            checked,
        };
        let mut alpha = window.alpha;
        let mut best = -Score::INFINITE;
        for number in 0..self.root_moves.len() {
            let mv = self.root_moves[number].mv;
            let quiet = is_quiet(position, mv);
            let moved = self.history.moved(position.moved_kind(mv), mv.to());
            let history = if quiet {
                self.history.of(position.side(), moved, None)
            } else {
                0
            };
            let before = self.nodes;
            if !self.enter(stop) {
                break;
            }
            self.frames[0].moved = Some(moved);
            position.make(mv);
            let step = Step {
                number,
                quiet,
                history,
                improving: true,
            };
            let score = self.root_child(position, Window { alpha, ..window }, place, step, stop);
            position.unmake();
            self.root_moves[number].nodes += self.nodes - before;
            if self.stopped {
                break;
            }
            best = best.max(score);
            if score > alpha {
                alpha = score;
                self.better(number, mv, score);
                if score >= window.beta {
                    break;
                }
            }
        }
        // The best stays first; of the others, those that took most work are likeliest to become it.
        if !self.stopped {
            self.root_moves[1..].sort_by_key(|root_move| std::cmp::Reverse(root_move.nodes));
        }
        best
    }

    fn root_child(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        place: Place,
        step: Step,
        stop: &AtomicBool,
    ) -> Score {
        let checked = position.in_check();
        let again = R::MECHANICS.handicaps && is_same_side_again(position);
        let below = Place {
            ply: 1,
            depth: place.depth - 1,
            checked,
        };
        if step.number > 0 {
            let reduction = self.reduction(true, place, checked, step);
            let reduced = Place {
                depth: below.depth - reduction,
                ..below
            };
            let asked = Window::above(window.alpha);
            let mut score = self.turn::<false>(position, asked, reduced, again, stop);
            if !self.stopped && score > window.alpha && reduction > 0 {
                score = self.turn::<false>(position, asked, below, again, stop);
            }
            if self.stopped || score <= window.alpha {
                return score;
            }
        }
        self.turn::<true>(position, window, below, again, stop)
    }

    /// Root move `number` is the best so far: it goes to the front with its line.
    fn better(&mut self, number: usize, mv: Move, score: Score) {
        let below = self.variations.line(1);
        let root_move = &mut self.root_moves[number];
        root_move.score = Some(score);
        root_move.line.clear();
        root_move.line.push(mv);
        root_move.line.extend_from_slice(below);
        self.root_moves[..=number].rotate_right(1);
    }
}

//! Iterative deepening: one search of the root after the other, each a ply deeper, with windows around the last score.

use std::sync::atomic::{AtomicBool, Ordering};

use super::CompiledSearch;
use super::history::Before;
use super::movepick::{GenType, is_quiet};
use super::node::{MoveContext, NodeContext, Window, is_same_side_again};
use super::parameters::{self as p, time as tm};
use super::root_move::RootMove;
use super::time::Effort;
use super::{Bound, Limits, PvInfo, SearchInfo, SearchResult, Searcher};
use crate::eval::{MAX_PLY, Score};
use crate::moves::Move;
use crate::position::Position;

impl<R: CompiledSearch> Searcher<R> {
    /// Searches deeper and deeper until a limit is reached.
    pub(crate) fn iterate(
        &mut self,
        position: &mut Position<R>,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> SearchResult {
        let checked = position.in_check();
        self.list_root_moves(position, limits);
        if self.root_moves.is_empty() {
            return self.without_root_moves(position, limits);
        }
        let evaluation = (!checked).then(|| self.evaluate(position, 0));
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
        let first = self.pool.first_iteration().min(deepest);
        let mut steadiness = 0;
        for depth in first..=deepest {
            self.iteration = depth as i32;
            let (before, last) = (self.nodes, result.score);
            self.search_lines(position, checked, result.score, stop, report);
            let best = &self.root_moves[0];
            let changed = result.best != Some(best.mv);
            if let Some(score) = best.score {
                // Also when the iteration was cut short: its first move is the best so far, or a better one.
                steadiness = if changed { 0 } else { steadiness + 1 };
                result.best = Some(best.mv);
                result.pv.clone_from(&best.line);
                result.score = score;
            }
            if self.stopped {
                if changed && result.best == Some(best.mv) {
                    self.tell(0, Bound::Exact, report);
                }
                break;
            }
            result.depth = depth;
            for line in 0..self.lines() {
                self.tell(line, Bound::Exact, report);
            }
            let effort = Effort {
                steadiness,
                share: self.root_moves[0].nodes as f64 / (self.nodes - before).max(1) as f64,
                fall: fallen(last, result.score),
            };
            let enough = self.is_enough(limits, &result) || !self.clock.allows_another_iteration(effort);
            if enough && !limits.infinite && !self.clock.is_pondering() {
                break;
            }
        }
        self.wait(limits, stop);
        result.nodes = self.nodes;
        result.ponder = result.pv.get(1).copied();
        result
    }

    /// How many lines of play there are to be found.
    fn lines(&self) -> usize {
        self.multi_pv.min(self.root_moves.len())
    }

    /// One iteration: looks for the best line, then for the best that begins with another move, and so on. `last` is the score
    /// of the last iteration.
    fn search_lines(
        &mut self,
        position: &mut Position<R>,
        checked: bool,
        last: Score,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) {
        self.root_moves.iter_mut().for_each(RootMove::begin);
        for line in 0..self.lines() {
            self.line = line;
            let last = match line {
                0 => last,
                _ => self.root_moves[line].last_score.unwrap_or(last),
            };
            self.aspire(position, checked, last, stop, report);
            if self.stopped {
                break;
            }
            // A later line may turn out better than an earlier one.
            self.root_moves[..=line].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
        }
    }

    /// Reports what is known of a line.
    fn tell(&self, line: usize, bound: Bound, report: &mut dyn FnMut(&SearchInfo<'_>)) {
        let root_move = &self.root_moves[line];
        let Some(score) = root_move.score.or(root_move.last_score) else {
            return;
        };
        self.tell_score(line, score, bound, report);
    }

    fn tell_score(&self, line: usize, score: Score, bound: Bound, report: &mut dyn FnMut(&SearchInfo<'_>)) {
        report(&SearchInfo::Pv(PvInfo {
            depth: self.iteration as u32,
            selective_depth: self.selective_depth as u32,
            number: line + 1,
            score,
            bound,
            nodes: self.all_nodes(),
            elapsed: self.clock.elapsed(),
            table_permill: self.table.permill_full(),
            pv: &self.root_moves[line].line,
        }));
    }

    /// Has the search taken so long that more than finished iterations is worth telling?
    fn is_slow(&self) -> bool {
        self.clock.elapsed() >= tm::TELL_MORE_AFTER
    }

    /// Lists the legal moves of the root that may be searched, the likeliest first.
    fn list_root_moves(&mut self, position: &Position<R>, limits: &Limits) {
        let known = self.table.probe(position.hash(), 0).and_then(|known| known.best);
        let mut picker = self.moves_of(position, 0, GenType::All, known);
        self.root_moves.clear();
        while let Some(mv) = self.next_move(&mut picker, position) {
            if limits.search_moves.is_empty() || limits.search_moves.contains(&mv) {
                self.root_moves.push(RootMove::new(mv));
            }
        }
        self.drop_moves(&picker);
    }

    /// The result when there is no move to search.
    fn without_root_moves(&mut self, position: &Position<R>, limits: &Limits) -> SearchResult {
        let over = !position.has_legal_move();
        debug_assert!(over || !limits.search_moves.is_empty());
        let score = if over {
            super::ending::without_moves(position, 0)
        } else {
            self.evaluate(position, 0)
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

    /// A search that must not end by itself, or not yet, waits when it has nothing left to find.
    fn wait(&mut self, limits: &Limits, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) && (limits.infinite || self.clock.is_pondering()) {
            std::thread::sleep(tm::NAP);
        }
    }

    /// Searches the root with a window around the last score, and wider ones until the score is inside.
    fn aspire(
        &mut self,
        position: &mut Position<R>,
        checked: bool,
        last: Score,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) {
        let mut width = p::aspiration_delta();
        self.root_depth = self.iteration;
        let mut window = Window {
            alpha: -Score::INFINITE,
            beta: Score::INFINITE,
        };
        if self.iteration >= p::aspiration_depth() && !last.is_mate() {
            window = Window {
                alpha: last - width,
                beta: last + width,
            };
        }
        loop {
            let score = self.root(position, window, checked, stop, report);
            if self.stopped {
                return;
            }
            let bound = if score <= window.alpha {
                Bound::Upper
            } else if score >= window.beta {
                Bound::Lower
            } else {
                return;
            };
            if self.is_slow() {
                self.tell_score(self.line, score, bound, report);
            }
            if bound == Bound::Upper {
                window.beta = (window.alpha + (window.beta - window.alpha) / 2).max(window.alpha + 1);
                window.alpha = if width > p::aspiration_max_delta() {
                    -Score::INFINITE
                } else {
                    score - width
                };
                self.root_depth = self.iteration;
            } else {
                window.beta = if width > p::aspiration_max_delta() {
                    Score::INFINITE
                } else {
                    score + width
                };
                // Better than thought at any depth: the move is known, its score need not be known as deep.
                if !score.is_mate() {
                    self.root_depth = (self.root_depth - 1).max(self.iteration - 3).max(1);
                }
            }
            width += width * p::aspiration_widening() / 100;
        }
    }

    /// Searches all moves of the root that do not begin a better line, and puts the best one first.
    fn root(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        checked: bool,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> Score {
        let place = NodeContext {
            ply: 0,
            depth: self.root_depth,
            checked,
            cut: false,
        };
        let mut alpha = window.alpha;
        let mut best = -Score::INFINITE;
        let first = self.line;
        for index in first..self.root_moves.len() {
            let number = index - first;
            let mv = self.root_moves[index].mv;
            if self.is_slow() {
                report(&SearchInfo::CurrentMove {
                    depth: self.iteration as u32,
                    mv,
                    number: index + 1,
                });
            }
            let quiet = is_quiet(position, mv);
            let moved = self.history.moved(position.moved_kind(mv), mv.to());
            let history = if quiet {
                self.history.of(position.side_to_move(), moved, Before::default())
            } else {
                0
            };
            let before = self.nodes;
            if !self.enter(stop) {
                break;
            }
            self.frames[0].moved = Some(moved);
            position.make(mv);
            let step = MoveContext {
                number,
                quiet,
                history,
                improving: true,
                table_capture: false,
                killer: false,
            };
            let score = self.root_child(position, Window { alpha, ..window }, place, step, stop);
            position.unmake();
            self.root_moves[index].nodes += self.nodes - before;
            if self.stopped {
                break;
            }
            best = best.max(score);
            if score > alpha {
                alpha = score;
                self.better(index, mv, score);
                if score >= window.beta {
                    break;
                }
            }
        }
        // The best stays first; of the others, those that took most work are likeliest to become it.
        if !self.stopped {
            self.root_moves[first + 1..].sort_by_key(|root_move| std::cmp::Reverse(root_move.nodes));
        }
        best
    }

    fn root_child(
        &mut self,
        position: &mut Position<R>,
        window: Window,
        place: NodeContext,
        step: MoveContext,
        stop: &AtomicBool,
    ) -> Score {
        let checked = position.in_check();
        let again = R::MECHANICS.handicaps && is_same_side_again(position);
        let below = NodeContext {
            ply: 1,
            depth: place.depth - 1,
            checked,
            cut: true,
        };
        if step.number > 0 {
            let reduction = self.reduction(true, place, checked, step);
            let reduced = NodeContext {
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
        let below = NodeContext { cut: false, ..below };
        self.turn::<true>(position, window, below, again, stop)
    }

    /// The root move at `index` is the best so far: it goes to the front with its line.
    fn better(&mut self, index: usize, mv: Move, score: Score) {
        let below = self.variations.line(1);
        let root_move = &mut self.root_moves[index];
        root_move.score = Some(score);
        root_move.line.clear();
        root_move.line.push(mv);
        root_move.line.extend_from_slice(below);
        self.root_moves[self.line..=index].rotate_right(1);
    }
}

/// How many centipawns the score has fallen; none when either is a mate.
fn fallen(last: Score, now: Score) -> i32 {
    let both = last.centipawns().zip(now.centipawns());
    both.map_or(0, |(last, now)| (last - now).max(0))
}

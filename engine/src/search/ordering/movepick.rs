//! Move ordering: the transposition-table move, captures that do not lose material, killers and the
//! counter move, quiet moves by history and checks, losing captures. Each stage generates and
//! scores its moves only when it is reached.

use super::history::{History, PreviousMoves};
use super::see;
use crate::eval::Evaluator;
use crate::moves::{Move, MoveList};
use crate::position::{CheckSquares, CompiledPosition, Position};
use crate::search::parameters as p;

/// A move with its ordering score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredMove {
    mv: Move,
    /// Higher scores are searched earlier within a stage.
    score: i32,
    /// Set when quiet moves are scored.
    gives_check: bool,
}

impl ScoredMove {
    fn new(mv: Move, score: i32) -> ScoredMove {
        ScoredMove { mv, score, gives_check: false }
    }
}

/// The next move of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PickedMove {
    pub(crate) mv: Move,
    pub(crate) gives_check: bool,
}

/// The moves of all nodes on the current path, the root's first.
pub(crate) type MoveStack = Vec<ScoredMove>;

/// Scores of both killers and the counter move, above any history score.
const REFUTATION_SCORES: [i32; 3] = [1 << 22, (1 << 22) - 1, (1 << 22) - 2];

/// The moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GenType {
    All,
    /// Captures and promotions that do not lose material.
    GoodCaptures,
    /// These, then quiet checks that do not lose material.
    GoodCapturesAndChecks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TtMove,
    Generate,
    GoodCaptures,
    ScoreQuiets,
    Quiets,
    BadCaptures,
}

/// Yields the moves of a node in order. They are kept in the [`MoveStack`] from `base` on: first
/// captures found to lose material, then captures not tried yet, then quiet moves.
pub(crate) struct MovePicker<R: CompiledPosition> {
    gen_type: GenType,
    checks: CheckSquares<R::Word>,
    ply: usize,
    previous: PreviousMoves,
    stage: Stage,
    tt_move: Option<Move>,
    skip_quiets: bool,
    /// Index of the node's first move.
    base: usize,
    bad_captures_end: usize,
    /// Index of the first quiet move.
    quiets_start: usize,
    /// Index of the next move.
    next: usize,
}

impl<R: CompiledPosition> MovePicker<R> {
    /// Starts a node at `ply`. A `tt_move` that is not legal here, because of a hash collision, is
    /// ignored.
    pub(crate) fn new(
        position: &Position<R>,
        stack: &MoveStack,
        gen_type: GenType,
        ply: usize,
        previous: PreviousMoves,
        tt_move: Option<Move>,
    ) -> MovePicker<R> {
        let checks = position.check_squares();
        let is_usable = |&mv: &Move| match gen_type {
            GenType::All => position.is_legal(mv),
            GenType::GoodCaptures => !is_quiet(position, mv) && position.is_legal(mv),
            GenType::GoodCapturesAndChecks => {
                position.is_legal(mv) && (!is_quiet(position, mv) || position.gives_check(&checks, mv))
            }
        };
        let base = stack.len();
        MovePicker {
            gen_type,
            checks,
            ply,
            previous,
            stage: Stage::TtMove,
            tt_move: tt_move.filter(is_usable),
            skip_quiets: false,
            base,
            bad_captures_end: base,
            quiets_start: base,
            next: base,
        }
    }

    /// Yields only captures, promotions and checks from now on.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Returns true if the node has no moves. Valid only after the last move has been yielded.
    pub(crate) fn is_empty(&self, stack: &MoveStack) -> bool {
        stack.len() == self.base && self.tt_move.is_none()
    }

    /// Removes the node's moves from the stack.
    pub(crate) fn finish(&self, stack: &mut MoveStack) {
        stack.truncate(self.base);
    }

    /// Returns the next move of the node.
    pub(crate) fn next(
        &mut self,
        position: &Position<R>,
        stack: &mut MoveStack,
        evaluator: &Evaluator<R>,
        history: &History,
    ) -> Option<PickedMove> {
        let mv = loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::Generate;
                    if let Some(mv) = self.tt_move {
                        break mv;
                    }
                }
                Stage::Generate => {
                    self.generate(position, stack, evaluator, history);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.next_good_capture(position, stack, evaluator) {
                    Some(mv) => break mv,
                    None if self.gen_type == GenType::GoodCaptures => return None,
                    None => self.stage = Stage::ScoreQuiets,
                },
                Stage::ScoreQuiets => {
                    self.next = self.quiets_start;
                    match self.gen_type {
                        GenType::GoodCapturesAndChecks => self.generate_checks(position, stack, evaluator),
                        _ => self.score_quiets(position, stack, history),
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    let rest = &mut stack[self.next..];
                    let index = if self.skip_quiets {
                        rest.iter().position(|scored| scored.gives_check)
                    } else {
                        highest_score(rest)
                    };
                    if let Some(index) = index {
                        rest.swap(0, index);
                        self.next += 1;
                        let ScoredMove { mv, gives_check, .. } = rest[0];
                        return Some(PickedMove { mv, gives_check });
                    }
                    self.next = self.base;
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => {
                    if self.next == self.bad_captures_end || self.gen_type != GenType::All {
                        return None;
                    }
                    self.next += 1;
                    break stack[self.next - 1].mv;
                }
            }
        };
        let gives_check = position.gives_check(&self.checks, mv);
        Some(PickedMove { mv, gives_check })
    }

    /// Generates the moves, captures first, and scores the captures.
    fn generate(&mut self, position: &Position<R>, stack: &mut MoveStack, evaluator: &Evaluator<R>, history: &History) {
        let mut list = MoveList::new();
        match self.gen_type {
            GenType::All => position.legal_moves(&mut list),
            _ => position.legal_captures(&mut list),
        }
        let gen_type = self.gen_type;
        list.retain(|mv| {
            if Some(mv) == self.tt_move {
                return false;
            }
            let is_quiet = is_quiet(position, mv);
            if !is_quiet {
                let score = capture_score(position, mv, evaluator, history);
                stack.push(ScoredMove::new(mv, score));
            }
            is_quiet && gen_type == GenType::All
        });
        self.quiets_start = stack.len();
        stack.extend(list.iter().map(|&mv| ScoredMove::new(mv, 0)));
    }

    /// Generates the quiet checks that do not lose material.
    fn generate_checks(&self, position: &Position<R>, stack: &mut MoveStack, evaluator: &Evaluator<R>) {
        let mut list = MoveList::new();
        position.legal_checks(&self.checks, &mut list);
        let is_good_check =
            |&mv: &Move| Some(mv) != self.tt_move && is_quiet(position, mv) && see::see_ge(evaluator, position, mv, 0);
        stack.extend(
            list.into_iter().filter(is_good_check).map(|mv| ScoredMove { gives_check: true, ..ScoredMove::new(mv, 0) }),
        );
    }

    /// Returns the best remaining capture that does not lose material, and sets losing ones aside.
    fn next_good_capture(
        &mut self,
        position: &Position<R>,
        stack: &mut MoveStack,
        evaluator: &Evaluator<R>,
    ) -> Option<Move> {
        loop {
            let rest = &mut stack[self.next..self.quiets_start];
            let index = highest_score(rest)?;
            rest.swap(0, index);
            let best = rest[0];
            self.next += 1;
            if see::see_ge(evaluator, position, best.mv, 0) {
                return Some(best.mv);
            }
            stack[self.bad_captures_end] = best;
            self.bad_captures_end += 1;
        }
    }

    fn score_quiets(&self, position: &Position<R>, stack: &mut MoveStack, history: &History) {
        let [first, second] = history.killers(self.ply);
        let refutations = [first, second, history.counter_move(self.previous)];
        let color = position.side_to_move();
        for scored in &mut stack[self.quiets_start..] {
            let mv = scored.mv;
            scored.gives_check = position.gives_check(&self.checks, mv);
            if self.skip_quiets {
                continue;
            }
            scored.score = if let Some(index) = refutations.iter().position(|&refutation| refutation == Some(mv)) {
                REFUTATION_SCORES[index]
            } else {
                let piece_to = history.piece_to(position.moved_kind(mv), mv.to());
                let bonus = if scored.gives_check { p::check_bonus() } else { 0 };
                history.quiet_score(color, piece_to, self.previous) + bonus
            };
        }
    }
}

/// Score of a capture or promotion: most valuable victim first, adjusted by capture history, then
/// least valuable attacker.
fn capture_score<R: CompiledPosition>(
    position: &Position<R>,
    mv: Move,
    evaluator: &Evaluator<R>,
    history: &History,
) -> i32 {
    let value = |kind| evaluator.see_value(kind);
    let kind = position.moved_kind(mv);
    let victim = position.captured_kind(mv);
    let gain = victim.map_or(0, value) + mv.promotion().map_or(0, value);
    let history = victim.map_or(0, |victim| history.capture_score(history.piece_to(kind, mv.to()), victim));
    gain * 64 - value(kind).min(4000) + history * p::capture_history_weight() / 100
}

/// Index of the first move with the highest score.
#[inline]
fn highest_score(moves: &[ScoredMove]) -> Option<usize> {
    let mut best = 0;
    let mut score = moves.first()?.score;
    for (index, scored) in moves.iter().enumerate().skip(1) {
        if scored.score > score {
            score = scored.score;
            best = index;
        }
    }
    Some(best)
}

/// Returns true if the move neither captures nor promotes by choice.
#[inline]
pub(crate) fn is_quiet<R: CompiledPosition>(position: &Position<R>, mv: Move) -> bool {
    !position.is_tactical(mv)
}

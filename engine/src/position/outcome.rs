//! Repetitions and results.

use crate::ruleset::Mechanics;
use assay_rules::Color;
use assay_rules::outcome::{Outcome, Points, Termination};
use assay_rules::piece::Kind;

use super::state::State;
use super::{CompiledPosition, Position};

impl<R: CompiledPosition> Position<R> {
    /// Number of earlier occurrences of this position since the game's start position.
    pub fn repetitions(&self) -> u32 {
        self.possible_repetitions(usize::MAX).filter(|state| state.hash == self.hash()).count() as u32
    }

    /// Returns true if this position occurred at most `plies` plies ago.
    pub fn has_occurred_within(&self, plies: usize) -> bool {
        self.possible_repetitions(plies).any(|state| state.hash == self.hash())
    }

    /// Number of plies after which earlier positions cannot be repetitions of this one: those since
    /// the last capture or pawn move, or all if the game's [pawn moves can be
    /// undone](assay_rules::GameDef::has_reversible_pawns), drops undo captures, or the clock may
    /// count other plies.
    #[inline(always)]
    pub(crate) fn reversible_plies(&self) -> u32 {
        let mechanics = self.tables.mechanics();
        if mechanics.contains(Mechanics::REVERSIBLE_PAWNS)
            || mechanics.contains(Mechanics::DROPS)
            || mechanics.contains(Mechanics::COUNTING)
        {
            self.ply() as u32
        } else {
            self.halfmove_clock()
        }
    }

    /// Earlier states of at most `plies` plies ago that can be repetitions of this position, latest
    /// first.
    fn possible_repetitions(&self, plies: usize) -> impl Iterator<Item = &State> {
        // Sides alternate (turns of a two-move handicap never recur), so only every other position
        // can repeat.
        let present = self.ply();
        let since = (self.reversible_plies() as usize).min(present).min(plies);
        self.previous[present - since..present].iter().rev().skip(1).step_by(2)
    }

    /// Returns the outcome if the game is over. Extinction, goals and checks take precedence over
    /// checkmate and stalemate, these over insufficient material, that over repetition, and that
    /// over the move rule.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_move() {
            return Some(self.outcome_without_moves());
        }
        if self.has_insufficient_material() {
            return Some(Outcome { termination: Termination::DeadPosition, white: self.game().endings.draw });
        }
        self.repetition_or_move_rule_outcome()
    }

    /// Outcome of a position without legal moves: an early decision, checkmate or stalemate.
    pub fn outcome_without_moves(&self) -> Outcome {
        let mover = self.side_to_move();
        if let Some(outcome) = self.decided() {
            return outcome;
        }
        let endings = &self.game().endings;
        let (termination, points) = if self.in_check() {
            (Termination::Checkmate, endings.checkmate)
        } else {
            let [own, other] = [mover, !mover].map(|side| self.by_color(side).count() as usize);
            (Termination::Stalemate, endings.stalemate_points(other, own))
        };
        Outcome { termination, white: endings.settle(points.for_white(!mover)) }
    }

    /// Returns the outcome if the game ends by repetition or the move rule. Assumes a legal move
    /// and sufficient material.
    pub fn repetition_or_move_rule_outcome(&self) -> Option<Outcome> {
        let endings = &self.game().endings;
        if self.reversible_plies() >= 2 * (endings.repetitions - 1) && self.repetitions() + 1 >= endings.repetitions {
            return Some(Outcome { termination: Termination::Repetition, white: self.repetition_points() });
        }
        self.move_rule_applies().then(|| Outcome { termination: Termination::MoveRule, white: self.move_rule_points() })
    }

    /// Returns true if the move rule or a count of moves ends the game here, unless the last move
    /// mates.
    #[inline(always)]
    pub(crate) fn move_rule_applies(&self) -> bool {
        let clock = self.state().clock;
        let is_counted_out =
            self.tables.has(Mechanics::COUNTING) && clock.limit().is_some_and(|limit| clock.plies() > limit);
        is_counted_out || clock.plies() >= self.game().endings.move_rule
    }

    /// White's points if the game ended here by the move rule: a draw, unless the game counts
    /// material.
    pub fn move_rule_points(&self) -> Points {
        self.game().endings.settle(self.material_count_points().unwrap_or(Points::DRAW))
    }

    /// White's points if the game ended here by repetition.
    pub fn repetition_points(&self) -> Points {
        let game = self.game();
        let perpetual = if game.endings.perpetual_check_loses { self.perpetual_checker() } else { None };
        if let Some(loser) = perpetual {
            return Points::LOSS.for_white(loser);
        }
        let uncounted = || game.endings.repetition.white(self.side_to_move());
        game.endings.settle(self.material_count_points().unwrap_or_else(uncounted))
    }

    /// The side, if only one, that has given check with each of its moves since the first
    /// occurrence of this position.
    #[cold]
    fn perpetual_checker(&self) -> Option<Color> {
        let first = self.previous.iter().position(|state| state.hash == self.hash())?;
        let mut position = self.clone();
        let mut checks_always = [true; 2];
        while position.ply() > first {
            // A null move of the search is no move of the game.
            position.last_move()?;
            checks_always[(!position.side_to_move()).index()] &= position.in_check();
            position.unmake();
        }
        match checks_always {
            [true, false] => Some(Color::White),
            [false, true] => Some(Color::Black),
            _ => None,
        }
    }

    /// Returns true if neither side has enough material to mate.
    pub fn has_insufficient_material(&self) -> bool {
        let dead = &self.game().endings.insufficient_material;
        let most = dead.iter().map(Vec::len).max().unwrap_or(0) as u32;
        let (white, black) = (self.by_color(Color::White).count(), self.by_color(Color::Black).count());
        if dead.is_empty() || white.min(black) > 1 || white.max(black) > most + 1 {
            return false;
        }
        let mut pocketed = self.game().mechanisms.drops.iter().flat_map(|drops| &drops.kinds);
        if pocketed.any(|&kind| Color::ALL.iter().any(|&color| self.in_pocket(color, kind) > 0)) {
            return false;
        }
        let vital = self.game().vital_kind();
        let [white, black] = Color::ALL.map(|color| -> Vec<Kind> {
            let others = self.game().kinds.all().filter(|&kind| Some(kind) != vital);
            others.flat_map(|kind| std::iter::repeat_n(kind, self.pieces(color, kind).count() as usize)).collect()
        });
        white.is_empty() && dead.contains(&black) || black.is_empty() && dead.contains(&white)
    }
}

//! Endings that depend on the position alone. Repetition needs the [`Game`](crate::Game).

use std::cmp::Ordering;

use super::Position;
use crate::types::color::Color;
use crate::types::definition::{Extinction, Goal, MaterialCount, PieceClass};
use crate::types::outcome::{Outcome, Points, Termination};
use crate::types::piece::Kind;

impl Position {
    /// The outcome if the game is over, without considering repetition. Goals and checks take
    /// precedence over checkmate and stalemate, these over a dead position, and that over the move
    /// rule.
    pub fn outcome(&self) -> Option<Outcome> {
        self.mate_or_dead().or_else(|| self.move_rule_outcome())
    }

    /// The outcome if extinction, a goal, the number of checks or a bare king has decided the game.
    /// There are no legal moves then.
    pub fn decided(&self) -> Option<Outcome> {
        let waiting = !self.side_to_move();
        if self.game.checks.is_some() && self.checks_left[waiting] == 0 {
            return Some(Outcome { termination: Termination::Checks, white: Points::WIN.for_white(waiting) });
        }
        if let Some(loser) = self.bare_king().filter(|_| self.game.bare_king_loses) {
            return Some(Outcome { termination: Termination::BareKing, white: Points::LOSS.for_white(loser) });
        }
        if let Some(rule) = &self.game.extinction
            && let Some(extinct) = [waiting, !waiting].into_iter().find(|&side| self.is_extinct(rule, side))
        {
            return Some(Outcome { termination: Termination::Extinction, white: rule.score.for_white(extinct) });
        }
        let goal = self.game.goal.as_ref()?;
        if goal.held {
            return self
                .has_reached(goal, !waiting)
                .then_some(Outcome { termination: Termination::Goal, white: Points::WIN.for_white(!waiting) });
        }
        let white = match (self.has_reached(goal, Color::White), self.has_reached(goal, Color::Black)) {
            (true, true) if goal.last_turn => self.game.results.draw,
            (true, false) if goal.last_turn && waiting == Color::White => {
                let mut replies = self.legal_moves_if_undecided(|_| true).into_iter();
                if replies.any(|mv| self.play_unchecked(mv).has_reached(goal, Color::Black)) {
                    return None;
                }
                Points::WIN
            }
            (true, false) if goal.last_turn || waiting == Color::White => Points::WIN,
            (false, true) if goal.last_turn || waiting == Color::Black => Points::LOSS,
            (true, true) => Points::WIN.for_white(waiting),
            _ => return None,
        };
        Some(Outcome { termination: Termination::Goal, white })
    }

    /// The side whose king is bare and cannot be followed by the other's with the next move.
    fn bare_king(&self) -> Option<Color> {
        let count = |side: Color| {
            let on_board = self.pieces().filter(|(_, piece)| piece.color == side).count();
            on_board + self.pockets[side].len()
        };
        let mover = self.side_to_move();
        match (count(mover), count(!mover)) {
            (2.., 1) => Some(!mover),
            (1, 3..) => Some(mover),
            _ => None,
        }
    }

    /// Returns true if a side has too few pieces of some kind, or of all kinds together. Pieces in
    /// its pocket count.
    fn is_extinct(&self, rule: &Extinction, side: Color) -> bool {
        let on_board = self.pieces().filter(|(_, piece)| piece.color == side);
        let kinds = on_board.map(|(_, piece)| self.game.original(piece.kind));
        let owned: Vec<Kind> = kinds.chain(self.pockets[side].iter().copied()).collect();
        let is_few =
            |counts: &dyn Fn(Kind) -> bool| owned.iter().filter(|&&kind| counts(kind)).count() <= rule.at_most as usize;
        if rule.together {
            is_few(&|kind| rule.kinds.contains(&kind))
        } else {
            rule.kinds.iter().any(|&kind| is_few(&|owned| owned == kind))
        }
    }

    fn has_reached(&self, goal: &Goal, color: Color) -> bool {
        self.pieces().any(|(square, piece)| {
            piece.color == color && self.game.original(piece.kind) == goal.kind && goal.squares[color].contains(square)
        })
    }

    /// An early decision, checkmate, stalemate or dead position.
    pub(crate) fn mate_or_dead(&self) -> Option<Outcome> {
        let mover = self.side_to_move();
        if let Some(outcome) = self.decided() {
            return Some(outcome);
        }
        if !self.has_legal_move() {
            return Some(if self.in_check() {
                Outcome { termination: Termination::Checkmate, white: self.game.results.checkmate.for_white(!mover) }
            } else {
                Outcome { termination: Termination::Stalemate, white: self.stalemate_points().for_white(!mover) }
            })
            .map(|outcome| Outcome { white: self.game.results.settle(outcome.white), ..outcome });
        }
        self.has_insufficient_material()
            .then_some(Outcome { termination: Termination::DeadPosition, white: self.game.results.draw })
    }

    /// Result for the side that stalemates the side to move.
    fn stalemate_points(&self) -> Points {
        if !self.game.results.stalemate_by_count {
            return self.game.endings.stalemate;
        }
        let count = |color: Color| self.pieces().filter(|(_, piece)| piece.color == color).count();
        match count(!self.side_to_move()).cmp(&count(self.side_to_move())) {
            Ordering::Less => Points::WIN,
            Ordering::Equal => Points::DRAW,
            Ordering::Greater => Points::LOSS,
        }
    }

    /// The outcome if the move rule or a count of moves ends the game.
    pub(crate) fn move_rule_outcome(&self) -> Option<Outcome> {
        let is_counted_out = self.count_limit.is_some_and(|limit| self.halfmove_clock > limit);
        let is_over = is_counted_out || self.halfmove_clock >= self.game.endings.move_rule;
        is_over.then(|| self.outcome_by(Termination::MoveRule))
    }

    /// The outcome if repetition or the move rule ends the game: the result of the material count
    /// or of repetition, else a draw. Knows of no perpetual check.
    pub fn outcome_by(&self, termination: Termination) -> Outcome {
        let endings = &self.game.endings;
        let uncounted = match termination {
            Termination::Repetition => self.game.repetition_result.white(self.side_to_move()),
            _ => Points::DRAW,
        };
        let white = endings.material_count.as_ref().map_or(uncounted, |rule| {
            let lead = i64::from(self.material_points(Color::White)) - i64::from(self.material_points(Color::Black));
            if lead >= i64::from(rule.lead) {
                rule.score
            } else if -lead >= i64::from(rule.lead) {
                rule.score.flipped()
            } else {
                Points::DRAW
            }
        });
        Outcome { termination, white: self.game.results.settle(white) }
    }

    /// Returns true if the pieces on the board are a bare king against one of
    /// [`Endings::insufficient_material`].
    ///
    /// [`Endings::insufficient_material`]: crate::def::Endings::insufficient_material
    pub fn has_insufficient_material(&self) -> bool {
        let vital = self.game.vital_kind();
        let army = |color: Color| {
            let mut kinds: Vec<Kind> = self
                .pieces()
                .filter(|(_, piece)| piece.color == color && Some(piece.kind) != vital)
                .map(|(_, piece)| piece.kind)
                .collect();
            kinds.sort_unstable();
            kinds
        };
        let (white, black) = (army(Color::White), army(Color::Black));
        let insufficient = &self.game.endings.insufficient_material;
        if self.game.drops.is_some() && Color::ALL.iter().any(|&color| !self.pockets[color].is_empty()) {
            return false;
        }
        (white.is_empty() && insufficient.contains(&black)) || (black.is_empty() && insufficient.contains(&white))
    }

    /// Points of a side's pieces in the material count; 0 in games without one.
    pub fn material_points(&self, color: Color) -> u32 {
        self.game.endings.material_count.as_ref().map_or(0, |rule| self.count_points(rule, color))
    }

    fn count_points(&self, rule: &MaterialCount, color: Color) -> u32 {
        let count = |side: Color, class: PieceClass| {
            self.pieces().filter(|(_, piece)| piece.color == side && self.game.kind(piece.kind).class == class).count()
        };
        let joker = if count(!color, PieceClass::Major) > count(!color, PieceClass::Minor) {
            rule.joker_against_majors
        } else {
            rule.joker
        };
        self.pieces()
            .filter(|(_, piece)| piece.color == color)
            .map(|(square, piece)| match self.game.kind(piece.kind).class {
                PieceClass::Major => rule.major,
                PieceClass::Average => rule.average,
                PieceClass::Minor => rule.minor,
                PieceClass::Joker => joker,
                PieceClass::Pawn => {
                    let rank = self.game.board.relative_rank(color, square);
                    let special = rule.pawn_on_rank.iter().find(|(on, _)| *on == rank);
                    special.map_or(rule.pawn, |(_, points)| *points)
                }
                PieceClass::King | PieceClass::Royal | PieceClass::Piece => 0,
            })
            .sum()
    }
}

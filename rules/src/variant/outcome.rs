//! Endings that depend on the position alone. Repetition needs the [`Game`](crate::Game).

use super::Position;
use crate::types::color::Color;
use crate::types::outcome::{Outcome, Points, Termination};
use crate::types::piece::Kind;

impl Position {
    /// The outcome if the game is over, without considering repetition. Goals and checks take
    /// precedence over checkmate and stalemate, these over a dead position, and that over the move
    /// rule.
    pub fn outcome(&self) -> Option<Outcome> {
        self.mate_or_dead().or_else(|| self.move_rule_outcome())
    }

    /// The outcome if a mechanism has decided the game. There are no legal moves then.
    pub fn decided(&self) -> Option<Outcome> {
        self.game.mechanisms.iter().find_map(|mechanism| mechanism.outcome(self))
    }

    /// An early decision, checkmate, stalemate or dead position.
    pub(crate) fn mate_or_dead(&self) -> Option<Outcome> {
        let mover = self.side_to_move();
        if let Some(outcome) = self.decided() {
            return Some(outcome);
        }
        if !self.has_legal_move() {
            return Some(if self.in_check() {
                Outcome { termination: Termination::Checkmate, white: self.game.endings.checkmate.for_white(!mover) }
            } else {
                let count = |color| self.pieces().filter(|(_, piece)| piece.color == color).count();
                let points = self.game.endings.stalemate_points(count(!mover), count(mover));
                Outcome { termination: Termination::Stalemate, white: points.for_white(!mover) }
            })
            .map(|outcome| Outcome { white: self.game.endings.settle(outcome.white), ..outcome });
        }
        self.has_insufficient_material()
            .then_some(Outcome { termination: Termination::DeadPosition, white: self.game.endings.draw })
    }

    /// The outcome if the move rule or a count of moves ends the game.
    pub(crate) fn move_rule_outcome(&self) -> Option<Outcome> {
        let is_counted_out = self.count_limit().is_some_and(|limit| self.halfmove_clock() > limit);
        let is_over = is_counted_out || self.halfmove_clock() >= self.game.endings.move_rule;
        is_over.then(|| self.outcome_by(Termination::MoveRule))
    }

    /// The outcome if repetition or the move rule ends the game: the result of the material count
    /// or of repetition, else a draw. Knows of no perpetual check.
    pub fn outcome_by(&self, termination: Termination) -> Outcome {
        let endings = &self.game.endings;
        let uncounted = match termination {
            Termination::Repetition => self.game.endings.repetition.white(self.side_to_move()),
            _ => Points::DRAW,
        };
        let count = endings.material_count.as_ref();
        let white = count.map_or(uncounted, |rule| rule.result(|color| self.material_points(color)));
        Outcome { termination, white: self.game.endings.settle(white) }
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
        if self.game.mechanisms.drops.is_some() && Color::ALL.iter().any(|&color| !self.pocket(color).is_empty()) {
            return false;
        }
        (white.is_empty() && insufficient.contains(&black)) || (black.is_empty() && insufficient.contains(&white))
    }

    /// Points of a side's pieces in the material count; 0 in games without one.
    pub fn material_points(&self, color: Color) -> u32 {
        self.game.endings.material_count.as_ref().map_or(0, |count| count.points(self, color))
    }
}

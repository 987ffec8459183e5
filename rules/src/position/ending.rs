//! Endings that a position shows by itself; repetition needs the [`crate::Game`].

use super::Position;
use crate::color::Color;
use crate::def::{MaterialCount, PieceClass};
use crate::outcome::{Outcome, Points, Termination};
use crate::piece::Kind;

impl Position {
    /// How the game is over in this position, repetition apart: checkmate and stalemate first, then a dead position, then the
    /// move rule.
    pub fn outcome(&self) -> Option<Outcome> {
        self.mate_or_dead().or_else(|| self.move_rule_outcome())
    }

    /// Checkmate, stalemate or dead position.
    pub(crate) fn mate_or_dead(&self) -> Option<Outcome> {
        let mover = self.side_to_move();
        if !self.has_legal_move() {
            return Some(if self.in_check() {
                Outcome {
                    termination: Termination::Checkmate,
                    white: Points::LOSS.for_white(mover),
                }
            } else {
                Outcome {
                    termination: Termination::Stalemate,
                    white: self.game.endings.stalemate.for_white(!mover),
                }
            });
        }
        self.has_insufficient_material().then_some(Outcome {
            termination: Termination::DeadPosition,
            white: Points::DRAW,
        })
    }

    /// The move rule's outcome, when the clock has run out.
    pub(crate) fn move_rule_outcome(&self) -> Option<Outcome> {
        (self.halfmove_clock >= self.game.endings.move_rule).then(|| self.outcome_by(Termination::MoveRule))
    }

    /// The outcome of a game that repetition or the move rule ends here: a draw, or what the points count says.
    pub fn outcome_by(&self, termination: Termination) -> Outcome {
        let white = self.game.endings.material_count.as_ref().map_or(Points::DRAW, |rule| {
            let lead = i64::from(self.material_points(Color::White)) - i64::from(self.material_points(Color::Black));
            if lead >= i64::from(rule.lead) {
                rule.score
            } else if -lead >= i64::from(rule.lead) {
                rule.score.flipped()
            } else {
                Points::DRAW
            }
        });
        Outcome { termination, white }
    }

    /// Can neither side ever mate, judged by the pieces on the board alone?
    pub fn has_insufficient_material(&self) -> bool {
        let extra = |color: Color| {
            let mut kinds: Vec<Kind> = self
                .pieces()
                .filter(|(_, piece)| piece.color == color && piece.kind != self.game.king)
                .map(|(_, piece)| piece.kind)
                .collect();
            kinds.sort_unstable();
            kinds
        };
        let (white, black) = (extra(Color::White), extra(Color::Black));
        let dead = &self.game.endings.insufficient_material;
        (white.is_empty() && dead.contains(&black)) || (black.is_empty() && dead.contains(&white))
    }

    /// Points of a side's pieces on the board; 0 in games without points counts.
    pub fn material_points(&self, color: Color) -> u32 {
        self.game
            .endings
            .material_count
            .as_ref()
            .map_or(0, |rule| self.points_by(rule, color))
    }

    fn points_by(&self, rule: &MaterialCount, color: Color) -> u32 {
        let count = |side: Color, class: PieceClass| {
            self.pieces()
                .filter(|(_, piece)| piece.color == side && self.game.kind(piece.kind).class == class)
                .count()
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
                PieceClass::King | PieceClass::Piece => 0,
            })
            .sum()
    }
}

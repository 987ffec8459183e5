//! Endings that a position shows by itself; repetition needs the [`crate::Game`].

use super::Position;
use crate::color::Color;
use crate::def::{Class, PointsCount};
use crate::outcome::{Outcome, Reason, Score};
use crate::piece::Kind;

impl Position {
    /// How the game is over in this position, repetition apart: checkmate and stalemate first, then a dead position, then the
    /// move rule.
    pub fn outcome(&self) -> Option<Outcome> {
        self.mate_or_dead().or_else(|| self.move_rule_outcome())
    }

    /// Checkmate, stalemate or dead position.
    pub(crate) fn mate_or_dead(&self) -> Option<Outcome> {
        let mover = self.side();
        if !self.has_legal_move() {
            return Some(if self.in_check() {
                Outcome {
                    reason: Reason::Checkmate,
                    white: Score::LOSS.for_white(mover),
                }
            } else {
                Outcome {
                    reason: Reason::Stalemate,
                    white: self.game.endings.stalemate.for_white(!mover),
                }
            });
        }
        self.is_dead().then_some(Outcome {
            reason: Reason::DeadPosition,
            white: Score::DRAW,
        })
    }

    /// The move rule's outcome, when the clock has run out.
    pub(crate) fn move_rule_outcome(&self) -> Option<Outcome> {
        (self.clock >= self.game.endings.move_rule).then(|| self.counted_outcome(Reason::MoveRule))
    }

    /// The outcome of a game that repetition or the move rule ends here: a draw, or what the points count says.
    pub fn counted_outcome(&self, reason: Reason) -> Outcome {
        let white = self.game.endings.points.as_ref().map_or(Score::DRAW, |rule| {
            let lead = i64::from(self.points(Color::White)) - i64::from(self.points(Color::Black));
            if lead >= i64::from(rule.lead) {
                rule.score
            } else if -lead >= i64::from(rule.lead) {
                rule.score.flipped()
            } else {
                Score::DRAW
            }
        });
        Outcome { reason, white }
    }

    /// Can neither side ever mate, judged by the pieces on the board alone?
    pub fn is_dead(&self) -> bool {
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
        let dead = &self.game.endings.dead;
        (white.is_empty() && dead.contains(&black)) || (black.is_empty() && dead.contains(&white))
    }

    /// Points of a side's pieces on the board; 0 in games without points counts.
    pub fn points(&self, color: Color) -> u32 {
        self.game
            .endings
            .points
            .as_ref()
            .map_or(0, |rule| self.points_by(rule, color))
    }

    fn points_by(&self, rule: &PointsCount, color: Color) -> u32 {
        let count = |side: Color, class: Class| {
            self.pieces()
                .filter(|(_, piece)| piece.color == side && self.game.kind(piece.kind).class == class)
                .count()
        };
        let joker = if count(!color, Class::Major) > count(!color, Class::Minor) {
            rule.joker_against_majors
        } else {
            rule.joker
        };
        self.pieces()
            .filter(|(_, piece)| piece.color == color)
            .map(|(square, piece)| match self.game.kind(piece.kind).class {
                Class::Major => rule.major,
                Class::Average => rule.average,
                Class::Minor => rule.minor,
                Class::Joker => joker,
                Class::Pawn => {
                    let rank = self.game.board.relative_rank(color, square);
                    let special = rule.pawn_on_rank.iter().find(|(on, _)| *on == rank);
                    special.map_or(rule.pawn, |(_, points)| *points)
                }
                Class::King | Class::Piece => 0,
            })
            .sum()
    }
}

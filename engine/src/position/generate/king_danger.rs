//! Squares that a king must not enter.

use assay_rules::Color;
use assay_rules::piece::Kind;

use super::super::{CompiledPosition, Position};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::ruleset::{Role, for_each_kind};

impl<R: CompiledPosition> Position<R> {
    /// Returns the `targets` that pieces of `by` attack, with their jokers moving as `joker_kind`
    /// and the board occupied as given. Ignores hoppers, cannons and irregular paths: only for
    /// games without them.
    ///
    /// All attacks of each piece are generated at once, which is faster than testing the king's
    /// squares one by one.
    #[inline(always)]
    pub(in crate::position) fn king_danger(
        &self,
        targets: Bitboard<R::Word>,
        by: Color,
        occupied: Bitboard<R::Word>,
        joker_kind: Option<Kind>,
    ) -> Bitboard<R::Word> {
        let blockers = self.blockers(occupied);
        let sliders = &self.tables.sliders;
        let mut danger = Bitboard::EMPTY;
        for_each_kind!(R, self.tables, leapers, |kind, movement| {
            if movement.leap_captures {
                let pieces = self.pieces(by, kind);
                if movement.role == Role::Pawn {
                    for capture in &self.tables.pawns_of(kind, by).captures {
                        danger |= (pieces & capture.origins).shifted(capture.offset);
                    }
                } else {
                    danger |= self.leap_attacks(kind, by, pieces);
                }
            }
        });
        let mut line_pieces = self.line_pieces(by);
        if let Some(kind) = joker_kind {
            let jokers = self.jokers(by);
            danger |= self.leap_attacks(kind, by, jokers);
            line_pieces.add(self.tables.movement(kind), jokers);
        }
        for from in line_pieces.orthogonal {
            danger |= sliders.orthogonal(from, blockers);
        }
        for from in line_pieces.diagonal {
            danger |= sliders.diagonal(from, blockers);
        }
        danger & targets
    }

    #[inline(always)]
    fn leap_attacks(&self, kind: Kind, by: Color, pieces: Bitboard<R::Word>) -> Bitboard<R::Word> {
        let captures = &self.tables.kind(kind, by).leaps.captures;
        pieces.into_iter().fold(Bitboard::EMPTY, |attacks, from| attacks | R::Word::at(captures, from))
    }
}

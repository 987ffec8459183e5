//! Where a king must not go.

use assay_rules::Color;
use assay_rules::piece::Kind;

use super::CompiledPosition;
use super::Position;
use crate::bitboard::Bitboard;
use crate::bitboard::BitboardWord;
use crate::ruleset::Role;
use crate::ruleset::each_kind;

impl<R: CompiledPosition> Position<R> {
    /// Those of `targets` on which pieces of `by` could capture, their jokers moving as `power`, if the board were occupied as
    /// given. Hoppers, cannons and the odder ways of capturing are left out: only for games without.
    ///
    /// From each piece to all its targets at once: a king with several squares to go to is judged faster than square by square.
    #[inline(always)]
    pub(super) fn endangered(
        &self,
        targets: Bitboard<R::Word>,
        by: Color,
        occupied: Bitboard<R::Word>,
        power: Option<Kind>,
    ) -> Bitboard<R::Word> {
        let blockers = self.blockers(occupied);
        let sliders = &self.tables.sliders;
        let mut found = Bitboard::EMPTY;
        each_kind!(R, self.tables, leapers, |kind, recipe| {
            if recipe.leap_captures {
                let pieces = self.pieces(by, kind);
                if recipe.role == Role::Pawn {
                    for take in &self.tables.pawns(by).takes {
                        found |= (pieces & take.origins).shifted(take.places);
                    }
                } else {
                    found |= self.leaps_of(kind, by, pieces);
                }
            }
        });
        let mut liners = self.line_pieces(by);
        if let Some(power) = power {
            let jokers = self.jokers(by);
            found |= self.leaps_of(power, by, jokers);
            liners.add(self.tables.recipe(power), jokers);
        }
        for from in liners.straight {
            found |= sliders.straight(from, blockers);
        }
        for from in liners.diagonal {
            found |= sliders.diagonal(from, blockers);
        }
        found & targets
    }

    /// The squares on which pieces of one kind capture by leaps.
    #[inline(always)]
    fn leaps_of(&self, kind: Kind, by: Color, pieces: Bitboard<R::Word>) -> Bitboard<R::Word> {
        let captures = &self.tables.kind(kind, by).leaps.captures;
        pieces
            .into_iter()
            .fold(Bitboard::EMPTY, |all, from| all | R::Word::at(captures, from))
    }
}

//! Where a king must not go.

use assay_rules::Color;
use assay_rules::man::Kind;

use super::Position;
use crate::bitboard::Bitboard;
use crate::recipe::Role;
use crate::ruleset::{Ruleset, each_kind};
use crate::word::Word;

impl<R: Ruleset> Position<R> {
    /// Those of `targets` on which men of `by` could capture, their jokers moving as `power`, if the board were occupied as
    /// given. Hoppers, cannons and the odder ways of capturing are left out: only for games without.
    ///
    /// From each man to all its targets at once: a king with several squares to go to is judged faster than square by square.
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
        each_kind!(R, self.tables, |kind, recipe| {
            let mimes = power == Some(kind);
            let men = self.men(by, kind) | if mimes { self.jokers(by) } else { Bitboard::EMPTY };
            if recipe.leap_captures {
                if recipe.role == Role::Pawn {
                    for take in &self.tables.pawns(by).takes {
                        found |= (men & take.origins).shifted(take.places);
                    }
                } else {
                    let captures = &self.tables.kind(kind, by).leaps.captures;
                    for from in men {
                        found |= R::Word::at(captures, from);
                    }
                }
            }
            if recipe.slide_captures.any() {
                for from in men {
                    found |= sliders.slide(recipe.slide_captures, from, blockers);
                }
            }
        });
        found & targets
    }
}

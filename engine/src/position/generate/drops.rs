//! Drops.

use assay_rules::piece::Kind;

use super::super::{CompiledPosition, Wanted};
use super::move_sink::MoveSink;
use super::{Generator, filter_safe};
use crate::bitboard::Bitboard;
use crate::ruleset::{Mechanics, PieceMovement};

impl<R: CompiledPosition, S: MoveSink<R::Word>, const UNRESTRICTED: bool> Generator<'_, R, S, UNRESTRICTED> {
    /// Wanted squares on which a piece of `kind` can be dropped, apart from the safety of the king;
    /// none if the pocket has no such piece.
    #[inline(always)]
    pub(super) fn drop_targets(&self, kind: Kind, movement: PieceMovement) -> Bitboard<R::Word> {
        if !self.tables.has(Mechanics::DROPS) {
            return Bitboard::EMPTY;
        }
        let Some(drops) = &self.tables.drops else {
            return Bitboard::EMPTY;
        };
        if self.position.in_pocket(self.us, drops.in_pocket(kind)) == 0 {
            return Bitboard::EMPTY;
        }
        let mut to = drops.zone(self.us, kind) & !self.occupied & self.sink.origins();
        if kind == self.position.pawn_kind() {
            to &= !drops.full_files(self.position.pawns(self.us));
        }
        match self.sink.wanted() {
            Wanted::All | Wanted::EvenIfDecided => to,
            Wanted::Captures | Wanted::UnforcedCaptures => Bitboard::EMPTY,
            Wanted::Checks(squares) => to & self.position.may_check_on(squares, kind, movement, None),
        }
    }

    /// Drops a piece of `kind` on the squares where it leaves the king safe: it can block a line,
    /// but also be a screen.
    #[inline(always)]
    pub(super) fn drop_moves(&mut self, kind: Kind, to: Bitboard<R::Word>) {
        let is_pawn = kind == self.position.pawn_kind();
        let mut to = to;
        if !UNRESTRICTED {
            to &= self.pins.check_mask;
            let to_test = to & self.pins.test_to;
            let shields = self.position.pawns(self.us);
            let passed = filter_safe(to_test, |square| {
                let dropped = Bitboard::of(square);
                let shields = if is_pawn { shields | dropped } else { shields };
                self.is_safe(self.king, self.occupied | dropped, square, shields, kind)
            });
            to = (to & !to_test) | passed;
        }
        if is_pawn && self.tables.drops.as_ref().is_some_and(|drops| !drops.pawn_mate) {
            to = filter_safe(to, |square| !self.position.drop_mates(kind, square));
        }
        if to.any() {
            self.sink.drops(kind, to);
        }
    }
}

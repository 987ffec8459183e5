//! Checks.

use super::AttackView;
use super::attacks::MovedPieces;
use super::{CompiledPosition, Position};
use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveKind};

impl<R: CompiledPosition> Position<R> {
    #[inline]
    pub fn in_check(&self) -> bool {
        let side = self.side_to_move();
        self.is_attacked(self.king(side), !side, self.view(side))
    }

    /// Returns the pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard<R::Word> {
        let side = self.side_to_move();
        R::attackers(self, self.king(side), !side, &self.view(side))
    }

    /// Returns true if the legal move `mv` gives check.
    ///
    /// # Panics
    /// If there is no piece on the origin square.
    #[inline]
    pub fn gives_check(&self, mv: Move) -> bool {
        R::gives_check(self, mv)
    }

    /// Tests the board as it will be after the move, without making it.
    #[inline(always)]
    pub(crate) fn gives_check_impl(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let kind = self.moved_kind(mv);
        let (origin, target) = (Bitboard::of(from), Bitboard::of(to));
        let mut moved = [(mv.promotion().unwrap_or(kind), Some(to)), (kind, None), (kind, None)];
        let mut removed = origin;
        let mut occupied = (self.occupied() & !origin) | target;
        let mut shields = self.pawns(!us) & !target;
        match mv.kind() {
            MoveKind::Normal | MoveKind::DoubleStep => {}
            MoveKind::EnPassant => {
                let victim = self.en_passant().map_or(Bitboard::EMPTY, |ep| Bitboard::of(ep.victim));
                occupied &= !victim;
                shields &= !victim;
            }
            MoveKind::Castle | MoveKind::CastleGatingPartner => {
                let (partner_from, partner_to) = self.partner_path(us, to);
                moved[1] = (self.partner(), Some(partner_to));
                removed |= Bitboard::of(partner_from);
                occupied = (occupied & !Bitboard::of(partner_from)) | target | Bitboard::of(partner_to);
            }
            MoveKind::Cannon => {
                moved[0].1 = None;
                occupied &= !target;
            }
        }
        if let Some((gated, square)) = self.gated(us, mv) {
            moved[2] = (gated, Some(square));
            occupied |= Bitboard::of(square);
        }
        let view = AttackView {
            occupied,
            removed,
            shields,
            joker_kind: self.last_moved_as(!us),
        };
        self.is_attacked_impl(self.king(!us), us, view, &MovedPieces(moved))
    }
}

//! Checks: those that are, and those that moves give.

use super::CompiledPosition;
use super::Position;
use super::attacks::{AttackView, MovedPieces};
use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveKind};

impl<R: CompiledPosition> Position<R> {
    /// Could the king of the side to move be captured if that side passed?
    #[inline]
    pub fn in_check(&self) -> bool {
        let side = self.side_to_move();
        self.is_attacked(self.king(side), !side, self.view(side))
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard<R::Word> {
        let side = self.side_to_move();
        R::attackers(self, self.king(side), !side, &self.view(side))
    }

    /// Does this legal move give check?
    ///
    /// # Panics
    /// When no piece stands where the move begins, so that it cannot be legal.
    #[inline]
    pub fn gives_check(&self, mv: Move) -> bool {
        R::gives_check(self, mv)
    }

    /// Looks at the board as it will be, without making the move.
    #[inline(always)]
    pub(crate) fn gives_check_impl(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let kind = self.moved_kind(mv);
        let (origin, target) = (Bitboard::of(from), Bitboard::of(to));
        let mut movers = [(mv.promotion().unwrap_or(kind), Some(to)), (kind, None)];
        let mut removed = origin;
        let mut occupied = (self.occupied() & !origin) | target;
        let mut shields = self.pawns(!us) & !target;
        match mv.kind() {
            MoveKind::Normal => {
                if let Some(dropped) = mv.gate() {
                    movers[1] = (dropped, Some(from));
                    occupied |= origin;
                }
            }
            MoveKind::DoubleStep => {}
            MoveKind::EnPassant => {
                let victim = self
                    .en_passant()
                    .map_or(Bitboard::EMPTY, |chance| Bitboard::of(chance.victim));
                occupied &= !victim;
                shields &= !victim;
            }
            MoveKind::Castle => {
                let (partner_from, partner_to) = self.partner_path(us, to);
                movers[1] = (self.partner(), Some(partner_to));
                removed |= Bitboard::of(partner_from);
                occupied = (occupied & !Bitboard::of(partner_from)) | target | Bitboard::of(partner_to);
            }
            MoveKind::Cannon => {
                movers[0].1 = None;
                occupied &= !target;
            }
        }
        let view = AttackView {
            occupied,
            removed,
            shields,
            power: self.last_moved_as(!us),
        };
        self.is_attacked_impl(self.king(!us), us, view, &MovedPieces(movers))
    }
}

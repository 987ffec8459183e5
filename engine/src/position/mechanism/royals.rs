//! Royal pieces in any number, games or sides without a king, and forced captures.

use super::explosions::RoyalsHit;
use super::prelude::*;

impl<R: CompiledPosition> Position<R> {
    /// Returns true if a side has a king on the board.
    #[inline(always)]
    pub(crate) fn has_king(&self, color: Color) -> bool {
        let mechanics = self.tables.mechanics();
        !mechanics.contains(Mechanics::KINGLESS)
            && (!mechanics.contains(Mechanics::LONE_KING) || self.game().kinds.has_king(color))
            && (!mechanics.contains(Mechanics::DROP_PHASE)
                || self.king_kind().is_some_and(|king| self.pieces(color, king).any()))
    }

    /// The king of a side, and its other pieces that must not be left attacked.
    #[inline(always)]
    pub(in crate::position) fn royals(&self, color: Color) -> Bitboard<R::Word> {
        let mechanics = self.tables.mechanics();
        let mut royals = if self.has_king(color) { Bitboard::of(self.king(color)) } else { Bitboard::EMPTY };
        if mechanics.contains(Mechanics::ROYALS) {
            for &kind in &self.tables.royal_kinds {
                royals |= self.pieces(color, kind);
            }
        }
        royals
    }

    /// Returns true if a side can have royal pieces, so that it can be in check.
    #[inline(always)]
    pub(in crate::position) fn can_be_checked(&self, color: Color) -> bool {
        self.has_king(color) || self.tables.has(Mechanics::ROYALS)
    }

    /// Returns true if the king of `color`, or another of its royal pieces, is attacked.
    #[inline(always)]
    pub(in crate::position) fn is_royal_attacked(&self, color: Color) -> bool {
        let theirs = self.royals(!color);
        let view = self.view_without_royals(self.view(color), theirs);
        self.any_royal(color, |square| !self.touches(square, theirs) && self.is_attacked(square, !color, view))
    }

    /// Returns true if `test` holds for a royal piece of `color`.
    #[inline(always)]
    pub(in crate::position) fn any_royal(&self, color: Color, test: impl Fn(Square) -> bool) -> bool {
        let mechanics = self.tables.mechanics();
        let others = || self.tables.royal_kinds.iter().flat_map(|&kind| self.pieces(color, kind));
        self.has_king(color) && test(self.king(color)) || mechanics.contains(Mechanics::ROYALS) && others().any(&test)
    }

    /// Returns true unless a move of a piece of `kind` that leaves the king safe is illegal all the
    /// same: it gives check in a game that forbids it, or leaves another royal piece attacked.
    #[inline(always)]
    pub(in crate::position) fn is_allowed(&self, kind: Kind, mv: Move) -> bool {
        let mechanics = self.tables.mechanics();
        let is_forbidden = mechanics.contains(Mechanics::FORBIDS_CHECKS) && R::gives_check(self, kind, mv)
            || mechanics.contains(Mechanics::ROYALS) && !self.leaves_royals_safe(kind, mv)
            || mechanics.contains(Mechanics::EXPLOSIONS) && self.captures_its_like(kind, mv);
        !is_forbidden
    }

    /// Squares whose pieces, unless they are royal, may make any move that captures nothing: no
    /// royal piece is attacked, nor in line with them.
    pub(in crate::position) fn trusted(&self, us: Color) -> Bitboard<R::Word> {
        let mechanics = self.tables.mechanics();
        let all = self.tables.squares;
        if !mechanics.tests_moves() {
            return all;
        }
        let are_in_doubt = mechanics.contains(Mechanics::FORBIDS_CHECKS)
            || mechanics.contains(Mechanics::ROYALS)
                && (mechanics.contains(Mechanics::JOKER)
                    || !mechanics.attacks_need_no_screen()
                    || self.is_royal_attacked(us));
        if are_in_doubt {
            return Bitboard::EMPTY;
        }
        let sliders = &self.tables.sliders;
        let blockers = self.blockers(self.occupied());
        let lines = |square| sliders.orthogonal(square, blockers) | sliders.diagonal(square, blockers);
        let royals = self.tables.royal_kinds.iter().flat_map(|&kind| self.pieces(us, kind));
        royals.fold(all, |trusted, royal| trusted & !lines(royal))
    }

    /// Tests the board as it will be after a move of a piece of `kind`, without making it.
    fn leaves_royals_safe(&self, kind: Kind, mv: Move) -> bool {
        let us = self.side_to_move();
        let moved = self.moved_pieces(kind, mv);
        let after = self.board_after(mv, &moved);
        let arrived = |kind| -> Bitboard<R::Word> { moved.of(kind) };
        let arrived_pawns = self.tables.pawn_kinds().map(arrived);
        let view = AttackView {
            occupied: after.occupied,
            removed: after.captured,
            shields: arrived_pawns.fold(self.pawns(us) & !after.left, |shields, arrived| shields | arrived),
            joker_kind: self.joker_kind().and_then(|joker| {
                let moved_as = if kind == joker { self.last_moved_as(!us) } else { Some(kind) };
                moved_as.map(|kind| self.game().kinds.original(kind))
            }),
        };
        let royal = |&kind: &Kind| (self.pieces(us, kind) & !after.left) | arrived(kind);
        let royals = self.tables.royal_kinds.iter().map(royal);
        let royals = royals.fold(Bitboard::EMPTY, |all, royals| all | royals);
        match self.royals_after(mv, &after, royals) {
            RoyalsHit::Own => return false,
            RoyalsHit::LastOfOpponent => return true,
            RoyalsHit::Undecided => {}
        }
        let theirs = self.royals(!us) & !after.captured;
        let view = self.view_without_royals(view, theirs);
        let mut royals = royals.into_iter();
        royals.all(|square| self.touches(square, theirs) || !self.is_attacked(square, !us, view))
    }

    /// Returns true if the side to move can capture, so that it must, in a game that forces
    /// captures.
    #[inline(always)]
    pub(crate) fn must_capture(&self) -> bool {
        R::MECHANICS.contains(Mechanics::FORCES_CAPTURES)
            && self.tables.has(Mechanics::FORCES_CAPTURES)
            && self.can_capture()
    }

    #[inline(never)]
    fn can_capture(&self) -> bool {
        let mechanics = self.tables.mechanics();
        if mechanics.attacks_need_no_screen() && self.en_passant().is_none() {
            let us = self.side_to_move();
            let joker_kind = self.joker_kind().and_then(|_| self.last_moved_as(!us));
            let attacked = self.king_danger(self.by_color(!us), us, self.occupied(), joker_kind);
            let is_any_legal = !mechanics.tests_moves()
                && !mechanics.contains(Mechanics::PROMOTION_RULES)
                && !mechanics.contains(Mechanics::HANDICAPS)
                && !self.has_king(us);
            if attacked.is_empty() || is_any_legal {
                return attacked.any();
            }
        }
        let mut list = MoveList::new();
        R::generate_into(self, &mut list, !Bitboard::EMPTY, Wanted::UnforcedCaptures);
        self.apply_handicap(&mut list);
        // Promotions are among them.
        list.into_iter().any(|mv| self.is_capture(mv))
    }
}

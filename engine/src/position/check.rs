//! Checks.

use assay_rules::piece::Kind;
use assay_rules::{Color, Square};

use super::attacks::MovedPieces;
use super::{AttackView, CheckSquares};
use super::{CompiledPosition, Position};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::moves::{Move, MoveKind};
use crate::ruleset::{Lines, Mechanics, PieceMovement, Role};
use crate::tables::KingExposure;

/// The board after a move that has not been made, as far as attacks depend on it.
pub(super) struct BoardAfter<W: BitboardWord> {
    pub(super) occupied: Bitboard<W>,
    /// Squares that pieces of the moving side leave.
    pub(super) left: Bitboard<W>,
    /// Squares on which the move captures, if there is an enemy.
    pub(super) captured: Bitboard<W>,
}

impl<R: CompiledPosition> Position<R> {
    #[inline]
    pub fn in_check(&self) -> bool {
        self.is_royal_attacked(self.side_to_move())
    }

    /// Returns the pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard<R::Word> {
        let side = self.side_to_move();
        let theirs = self.royals(!side);
        let view = self.view_without_royals(self.view(side), theirs);
        let royals = self.royals(side).into_iter().filter(|&royal| !self.touches(royal, theirs));
        royals.fold(Bitboard::EMPTY, |found, royal| found | R::attackers(self, royal, !side, &view))
    }

    /// Computes the squares on which moves can give check.
    #[inline]
    pub fn check_squares(&self) -> CheckSquares<R::Word> {
        let us = self.side_to_move();
        let king = self.king(!us);
        let blockers = self.blockers(self.occupied());
        let sliders = &self.tables.sliders;
        let (orthogonal, diagonal) = (sliders.orthogonal(king, blockers), sliders.diagonal(king, blockers));
        let of_tables = self.tables.king_exposure(!us, king);
        let mut exposure = of_tables.unwrap_or_else(|| self.exposure_by_screens(us, king));
        exposure.on_leave |= orthogonal | diagonal;
        CheckSquares { orthogonal, diagonal, exposure }
    }

    /// Squares between `king` and the hoppers and pawns of `us` that can attack it over a screen.
    #[inline(always)]
    fn exposure_by_screens(&self, us: Color, king: Square) -> KingExposure<R::Word> {
        let sliders = &self.tables.sliders;
        let mut between = Bitboard::EMPTY;
        if self.tables.has(Mechanics::HOPPERS) {
            let ours = self.line_pieces(us);
            let hoppers = (ours.orthogonal_hoppers & sliders.lines(Lines::ORTHOGONAL, king))
                | (ours.diagonal_hoppers & sliders.lines(Lines::DIAGONAL, king));
            for hopper in hoppers {
                between |= self.tables.between(king, hopper);
            }
        }
        let cannons = self.cannon_squares(us, king);
        if (cannons & self.pawns(us)).any() {
            between |= cannons;
        }
        KingExposure { on_leave: between, on_enter: between }
    }

    /// Squares on which the piece on `from`, or a dropped piece (`None`), moving as `kind`, may
    /// give check: without jokers, gating, castling, promotions and en passant captures, no other
    /// move of the piece gives check.
    #[inline(always)]
    pub(crate) fn may_check_on(
        &self,
        squares: &CheckSquares<R::Word>,
        kind: Kind,
        movement: PieceMovement,
        from: Option<Square>,
    ) -> Bitboard<R::Word> {
        let (mechanics, us) = (self.tables.mechanics(), self.side_to_move());
        if !self.has_king(!us) || mechanics.contains(Mechanics::ROYALS) {
            return !Bitboard::EMPTY;
        }
        let leaves_line = from.is_some_and(|from| squares.exposure.on_leave.contains(from));
        if movement.role == Role::Joker || movement.has_irregular || leaves_line {
            return !Bitboard::EMPTY;
        }
        let mut on = squares.exposure.on_enter;
        if movement.leap_captures {
            on |= R::Word::at(&self.tables.kind(kind, us).leaps.captured_from, self.king(!us));
        }
        if movement.hop_captures.any() {
            on |= self.tables.sliders.lines(movement.hop_captures, self.king(!us));
        }
        if movement.role == Role::Pawn {
            on |= self.cannon_squares(us, self.king(!us));
        }
        if movement.slide_captures.orthogonal {
            on |= squares.orthogonal;
        }
        if movement.slide_captures.diagonal {
            on |= squares.diagonal;
        }
        on
    }

    /// Returns true if the legal move `mv` gives check. `squares` must be of this position.
    ///
    /// # Panics
    /// If there is no piece on the origin square.
    #[inline]
    pub fn gives_check(&self, squares: &CheckSquares<R::Word>, mv: Move) -> bool {
        if !self.can_be_checked(!self.side_to_move()) {
            return false;
        }
        let kind = self.moved_kind(mv);
        let movement = self.tables.movement(kind);
        let is_drop = self.tables.has(Mechanics::DROPS) && mv.dropped().is_some();
        let moves_one_piece = matches!(mv.kind(), MoveKind::Normal | MoveKind::DoubleStep)
            && mv.promotion().is_none()
            && mv.gate().is_none();
        let from = (!is_drop).then(|| mv.from());
        if (moves_one_piece || is_drop) && !self.may_check_on(squares, kind, movement, from).contains(mv.to()) {
            return false;
        }
        R::gives_check(self, kind, mv)
    }

    /// The pieces that a move of a piece of `kind` puts on new squares.
    #[inline(always)]
    pub(super) fn moved_pieces(&self, kind: Kind, mv: Move) -> MovedPieces {
        let us = self.side_to_move();
        let becomes = mv.promotion().unwrap_or(kind);
        let vanishes = mv.kind() == MoveKind::Cannon
            || self.blast(becomes, mv).contains(mv.to())
            || self.is_petrified(kind) && self.is_capture(mv);
        let castling = mv.is_castle().then(|| self.tables.castling(us, mv));
        MovedPieces {
            kind: becomes,
            square: (!vanishes).then_some(castling.map_or(mv.to(), |wing| wing.king_to)),
            partner: castling.map(|wing| (wing.partner, wing.partner_to)),
            gated: self.gated(us, mv),
        }
    }

    /// Tests the board as it will be after the move of a piece of `kind`, without making it.
    #[inline(always)]
    pub(crate) fn gives_check_impl(&self, kind: Kind, mv: Move) -> bool {
        let us = self.side_to_move();
        let moved = self.moved_pieces(kind, mv);
        let after = self.board_after(mv, &moved);
        let view = AttackView {
            occupied: after.occupied,
            removed: after.left,
            shields: self.pawns(!us) & !after.captured,
            joker_kind: self.last_moved_as(!us),
        };
        if self.tables.has(Mechanics::EXPLOSIONS) {
            return self.attacks_royal_after(moved, &after, view);
        }
        self.any_royal(!us, |square| self.is_attacked_impl(square, us, view, &moved))
    }

    /// The squares that a move of the side to move changes, with the pieces that it puts on new
    /// squares.
    #[inline(always)]
    pub(super) fn board_after(&self, mv: Move, moved: &MovedPieces) -> BoardAfter<R::Word> {
        let us = self.side_to_move();
        let (origin, target) = (Bitboard::of(mv.from()), Bitboard::of(mv.to()));
        let (mut left, mut captured) = (origin, target);
        let mut occupied = (self.occupied() & !origin) | target;
        match mv.kind() {
            MoveKind::Normal | MoveKind::DoubleStep | MoveKind::Drop => {}
            MoveKind::EnPassant => {
                captured |= self.en_passant().map_or(Bitboard::EMPTY, |ep| Bitboard::of(ep.victim));
                occupied = (occupied & !captured) | target;
            }
            MoveKind::Castle | MoveKind::CastleGatingPartner => {
                let wing = self.tables.castling(us, mv);
                left |= Bitboard::of(wing.partner_from);
                captured = Bitboard::of(wing.king_to);
                occupied = self.occupied() & !left | captured | Bitboard::of(wing.partner_to);
            }
            MoveKind::Cannon => occupied &= !target,
        }
        if let Some((_, square)) = moved.gated {
            occupied |= Bitboard::of(square);
        }
        if self.tables.has(Mechanics::EXPLOSIONS) {
            let blast = self.blast(moved.kind, mv);
            left |= blast & self.by_color(us);
            captured |= blast & self.by_color(!us);
            occupied &= !blast;
        }
        BoardAfter { occupied, left, captured }
    }
}

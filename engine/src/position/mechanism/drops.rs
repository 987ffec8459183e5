//! Drops of pieces from a pocket, into which captured pieces go.

use super::prelude::*;
use crate::tables::{CastlingTables, PIECE_INDICES};

pub(in crate::position) enum DropsHooks {}

impl Mechanism for DropsHooks {
    const MECHANIC: Mechanics = Mechanics::DROPS;

    #[inline(always)]
    fn after_move<R: CompiledPosition, const FULL: bool>(board: &mut MoveBoard<R, FULL>, mv: Move, piece: Piece) {
        if mv.kind() == MoveKind::Drop {
            let drops = board.0.tables.drops.as_ref();
            let kind = drops.map_or(piece.kind, |drops| drops.in_pocket(piece.kind));
            board.change(Change::Pocket(Piece { kind, ..piece }, -1));
            if board.0.tables.has(Mechanics::DROP_PHASE) {
                board.0.state.rights |= board.0.rights_by_drop(piece.color, mv.to());
            }
        }
        pocket(board, board.0.state.captured.piece());
    }

    /// A side that must drop cannot capture en passant.
    #[inline(always)]
    fn after_turn<R: CompiledPosition>(position: &mut Position<R>, _before: &State) {
        if position.state.en_passant.is_some() && position.must_drop(!Bitboard::EMPTY) {
            position.state.en_passant = None;
        }
    }

    #[inline(always)]
    fn changes_hash<R: CompiledPosition>(_position: &Position<R>, victim: Option<Piece>) -> bool {
        victim.is_some()
    }
}

/// Puts a captured piece into a pocket.
#[inline(always)]
pub(in crate::position) fn pocket<R: CompiledPosition, const FULL: bool>(
    board: &mut MoveBoard<R, FULL>,
    captured: Option<Piece>,
) {
    let drops = board.0.tables.drops.as_ref();
    if let Some(pocketed) = drops.and_then(|drops| drops.pocketed(captured?)) {
        board.change(Change::Pocket(pocketed, 1));
    }
}

impl<R: CompiledPosition> Position<R> {
    /// Returns true if the side to move must drop a piece, so that none of the pieces on `origins`
    /// moves.
    #[inline(always)]
    pub(in crate::position) fn must_drop(&self, origins: Bitboard<R::Word>) -> bool {
        R::MECHANICS.contains(Mechanics::DROP_PHASE)
            && self.tables.has(Mechanics::DROP_PHASE)
            && self.tables.drops.as_ref().is_some_and(|drops| drops.forced)
            && self.pockets[self.side_to_move().index()] != [0; PIECE_INDICES / 2]
            && (origins & self.all_pieces()).any()
            && self.can_drop()
    }

    #[inline(never)]
    fn can_drop(&self) -> bool {
        let mut drops = MoveList::new();
        R::generate_into(self, &mut drops, !self.all_pieces(), Wanted::EvenIfDecided);
        self.apply_handicap(&mut drops);
        !drops.is_empty()
    }

    /// Rights to castle that the drop on a square has given, if king and partner stand at home.
    fn rights_by_drop(&self, us: Color, to: Square) -> u64 {
        let king = self.game().kinds.castling_king();
        let (Some(king), true) = (king, self.tables.drops.as_ref().is_some_and(|drops| drops.give_rights)) else {
            return 0;
        };
        let castlings = self.tables.castlings[us.index()].iter();
        let at_home = castlings.filter(|CastlingTables { wing, .. }| {
            [wing.king_from, wing.partner_from].contains(&to)
                && self.pieces(us, king).contains(wing.king_from)
                && self.pieces(us, wing.partner).contains(wing.partner_from)
        });
        at_home.fold(0, |rights, castling| rights | castling.right)
    }

    /// Squares on which the rule of opposite colors allows the drop of a piece of `dropped`.
    fn squares_by_colors(&self, dropped: Kind) -> Bitboard<R::Word> {
        let us = self.side_to_move();
        let mut allowed = !Bitboard::EMPTY;
        let Some(drops) = &self.tables.drops else { return allowed };
        for &kind in drops.opposite_colors.iter().filter(|&&kind| self.in_pocket(us, kind) > 0) {
            let pieces = self.pieces(us, kind);
            for squares in drops.colors {
                let is_needed = (pieces & squares).is_empty() && (pieces.any() || self.in_pocket(us, kind) > 1);
                if !is_needed {
                    continue;
                }
                let free = drops.zone(us, kind) & squares & !self.occupied();
                if dropped != kind && free.is_single() {
                    allowed &= !free;
                } else if dropped == kind && pieces.any() {
                    allowed &= squares;
                }
            }
        }
        allowed
    }
}

impl<R: CompiledPosition, S: MoveSink<R::Word>, const UNRESTRICTED: bool> Generator<'_, R, S, UNRESTRICTED> {
    /// Wanted squares on which a piece of `kind` can be dropped, apart from the safety of the king;
    /// none if the pocket has no such piece.
    #[inline(always)]
    pub(in crate::position) fn drop_targets(&self, kind: Kind, movement: PieceMovement) -> Bitboard<R::Word> {
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
        if movement.role == Role::Pawn {
            to &= !drops.full_files(self.position.pawns(self.us));
        }
        if self.tables.has(Mechanics::DROP_PHASE) {
            to &= self.position.squares_by_colors(kind);
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
    pub(in crate::position) fn drop_moves(&mut self, kind: Kind, movement: PieceMovement, to: Bitboard<R::Word>) {
        let is_pawn = movement.role == Role::Pawn;
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
        if movement.role == Role::King {
            let view = self.position.view(self.us);
            let joker_kind = if self.tables.has(Mechanics::JOKER) { Some(kind) } else { None };
            to = filter_safe(to, |square| {
                let occupied = self.occupied | Bitboard::of(square);
                !self.position.is_attacked(square, !self.us, AttackView { occupied, joker_kind, ..view })
            });
        }
        if is_pawn && self.tables.drops.as_ref().is_some_and(|drops| !drops.pawn_mate) {
            to = filter_safe(to, |square| !self.position.drop_mates(kind, square));
        }
        if to.any() {
            self.sink.drops(kind, to);
        }
    }
}

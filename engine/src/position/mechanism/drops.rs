//! Drops of pieces from a pocket, into which captured pieces go.

use super::prelude::*;
use crate::position::make::move_pieces;

pub(in crate::position) enum Drops {}

impl Mechanism for Drops {
    const MECHANIC: Mechanics = Mechanics::DROPS;

    #[inline(always)]
    fn after_move<R: CompiledPosition, const FULL: bool>(board: &mut MoveBoard<R, FULL>, mv: Move, piece: Piece) {
        if mv.kind() == MoveKind::Drop {
            let drops = board.0.tables.drops.as_ref();
            let kind = drops.map_or(piece.kind, |drops| drops.in_pocket(piece.kind));
            board.change(Change::Hand(Piece { kind, ..piece }, -1));
        }
        pocket(board, board.0.state.captured.piece());
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
        board.change(Change::Hand(pocketed, 1));
    }
}

impl<R: CompiledPosition> Position<R> {
    /// Returns true if the drop of a piece of `kind` gives checkmate. Needs neither mailbox nor
    /// hashes.
    fn drop_mates(&self, kind: Kind, to: Square) -> bool {
        let mut after = self.ply_board();
        after.copy_board(self);
        move_pieces::<R, false>(&mut after, Move::drop(kind, to), Piece { color: self.side_to_move(), kind });
        if !after.in_check() {
            return false;
        }
        let mut replies = MoveList::new();
        // Drops come last: whether they are legal may depend on drops that answer them.
        let occupied = after.occupied();
        for wanted in [occupied, !occupied] {
            R::generate_into(&after, &mut replies, wanted, Wanted::EvenIfDecided);
            if !replies.is_empty() {
                return false;
            }
        }
        true
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
        if self.tables.is_pawn(kind) {
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
    pub(in crate::position) fn drop_moves(&mut self, kind: Kind, to: Bitboard<R::Word>) {
        let is_pawn = self.tables.is_pawn(kind);
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

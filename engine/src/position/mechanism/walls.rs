//! Walls: squares that moves make impassable.

use assay_rules::def::WallRule;

use super::prelude::*;

pub(in crate::position) enum WallsHooks {}

impl Mechanism for WallsHooks {
    const MECHANIC: Mechanics = Mechanics::WALLS;

    #[inline(always)]
    fn after_move<R: CompiledPosition, const FULL: bool>(board: &mut MoveBoard<R, FULL>, mv: Move, piece: Piece) {
        let position = &*board.0;
        let (kind, captures) = (piece.kind, board.0.state.captured != PackedPiece::EMPTY);
        let walls = position.walls_after(kind, mv, captures);
        let changed = walls ^ position.walls;
        let petrified = captures && position.is_petrified(kind);
        for square in changed {
            board.change(Change::Wall(square));
        }
        if petrified {
            board.take(mv.to());
        }
    }

    #[inline(always)]
    fn changes_hash<R: CompiledPosition>(_position: &Position<R>, _victim: Option<Piece>) -> bool {
        true
    }

    #[inline(always)]
    fn extends_captures<R: CompiledPosition>(position: &Position<R>, kind: Kind) -> bool {
        position.is_petrified(kind)
    }
}

impl<R: CompiledPosition> Position<R> {
    #[inline(always)]
    pub(in crate::position) fn wall_rule(&self) -> Option<WallRule> {
        if self.tables.has(Mechanics::WALLS) { self.game().wall_rule() } else { None }
    }

    /// Returns true if pieces of this kind become walls when they capture.
    #[inline(always)]
    pub(crate) fn is_petrified(&self, kind: Kind) -> bool {
        self.tables.has(Mechanics::WALLS) && self.game().is_petrified(kind)
    }

    /// Squares of the walls that a move of a piece of `kind` can make.
    pub(in crate::position) fn wall_squares(&self, rule: WallRule, kind: Kind, mv: Move) -> Bitboard<R::Word> {
        let after = self.board_after(mv, &self.moved_pieces(kind, mv));
        // The walls are among the occupied squares, so the duck cannot stay where it is.
        let empty = self.tables.squares & !after.occupied;
        match rule {
            WallRule::Duck => empty,
            WallRule::Past => empty & Bitboard::of(mv.from()),
        }
    }

    /// The walls after a move of a piece of `kind`.
    fn walls_after(&self, kind: Kind, mv: Move, captures: bool) -> Bitboard<R::Word> {
        let is_moved = self.wall_rule() == Some(WallRule::Duck);
        let mut walls = if is_moved { Bitboard::EMPTY } else { self.walls };
        if captures && self.is_petrified(kind) {
            walls |= Bitboard::of(mv.to());
        }
        walls | mv.wall().map_or(Bitboard::EMPTY, Bitboard::of)
    }
}

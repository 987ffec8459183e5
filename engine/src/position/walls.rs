//! Walls: squares that moves make impassable.

use assay_rules::Square;
use assay_rules::def::WallRule;
use assay_rules::piece::{Kind, Piece};

use super::{CompiledPosition, PackedPiece, Position};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::moves::Move;
use crate::ruleset::Mechanics;

/// The walls before a move, and the piece that the move has turned into one.
#[derive(Clone, Copy, Debug)]
pub(super) struct EarlierWalls<W: BitboardWord> {
    walls: Bitboard<W>,
    petrified: PackedPiece,
}

impl<R: CompiledPosition> Position<R> {
    #[inline(always)]
    pub(super) fn wall_rule(&self) -> Option<WallRule> {
        if self.tables.has(Mechanics::WALLS) { self.game().wall_rule() } else { None }
    }

    /// Returns true if pieces of this kind become walls when they capture.
    #[inline(always)]
    pub(crate) fn is_petrified(&self, kind: Kind) -> bool {
        self.tables.has(Mechanics::WALLS) && self.game().is_petrified(kind)
    }

    /// Squares of the walls that a move of a piece of `kind` can make.
    pub(super) fn wall_squares(&self, rule: WallRule, kind: Kind, mv: Move) -> Bitboard<R::Word> {
        let after = self.board_after(mv, &self.moved_pieces(kind, mv));
        // The walls are among the occupied squares, so the duck cannot stay where it is.
        let empty = self.tables.squares & !after.occupied;
        match rule {
            WallRule::Duck => empty,
            WallRule::Past => empty & Bitboard::of(mv.from()),
        }
    }

    /// The walls after a move of a piece of `kind`.
    pub(super) fn walls_after(&self, kind: Kind, mv: Move, captures: bool) -> Bitboard<R::Word> {
        let is_moved = self.wall_rule() == Some(WallRule::Duck);
        let mut walls = if is_moved { Bitboard::EMPTY } else { self.walls };
        if captures && self.is_petrified(kind) {
            walls |= Bitboard::of(mv.to());
        }
        walls | mv.wall().map_or(Bitboard::EMPTY, Bitboard::of)
    }

    /// Makes the walls of a move that has been made otherwise. Returns the change of the board key.
    pub(super) fn make_walls(&mut self, mover: Piece, mv: Move, captures: bool) -> u64 {
        let walls = self.walls_after(mover.kind, mv, captures);
        let mut change =
            (walls ^ self.walls).into_iter().fold(0, |change, square| change ^ self.tables.zobrist.wall(square));
        let mut petrified = PackedPiece::EMPTY;
        if captures && self.is_petrified(mover.kind) {
            let piece = self.piece_at(mv.to()).expect("the move has put a piece there");
            change ^= self.remove(mv.to(), piece);
            petrified = PackedPiece::of(piece);
        }
        let earlier = EarlierWalls { walls: self.walls, petrified };
        self.earlier_walls.push(earlier);
        self.walls = walls;
        change
    }

    /// Restores the walls before the last move, which went to `to`.
    pub(super) fn unmake_walls(&mut self, to: Square) {
        let earlier = self.earlier_walls.pop().expect("every move has left its walls");
        self.walls = earlier.walls;
        if let Some(piece) = earlier.petrified.piece() {
            self.put(to, piece);
        }
    }
}

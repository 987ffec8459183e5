//! Walls: squares that moves make impassable.

use assay_rules::def::WallRule;

use super::prelude::*;
use crate::tables::{DoubleStep, Promotion};

pub(in crate::position) enum Walls {}

impl Mechanism for Walls {
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
    fn wall_squares(&self, rule: WallRule, kind: Kind, mv: Move) -> Bitboard<R::Word> {
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

/// Passes on each move with all walls that it can make. Games with such walls have neither gating
/// nor drops.
pub(in crate::position) struct WallMaker<'p, R: CompiledPosition, S> {
    pub(in crate::position) position: &'p Position<R>,
    pub(in crate::position) sink: S,
    /// `None` if moves make no walls.
    pub(in crate::position) rule: Option<WallRule>,
}

impl<R: CompiledPosition, S: MoveSink<R::Word>> WallMaker<'_, R, S> {
    #[inline(never)]
    fn with_walls(&mut self, rule: WallRule, kind: Kind, mv: Move) {
        let walls = self.position.wall_squares(rule, kind, mv);
        self.sink.walled_moves(kind, mv, walls);
    }
}

impl<R: CompiledPosition, S: MoveSink<R::Word>> MoveSink<R::Word> for WallMaker<'_, R, S> {
    const SPECIALIZE_UNRESTRICTED: bool = S::SPECIALIZE_UNRESTRICTED;

    #[inline(always)]
    fn piece_moves(&mut self, kind: Kind, from: Square, to: Bitboard<R::Word>) {
        match self.rule {
            None => self.sink.piece_moves(kind, from, to),
            Some(rule) => {
                to.into_iter().for_each(|to| self.with_walls(rule, kind, Move::new(MoveKind::Normal, from, to)));
            }
        }
    }

    #[inline(always)]
    fn gating_moves(&mut self, kind: Kind, from: Square, to: Bitboard<R::Word>, gated: Kind) {
        self.sink.gating_moves(kind, from, to, gated);
    }

    #[inline(always)]
    fn pawn_moves(&mut self, kind: Kind, to: Bitboard<R::Word>, offset: i32) {
        match self.rule {
            None => self.sink.pawn_moves(kind, to, offset),
            Some(rule) => to.into_iter().for_each(|to| {
                self.with_walls(rule, kind, Move::new(MoveKind::Normal, origin(to, offset), to));
            }),
        }
    }

    #[inline(always)]
    fn double_steps(&mut self, kind: Kind, to: Bitboard<R::Word>, double: &DoubleStep<R::Word>) {
        match self.rule {
            None => self.sink.double_steps(kind, to, double),
            Some(rule) => to.into_iter().for_each(|to| {
                let from = origin(to, double.offset);
                self.with_walls(rule, kind, Move::new(MoveKind::DoubleStep, from, to));
            }),
        }
    }

    #[inline(always)]
    fn promotions(&mut self, kind: Kind, from: Square, to: Square, promotion: &Promotion, may_stay: bool) {
        let Some(rule) = self.rule else {
            self.sink.promotions(kind, from, to, promotion, may_stay);
            return;
        };
        let step = Move::new(MoveKind::Normal, from, to);
        for &promoted in &promotion.kinds {
            self.with_walls(rule, kind, step.promoting(promoted));
        }
        if may_stay && promotion.is_optional {
            self.with_walls(rule, kind, step);
        }
    }

    #[inline(always)]
    fn drops(&mut self, kind: Kind, to: Bitboard<R::Word>) {
        self.sink.drops(kind, to);
    }

    #[inline(always)]
    fn single_move(&mut self, kind: Kind, mv: Move) {
        match self.rule {
            None => self.sink.single_move(kind, mv),
            Some(rule) => self.with_walls(rule, kind, mv),
        }
    }

    #[inline(always)]
    fn origins(&self) -> Bitboard<R::Word> {
        self.sink.origins()
    }

    #[inline(always)]
    fn wanted(&self) -> Wanted<'_, R::Word> {
        self.sink.wanted()
    }
}

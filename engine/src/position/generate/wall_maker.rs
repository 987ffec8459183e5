//! Moves with the walls that they make.

use assay_rules::Square;
use assay_rules::def::WallRule;
use assay_rules::piece::Kind;

use super::super::{CompiledPosition, Position, Wanted};
use super::move_sink::{MoveSink, origin};
use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveKind};
use crate::tables::{DoubleStep, Promotion};

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
        for mv in promotion.moves(from, to, may_stay) {
            self.with_walls(rule, kind, mv);
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

//! Games in which moves are illegal for other reasons than the safety of the king.

use assay_rules::Square;
use assay_rules::piece::Kind;

use super::super::{CompiledPosition, Position, Wanted};
use super::move_sink::{MoveSink, origin};
use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveKind};
use crate::tables::{DoubleStep, Promotion};

/// Passes on the moves that are [allowed](Position::is_allowed), or of these only the captures.
pub(super) struct MoveFilter<'p, R: CompiledPosition, S> {
    pub(super) position: &'p Position<R>,
    pub(super) sink: S,
    pub(super) captures_forced: bool,
    /// See [`Position::trusted`].
    pub(super) trusted: Bitboard<R::Word>,
    /// The origins of the sink, without pieces if a drop is forced.
    pub(super) origins: Bitboard<R::Word>,
}

impl<R: CompiledPosition, S> MoveFilter<'_, R, S> {
    #[inline(always)]
    fn is_active(&self) -> bool {
        self.captures_forced || self.position.tables.mechanics().filters_moves()
    }

    #[inline(always)]
    fn is_allowed(&self, kind: Kind, mv: Move) -> bool {
        (!self.captures_forced || self.position.is_capture(mv)) && self.position.is_allowed(kind, mv)
    }

    /// Targets that may be entered; trusted pieces enter `trusted` without a test, and `mv` is the
    /// move to a target.
    #[inline(always)]
    fn allowed(
        &self,
        kind: Kind,
        to: Bitboard<R::Word>,
        trusted: Bitboard<R::Word>,
        mv: impl Fn(Square) -> Move,
    ) -> Bitboard<R::Word> {
        if !self.is_active() {
            return to;
        }
        let occupied = self.position.occupied();
        let to = if self.captures_forced { to & occupied } else { to };
        if !self.position.tables.mechanics().tests_moves() {
            return to;
        }
        let is_royal = self.position.tables.royal_kinds.contains(&kind);
        let quiet = if is_royal { Bitboard::EMPTY } else { to & trusted & !occupied };
        let tested = (to & !quiet).into_iter();
        quiet | tested.filter(|&to| self.position.is_allowed(kind, mv(to))).collect::<Bitboard<R::Word>>()
    }

    #[inline(always)]
    fn trusted_from(&self, from: Square) -> Bitboard<R::Word> {
        if self.trusted.contains(from) { !Bitboard::EMPTY } else { Bitboard::EMPTY }
    }
}

impl<R: CompiledPosition, S: MoveSink<R::Word>> MoveSink<R::Word> for MoveFilter<'_, R, S> {
    const SPECIALIZE_UNRESTRICTED: bool = S::SPECIALIZE_UNRESTRICTED;

    #[inline(always)]
    fn piece_moves(&mut self, kind: Kind, from: Square, to: Bitboard<R::Word>) {
        let to = self.allowed(kind, to, self.trusted_from(from), |to| Move::new(MoveKind::Normal, from, to));
        self.sink.piece_moves(kind, from, to);
    }

    #[inline(always)]
    fn gating_moves(&mut self, kind: Kind, from: Square, to: Bitboard<R::Word>, gated: Kind) {
        let to = self.allowed(kind, to, Bitboard::EMPTY, |to| Move::new(MoveKind::Normal, from, to).gating(gated));
        self.sink.gating_moves(kind, from, to, gated);
    }

    #[inline(always)]
    fn pawn_moves(&mut self, kind: Kind, to: Bitboard<R::Word>, offset: i32) {
        let to = self
            .allowed(kind, to, self.trusted.shifted(offset), |to| Move::new(MoveKind::Normal, origin(to, offset), to));
        self.sink.pawn_moves(kind, to, offset);
    }

    #[inline(always)]
    fn double_steps(&mut self, kind: Kind, to: Bitboard<R::Word>, double: &DoubleStep<R::Word>) {
        let to = self.allowed(kind, to, self.trusted.shifted(double.offset), |to| {
            Move::new(MoveKind::DoubleStep, origin(to, double.offset), to)
        });
        self.sink.double_steps(kind, to, double);
    }

    #[inline(always)]
    fn promotions(&mut self, kind: Kind, from: Square, to: Square, promotion: &Promotion, may_stay: bool) {
        if !self.is_active() {
            self.sink.promotions(kind, from, to, promotion, may_stay);
            return;
        }
        for mv in promotion.moves(from, to, may_stay) {
            self.single_move(kind, mv);
        }
    }

    #[inline(always)]
    fn drops(&mut self, kind: Kind, to: Bitboard<R::Word>) {
        let to = self.allowed(kind, to, Bitboard::EMPTY, |to| Move::drop(kind, to));
        self.sink.drops(kind, to);
    }

    #[inline(always)]
    fn single_move(&mut self, kind: Kind, mv: Move) {
        if !self.is_active() || self.is_allowed(kind, mv) {
            self.sink.single_move(kind, mv);
        }
    }

    #[inline(always)]
    fn origins(&self) -> Bitboard<R::Word> {
        self.origins
    }

    #[inline(always)]
    fn wanted(&self) -> Wanted<'_, R::Word> {
        self.sink.wanted()
    }
}

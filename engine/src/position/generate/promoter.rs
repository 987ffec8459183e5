//! [Rules of promotion](Mechanics::PROMOTION_RULES) besides the pawns' own.

use assay_rules::piece::Kind;
use assay_rules::{Color, Square};

use super::super::{CompiledPosition, Position, Wanted};
use super::Generator;
use super::move_sink::{MoveSink, origin};
use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveKind};
use crate::ruleset::Mechanics;
use crate::tables::{DoubleStep, Promotion};

impl<R: CompiledPosition> Position<R> {
    /// Returns true for a capture, and for a promotion unless the piece has no choice: the moves of
    /// [`Position::legal_captures`].
    #[inline(always)]
    pub fn is_tactical(&self, mv: Move) -> bool {
        let is_chosen = |kind: Kind| {
            let forced = self.tables.promotion_rules.as_ref().filter(|rule| rule.forced);
            forced.is_none_or(|rule| rule.turned(self.moved_kind(mv)) != Some(kind))
        };
        let may_be_forced = self.tables.has(Mechanics::PROMOTION_RULES);
        self.is_capture(mv) || mv.promotion().is_some_and(|kind| !may_be_forced || is_chosen(kind))
    }

    /// Squares on which a piece of `kind` promotes if it comes from `from`.
    #[inline(always)]
    fn turning_from(&self, us: Color, kind: Kind, from: Square) -> Bitboard<R::Word> {
        self.turning(us, kind, |zone| if zone.contains(from) { self.tables.squares } else { zone })
    }

    /// Squares on which a piece of `kind` promotes that moves by `offset`.
    #[inline(always)]
    fn turning_by(&self, us: Color, kind: Kind, offset: i32) -> Bitboard<R::Word> {
        self.turning(us, kind, |zone| zone | zone.shifted(offset))
    }

    #[inline(always)]
    fn turning(
        &self,
        us: Color,
        kind: Kind,
        touching: impl Fn(Bitboard<R::Word>) -> Bitboard<R::Word>,
    ) -> Bitboard<R::Word> {
        let Some(rule) = &self.tables.promotion_rules else {
            return Bitboard::EMPTY;
        };
        let zone = rule.zone(us, kind);
        let on = if zone.is_empty() { zone } else { touching(zone) };
        if rule.by_capture { on & self.by_color(!us) } else { on }
    }
}

impl<R: CompiledPosition, S: MoveSink<R::Word>, const UNRESTRICTED: bool> Generator<'_, R, S, UNRESTRICTED> {
    /// Squares to which the moves of a piece are wanted because it can promote there.
    #[inline(always)]
    pub(in crate::position) fn wanted_turning(&self, kind: Kind, from: Square) -> Bitboard<R::Word> {
        if self.wants_turning() { self.position.turning_from(self.us, kind, from) } else { Bitboard::EMPTY }
    }

    /// As [`Generator::wanted_turning`], for moves by `offset`.
    #[inline(always)]
    pub(in crate::position) fn wanted_turning_by(&self, kind: Kind, offset: i32) -> Bitboard<R::Word> {
        if self.wants_turning() { self.position.turning_by(self.us, kind, offset) } else { Bitboard::EMPTY }
    }

    #[inline(always)]
    fn wants_turning(&self) -> bool {
        let rule = self.tables.promotion_rules.as_ref();
        self.tables.has(Mechanics::PROMOTION_RULES)
            && rule.is_some_and(|rule| !(rule.forced && self.sink.captures_only()))
    }
}

/// Adds the promotions of the moves that it passes on, and drops the moves that need one.
///
/// Its methods are not inlined. Only general rulesets have one; inlining makes their generators
/// several times as large and the crate take twice as long to compile, and gains at most 13% of
/// perft speed.
pub(in crate::position) struct Promoter<'p, R: CompiledPosition, S> {
    pub(in crate::position) position: &'p Position<R>,
    pub(in crate::position) us: Color,
    pub(in crate::position) sink: S,
}

impl<R: CompiledPosition, S: MoveSink<R::Word>> Promoter<'_, R, S> {
    #[inline(always)]
    fn is_active(&self) -> bool {
        self.position.tables.has(Mechanics::PROMOTION_RULES)
    }

    /// Squares that a piece of `kind` can leave again.
    #[inline(always)]
    fn mobile(&self, kind: Kind) -> Bitboard<R::Word> {
        let rule = self.position.tables.promotion_rules.as_ref();
        !rule.map_or(Bitboard::EMPTY, |rule| rule.dead_ends(self.us, kind))
    }

    /// Targets on which a piece may stay what it is. It promotes on `turning`.
    #[inline(always)]
    fn staying(&self, kind: Kind, to: Bitboard<R::Word>, turning: Bitboard<R::Word>) -> Bitboard<R::Word> {
        let mut to = to & self.mobile(kind);
        if self.position.tables.promotion_rules.as_ref().is_some_and(|rule| rule.forced) {
            to &= !turning;
        }
        if self.sink.captures_only() {
            to &= self.position.by_color(!self.us);
        }
        to
    }

    /// Pushes the promotions on the targets that are in `turning`.
    #[inline(always)]
    fn push_turned(
        &mut self,
        kind: Kind,
        to: Bitboard<R::Word>,
        turning: Bitboard<R::Word>,
        from: impl Fn(Square) -> Square,
    ) {
        let rule = self.position.tables.promotion_rules.as_ref();
        let Some(turned) = rule.and_then(|rule| rule.turned(kind)) else {
            return;
        };
        for to in to & turning & self.mobile(turned) {
            let mv = Move::new(MoveKind::Normal, from(to), to);
            self.sink.single_move(kind, mv.promoting(turned));
        }
    }
}

impl<R: CompiledPosition, S: MoveSink<R::Word>> MoveSink<R::Word> for Promoter<'_, R, S> {
    const SPECIALIZE_UNRESTRICTED: bool = S::SPECIALIZE_UNRESTRICTED;

    #[inline(never)]
    fn piece_moves(&mut self, kind: Kind, from: Square, to: Bitboard<R::Word>) {
        let mut to = to;
        if self.is_active() {
            let turning = self.position.turning_from(self.us, kind, from);
            self.push_turned(kind, to, turning, |_| from);
            to = self.staying(kind, to, turning);
        }
        self.sink.piece_moves(kind, from, to);
    }

    #[inline(never)]
    fn gating_moves(&mut self, kind: Kind, from: Square, to: Bitboard<R::Word>, gated: Kind) {
        let mut to = to;
        if self.is_active() {
            to = self.staying(kind, to, self.position.turning_from(self.us, kind, from));
        }
        self.sink.gating_moves(kind, from, to, gated);
    }

    #[inline(never)]
    fn pawn_moves(&mut self, kind: Kind, to: Bitboard<R::Word>, offset: i32) {
        let mut to = to;
        if self.is_active() {
            let turning = self.position.turning_by(self.us, kind, offset);
            self.push_turned(kind, to, turning, |to| origin(to, offset));
            to = self.staying(kind, to, turning);
        }
        self.sink.pawn_moves(kind, to, offset);
    }

    #[inline(never)]
    fn double_steps(&mut self, kind: Kind, to: Bitboard<R::Word>, double: &DoubleStep<R::Word>) {
        let mut to = to;
        if self.is_active() {
            // On the pawns' own squares of promotion, all promotions have been pushed before.
            let others = to & !self.position.tables.pawns_of(kind, self.us).promoting;
            let turning = self.position.turning_by(self.us, kind, double.offset);
            self.push_turned(kind, others, turning, |to| origin(to, double.offset));
            to = self.staying(kind, to, turning);
        }
        self.sink.double_steps(kind, to, double);
    }

    #[inline(never)]
    fn promotions(&mut self, kind: Kind, from: Square, to: Square, promotion: &Promotion, may_stay: bool) {
        if !self.is_active() {
            self.sink.promotions(kind, from, to, promotion, may_stay);
            return;
        }
        let (step, target) = (Move::new(MoveKind::Normal, from, to), Bitboard::of(to));
        for &promoted in &promotion.kinds {
            let rule = self.position.tables.promotion_rules.as_ref();
            let is_full =
                rule.is_some_and(|rule| self.position.pieces(self.us, promoted).count() >= rule.limit(promoted));
            if self.mobile(promoted).contains(to) && !is_full {
                self.sink.single_move(kind, step.promoting(promoted));
            }
        }
        let turning = self.position.turning_from(self.us, kind, from);
        self.push_turned(kind, target, turning, |_| from);
        if may_stay && promotion.is_optional && self.staying(kind, target, turning).any() {
            self.sink.single_move(kind, step);
        }
    }

    #[inline(never)]
    fn drops(&mut self, kind: Kind, to: Bitboard<R::Word>) {
        self.sink.drops(kind, to);
    }

    #[inline(never)]
    fn single_move(&mut self, kind: Kind, mv: Move) {
        self.sink.single_move(kind, mv);
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

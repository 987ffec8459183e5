//! Pawn moves.

use assay_rules::Square;
use assay_rules::piece::Kind;

use super::super::CompiledPosition;
use super::move_sink::{MoveSink, origin};
use super::{Generator, filter_safe};
use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveKind};
use crate::ruleset::{Mechanics, PieceMovement};
use crate::tables::PawnTables;

impl<R: CompiledPosition, S: MoveSink<R::Word>, const UNRESTRICTED: bool> Generator<'_, R, S, UNRESTRICTED> {
    #[inline(always)]
    pub(super) fn pawn_moves(&mut self, kind: Kind, pawns: Bitboard<R::Word>) {
        let tables = self.tables.pawns_of(kind, self.us);
        if UNRESTRICTED {
            self.move_pawns::<false>(pawns, !Bitboard::EMPTY, tables);
        } else {
            self.masked_pawn_moves(pawns, tables);
        }
        if self.tables.has(Mechanics::IRREGULAR) && self.tables.kind(kind, self.us).has_irregular {
            self.irregular_pawn_moves(pawns, tables);
        }
        if self.tables.has(Mechanics::EN_PASSANT) {
            self.en_passant_moves(pawns, kind);
        }
        if self.position.has_cannon() {
            self.cannon_moves(pawns, kind);
        }
    }

    /// Moves pawns by their leaps, restricted by the check mask and pins.
    #[inline(always)]
    fn masked_pawn_moves(&mut self, pawns: Bitboard<R::Word>, tables: &PawnTables<R::Word>) {
        let single = (self.pins.pinned | self.pins.test_from) & pawns;
        let entering = self.pins.check_mask & self.pins.test_to;
        self.move_pawns::<false>(pawns & !single, self.pins.check_mask & !entering, tables);
        if self.may_need_test() && entering.any() {
            self.move_pawns::<true>(pawns & !single, entering, tables);
        }
        for from in single {
            let pawn = Bitboard::of(from);
            if self.may_need_test() && self.pins.test_from.contains(from) {
                self.move_pawns::<true>(pawn, !Bitboard::EMPTY, tables);
            } else {
                let allowed = self.pins.allowed_targets(from);
                self.move_pawns::<false>(pawn, allowed & !entering, tables);
                if self.may_need_test() && (allowed & entering).any() {
                    self.move_pawns::<true>(pawn, allowed & entering, tables);
                }
            }
        }
    }

    /// Moves pawns by all their leaps onto squares of `mask`; with `TESTED` each move is tested for
    /// legality.
    #[inline(always)]
    fn move_pawns<const TESTED: bool>(
        &mut self,
        pawns: Bitboard<R::Word>,
        mask: Bitboard<R::Word>,
        tables: &PawnTables<R::Word>,
    ) {
        let kind = tables.kind;
        let captures_only = self.sink.captures_only();
        for push in &tables.pushes {
            let mut to = (pawns & push.origins).shifted(push.offset) & self.vacant & mask;
            if captures_only {
                to &= tables.promoting | self.wanted_turning_by(kind, push.offset);
            }
            self.pawn_moves_by::<TESTED>(to, push.offset, !captures_only, tables);
        }
        for double in &tables.double_steps {
            let turning = self.wanted_turning_by(kind, double.offset);
            if captures_only && !double.promotes && turning.is_empty() {
                continue;
            }
            let over = (pawns & double.origins).shifted(double.over) & self.vacant;
            let mut to = over.shifted(double.offset - double.over) & self.vacant & mask;
            if double.promotes {
                for to in to & tables.promoting {
                    self.promote::<TESTED>(origin(to, double.offset), to, false, tables);
                }
                // Pawns that need not promote make an ordinary double step.
                to &= !tables.must_promote;
            }
            if captures_only {
                to &= turning;
            }
            if !captures_only || to.any() {
                if TESTED {
                    to = self.filter_safe_pawn_moves(to, double.offset, true, kind);
                }
                self.sink.double_steps(kind, to, double);
            }
        }
        if self.tables.has(Mechanics::FIRST_RANK_STEPS) && !captures_only {
            for double in &tables.first_rank_steps {
                let over = (pawns & double.origins).shifted(double.over) & self.vacant;
                let to = over.shifted(double.offset - double.over) & self.vacant & mask;
                self.pawn_moves_by::<TESTED>(to, double.offset, true, tables);
            }
        }
        for capture in &tables.captures {
            let to = (pawns & capture.origins).shifted(capture.offset) & self.enemy & mask;
            self.pawn_moves_by::<TESTED>(to, capture.offset, true, tables);
        }
    }

    /// Pawn moves by one offset, promotions among them.
    #[inline(always)]
    fn pawn_moves_by<const TESTED: bool>(
        &mut self,
        to: Bitboard<R::Word>,
        offset: i32,
        may_stay: bool,
        tables: &PawnTables<R::Word>,
    ) {
        let kind = tables.kind;
        let promoting = to & tables.promoting;
        let mut plain = to ^ promoting;
        if TESTED {
            plain = self.filter_safe_pawn_moves(plain, offset, true, kind);
        }
        self.sink.pawn_moves(kind, plain, offset);
        for to in promoting {
            self.promote::<TESTED>(origin(to, offset), to, may_stay, tables);
        }
    }

    #[inline(always)]
    fn promote<const TESTED: bool>(&mut self, from: Square, to: Square, may_stay: bool, tables: &PawnTables<R::Word>) {
        let (kind, promotion) = (tables.kind, tables.promotion(to));
        if !TESTED {
            self.sink.promotions(kind, from, to, promotion, may_stay);
            return;
        }
        let stays = may_stay && promotion.is_optional && self.is_safe_pawn_move(from, to, true, kind);
        if self.is_safe_pawn_move(from, to, false, kind) {
            self.sink.promotions(kind, from, to, promotion, stays);
        } else if stays {
            self.sink.single_move(kind, Move::new(MoveKind::Normal, from, to));
        }
    }

    fn filter_safe_pawn_moves(
        &self,
        targets: Bitboard<R::Word>,
        offset: i32,
        stays_pawn: bool,
        kind: Kind,
    ) -> Bitboard<R::Word> {
        targets.into_iter().filter(|&to| self.is_safe_pawn_move(origin(to, offset), to, stays_pawn, kind)).collect()
    }

    fn is_safe_pawn_move(&self, from: Square, to: Square, stays_pawn: bool, kind: Kind) -> bool {
        let (origin, target) = (Bitboard::of(from), Bitboard::of(to));
        let shields = self.position.pawns(self.us) & !origin;
        let shields = if stays_pawn { shields | target } else { shields };
        self.is_safe(self.king, (self.occupied & !origin) | target, to, shields, kind)
    }

    /// Pawn moves by irregular paths; each is tested for legality.
    fn irregular_pawn_moves(&mut self, pawns: Bitboard<R::Word>, tables: &PawnTables<R::Word>) {
        let (kind, promoting) = (tables.kind, tables.promoting);
        let captures_only = self.sink.captures_only();
        let ordinary = PieceMovement { leap_moves: false, leap_captures: false, ..self.tables.movement(kind) };
        for from in pawns {
            let (moves, captures) = self.position.targets(kind, ordinary, from, self.us, true);
            let mut moves = moves & self.vacant;
            if captures_only {
                moves &= promoting | self.wanted_turning(kind, from);
            }
            let captures = captures & self.enemy;
            let targets = moves | captures;
            let safe = filter_safe(targets & !promoting, |to| self.is_safe_pawn_move(from, to, true, kind));
            self.sink.piece_moves(kind, from, safe);
            for to in targets & promoting {
                self.promote::<true>(from, to, !captures_only || captures.contains(to), tables);
            }
        }
    }
}

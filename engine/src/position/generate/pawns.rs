//! Pawn moves.

use assay_rules::piece::Kind;
use assay_rules::position::EnPassant;
use assay_rules::{Color, Square};

use super::super::AttackView;
use super::super::{CompiledPosition, Position};
use super::move_sink::MoveSink;
use super::{Generator, filter_safe};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::moves::{Move, MoveKind};
use crate::ruleset::{Lines, Mechanics, PieceMovement};

impl<R: CompiledPosition> Position<R> {
    /// Pawns of `us` that attack the square passed over by a path that captures en passant.
    #[inline(always)]
    fn en_passant_origins(&self, us: Color, passed: Square) -> Bitboard<R::Word> {
        if self.tables.has(Mechanics::WALLS) && self.walls.contains(passed) {
            return Bitboard::EMPTY;
        }
        let tables = self.tables.kind(self.pawn_kind(), us);
        let pawns = self.pawns(us);
        let mut origins = R::Word::at(&tables.leaps.en_passant_from, passed) & pawns;
        if self.tables.has(Mechanics::IRREGULAR) {
            let home = self.tables.pawns(us).home & pawns;
            if let Some(first) = &tables.initial_leaps {
                origins |= R::Word::at(&first.en_passant_from, passed) & home;
            }
            let blockers = self.occupied() | self.tables.hanging;
            for path in tables.irregular.iter().filter(|path| path.modality.en_passant) {
                let able = if path.initial { home } else { pawns };
                origins |= path.origins(passed, self.occupied(), blockers) & able;
            }
        }
        origins
    }

    /// Returns true if the en passant capture from `from` leaves the king safe.
    fn is_safe_en_passant(&self, from: Square, ep: EnPassant) -> bool {
        let us = self.side_to_move();
        let (origin, target) = (Bitboard::of(from), Bitboard::of(ep.passed));
        let victim = Bitboard::of(ep.victim);
        let view = AttackView {
            occupied: (self.occupied() & !origin & !victim) | target,
            removed: victim,
            shields: (self.pawns(us) & !origin) | target,
            joker_kind: if self.tables.has(Mechanics::JOKER) {
                self.joker_kind().map(|_| self.pawn_kind())
            } else {
                None
            },
        };
        !self.has_king(us) || !self.is_attacked(self.king(us), !us, view)
    }

    /// Returns true if the side to move has a legal en passant capture of `ep`, the en passant
    /// square of the state.
    #[inline(always)]
    pub(in crate::position) fn has_legal_en_passant(&self, ep: EnPassant) -> bool {
        // Between two moves of a handicap turn, the pawn that passed belongs to the side to move.
        let is_enemy = self.color_at(ep.victim) == Some(!self.side_to_move());
        let capture = |from: Square| Move::new(MoveKind::EnPassant, from, ep.passed);
        is_enemy
            && self.turn().may_capture()
            && self.decided().is_none()
            && self
                .en_passant_origins(self.side_to_move(), ep.passed)
                .into_iter()
                .any(|from| self.is_safe_en_passant(from, ep) && self.is_allowed(self.pawn_kind(), capture(from)))
    }
}

impl<R: CompiledPosition, S: MoveSink<R::Word>, const UNRESTRICTED: bool> Generator<'_, R, S, UNRESTRICTED> {
    #[inline(always)]
    pub(super) fn pawn_moves(&mut self, kind: Kind, pawns: Bitboard<R::Word>) {
        if UNRESTRICTED {
            self.move_pawns::<false>(pawns, !Bitboard::EMPTY, kind);
        } else {
            self.masked_pawn_moves(pawns, kind);
        }
        if self.tables.has(Mechanics::IRREGULAR) && self.tables.kind(kind, self.us).has_irregular {
            self.irregular_pawn_moves(pawns, kind);
        }
        if self.tables.has(Mechanics::EN_PASSANT)
            && let Some(ep) = self.position.state().en_passant
        {
            for from in self.position.en_passant_origins(self.us, ep.passed) & pawns {
                if self.position.is_safe_en_passant(from, ep) {
                    self.sink.single_move(kind, Move::new(MoveKind::EnPassant, from, ep.passed));
                }
            }
        }
        if self.position.has_cannon() {
            self.cannon_moves(pawns, kind);
        }
    }

    /// Moves pawns by their leaps, restricted by the check mask and pins.
    #[inline(always)]
    fn masked_pawn_moves(&mut self, pawns: Bitboard<R::Word>, kind: Kind) {
        let single = (self.pins.pinned | self.pins.test_from) & pawns;
        let entering = self.pins.check_mask & self.pins.test_to;
        self.move_pawns::<false>(pawns & !single, self.pins.check_mask & !entering, kind);
        if self.may_need_test() && entering.any() {
            self.move_pawns::<true>(pawns & !single, entering, kind);
        }
        for from in single {
            let pawn = Bitboard::of(from);
            if self.may_need_test() && self.pins.test_from.contains(from) {
                self.move_pawns::<true>(pawn, !Bitboard::EMPTY, kind);
            } else {
                let allowed = self.pins.allowed_targets(from);
                self.move_pawns::<false>(pawn, allowed & !entering, kind);
                if self.may_need_test() && (allowed & entering).any() {
                    self.move_pawns::<true>(pawn, allowed & entering, kind);
                }
            }
        }
    }

    /// Moves pawns by all their leaps onto squares of `mask`; with `TESTED` each move is tested for
    /// legality.
    #[inline(always)]
    fn move_pawns<const TESTED: bool>(&mut self, pawns: Bitboard<R::Word>, mask: Bitboard<R::Word>, kind: Kind) {
        let tables = self.tables.pawns(self.us);
        let captures_only = self.sink.captures_only();
        for push in &tables.pushes {
            let mut to = (pawns & push.origins).shifted(push.offset) & self.vacant & mask;
            if captures_only {
                to &= tables.promoting | self.wanted_turning_by(kind, push.offset);
            }
            self.pawn_moves_by::<TESTED>(to, push.offset, !captures_only, kind);
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
                    self.promote::<TESTED>(Square((i32::from(to.0) - double.offset) as u8), to, false, kind);
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
                self.pawn_moves_by::<TESTED>(to, double.offset, true, kind);
            }
        }
        for capture in &tables.captures {
            let to = (pawns & capture.origins).shifted(capture.offset) & self.enemy & mask;
            self.pawn_moves_by::<TESTED>(to, capture.offset, true, kind);
        }
    }

    /// Pawn moves by one offset, promotions among them.
    #[inline(always)]
    fn pawn_moves_by<const TESTED: bool>(&mut self, to: Bitboard<R::Word>, offset: i32, may_stay: bool, kind: Kind) {
        let tables = self.tables.pawns(self.us);
        let promoting = to & tables.promoting;
        let mut plain = to ^ promoting;
        if TESTED {
            plain = self.filter_safe_pawn_moves(plain, offset, true, kind);
        }
        self.sink.pawn_moves(kind, plain, offset);
        for to in promoting {
            self.promote::<TESTED>(Square((i32::from(to.0) - offset) as u8), to, may_stay, kind);
        }
    }

    #[inline(always)]
    fn promote<const TESTED: bool>(&mut self, from: Square, to: Square, may_stay: bool, kind: Kind) {
        let promotion = self.tables.pawns(self.us).promotion(to);
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
        let origin = |to: Square| Square((i32::from(to.0) - offset) as u8);
        targets.into_iter().filter(|&to| self.is_safe_pawn_move(origin(to), to, stays_pawn, kind)).collect()
    }

    fn is_safe_pawn_move(&self, from: Square, to: Square, stays_pawn: bool, kind: Kind) -> bool {
        let (origin, target) = (Bitboard::of(from), Bitboard::of(to));
        let shields = self.position.pawns(self.us) & !origin;
        let shields = if stays_pawn { shields | target } else { shields };
        self.is_safe(self.king, (self.occupied & !origin) | target, to, shields, kind)
    }

    /// Pawn moves by irregular paths; each is tested for legality.
    fn irregular_pawn_moves(&mut self, pawns: Bitboard<R::Word>, kind: Kind) {
        let promoting = self.tables.pawns(self.us).promoting;
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
                self.promote::<true>(from, to, !captures_only || captures.contains(to), kind);
            }
        }
    }

    /// Cannon captures: a pawn removes itself and the first enemy beyond a screen.
    #[inline(always)]
    fn cannon_moves(&mut self, pawns: Bitboard<R::Word>, kind: Kind) {
        let own = self.occupied & !self.enemy;
        // Fails early in most positions: the first piece ahead of the pawn must be ours, with an
        // enemy beyond.
        let screens = self.blockers_ahead(pawns) & own;
        if screens.is_empty() {
            return;
        }
        let behind = &self.tables.pawns(!self.us).ahead;
        for screen in screens {
            let targets = self.cannon_targets(screen, own);
            if targets.is_empty() {
                continue;
            }
            // The pawn is the first piece behind the screen, as the screen is the first ahead of
            // it.
            let near = R::Word::at(behind, screen) & self.occupied;
            let from = if self.us == Color::White { near.msb() } else { near.lsb() };
            self.push_cannon_captures(from, targets, kind);
        }
    }

    /// The first blocked square ahead of each pawn, by a Kogge-Stone occluded fill.
    #[inline(always)]
    fn blockers_ahead(&self, pawns: Bitboard<R::Word>) -> Bitboard<R::Word> {
        let forward = &self.tables.pawns(self.us).forward;
        let passable = if self.tables.has(Mechanics::HANGING) { self.vacant } else { !self.occupied };
        // Each step doubles the distance filled; `has_behind` stops wraps around the edge.
        let mut front = pawns;
        let mut run = passable & forward.has_behind;
        let mut offset = forward.offset;
        for _ in 0..forward.fill_steps {
            front |= front.shifted(offset) & run;
            run &= run.shifted(offset);
            offset *= 2;
        }
        (front & forward.has_ahead).shifted(forward.offset) & !passable
    }

    #[inline(always)]
    fn push_cannon_captures(&mut self, from: Square, targets: Bitboard<R::Word>, kind: Kind) {
        let mechanics = self.tables.mechanics();
        let king_lines = self.tables.sliders.lines(Lines::ALL, self.king);
        for target in targets {
            let (origin, hit) = (Bitboard::of(from), Bitboard::of(target));
            // A move away from all lines through the king cannot expose it.
            let harmless = mechanics.pin_masks_suffice()
                && !mechanics.contains(Mechanics::HOPPERS)
                && !self.pins.in_check
                && ((origin | hit) & king_lines).is_empty();
            let shields = self.position.pawns(self.us) & !origin;
            let occupied = self.occupied & !origin & !hit;
            if harmless || self.is_safe(self.king, occupied, target, shields, kind) {
                self.sink.single_move(kind, Move::new(MoveKind::Cannon, from, target));
            }
        }
    }

    /// Enemy pieces, except the king, that a cannon hits over `screen`: all up to the first piece
    /// of ours or the first pawn.
    #[inline(always)]
    fn cannon_targets(&self, screen: Square, own: Bitboard<R::Word>) -> Bitboard<R::Word> {
        let rays = &self.tables.pawns(self.us).ahead;
        let mut range = R::Word::at(rays, screen);
        if (range & self.enemy).is_empty() {
            return Bitboard::EMPTY;
        }
        let walls =
            if self.tables.has(Mechanics::HANGING) { self.tables.hanging & !self.occupied } else { Bitboard::EMPTY };
        let ends = range & (own | self.position.pawns(!self.us) | walls);
        if ends.any() {
            let first = if self.us == Color::White { ends.lsb() } else { ends.msb() };
            range &= !R::Word::at(rays, first);
        }
        range & self.enemy & !self.position.royals(!self.us)
    }
}

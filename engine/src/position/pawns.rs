//! The moves of pawns.

use assay_rules::piece::Kind;
use assay_rules::position::EnPassant;
use assay_rules::{Color, Square};

use super::CompiledPosition;
use super::Position;
use super::attacks::View;
use super::generate::Generator;
use super::sink::Sink;
use crate::bitboard::Bitboard;
use crate::bitboard::BitboardWord;
use crate::moves::{Move, MoveKind};
use crate::ruleset::{Lines, PieceMovement};

impl<R: CompiledPosition> Position<R> {
    /// The pawns of the side to move that reach a square that was passed over, by a path that captures en passant.
    #[inline(always)]
    fn en_passant_origins(&self, passed: Square) -> Bitboard<R::Word> {
        let us = self.side();
        let tables = self.tables.kind(self.pawn_kind(), us);
        let pawns = self.pawns(us);
        let mut origins = R::Word::at(&tables.leaps.passant_from, passed) & pawns;
        if self.tables.mechanics().others {
            let home = self.tables.pawns(us).home & pawns;
            if let Some(first) = &tables.first {
                origins |= R::Word::at(&first.passant_from, passed) & home;
            }
            let blockers = self.occupied() | self.tables.hanging;
            for other in tables.others.iter().filter(|other| other.modality.en_passant) {
                let able = if other.initial { home } else { pawns };
                origins |= other.origins(passed, self.occupied(), blockers) & able;
            }
        }
        origins
    }

    /// Does the capture of the pawn that has just passed leave the king of the side to move safe?
    fn is_safe_en_passant(&self, from: Square, chance: EnPassant) -> bool {
        let us = self.side();
        let (origin, target) = (Bitboard::of(from), Bitboard::of(chance.passed));
        let victim = Bitboard::of(chance.victim);
        let view = View {
            occupied: (self.occupied() & !origin & !victim) | target,
            gone: victim,
            shields: (self.pawns(us) & !origin) | target,
            power: if self.tables.mechanics().joker {
                self.joker_kind().map(|_| self.pawn_kind())
            } else {
                None
            },
        };
        !self.is_attacked(self.king(us), !us, view)
    }

    /// Can the side to move, by a legal move, capture the pawn that has just passed?
    #[inline(always)]
    pub(super) fn has_legal_en_passant(&self, chance: EnPassant) -> bool {
        // After the first of two moves in a row the pawn that passed is the mover's own.
        let enemy = self.color_at(chance.victim) == Some(!self.side());
        enemy
            && self.turn().may_capture()
            && self
                .en_passant_origins(chance.passed)
                .into_iter()
                .any(|from| self.is_safe_en_passant(from, chance))
    }
}

impl<R: CompiledPosition, S: Sink<R::Word>, const CAPTURES: bool, const FREE: bool>
    Generator<'_, R, S, CAPTURES, FREE>
{
    #[inline(always)]
    pub(super) fn pawn_moves(&mut self, kind: Kind, pawns: Bitboard<R::Word>) {
        if FREE {
            self.move_pawns::<false>(pawns, !Bitboard::EMPTY, kind);
        } else {
            self.guarded_pawns(pawns, kind);
        }
        if self.tables.mechanics().others && self.tables.kind(kind, self.us).odd {
            self.other_pawn_moves(pawns, kind);
        }
        if self.tables.mechanics().en_passant
            && let Some(chance) = self.position.state().en_passant
        {
            for from in self.position.en_passant_origins(chance.passed) & pawns {
                if self.position.is_safe_en_passant(from, chance) {
                    self.sink.one(Move::new(MoveKind::EnPassant, from, chance.passed));
                }
            }
        }
        if self.position.has_cannon() {
            self.cannon_moves(pawns, kind);
        }
    }

    /// Moves pawns by their leaps as the king's safety allows.
    #[inline(always)]
    fn guarded_pawns(&mut self, pawns: Bitboard<R::Word>, kind: Kind) {
        let single = (self.guard.bound | self.guard.tried) & pawns;
        let entering = self.guard.allowed & self.guard.entering;
        self.move_pawns::<false>(pawns & !single, self.guard.allowed & !entering, kind);
        if self.has_doubts() && entering.any() {
            self.move_pawns::<true>(pawns & !single, entering, kind);
        }
        for from in single {
            let pawn = Bitboard::of(from);
            if self.has_doubts() && self.guard.tried.contains(from) {
                self.move_pawns::<true>(pawn, !Bitboard::EMPTY, kind);
            } else {
                let allowed = self.guard.allowed_from(from);
                self.move_pawns::<false>(pawn, allowed & !entering, kind);
                if self.has_doubts() && (allowed & entering).any() {
                    self.move_pawns::<true>(pawn, allowed & entering, kind);
                }
            }
        }
    }

    /// Moves pawns by all their leaps onto squares of `mask`; with `TRIED` each move is tried.
    #[inline(always)]
    fn move_pawns<const TRIED: bool>(&mut self, pawns: Bitboard<R::Word>, mask: Bitboard<R::Word>, kind: Kind) {
        let tables = self.tables.pawns(self.us);
        for push in &tables.pushes {
            let mut to = (pawns & push.origins).shifted(push.places) & self.vacant & mask;
            if CAPTURES {
                to &= tables.promoting;
            }
            self.pawn_steps::<TRIED>(to, push.places, !CAPTURES, kind);
        }
        if !CAPTURES {
            for double in &tables.doubles {
                let over = (pawns & double.origins).shifted(double.over) & self.vacant;
                let mut to = over.shifted(double.places - double.over) & self.vacant & mask;
                if TRIED {
                    to = self.tried_pawns(to, double.places, true, kind);
                }
                self.sink.shifted(MoveKind::DoubleStep, to, double.places);
            }
        }
        for take in &tables.takes {
            let to = (pawns & take.origins).shifted(take.places) & self.enemy & mask;
            self.pawn_steps::<TRIED>(to, take.places, true, kind);
        }
    }

    /// Steps of pawns by one displacement, promotions among them.
    #[inline(always)]
    fn pawn_steps<const TRIED: bool>(&mut self, to: Bitboard<R::Word>, places: i32, staying: bool, kind: Kind) {
        let tables = self.tables.pawns(self.us);
        let promoting = to & tables.promoting;
        let mut plain = to ^ promoting;
        if TRIED {
            plain = self.tried_pawns(plain, places, true, kind);
        }
        self.sink.shifted(MoveKind::Step, plain, places);
        for to in promoting {
            self.promote::<TRIED>(Square((i32::from(to.0) - places) as u8), to, staying, kind);
        }
    }

    #[inline(always)]
    fn promote<const TRIED: bool>(&mut self, from: Square, to: Square, staying: bool, kind: Kind) {
        let promotion = self.tables.pawns(self.us).promotion(to);
        if !TRIED {
            self.sink.promote(from, to, promotion, staying);
            return;
        }
        let step = Move::new(MoveKind::Step, from, to);
        if self.is_safe_pawn(from, to, false, kind) {
            for &kind in &promotion.kinds {
                self.sink.one(step.promoting(kind));
            }
        }
        if staying && promotion.stay && self.is_safe_pawn(from, to, true, kind) {
            self.sink.one(step);
        }
    }

    fn tried_pawns(&self, targets: Bitboard<R::Word>, places: i32, stays_pawn: bool, kind: Kind) -> Bitboard<R::Word> {
        let origin = |to: Square| Square((i32::from(to.0) - places) as u8);
        targets
            .into_iter()
            .filter(|&to| self.is_safe_pawn(origin(to), to, stays_pawn, kind))
            .collect()
    }

    fn is_safe_pawn(&self, from: Square, to: Square, stays_pawn: bool, kind: Kind) -> bool {
        let (origin, target) = (Bitboard::of(from), Bitboard::of(to));
        let shields = self.position.pawns(self.us) & !origin;
        let shields = if stays_pawn { shields | target } else { shields };
        self.is_safe(self.king, (self.occupied & !origin) | target, to, shields, kind)
    }

    /// Pawns' moves by paths that are no shift; each is tried.
    fn other_pawn_moves(&mut self, pawns: Bitboard<R::Word>, kind: Kind) {
        let promoting = self.tables.pawns(self.us).promoting;
        let ordinary = PieceMovement {
            leap_moves: false,
            leap_captures: false,
            ..self.tables.recipe(kind)
        };
        for from in pawns {
            let (moves, captures) = self.position.reach(kind, ordinary, from, self.us, true);
            let mut moves = moves & self.vacant;
            if CAPTURES {
                moves &= promoting;
            }
            let captures = captures & self.enemy;
            let targets = moves | captures;
            for to in targets & !promoting {
                if self.is_safe_pawn(from, to, true, kind) {
                    self.sink.one(Move::new(MoveKind::Step, from, to));
                }
            }
            for to in targets & promoting {
                self.promote::<true>(from, to, !CAPTURES || captures.contains(to), kind);
            }
        }
    }

    /// Captures by cannon.
    #[inline(always)]
    fn cannon_moves(&mut self, pawns: Bitboard<R::Word>, kind: Kind) {
        let own = self.occupied & !self.enemy;
        // Rarely is the first piece ahead of a pawn one of ours, with an enemy beyond.
        let screens = self.ahead_of(pawns) & own;
        if screens.is_empty() {
            return;
        }
        let behind = &self.tables.pawns(!self.us).ahead;
        for screen in screens {
            let targets = self.cannon_targets(screen, own);
            if targets.is_empty() {
                continue;
            }
            // The pawn is the first piece behind the screen, as the screen is the first ahead of it.
            let near = R::Word::at(behind, screen) & self.occupied;
            let from = if self.us == Color::White {
                near.last()
            } else {
                near.first()
            };
            self.fire(from, targets, kind);
        }
    }

    /// The first squares ahead of the pawns that cannot be passed.
    #[inline(always)]
    fn ahead_of(&self, pawns: Bitboard<R::Word>) -> Bitboard<R::Word> {
        let file = &self.tables.pawns(self.us).file;
        let passable = if self.tables.mechanics().hanging {
            self.vacant
        } else {
            !self.occupied
        };
        // All pawns run at once, and twice as far with each stride; a run never begins behind the board.
        let mut front = pawns;
        let mut run = passable & file.has_behind;
        let mut places = file.places;
        for _ in 0..file.doublings {
            front |= front.shifted(places) & run;
            run &= run.shifted(places);
            places *= 2;
        }
        (front & file.has_ahead).shifted(file.places) & !passable
    }

    /// Cannon captures of the pawn on `from`.
    #[inline(always)]
    fn fire(&mut self, from: Square, targets: Bitboard<R::Word>, kind: Kind) {
        let mechanics = self.tables.mechanics();
        let near_king = self.tables.sliders.lines(Lines::ALL, self.king);
        for target in targets {
            let (origin, hit) = (Bitboard::of(from), Bitboard::of(target));
            // Without a line from either square to the king no danger can come of it.
            let harmless = mechanics.masks_suffice()
                && !mechanics.hoppers
                && !self.guard.check
                && ((origin | hit) & near_king).is_empty();
            let shields = self.position.pawns(self.us) & !origin;
            let occupied = self.occupied & !origin & !hit;
            if harmless || self.is_safe(self.king, occupied, target, shields, kind) {
                self.sink.one(Move::new(MoveKind::Cannon, from, target));
            }
        }
    }

    /// The enemy pieces, kings apart, that can be hit over a screen: all up to the first of ours or the first pawn.
    #[inline(always)]
    fn cannon_targets(&self, screen: Square, own: Bitboard<R::Word>) -> Bitboard<R::Word> {
        let rays = &self.tables.pawns(self.us).ahead;
        let mut range = R::Word::at(rays, screen);
        if (range & self.enemy).is_empty() {
            return Bitboard::EMPTY;
        }
        let walls = if self.tables.mechanics().hanging {
            self.tables.hanging & !self.occupied
        } else {
            Bitboard::EMPTY
        };
        let ends = range & (own | self.position.pawns(!self.us) | walls);
        if ends.any() {
            let first = if self.us == Color::White {
                ends.first()
            } else {
                ends.last()
            };
            range &= !R::Word::at(rays, first);
        }
        range & self.enemy & !Bitboard::of(self.position.king(!self.us))
    }
}

//! What the king's safety demands of every other piece's move, as masks made once for a position.
//!
//! Most pieces may go where they like. The masks name the squares that answer a check, the pieces that are bound to a line, and,
//! for hoppers and cannons, whose lines open when a square is *entered*, the squares that must not be entered and the few
//! moves that only a full test can judge.

use arrayvec::ArrayVec;
use assay_rules::piece::Kind;
use assay_rules::{Color, Square};

use super::CompiledPosition;
use super::Position;
use crate::bitboard::Bitboard;
use crate::bitboard::BitboardWord;
use crate::ruleset::{Lines, PieceMovement};

/// A bound matters when at most two pieces stand between, so each of the eight directions holds at most three of each sort.
const MOST_BOUNDS: usize = 64;

/// Pieces that may only go to certain squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound<W: BitboardWord> {
    pieces: Bitboard<W>,
    allowed: Bitboard<W>,
}

/// The pieces that may only go to certain squares. Kept apart from the masks of [`Guard`], which then live in registers.
pub(super) type Bounds<W> = ArrayVec<Bound<W>, MOST_BOUNDS>;

/// The demands of the king's safety.
#[derive(Debug)]
pub(super) struct Guard<'b, W: BitboardWord> {
    /// Squares to which a piece other than the king must go.
    pub(super) allowed: Bitboard<W>,
    /// Pieces with narrower demands of their own.
    pub(super) bound: Bitboard<W>,
    /// Pieces whose every move is tried; no mask applies to them.
    pub(super) tried: Bitboard<W>,
    /// Squares such that every move to them is tried.
    pub(super) entering: Bitboard<W>,
    /// Is the king in check, jokers apart?
    pub(super) check: bool,
    bounds: &'b mut Bounds<W>,
}

/// What the jokers' demands change, to be put back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark<W: BitboardWord> {
    allowed: Bitboard<W>,
    bound: Bitboard<W>,
    bounds: usize,
}

impl<'b, W: BitboardWord> Guard<'b, W> {
    /// No demand at all.
    #[inline(always)]
    pub(super) fn none(bounds: &'b mut Bounds<W>) -> Self {
        Guard {
            allowed: !Bitboard::EMPTY,
            bound: Bitboard::EMPTY,
            tried: Bitboard::EMPTY,
            entering: Bitboard::EMPTY,
            check: false,
            bounds,
        }
    }

    /// Does it demand nothing, jokers apart?
    #[inline(always)]
    pub(super) fn is_free(&self) -> bool {
        let open = (!self.allowed).is_empty() && (self.bound | self.tried | self.entering).is_empty();
        open && !self.check
    }

    #[inline(always)]
    fn bind(&mut self, pieces: Bitboard<W>, allowed: Bitboard<W>) {
        self.bound |= pieces;
        self.bounds.push(Bound { pieces, allowed });
    }

    /// The squares to which the piece on `from` must go.
    #[inline(always)]
    pub(super) fn allowed_from(&self, from: Square) -> Bitboard<W> {
        let mut allowed = self.allowed;
        if self.bound.contains(from) {
            for bound in &*self.bounds {
                if bound.pieces.contains(from) {
                    allowed &= bound.allowed;
                }
            }
        }
        allowed
    }

    /// The present demands, for [`Guard::restore`].
    #[inline(always)]
    pub(super) fn mark(&self) -> Mark<W> {
        Mark {
            allowed: self.allowed,
            bound: self.bound,
            bounds: self.bounds.len(),
        }
    }

    /// Drops all demands made since.
    #[inline(always)]
    pub(super) fn restore(&mut self, mark: Mark<W>) {
        self.allowed = mark.allowed;
        self.bound = mark.bound;
        self.bounds.truncate(mark.bounds);
    }
}

impl<R: CompiledPosition> Position<R> {
    /// Notes the demands of the safety of the king of the side to move, jokers apart, in a guard that demands nothing yet.
    #[inline(always)]
    pub(super) fn fear_all(&self, guard: &mut Guard<'_, R::Word>) {
        let us = self.side();
        let king = self.king(us);
        let occupied = self.occupied();
        let own = self.by_color(us);
        let sliders = &self.tables.sliders;
        for leaper in self.plain_leapers(king, !us) {
            guard.check = true;
            guard.allowed &= Bitboard::of(leaper);
        }
        let (straight, diagonal) = (
            sliders.lines(Lines::STRAIGHT, king),
            sliders.lines(Lines::DIAGONAL, king),
        );
        let enemies = self.line_pieces(!us);
        for slider in (enemies.straight & straight) | (enemies.diagonal & diagonal) {
            let between = self.tables.between(king, slider);
            let line = between | Bitboard::of(slider);
            let inside = between & occupied;
            if inside.is_empty() {
                guard.check = true;
                guard.allowed &= line;
            } else if !inside.several() && (inside & own).any() {
                guard.bind(inside, line);
            }
        }
        if self.tables.mechanics().hoppers {
            for hopper in (enemies.straight_hoppers & straight) | (enemies.diagonal_hoppers & diagonal) {
                self.fear_hopper(guard, king, hopper);
            }
        }
        if self.has_cannon() {
            self.fear_cannons(guard, us, king);
        }
    }

    /// Where no masks tell more: without check, the moves that open no way to the king need no trying.
    pub(super) fn fear_zone(&self, guard: &mut Guard<'_, R::Word>) {
        let us = self.side();
        guard.check = self.in_check();
        let zone = self.tables.zone(us, self.king(us));
        guard.tried = !Bitboard::EMPTY;
        guard.entering = !Bitboard::EMPTY;
        // The enemy's jokers take another power with every move.
        let quiet = !guard.check && self.jokers(!us).is_empty();
        if let Some(zone) = zone.filter(|_| quiet) {
            guard.tried = zone.leaving;
            guard.entering = zone.entering;
        }
    }

    /// A hopper captures the king over exactly one piece.
    #[inline(always)]
    fn fear_hopper(&self, guard: &mut Guard<'_, R::Word>, king: Square, hopper: Square) {
        let between = self.tables.between(king, hopper);
        let inside = between & self.occupied();
        let own = inside & self.by_color(self.side());
        let beyond = Bitboard::of(hopper);
        match inside.count() {
            // Whoever enters makes a screen.
            0 => guard.allowed &= !between,
            // A second piece inside, or none, or no hopper. The screen itself, if ours, helps only by leaving the line.
            1 => {
                guard.check = true;
                guard.allowed &= (between & !inside) | beyond;
                guard.tried |= own;
            }
            // Ours may not leave the other one alone: not go away, not take it.
            2 if own.any() => guard.bind(own, (between & !inside) | beyond),
            _ => {}
        }
    }

    /// A pawn hits the king by cannon over exactly one piece of its own, if none of ours stands before that and none of our
    /// pawns behind it.
    #[inline(always)]
    fn fear_cannons(&self, guard: &mut Guard<'_, R::Word>, us: Color, king: Square) {
        let ahead = R::Word::at(&self.tables.pawns(us).ahead, king);
        let (own, enemy) = (self.by_color(us), self.by_color(!us));
        for pawn in ahead & self.pawns(!us) {
            let between = self.tables.between(king, pawn);
            let screens = between & enemy;
            match screens.count() {
                1 => {
                    let before = self.tables.between(pawn, screens.first());
                    let shielded = (between & self.pawns(us)).any() || (before & own).any();
                    if shielded {
                        // Moves of ours that leave may take the last shield away.
                        guard.tried |= between & own;
                    } else {
                        guard.check = true;
                        guard.allowed &= between | Bitboard::of(pawn);
                        guard.entering |= between | Bitboard::of(pawn);
                    }
                }
                // Taking one of them can leave a single screen.
                2 => guard.entering |= screens,
                _ => {}
            }
        }
    }

    /// Adds what the enemy's jokers demand of moves by `kind`, whose movement they then have.
    #[inline(always)]
    pub(super) fn fear_jokers(&self, guard: &mut Guard<'_, R::Word>, kind: Kind, recipe: PieceMovement) {
        let us = self.side();
        let jokers = self.jokers(!us);
        if jokers.is_empty() {
            return;
        }
        let king = self.king(us);
        if recipe.leap_captures {
            let from = &self.tables.kind(kind, !us).leaps.captured_from;
            for joker in R::Word::at(from, king) & jokers {
                guard.allowed &= Bitboard::of(joker);
            }
        }
        if recipe.slide_captures.any() {
            for joker in self.tables.sliders.lines(recipe.slide_captures, king) & jokers {
                let between = self.tables.between(king, joker);
                let line = between | Bitboard::of(joker);
                let inside = between & self.occupied();
                if inside.is_empty() {
                    guard.allowed &= line;
                } else if !inside.several() && (inside & self.by_color(us)).any() {
                    guard.bind(inside, line);
                }
            }
        }
    }
}

//! Check mask, pins and king exposure: which moves of the other pieces leave the king safe,
//! computed once per position.
//!
//! A leaper or slider that gives check restricts every piece to the *check mask*; a pinned piece is
//! restricted to its *pin mask*. Hoppers and cannons attack over a screen, so that *entering* a
//! square can also expose the king: squares that must stay empty are removed from the check mask,
//! and the few moves that no mask decides are tested one by one.

use arrayvec::ArrayVec;
use assay_rules::{Color, Square};

use super::super::{CompiledPosition, Position};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::ruleset::{Lines, Mechanics};

/// A line matters while at most two pieces stand on it, so each of the eight directions has at most
/// three pinners of a kind.
const MAX_PINS: usize = 64;

/// Pinned pieces and the squares they may go to.
#[derive(Clone, Copy, Debug)]
pub(in crate::position) struct Pin<W: BitboardWord> {
    pieces: Bitboard<W>,
    mask: Bitboard<W>,
}

/// All pins. Stored outside of [`PinInfo`], whose masks then stay in registers.
pub(in crate::position) type Pins<W> = ArrayVec<Pin<W>, MAX_PINS>;

/// Restrictions on the moves of all pieces but the king.
#[derive(Debug)]
pub(in crate::position) struct PinInfo<'b, W: BitboardWord> {
    /// Squares to which all pieces are restricted.
    pub(in crate::position) check_mask: Bitboard<W>,
    /// Pieces that a pin restricts further.
    pub(in crate::position) pinned: Bitboard<W>,
    /// Pieces whose moves must each be tested; no mask applies to them.
    pub(in crate::position) test_from: Bitboard<W>,
    /// Squares to which every move must be tested.
    pub(in crate::position) test_to: Bitboard<W>,
    /// True if the king is in check by anything but a joker.
    pub(in crate::position) in_check: bool,
    pins: &'b mut Pins<W>,
}

/// The part of a [`PinInfo`] that jokers change.
#[derive(Clone, Copy, Debug)]
pub(super) struct PinSnapshot<W: BitboardWord> {
    check_mask: Bitboard<W>,
    pinned: Bitboard<W>,
    pins: usize,
}

impl<'b, W: BitboardWord> PinInfo<'b, W> {
    #[inline(always)]
    pub(super) fn unrestricted(pins: &'b mut Pins<W>) -> Self {
        PinInfo {
            check_mask: !Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            test_from: Bitboard::EMPTY,
            test_to: Bitboard::EMPTY,
            in_check: false,
            pins,
        }
    }

    /// Returns true if no move is restricted, enemy jokers apart.
    #[inline(always)]
    pub(super) fn is_unrestricted(&self) -> bool {
        let no_mask = (!self.check_mask).is_empty() && (self.pinned | self.test_from | self.test_to).is_empty();
        no_mask && !self.in_check
    }

    #[inline(always)]
    pub(in crate::position) fn add_pin(&mut self, pieces: Bitboard<W>, mask: Bitboard<W>) {
        self.pinned |= pieces;
        self.pins.push(Pin { pieces, mask });
    }

    /// Squares that the piece on `from` may go to: the check mask, and its pin masks if it is
    /// pinned.
    #[inline(always)]
    pub(super) fn allowed_targets(&self, from: Square) -> Bitboard<W> {
        let mut allowed = self.check_mask;
        if self.pinned.contains(from) {
            for pin in &*self.pins {
                if pin.pieces.contains(from) {
                    allowed &= pin.mask;
                }
            }
        }
        allowed
    }

    #[inline(always)]
    pub(super) fn snapshot(&self) -> PinSnapshot<W> {
        PinSnapshot { check_mask: self.check_mask, pinned: self.pinned, pins: self.pins.len() }
    }

    /// Removes all restrictions added since the snapshot.
    #[inline(always)]
    pub(super) fn restore(&mut self, snapshot: PinSnapshot<W>) {
        self.check_mask = snapshot.check_mask;
        self.pinned = snapshot.pinned;
        self.pins.truncate(snapshot.pins);
    }
}

impl<R: CompiledPosition> Position<R> {
    /// Computes check mask and pins for `us`, the side to move, enemy jokers apart. `pins` must be
    /// unrestricted.
    #[inline(always)]
    pub(super) fn compute_pin_info(&self, us: Color, pins: &mut PinInfo<'_, R::Word>) {
        let king = self.king(us);
        let occupied = self.occupied();
        let own = self.by_color(us);
        let sliders = &self.tables.sliders;
        for leaper in self.leaping_checkers(king, !us) {
            pins.in_check = true;
            pins.check_mask &= Bitboard::of(leaper);
        }
        let (orthogonal, diagonal) = (sliders.lines(Lines::ORTHOGONAL, king), sliders.lines(Lines::DIAGONAL, king));
        let enemies = self.line_pieces(!us);
        for slider in (enemies.orthogonal & orthogonal) | (enemies.diagonal & diagonal) {
            let between = self.tables.between(king, slider);
            let line = between | Bitboard::of(slider);
            let inside = between & occupied;
            if inside.is_empty() {
                pins.in_check = true;
                pins.check_mask &= line;
            } else if !inside.more_than_one() && (inside & own).any() {
                pins.add_pin(inside, line);
            }
        }
        if self.tables.has(Mechanics::HOPPERS) {
            for hopper in (enemies.orthogonal_hoppers & orthogonal) | (enemies.diagonal_hoppers & diagonal) {
                self.add_hopper(pins, us, king, hopper);
            }
        }
        if self.has_cannon() {
            self.add_cannons(pins, us, king);
        }
    }

    /// Replaces [`Position::compute_pin_info`] in games for which masks do not suffice: every move
    /// that can expose the king is tested; in check, every move is.
    pub(super) fn compute_exposure(&self, us: Color, pins: &mut PinInfo<'_, R::Word>) {
        pins.in_check = self.in_check();
        let exposure = self.tables.king_exposure(us, self.king(us));
        pins.test_from = !Bitboard::EMPTY;
        pins.test_to = !Bitboard::EMPTY;
        // The enemy's jokers move differently after every move of ours.
        let quiet = !pins.in_check && self.jokers(!us).is_empty();
        if let Some(exposure) = exposure.filter(|_| quiet) {
            pins.test_from = exposure.on_leave;
            pins.test_to = exposure.on_enter;
        }
    }

    /// A hopper attacks the king over exactly one piece.
    #[inline(always)]
    fn add_hopper(&self, pins: &mut PinInfo<'_, R::Word>, us: Color, king: Square, hopper: Square) {
        let between = self.tables.between(king, hopper);
        let inside = between & self.occupied();
        let own = inside & self.by_color(us);
        let beyond = Bitboard::of(hopper);
        match inside.count() {
            // A piece that enters the line becomes the screen.
            0 => pins.check_mask &= !between,
            // Parries: a second piece on the line, capturing the hopper, or removing the screen.
            // The screen itself, if ours, helps only by leaving the line.
            1 => {
                pins.in_check = true;
                pins.check_mask &= (between & !inside) | beyond;
                pins.test_from |= own;
            }
            // A piece of ours must not leave the other one as the only screen, neither by moving
            // away nor by capturing it.
            2 if own.any() => pins.add_pin(own, (between & !inside) | beyond),
            _ => {}
        }
    }
}

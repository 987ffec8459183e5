//! A move in one small word.

use std::fmt;
use std::num::NonZeroU32;

use assay_rules::Square;
use assay_rules::piece::Kind;

/// What sort of move it is; never zero, so that a move's word never is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Sort {
    /// A piece goes from one square to another, takes what stands there, may promote, may gate.
    Step = 1,
    /// A pawn's double step.
    DoubleStep = 2,
    /// A pawn takes the pawn that has just passed.
    EnPassant = 3,
    /// King and partner.
    Castle = 4,
    /// A pawn hits its target by cannon.
    Cannon = 5,
}

const TO: u32 = 7;
const PROMOTION: u32 = 14;
const GATE: u32 = 19;
const SORT: u32 = 24;
const SQUARE_MASK: u32 = 0x7f;
const KIND_MASK: u32 = 0x1f;

/// A move: from and to 7 bits each, promotion and gated kind 5 bits each (kind + 1, or 0 for none), sort 3 bits.
///
/// What is captured, the victim of an en passant capture and the castling partner follow from the position it is made in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU32);

const _: () = assert!(size_of::<Option<Move>>() == 4);

impl Move {
    /// A move without promotion or drop.
    #[inline(always)]
    pub(crate) fn new(sort: Sort, from: Square, to: Square) -> Move {
        let word = (sort as u32) << SORT | u32::from(from.0) | u32::from(to.0) << TO;
        Move(NonZeroU32::new(word).expect("no sort of move is zero"))
    }

    /// The same move with the pawn becoming `kind`.
    #[inline(always)]
    pub(crate) fn promoting(self, kind: Kind) -> Move {
        Move(self.0 | (u32::from(kind.0) + 1) << PROMOTION)
    }

    /// The same move with `kind` dropped on the square just left.
    #[inline(always)]
    pub(crate) fn gating(self, kind: Kind) -> Move {
        Move(self.0 | (u32::from(kind.0) + 1) << GATE)
    }

    /// What sort of move it is.
    #[inline(always)]
    pub(crate) fn sort(self) -> Sort {
        match self.0.get() >> SORT {
            2 => Sort::DoubleStep,
            3 => Sort::EnPassant,
            4 => Sort::Castle,
            5 => Sort::Cannon,
            _ => Sort::Step,
        }
    }

    /// The square that the moving piece (the king when castling) leaves.
    #[inline(always)]
    pub fn from(self) -> Square {
        Square((self.0.get() & SQUARE_MASK) as u8)
    }

    /// The square that it goes to (or, as a cannon shell, hits).
    #[inline(always)]
    pub fn to(self) -> Square {
        Square((self.0.get() >> TO & SQUARE_MASK) as u8)
    }

    #[inline(always)]
    fn kind(self, shift: u32) -> Option<Kind> {
        (self.0.get() >> shift & KIND_MASK)
            .checked_sub(1)
            .map(|kind| Kind(kind as u8))
    }

    /// What the pawn becomes.
    #[inline(always)]
    pub fn promotion(self) -> Option<Kind> {
        self.kind(PROMOTION)
    }

    /// What is dropped on the square just left.
    #[inline(always)]
    pub fn gate(self) -> Option<Kind> {
        self.kind(GATE)
    }

    /// Is it a castling move?
    #[inline(always)]
    pub fn is_castle(self) -> bool {
        self.sort() == Sort::Castle
    }

    /// Is it an en passant capture?
    #[inline(always)]
    pub fn is_en_passant(self) -> bool {
        self.sort() == Sort::EnPassant
    }

    /// Is it a double step that can be answered by an en passant capture?
    #[inline(always)]
    pub fn is_double_step(self) -> bool {
        self.sort() == Sort::DoubleStep
    }

    /// Is it a pawn's capture by cannon?
    #[inline(always)]
    pub fn is_cannon(self) -> bool {
        self.sort() == Sort::Cannon
    }

    /// The move as one number, for tables; never zero.
    #[inline(always)]
    pub fn to_bits(self) -> NonZeroU32 {
        self.0
    }

    /// The move that [`Move::to_bits`] gave; `None` when the bits are those of no move at all.
    pub fn from_bits(bits: u32) -> Option<Move> {
        let known = (1..=5).contains(&(bits >> SORT));
        NonZeroU32::new(bits).filter(|_| known).map(Move)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}-{}", self.sort(), self.from().0, self.to().0)?;
        if let Some(kind) = self.promotion() {
            write!(f, "={}", kind.0)?;
        }
        if let Some(kind) = self.gate() {
            write!(f, "/{}", kind.0)?;
        }
        Ok(())
    }
}

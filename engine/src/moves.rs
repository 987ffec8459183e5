//! A move in one small word.

mod list;

use std::fmt;
use std::num::NonZeroU32;

use assay_rules::Square;
use assay_rules::piece::Kind;

pub use list::{CAPACITY, MoveList};

/// Kind of a move. Discriminants start at 1, so that the bits of a [`Move`] are never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum MoveKind {
    /// A piece goes from one square to another, takes what stands there, may promote, may gate.
    Normal = 1,
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
const MOVE_KIND: u32 = 24;
const SQUARE_MASK: u32 = 0x7f;
const KIND_MASK: u32 = 0x1f;

/// A move: from and to 7 bits each, promotion and gated kind 5 bits each (kind + 1, or 0 for none), move kind 3 bits.
///
/// What is captured, the victim of an en passant capture and the castling partner follow from the position it is made in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU32);

const _: () = assert!(size_of::<Option<Move>>() == 4);

impl Move {
    /// A move without promotion or drop.
    #[inline(always)]
    pub(crate) fn new(kind: MoveKind, from: Square, to: Square) -> Move {
        let word = (kind as u32) << MOVE_KIND | u32::from(from.0) | u32::from(to.0) << TO;
        Move(NonZeroU32::new(word).expect("no move kind is zero"))
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

    /// The kind of the move.
    #[inline(always)]
    pub(crate) fn kind(self) -> MoveKind {
        match self.0.get() >> MOVE_KIND {
            2 => MoveKind::DoubleStep,
            3 => MoveKind::EnPassant,
            4 => MoveKind::Castle,
            5 => MoveKind::Cannon,
            _ => MoveKind::Normal,
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
    fn piece_kind(self, shift: u32) -> Option<Kind> {
        (self.0.get() >> shift & KIND_MASK)
            .checked_sub(1)
            .map(|kind| Kind(kind as u8))
    }

    /// What the pawn becomes.
    #[inline(always)]
    pub fn promotion(self) -> Option<Kind> {
        self.piece_kind(PROMOTION)
    }

    /// What is dropped on the square just left.
    #[inline(always)]
    pub fn gate(self) -> Option<Kind> {
        self.piece_kind(GATE)
    }

    /// Is it a castling move?
    #[inline(always)]
    pub fn is_castle(self) -> bool {
        self.kind() == MoveKind::Castle
    }

    /// Is it an en passant capture?
    #[inline(always)]
    pub fn is_en_passant(self) -> bool {
        self.kind() == MoveKind::EnPassant
    }

    /// Is it a double step that can be answered by an en passant capture?
    #[inline(always)]
    pub fn is_double_step(self) -> bool {
        self.kind() == MoveKind::DoubleStep
    }

    /// Is it a pawn's capture by cannon?
    #[inline(always)]
    pub fn is_cannon(self) -> bool {
        self.kind() == MoveKind::Cannon
    }

    /// The move as one number, for tables; never zero.
    #[inline(always)]
    pub fn to_bits(self) -> NonZeroU32 {
        self.0
    }

    /// The move that [`Move::to_bits`] gave; `None` when the bits are those of no move at all.
    pub fn from_bits(bits: u32) -> Option<Move> {
        let known = (1..=5).contains(&(bits >> MOVE_KIND));
        NonZeroU32::new(bits).filter(|_| known).map(Move)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}-{}", self.kind(), self.from().0, self.to().0)?;
        if let Some(kind) = self.promotion() {
            write!(f, "={}", kind.0)?;
        }
        if let Some(kind) = self.gate() {
            write!(f, "/{}", kind.0)?;
        }
        Ok(())
    }
}

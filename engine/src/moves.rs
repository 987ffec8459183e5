//! Moves packed into 32 bits, and lists of them.

use std::fmt;
use std::mem::MaybeUninit;
use std::num::NonZeroU32;
use std::ops::Deref;
use std::ptr;

use assay_rules::piece::{Kind, MAX_KINDS};
use assay_rules::{GameDef, Square};

/// Kind of a move. Discriminants start at 1, so that the bits of a [`Move`] are never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum MoveKind {
    /// A piece moves from one square to another; it may capture, promote and gate.
    Normal = 1,
    /// A pawn's double step, which allows an en passant capture.
    DoubleStep = 2,
    EnPassant = 3,
    Castle = 4,
    /// A pawn removes a piece at a distance, and itself.
    Cannon = 5,
    /// Castling that gates a piece on the partner's square; [`MoveKind::Castle`] gates on the
    /// king's.
    CastleGatingPartner = 6,
    /// A piece from the pocket is put on an empty square, which is both origin and target.
    Drop = 7,
}

const TO: u32 = 7;
const PROMOTION: u32 = 14;
const GATE: u32 = 19;
const MOVE_KIND: u32 = 24;
const MOVE_KIND_MASK: u32 = 7;
/// The lower five bits of the square of a wall. The others are in the bits of the gated kind, from
/// [`WALLS`] on, which no kind has.
const WALL: u32 = 27;
const WALL_BITS: u32 = 5;
const WALLS: u32 = 28;
const SQUARE_MASK: u32 = 0x7f;
const KIND_MASK: u32 = 0x1f;

const _: () = assert!(MAX_KINDS < WALLS as usize);

/// A move in 32 bits: origin and target 7 bits each, promotion and gated or dropped kind 5 bits
/// each (kind + 1, or 0 for none), move kind 3 bits. In place of a gated kind, there may be the
/// square of a wall. Never zero, so that `Option<Move>` has 32 bits too.
///
/// The captured piece and the castling partner follow from the position in which the move is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU32);

const _: () = assert!(size_of::<Option<Move>>() == 4);

impl Move {
    #[inline(always)]
    pub(crate) fn new(kind: MoveKind, from: Square, to: Square) -> Move {
        let word = (kind as u32) << MOVE_KIND | u32::from(from.0) | u32::from(to.0) << TO;
        Move(NonZeroU32::new(word).expect("no move kind is zero"))
    }

    /// The drop of a piece of `kind`.
    #[inline(always)]
    pub(crate) fn drop(kind: Kind, to: Square) -> Move {
        Move::new(MoveKind::Drop, to, to).gating(kind)
    }

    /// Adds a promotion to `kind`.
    #[inline(always)]
    pub(crate) fn promoting(self, kind: Kind) -> Move {
        Move(self.0 | (u32::from(kind.0) + 1) << PROMOTION)
    }

    /// Adds the gating of a piece of `kind` on the origin square.
    #[inline(always)]
    pub(crate) fn gating(self, kind: Kind) -> Move {
        Move(self.0 | (u32::from(kind.0) + 1) << GATE)
    }

    /// Adds a wall to a move that does not gate.
    #[inline(always)]
    pub(crate) fn walling(self, square: Square) -> Move {
        let square = u32::from(square.0);
        Move(self.0 | (WALLS + (square >> WALL_BITS)) << GATE | square << WALL)
    }

    #[inline(always)]
    pub(crate) fn kind(self) -> MoveKind {
        match self.0.get() >> MOVE_KIND & MOVE_KIND_MASK {
            2 => MoveKind::DoubleStep,
            3 => MoveKind::EnPassant,
            4 => MoveKind::Castle,
            5 => MoveKind::Cannon,
            6 => MoveKind::CastleGatingPartner,
            7 => MoveKind::Drop,
            _ => MoveKind::Normal,
        }
    }

    /// Returns the origin square of the moving piece, which is the king when castling. A drop
    /// begins on its target.
    #[inline(always)]
    pub fn from(self) -> Square {
        Square((self.0.get() & SQUARE_MASK) as u8)
    }

    /// Returns the target square: for a cannon capture the square of the captured piece, for
    /// castling the wing's [target](assay_rules::def::CastlingWing::target).
    #[inline(always)]
    pub fn to(self) -> Square {
        Square((self.0.get() >> TO & SQUARE_MASK) as u8)
    }

    #[inline(always)]
    fn piece_kind(self, shift: u32) -> Option<Kind> {
        (self.0.get() >> shift & KIND_MASK).checked_sub(1).map(|kind| Kind(kind as u8))
    }

    /// Returns the kind that a pawn promotes to.
    #[inline(always)]
    pub fn promotion(self) -> Option<Kind> {
        self.piece_kind(PROMOTION)
    }

    /// Returns the kind that is dropped, or gated on the origin square, or on the partner's when
    /// castling.
    #[inline(always)]
    pub fn gate(self) -> Option<Kind> {
        self.piece_kind(GATE).filter(|kind| u32::from(kind.0) + 1 < WALLS)
    }

    /// Returns the square on which the move puts a wall.
    #[inline(always)]
    pub fn wall(self) -> Option<Square> {
        let high = (self.0.get() >> GATE & KIND_MASK).checked_sub(WALLS)?;
        Some(Square((high << WALL_BITS | self.0.get() >> WALL) as u8))
    }

    /// Origin and destination in UCI notation: [`Move::from`] and [`Move::to`], but the partner's
    /// and the king's squares for castling that gates on the partner's square.
    ///
    /// # Panics
    /// If the move is not one of this game.
    pub fn uci_squares(self, game: &GameDef) -> (Square, Square) {
        if self.kind() != MoveKind::CastleGatingPartner {
            return (self.from(), self.to());
        }
        let mut wings = game.castling_wings().iter();
        let wing = wings.find(|wing| (wing.king_from, wing.target) == (self.from(), self.to()));
        (wing.expect("the game has this castling").partner_from, self.from())
    }

    #[inline(always)]
    pub fn is_castle(self) -> bool {
        matches!(self.kind(), MoveKind::Castle | MoveKind::CastleGatingPartner)
    }

    #[inline(always)]
    pub fn is_en_passant(self) -> bool {
        self.kind() == MoveKind::EnPassant
    }

    /// Returns true for a pawn's double step that allows an en passant capture.
    #[inline(always)]
    pub fn is_double_step(self) -> bool {
        self.kind() == MoveKind::DoubleStep
    }

    /// Returns the kind that is dropped, if the move is a drop.
    #[inline(always)]
    pub fn dropped(self) -> Option<Kind> {
        self.gate().filter(|_| self.kind() == MoveKind::Drop)
    }

    /// Returns true for a cannon capture.
    #[inline(always)]
    pub fn is_cannon(self) -> bool {
        self.kind() == MoveKind::Cannon
    }

    /// Returns the packed move, for hash tables.
    #[inline(always)]
    pub fn to_bits(self) -> NonZeroU32 {
        self.0
    }

    /// Unpacks the result of [`Move::to_bits`]; `None` if the bits are no move.
    pub fn from_bits(bits: u32) -> Option<Move> {
        let has_wall = bits >> GATE & KIND_MASK >= WALLS;
        let known = bits >> MOVE_KIND & MOVE_KIND_MASK > 0 && (has_wall || bits >> WALL == 0);
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
        if let Some(square) = self.wall() {
            write!(f, ",{}", square.0)?;
        }
        Ok(())
    }
}

/// Number of moves that a list stores without allocating, far beyond any position of real play.
pub(crate) const INLINE_CAPACITY: usize = 1024;

/// A list of moves. Lists of up to 1,024 moves, which covers all real play, need no allocation.
#[derive(Clone)]
pub struct MoveList {
    inline: [MaybeUninit<Move>; INLINE_CAPACITY],
    /// All moves of a list that does not fit into `inline`; else empty.
    spilled: Vec<Move>,
    len: usize,
}

/// # Safety
/// All entries must have been written.
#[inline(always)]
unsafe fn written(entries: &[MaybeUninit<Move>]) -> &[Move] {
    // SAFETY: a written entry has the layout of a move.
    unsafe { &*(ptr::from_ref(entries) as *const [Move]) }
}

impl MoveList {
    #[inline(always)]
    pub fn new() -> MoveList {
        MoveList { inline: [const { MaybeUninit::uninit() }; INLINE_CAPACITY], spilled: Vec::new(), len: 0 }
    }

    /// Appends a move.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        // SAFETY: the only new entry is written.
        unsafe {
            self.write(self.len, mv);
            self.set_len(self.len + 1);
        }
    }

    /// Writes an entry that is not yet part of the list.
    ///
    /// # Safety
    /// All entries below `index` must have been written.
    #[inline(always)]
    pub(crate) unsafe fn write(&mut self, index: usize, mv: Move) {
        if let Some(entry) = self.inline.get_mut(index) {
            entry.write(mv);
        } else {
            // SAFETY: as for this function.
            unsafe { self.spill(index, mv) };
        }
    }

    /// Writes an entry beyond the inline ones.
    ///
    /// # Safety
    /// As [`MoveList::write`].
    #[cold]
    #[inline(never)]
    unsafe fn spill(&mut self, index: usize, mv: Move) {
        if index == INLINE_CAPACITY {
            self.spilled.clear();
            // SAFETY: the caller has written all entries below `index`.
            self.spilled.extend_from_slice(unsafe { written(&self.inline) });
        }
        self.spilled.truncate(index);
        self.spilled.push(mv);
    }

    /// Makes the entries written by [`MoveList::write`] part of the list.
    ///
    /// # Safety
    /// All entries below `len`, and none from there on, must have been written.
    #[inline(always)]
    pub(crate) unsafe fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Returns the moves in the order in which they were added.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Move] {
        match self.inline.get(..self.len) {
            // SAFETY: `push` and the callers of `set_len` have written every entry below `len`.
            Some(moves) => unsafe { written(moves) },
            None => &self.spilled,
        }
    }

    /// Retains the moves for which `keep` returns true, in order.
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        let len = self.len;
        if len > INLINE_CAPACITY {
            self.spilled.retain(|&mv| keep(mv));
            let kept = std::mem::take(&mut self.spilled);
            self.clear();
            for mv in kept {
                self.push(mv);
            }
            return;
        }
        self.clear();
        for index in 0..len {
            // SAFETY: all entries below the old length were written, and `push` writes only entries
            // that have been read.
            let mv = unsafe { self.inline[index].assume_init() };
            if keep(mv) {
                self.push(mv);
            }
        }
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl<'l> IntoIterator for &'l MoveList {
    type Item = Move;
    type IntoIter = std::iter::Copied<std::slice::Iter<'l, Move>>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter().copied()
    }
}

impl std::fmt::Debug for MoveList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_and_gated_kinds_share_bits() {
        let mv = Move::new(MoveKind::Normal, Square(127), Square(3)).promoting(Kind(25));
        for square in (0..128).map(Square) {
            let walled = mv.walling(square);
            assert_eq!((walled.wall(), walled.gate()), (Some(square), None));
            assert_eq!((walled.kind(), walled.promotion()), (MoveKind::Normal, Some(Kind(25))));
            assert_eq!(Move::from_bits(walled.to_bits().get()), Some(walled));
        }
        let gating = mv.gating(Kind(25));
        assert_eq!((gating.wall(), gating.gate()), (None, Some(Kind(25))));
        // The lower bits of a square without the others.
        assert_eq!(Move::from_bits(gating.to_bits().get() | 1 << WALL), None);
    }
}

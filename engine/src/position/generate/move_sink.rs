//! Receivers of generated moves: a list or a counter.

use assay_rules::Square;
use assay_rules::piece::Kind;

use crate::bitboard::{Bitboard, BitboardWord};
use crate::moves::{Move, MoveKind, MoveList};
use crate::position::Wanted;
use crate::tables::{DoubleStep, Promotion};

/// Receives legal moves from the generator, many at a time.
pub(crate) trait MoveSink<W: BitboardWord> {
    /// Set if the generator is worth compiling a second time for positions without checks and pins.
    const SPECIALIZE_UNRESTRICTED: bool = false;
    /// A move of a piece of `kind`.
    fn single_move(&mut self, kind: Kind, mv: Move);
    /// Moves of one piece of `kind` to each of the squares.
    #[inline(always)]
    fn piece_moves(&mut self, kind: Kind, from: Square, to: Bitboard<W>) {
        for to in to {
            self.single_move(kind, Move::new(MoveKind::Normal, from, to));
        }
    }
    /// Moves of one piece of `kind`, each gating a piece of kind `gated` on the square left.
    #[inline(always)]
    fn gating_moves(&mut self, kind: Kind, from: Square, to: Bitboard<W>, gated: Kind) {
        for to in to {
            self.single_move(kind, Move::new(MoveKind::Normal, from, to).gating(gated));
        }
    }
    /// Moves of several pawns by the same offset.
    #[inline(always)]
    fn pawn_moves(&mut self, kind: Kind, to: Bitboard<W>, offset: i32) {
        for to in to {
            self.single_move(kind, Move::new(MoveKind::Normal, origin(to, offset), to));
        }
    }
    /// Double steps of several pawns, to each of the squares.
    #[inline(always)]
    fn double_steps(&mut self, kind: Kind, to: Bitboard<W>, double: &DoubleStep<W>) {
        for to in to {
            self.single_move(kind, Move::new(MoveKind::DoubleStep, origin(to, double.offset), to));
        }
    }
    /// All promotions of one pawn move. `may_stay` is false if the pawn must promote for the move
    /// to be generated, as in a list of captures only.
    #[inline(always)]
    fn promotions(&mut self, kind: Kind, from: Square, to: Square, promotion: &Promotion, may_stay: bool) {
        for mv in promotion.moves(from, to, may_stay) {
            self.single_move(kind, mv);
        }
    }
    /// Drops of a piece of `kind` on each of the squares.
    #[inline(always)]
    fn drops(&mut self, kind: Kind, to: Bitboard<W>) {
        for to in to {
            self.single_move(kind, Move::drop(kind, to));
        }
    }
    /// A move with a wall on each of the squares.
    #[inline(always)]
    fn walled_moves(&mut self, kind: Kind, mv: Move, walls: Bitboard<W>) {
        for square in walls {
            self.single_move(kind, mv.walling(square));
        }
    }
    /// Pieces whose moves are needed, and squares to which drops are needed.
    #[inline(always)]
    fn origins(&self) -> Bitboard<W> {
        !Bitboard::EMPTY
    }
    #[inline(always)]
    fn wanted(&self) -> Wanted<'_, W> {
        Wanted::All
    }
    /// Returns true if only captures and promotions are needed.
    #[inline(always)]
    fn captures_only(&self) -> bool {
        matches!(self.wanted(), Wanted::Captures | Wanted::UnforcedCaptures)
    }
}

#[inline(always)]
pub(in crate::position) fn origin(to: Square, offset: i32) -> Square {
    Square((i32::from(to.0) - offset) as u8)
}

/// Appends the wanted moves of the pieces on `origins` to a list.
pub(crate) struct ListWriter<'l, W: BitboardWord> {
    list: &'l mut MoveList,
    len: usize,
    origins: Bitboard<W>,
    wanted: Wanted<'l, W>,
}

impl<'l, W: BitboardWord> ListWriter<'l, W> {
    /// The moves become part of `list` with [`ListWriter::finish`].
    #[inline(always)]
    pub(crate) fn new(list: &'l mut MoveList, origins: Bitboard<W>, wanted: Wanted<'l, W>) -> ListWriter<'l, W> {
        let len = list.len();
        ListWriter { list, len, origins, wanted }
    }

    #[inline(always)]
    pub(crate) fn finish(self) {
        // SAFETY: `single_move` has written every entry from the list's own length on. Measured:
        // with the length kept in the list itself, a perft that makes every leaf move is slower by
        // more than 10%.
        unsafe { self.list.set_len(self.len) };
    }
}

impl<W: BitboardWord> MoveSink<W> for ListWriter<'_, W> {
    #[inline(always)]
    fn origins(&self) -> Bitboard<W> {
        self.origins
    }

    #[inline(always)]
    fn wanted(&self) -> Wanted<'_, W> {
        self.wanted
    }

    #[inline(always)]
    fn single_move(&mut self, _kind: Kind, mv: Move) {
        // SAFETY: all entries from the list's own length up to this one have been written here.
        unsafe { self.list.write(self.len, mv) };
        self.len += 1;
    }
}

/// Counts moves without building them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MoveCounter(pub(crate) u64);

impl<W: BitboardWord> MoveSink<W> for MoveCounter {
    const SPECIALIZE_UNRESTRICTED: bool = true;

    #[inline(always)]
    fn piece_moves(&mut self, _kind: Kind, _from: Square, to: Bitboard<W>) {
        self.0 += u64::from(to.count());
    }

    #[inline(always)]
    fn gating_moves(&mut self, _kind: Kind, _from: Square, to: Bitboard<W>, _gated: Kind) {
        self.0 += u64::from(to.count());
    }

    #[inline(always)]
    fn pawn_moves(&mut self, _kind: Kind, to: Bitboard<W>, _offset: i32) {
        self.0 += u64::from(to.count());
    }

    #[inline(always)]
    fn double_steps(&mut self, _kind: Kind, to: Bitboard<W>, _double: &DoubleStep<W>) {
        self.0 += u64::from(to.count());
    }

    #[inline(always)]
    fn promotions(&mut self, _kind: Kind, _from: Square, _to: Square, promotion: &Promotion, may_stay: bool) {
        self.0 += promotion.kinds.len() as u64 + u64::from(may_stay && promotion.is_optional);
    }

    #[inline(always)]
    fn drops(&mut self, _kind: Kind, to: Bitboard<W>) {
        self.0 += u64::from(to.count());
    }

    #[inline(always)]
    fn single_move(&mut self, _kind: Kind, _mv: Move) {
        self.0 += 1;
    }

    #[inline(always)]
    fn walled_moves(&mut self, _kind: Kind, _mv: Move, walls: Bitboard<W>) {
        self.0 += u64::from(walls.count());
    }
}

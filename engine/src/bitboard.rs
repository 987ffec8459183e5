//! Bitboards: sets of squares as machine words, `u64` for boards of at most 8 files and ranks, else
//! `u128`.

use std::fmt::{self, Debug};
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Index, IndexMut, Not, Shl, Shr};

use assay_rules::{Board, Square, SquareSet};

/// A set of squares. Bit `n` stands for `Square(n)`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard<W>(pub W);

impl<W: BitboardWord> Bitboard<W> {
    pub const EMPTY: Self = Bitboard(W::ZERO);

    /// The set that contains only `square`.
    #[inline(always)]
    pub fn of(square: Square) -> Self {
        Bitboard(W::bit(square.index()))
    }

    /// The squares with an index below 64.
    #[inline(always)]
    pub(crate) fn to_u64(self) -> u64 {
        self.0.to_u128() as u64
    }

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == W::ZERO
    }

    /// Returns true if the set is not empty.
    #[inline(always)]
    pub fn any(self) -> bool {
        self.0 != W::ZERO
    }

    /// Returns true if the set has at least two squares.
    #[inline(always)]
    pub fn more_than_one(self) -> bool {
        self.0.without_lsb() != W::ZERO
    }

    /// Returns true if the set has exactly one square.
    #[inline(always)]
    pub fn is_single(self) -> bool {
        self.any() && !self.more_than_one()
    }

    #[inline(always)]
    pub fn count(self) -> u32 {
        self.0.count()
    }

    #[inline(always)]
    pub fn contains(self, square: Square) -> bool {
        (self & Bitboard::of(square)).any()
    }

    #[inline(always)]
    pub fn insert(&mut self, square: Square) {
        *self |= Bitboard::of(square);
    }

    /// Returns the square of the least significant bit. The set must not be empty.
    #[inline(always)]
    pub fn lsb(self) -> Square {
        debug_assert!(self.any());
        Square(self.0.lsb_index() as u8)
    }

    /// Returns the square of the most significant bit. The set must not be empty.
    #[inline(always)]
    pub fn msb(self) -> Square {
        debug_assert!(self.any());
        Square(self.0.msb_index() as u8)
    }

    /// Converts from the rules' type.
    pub fn from_set(set: SquareSet) -> Self {
        Bitboard(W::from_u128(set.bits()))
    }

    /// Converts to the rules' type.
    pub fn to_set(self) -> SquareSet {
        SquareSet::from_bits(self.0.to_u128())
    }

    /// Returns the set with `offset` added to each square number. Squares that would leave the
    /// board must be masked out before.
    #[inline(always)]
    #[must_use]
    pub fn shifted(self, offset: i32) -> Self {
        Bitboard(self.0.shifted(offset))
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign:ident) => {
        impl<W: BitboardWord> $trait for Bitboard<W> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Bitboard($trait::$method(self.0, other.0))
            }
        }

        impl<W: BitboardWord> $assign_trait for Bitboard<W> {
            #[inline(always)]
            fn $assign(&mut self, other: Self) {
                $assign_trait::$assign(&mut self.0, other.0);
            }
        }
    };
}

operator!(BitAnd, bitand, BitAndAssign, bitand_assign);
operator!(BitOr, bitor, BitOrAssign, bitor_assign);
operator!(BitXor, bitxor, BitXorAssign, bitxor_assign);

impl<W: BitboardWord> Not for Bitboard<W> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Bitboard(!self.0)
    }
}

/// Iterator over the squares of a [`Bitboard`] in ascending order.
#[derive(Clone, Debug)]
pub struct Squares<W>(W);

impl<W: BitboardWord> Iterator for Squares<W> {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == W::ZERO {
            return None;
        }
        let square = Square(self.0.lsb_index() as u8);
        self.0 = self.0.without_lsb();
        Some(square)
    }
}

impl<W: BitboardWord> IntoIterator for Bitboard<W> {
    type Item = Square;
    type IntoIter = Squares<W>;

    #[inline(always)]
    fn into_iter(self) -> Squares<W> {
        Squares(self.0)
    }
}

impl<W: BitboardWord> FromIterator<Square> for Bitboard<W> {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }
}

impl<W: BitboardWord> fmt::Debug for Bitboard<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// A machine word with one bit per square.
pub trait BitboardWord:
    Copy
    + Debug
    + Default
    + Eq
    + Hash
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + BitXorAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Number of bits, which is the maximum number of squares.
    const BITS: usize;
    /// Maximum number of files and of ranks that all attack tables support.
    const MAX_SIDE: u8;
    /// No bit set.
    const ZERO: Self;
    /// An array with one value per bit.
    type PerSquare<T: Copy + Debug + Send + Sync + 'static>: Copy
        + Debug
        + Send
        + Sync
        + Index<usize, Output = T>
        + IndexMut<usize>;

    fn fits(board: &Board) -> bool {
        board.box_size() <= Self::BITS && board.files().max(board.ranks()) <= Self::MAX_SIDE
    }

    /// Truncates `bits`.
    fn from_u128(bits: u128) -> Self;
    /// Widens to 128 bits.
    fn to_u128(self) -> u128;
    /// Returns the word with only bit `index` set.
    fn bit(index: usize) -> Self;
    /// Returns the number of set bits.
    fn count(self) -> u32;
    /// Returns the index of the least significant set bit; the word's width if there is none.
    fn lsb_index(self) -> u32;
    /// Returns the index of the most significant set bit; unspecified if there is none.
    fn msb_index(self) -> u32;
    /// Isolates the most significant set bit; returns bit 0 if there is none.
    #[must_use]
    fn msb(self) -> Self;
    /// Clears the least significant set bit.
    #[must_use]
    fn without_lsb(self) -> Self;
    /// Returns `self - other` modulo 2 to the word's width.
    #[must_use]
    fn wrapping_sub(self, other: Self) -> Self;
    /// Shifts left by `offset` bits, or right if it is negative. Bits that leave the word are
    /// unspecified.
    #[must_use]
    fn shifted(self, offset: i32) -> Self;
    /// Returns an array with `value` for each bit.
    fn per_square<T: Copy + Debug + Send + Sync + 'static>(value: T) -> Self::PerSquare<T>;
    /// Returns the value for a square. The index is masked to the word's width, which avoids the
    /// bounds check.
    #[inline(always)]
    fn at<T: Copy + Debug + Send + Sync + 'static>(array: &Self::PerSquare<T>, square: Square) -> T {
        *Self::entry(array, square)
    }
    /// Returns a reference to the value for a square.
    fn entry<T: Copy + Debug + Send + Sync + 'static>(array: &Self::PerSquare<T>, square: Square) -> &T;
    /// Returns a mutable reference to the value for a square.
    fn entry_mut<T: Copy + Debug + Send + Sync + 'static>(array: &mut Self::PerSquare<T>, square: Square) -> &mut T;
}

macro_rules! word {
    ($word:ty, $bits:literal, $most:literal, $msb:expr, $shifted:expr) => {
        impl BitboardWord for $word {
            const BITS: usize = $bits;
            const MAX_SIDE: u8 = $most;
            const ZERO: Self = 0;
            type PerSquare<T: Copy + Debug + Send + Sync + 'static> = [T; $bits];

            #[inline(always)]
            fn from_u128(bits: u128) -> Self {
                bits as Self
            }

            #[inline(always)]
            fn to_u128(self) -> u128 {
                u128::from(self)
            }

            #[inline(always)]
            fn bit(index: usize) -> Self {
                1 << (index & ($bits - 1))
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn lsb_index(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline(always)]
            fn msb_index(self) -> u32 {
                ($bits - 1) - (self | 1).leading_zeros()
            }

            #[inline(always)]
            fn msb(self) -> Self {
                $msb(self)
            }

            #[inline(always)]
            fn without_lsb(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline(always)]
            fn wrapping_sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn shifted(self, places: i32) -> Self {
                $shifted(self, places)
            }

            fn per_square<T: Copy + Debug + Send + Sync + 'static>(value: T) -> [T; $bits] {
                [value; $bits]
            }

            #[inline(always)]
            fn entry<T: Copy + Debug + Send + Sync + 'static>(array: &[T; $bits], square: Square) -> &T {
                &array[square.index() & ($bits - 1)]
            }

            #[inline(always)]
            fn entry_mut<T: Copy + Debug + Send + Sync + 'static>(array: &mut [T; $bits], square: Square) -> &mut T {
                &mut array[square.index() & ($bits - 1)]
            }
        }
    };
}

#[inline(always)]
fn msb_64(word: u64) -> u64 {
    (1 << 63) >> (word | 1).leading_zeros()
}

/// Computed by halves, which needs half the instructions of a shift by the bit's index.
#[inline(always)]
fn msb_128(word: u128) -> u128 {
    let (high, low) = ((word >> 64) as u64, word as u64);
    let (in_high, in_low) = (msb_64(high), msb_64(low));
    if high != 0 { u128::from(in_high) << 64 } else { u128::from(in_low) }
}

/// A rotation serves both directions without a branch; callers mask out the bits that wrap around.
#[inline(always)]
fn shifted_64(word: u64, places: i32) -> u64 {
    word.rotate_left(places as u32)
}

#[inline(always)]
fn shifted_128(word: u128, places: i32) -> u128 {
    if places >= 0 { word << places } else { word >> -places }
}

word!(u64, 64, 8, msb_64, shifted_64);
word!(u128, 128, 128, msb_128, shifted_128);

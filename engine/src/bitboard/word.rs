//! The machine word behind a bitboard: `u64` for boards of at most 8 files and ranks, else `u128`.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Index, IndexMut, Not, Shl, Shr};

use assay_rules::{Board, Square};

/// A word with one bit a square.
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
    /// Bits of the word: the most squares a board on it may have.
    const BITS: usize;
    /// The most files and ranks a board on it may have: what every method of the tables can do.
    const MAX_SIDE: u8;
    /// No bit.
    const ZERO: Self;
    /// One value for each bit of the word.
    type PerSquare<T: Copy + Debug + Send + Sync + 'static>: Copy
        + Debug
        + Send
        + Sync
        + Index<usize, Output = T>
        + IndexMut<usize>;

    /// Can a board be held in this word?
    fn fits(board: &Board) -> bool {
        board.box_size() <= Self::BITS && board.files().max(board.ranks()) <= Self::MAX_SIDE
    }

    /// The low bits of `bits`; callers know that the board fits.
    fn from_u128(bits: u128) -> Self;
    /// The same bits in the widest word.
    fn to_u128(self) -> u128;
    /// The word with bit number `index` alone.
    fn bit(index: usize) -> Self;
    /// How many bits are set.
    fn count(self) -> u32;
    /// The number of the lowest set bit; the word's width when there is none.
    fn lsb_index(self) -> u32;
    /// The number of the highest set bit; of no use when there is none.
    fn msb_index(self) -> u32;
    /// The highest set bit alone; bit 0 when there is none.
    #[must_use]
    fn msb(self) -> Self;
    /// The word without its lowest set bit.
    #[must_use]
    fn without_lsb(self) -> Self;
    /// `self - other` modulo the word's width.
    #[must_use]
    fn wrapping_sub(self, other: Self) -> Self;
    /// The bits moved by `places`, up or down; what leaves the word is of no use.
    #[must_use]
    fn shifted(self, places: i32) -> Self;
    /// An array with `value` for each bit.
    fn per_square<T: Copy + Debug + Send + Sync + 'static>(value: T) -> Self::PerSquare<T>;
    /// The array's value for a square. Square numbers are below the word's width, which the mask tells the compiler.
    #[inline(always)]
    fn at<T: Copy + Debug + Send + Sync + 'static>(array: &Self::PerSquare<T>, square: Square) -> T {
        *Self::entry(array, square)
    }
    /// As [`BitboardWord::at`], without copying the value.
    fn entry<T: Copy + Debug + Send + Sync + 'static>(array: &Self::PerSquare<T>, square: Square) -> &T;
    /// As [`BitboardWord::entry`], to be changed.
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

/// By halves: the compiler's own way over the number of the bit is twice as long.
#[inline(always)]
fn msb_128(word: u128) -> u128 {
    let (high, low) = ((word >> 64) as u64, word as u64);
    let (in_high, in_low) = (msb_64(high), msb_64(low));
    if high != 0 {
        u128::from(in_high) << 64
    } else {
        u128::from(in_low)
    }
}

/// A rotation needs no question which way to shift; what comes round is masked away like what falls out.
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

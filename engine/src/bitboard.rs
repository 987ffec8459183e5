//! Bitboards: sets of squares as machine words.

mod word;

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use assay_rules::{Square, SquareSet};

pub use word::BitboardWord;

/// A set of squares. Bit `n` stands for `Square(n)`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard<W>(pub W);

impl<W: BitboardWord> Bitboard<W> {
    /// The empty set.
    pub const EMPTY: Self = Bitboard(W::ZERO);

    /// The set that contains only `square`.
    #[inline(always)]
    pub fn of(square: Square) -> Self {
        Bitboard(W::bit(square.index()))
    }

    /// Returns true if the set is empty.
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

    /// Returns the number of squares.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.0.count()
    }

    /// Returns true if the set contains `square`.
    #[inline(always)]
    pub fn contains(self, square: Square) -> bool {
        (self & Bitboard::of(square)).any()
    }

    /// Adds `square` to the set.
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

    /// Returns the set with `offset` added to each square number. Squares that would leave the board must be masked out
    /// before.
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
        squares
            .into_iter()
            .fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }
}

impl<W: BitboardWord> fmt::Debug for Bitboard<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

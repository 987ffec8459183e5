//! Sets of squares as machine words.

mod word;

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use assay_rules::{Square, SquareSet};

pub use word::BitboardWord;

/// A set of squares: bit number = square number of the rules.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard<W>(pub W);

impl<W: BitboardWord> Bitboard<W> {
    /// The set without squares.
    pub const EMPTY: Self = Bitboard(W::ZERO);

    /// The set with `square` alone.
    #[inline(always)]
    pub fn of(square: Square) -> Self {
        Bitboard(W::bit(square.index()))
    }

    /// Is there no member?
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == W::ZERO
    }

    /// Is there a member?
    #[inline(always)]
    pub fn any(self) -> bool {
        self.0 != W::ZERO
    }

    /// Is there more than one member?
    #[inline(always)]
    pub fn more_than_one(self) -> bool {
        self.0.without_lsb() != W::ZERO
    }

    /// Is there exactly one member?
    #[inline(always)]
    pub fn is_single(self) -> bool {
        self.any() && !self.more_than_one()
    }

    /// How many squares are members.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.0.count()
    }

    /// Is `square` a member?
    #[inline(always)]
    pub fn contains(self, square: Square) -> bool {
        (self & Bitboard::of(square)).any()
    }

    /// Adds `square`.
    #[inline(always)]
    pub fn insert(&mut self, square: Square) {
        *self |= Bitboard::of(square);
    }

    /// The member with the lowest number. Only for sets that have one.
    #[inline(always)]
    pub fn lsb(self) -> Square {
        debug_assert!(self.any());
        Square(self.0.lsb_index() as u8)
    }

    /// The member with the highest number. Only for sets that have one.
    #[inline(always)]
    pub fn msb(self) -> Square {
        debug_assert!(self.any());
        Square(self.0.msb_index() as u8)
    }

    /// The squares of a set of the rules.
    pub fn from_set(set: SquareSet) -> Self {
        Bitboard(W::from_u128(set.bits()))
    }

    /// The same squares as a set of the rules.
    pub fn to_set(self) -> SquareSet {
        SquareSet::from_bits(self.0.to_u128())
    }

    /// The set moved by `places` square numbers, up or down. Callers mask away beforehand what would leave the board.
    #[inline(always)]
    #[must_use]
    pub fn shifted(self, places: i32) -> Self {
        Bitboard(self.0.shifted(places))
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

/// Gives the members in ascending order.
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

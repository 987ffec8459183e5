//! Squares and sets of squares.

use std::fmt;

/// The most squares a board's bounding box may have: a square set is one 128-bit word.
pub const MAX_SQUARES: usize = 128;

/// A place of the board's bounding box: `rank index * files + file index`, counted from a1's corner.
///
/// What a square is called, and whether it exists, only a [`crate::Board`] knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(pub u8);

impl Square {
    /// The square's number as an array index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of squares, iterated in ascending order of their numbers.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct SquareSet(u128);

impl SquareSet {
    /// The set without squares.
    pub const EMPTY: SquareSet = SquareSet(0);

    /// The set whose members are the set bits of `bits`.
    pub const fn from_bits(bits: u128) -> SquareSet {
        SquareSet(bits)
    }

    /// One bit a square, bit number = square number.
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Is `square` a member?
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// Adds `square`.
    pub const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.0;
    }

    /// Takes `square` out; does nothing when it is not a member.
    pub const fn remove(&mut self, square: Square) {
        self.0 &= !(1 << square.0);
    }

    /// How many squares are members.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Is there no member?
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The members of either set.
    #[must_use]
    pub const fn union(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 | other.0)
    }

    /// The members of both sets.
    #[must_use]
    pub const fn intersection(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & other.0)
    }

    /// The members, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Square> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let square = Square(rest.trailing_zeros() as u8);
            rest &= rest - 1;
            Some(square)
        })
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        let mut set = SquareSet::EMPTY;
        for square in squares {
            set.insert(square);
        }
        set
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

//! Squares and square sets.

use std::fmt;

use serde::Serialize;

/// Maximum size of a board's bounding box: a [`SquareSet`] has 128 bits.
pub const MAX_SQUARES: usize = 128;

/// Index of a square in the board's bounding box: `rank * files + file`, both counted from zero.
///
/// Names and existence of squares depend on the [`Board`](crate::Board).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Square(pub u8);

impl Square {
    /// The square's index, for array indexing.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
pub struct SquareSet(u128);

impl SquareSet {
    pub const EMPTY: SquareSet = SquareSet(0);

    /// Creates a set from bits; bit `n` stands for square `n`.
    pub const fn from_bits(bits: u128) -> SquareSet {
        SquareSet(bits)
    }

    /// The set as bits; bit `n` stands for square `n`.
    pub const fn bits(self) -> u128 {
        self.0
    }

    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    pub const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.0;
    }

    pub const fn remove(&mut self, square: Square) {
        self.0 &= !(1 << square.0);
    }

    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Squares in either set.
    #[must_use]
    pub const fn union(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 | other.0)
    }

    /// Squares in both sets.
    #[must_use]
    pub const fn intersection(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & other.0)
    }

    /// Squares in ascending order.
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

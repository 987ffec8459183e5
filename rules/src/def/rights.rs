//! Rights: what a piece that has not yet moved still gives its side.

use crate::color::Color;
use crate::square::{Square, SquareSet};

/// What a right is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RightKind {
    /// Castling: an index into [`crate::def::Castling::wings`].
    Castle(usize),
    /// The piece on this square may gate with its first move.
    Gate(Square),
    /// The piece on this square has the initial (`i`) powers of its kind.
    FirstMove(Square),
}

/// One right. It stands while none of the pieces on its squares has moved or been captured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Right {
    /// Whose right.
    pub color: Color,
    /// Its letter in a FEN, in the owner's case.
    pub letter: char,
    /// The squares of the pieces that must be unmoved.
    pub squares: SquareSet,
    /// What it is good for.
    pub kind: RightKind,
}

/// A set of rights: bit n is the n-th of [`crate::GameDef::rights`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rights(pub u64);

impl Rights {
    /// No right.
    pub const EMPTY: Rights = Rights(0);

    /// Does right number `index` stand?
    pub const fn contains(self, index: usize) -> bool {
        self.0 >> index & 1 == 1
    }

    /// Adds right number `index`.
    pub const fn insert(&mut self, index: usize) {
        self.0 |= 1 << index;
    }

    /// Takes right number `index` away.
    pub const fn remove(&mut self, index: usize) {
        self.0 &= !(1 << index);
    }

    /// The numbers of the rights that stand, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..64).filter(move |&index| self.contains(index))
    }
}

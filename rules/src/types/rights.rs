//! Rights of a side that last until a piece moves or is captured: castling, gating, initial moves.

use super::color::Color;
use super::square::{Square, SquareSet};

/// What a right allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RightKind {
    /// Castling with the partner on this square.
    Castle(Square),
    /// The piece on this square may gate with its first move.
    Gate(Square),
    /// The piece on this square has the initial (`i`) moves of its kind.
    InitialMove(Square),
}

/// A right, held until one of the pieces on its squares moves or is captured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Right {
    pub color: Color,
    /// Letter in the rights field of a FEN: upper case for White, lower case for Black.
    pub letter: char,
    /// Squares of the pieces that must be unmoved.
    pub squares: SquareSet,
    pub kind: RightKind,
}

/// A set of rights: bit `n` stands for entry `n` of [`GameDef::rights`](crate::GameDef::rights).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rights(pub u64);

impl Rights {
    pub const EMPTY: Rights = Rights(0);

    /// Returns true if the set contains right number `index`.
    pub const fn contains(self, index: usize) -> bool {
        self.0 >> index & 1 == 1
    }

    /// Adds right number `index`.
    pub const fn insert(&mut self, index: usize) {
        self.0 |= 1 << index;
    }

    /// Removes right number `index`.
    pub const fn remove(&mut self, index: usize) {
        self.0 &= !(1 << index);
    }

    /// Numbers of the rights in the set, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..64).filter(move |&index| self.contains(index))
    }
}

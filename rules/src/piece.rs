//! Kinds of pieces, and pieces.

use crate::color::Color;

/// The most kinds of pieces a game may have: one letter each.
pub const MAX_KINDS: usize = 26;

/// A kind of piece: its place in the game definition's list of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(pub u8);

impl Kind {
    /// The kind's number as an array index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A piece on the board: a kind with an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece {
    /// Its owner.
    pub color: Color,
    /// What it is.
    pub kind: Kind,
}

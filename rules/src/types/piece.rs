//! Pieces and kinds of pieces.

use serde::Serialize;

use super::color::Color;

/// Maximum number of kinds in a game: one per letter of the alphabet.
pub const MAX_KINDS: usize = 26;

/// A kind of piece: an index into [`GameDef::kinds`](crate::GameDef::kinds).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Kind(pub u8);

impl Kind {
    /// The kind's number, for array indexing.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece {
    /// Side that owns the piece.
    pub color: Color,
    pub kind: Kind,
}

//! PGN errors.

use thiserror::Error;

use crate::notation::fen::FenError;
use crate::notation::move_text::MoveError;

/// An error in a PGN text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct PgnError {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    pub kind: PgnErrorKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PgnErrorKind {
    /// A syntax error.
    #[error("found {found}, expected {expected}")]
    Unexpected {
        /// What was found.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A tag occurs twice.
    #[error("found a second tag `{name}`, expected each tag once in a game")]
    DuplicateTag {
        /// The tag's name.
        name: String,
    },
    /// The `Variant` tag names an unknown game.
    #[error("tag `Variant`: unknown game `{name}`")]
    UnknownVariant {
        /// The tag's value.
        name: String,
    },
    /// The `FEN` tag is invalid.
    #[error("tag `FEN`: {error}")]
    Fen { error: FenError },
    /// The `FEN` tag of a game of chess has the castling rights of Chess960.
    #[error(
        "tag `FEN`: found castling rights of Chess960, expected the tag `[Variant \"Chess960\"]` or the game fischerandom"
    )]
    Chess960,
    /// A move is invalid.
    #[error("move {number}: {error}")]
    Move {
        /// Move number.
        number: u32,
        /// Error of the move.
        error: MoveError,
    },
    /// Two parts of the game contradict each other.
    #[error("{found} contradicts {earlier}")]
    Contradiction {
        /// The later part.
        found: String,
        /// The earlier part.
        earlier: String,
    },
}

/// Why a tag was rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TagError {
    /// Invalid tag name.
    #[error("invalid tag name `{name}`: expected ASCII letters, digits and underscores")]
    Name { name: String },
    /// The tag is derived from the game.
    #[error("tag `{name}` is derived from the start position and the result")]
    Derived { name: String },
}

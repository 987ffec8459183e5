//! What can be wrong with a PGN.

use thiserror::Error;

use crate::notation::fen::FenError;
use crate::notation::san::SanError;

/// Why a game cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct PgnError {
    /// The line of the text, counted from 1.
    pub line: usize,
    /// The character of the line, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: PgnErrorKind,
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PgnErrorKind {
    /// The text is not of the form.
    #[error("found {found}, expected {expected}")]
    Unexpected {
        /// What stands there.
        found: String,
        /// What could stand there.
        expected: &'static str,
    },
    /// A tag that was there already.
    #[error("tag `{name}` is there twice")]
    DuplicateTag {
        /// The tag's name.
        name: String,
    },
    /// The `Variant` tag names no game.
    #[error("tag `Variant` names the unknown game `{name}`")]
    UnknownVariant {
        /// The tag's value.
        name: String,
    },
    /// The `FEN` tag is no position of the game.
    #[error("tag `FEN`: {error}")]
    Fen {
        /// Why not.
        error: FenError,
    },
    /// No legal move.
    #[error("move {number}: {error}")]
    Move {
        /// The move number, as it would be written before the move.
        number: u32,
        /// What is wrong with the move.
        error: SanError,
    },
    /// Two statements of the text exclude each other.
    #[error("{found} contradicts {earlier}")]
    Contradiction {
        /// The later statement.
        found: String,
        /// The earlier one.
        earlier: String,
    },
}

/// Why a tag cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TagError {
    /// Not a tag's name.
    #[error("`{name}` is no name of a tag: expected ASCII letters, digits and underscores")]
    Name {
        /// The name.
        name: String,
    },
    /// The tag follows from the game.
    #[error("tag `{name}` follows from the game's start and result")]
    Own {
        /// The name.
        name: String,
    },
}

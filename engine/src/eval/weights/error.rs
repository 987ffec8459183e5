//! Errors of weights files.

use thiserror::Error;

/// An error in a weights file.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WeightsError {
    /// The text is not valid TOML.
    #[error("line {line}, column {column}: {message}")]
    Toml {
        /// Line, counted from 1.
        line: usize,
        /// Column in characters, counted from 1.
        column: usize,
        /// What was found and what was expected.
        message: String,
    },
    /// The weights are for another game.
    #[error("game: found `{found}`, expected `{expected}`")]
    Game {
        /// Game of the file.
        found: String,
        /// Game that weights are needed for.
        expected: String,
    },
    /// The game has no term with this key.
    #[error("{key}: the game has no such term")]
    UnknownTerm {
        /// Key with its table.
        key: String,
    },
    /// A key is missing.
    #[error("{key}: missing")]
    Missing {
        /// Key with its table.
        key: String,
    },
    /// A value has the wrong type, length or range.
    #[error("{key}: found {found}, expected {expected}")]
    InvalidValue {
        /// Key with its table.
        key: String,
        /// Description of the value.
        found: String,
        /// Description of a valid value.
        expected: String,
    },
}

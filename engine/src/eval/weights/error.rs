//! What can be wrong with a weights file.

use thiserror::Error;

/// Why a text is no weights file of a game.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WeightsError {
    /// It is no TOML.
    #[error("{0}")]
    Toml(String),
    /// It is for another game.
    #[error("game: found `{found}`, expected `{expected}`")]
    Game {
        /// What the file says.
        found: String,
        /// The game that weights were wanted for.
        expected: String,
    },
    /// A key that the game has no term for.
    #[error("{key}: the game has no such term")]
    Unknown {
        /// The key with its table.
        key: String,
    },
    /// A term without a weight.
    #[error("{key}: missing")]
    Missing {
        /// The key with its table.
        key: String,
    },
    /// A weight of another form.
    #[error("{key}: found {found}, expected {expected}")]
    Form {
        /// The key with its table.
        key: String,
        /// What was found.
        found: String,
        /// What is expected.
        expected: String,
    },
}

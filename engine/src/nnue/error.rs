//! What can be wrong with a network file.

use thiserror::Error;

/// Why bytes are no network of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// They do not begin as a network file does.
    #[error("found no network file, expected one to begin with its mark")]
    Mark,
    /// Another version of the format.
    #[error("format: found version {found}, expected {expected}")]
    Version {
        /// What the file says.
        found: u32,
        /// What is read.
        expected: u32,
    },
    /// The file is cut off, or something follows.
    #[error("length: found {found} bytes, expected {expected}")]
    Length {
        /// Bytes that there are.
        found: u64,
        /// Bytes that the file says it has, or needs at least.
        expected: u64,
    },
    /// The file has been changed since it was written.
    #[error("checksum: found {found}, expected {expected}: the file is damaged")]
    Checksum {
        /// The checksum of what is there, its beginning.
        found: String,
        /// The checksum that the file says, its beginning.
        expected: String,
    },
    /// It is for another game.
    #[error("game: found `{found}`, expected `{expected}`")]
    Game {
        /// What the file says.
        found: String,
        /// The game that a network was wanted for.
        expected: String,
    },
    /// It is for another game of the same name.
    #[error("layout: found `{found}`, expected `{expected}`")]
    Layout {
        /// What the file says.
        found: String,
        /// The layout of the game that a network was wanted for.
        expected: String,
    },
    /// A number of hidden numbers that no network may have.
    #[error("hidden: found {found}, expected a multiple of {step} up to {most}", step = super::HIDDEN_STEP, most = super::MOST_HIDDEN)]
    Hidden {
        /// What the file says.
        found: u32,
    },
    /// A text that is none.
    #[error("{field}: found bytes that are no UTF-8 text")]
    Text {
        /// Which text.
        field: &'static str,
    },
}

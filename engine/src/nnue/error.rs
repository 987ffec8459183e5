//! Errors of network files.

use thiserror::Error;

use super::architecture::{HIDDEN_MULTIPLE, MAX_HIDDEN};

/// An error in a network file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// The file does not start with the magic bytes of network files.
    #[error("found another kind of file, expected a network file")]
    Magic,
    /// The version of the format is not supported.
    #[error("format: found version {found}, expected {expected}")]
    Version {
        /// Version of the file.
        found: u32,
        /// Supported version.
        expected: u32,
    },
    /// The file is truncated or has trailing bytes.
    #[error("length: found {found} bytes, expected {expected}")]
    Length {
        /// Length of the file in bytes.
        found: u64,
        /// Length stated in the file or at least needed, in bytes.
        expected: u64,
    },
    /// The checksum does not match.
    #[error("checksum: found {found}, expected {expected}: the file is damaged")]
    Checksum {
        /// First digits of the computed checksum.
        found: String,
        /// First digits of the stored checksum.
        expected: String,
    },
    /// The network is for another game.
    #[error("game: found `{found}`, expected `{expected}`")]
    Game {
        /// Game of the file.
        found: String,
        /// Game that a network is needed for.
        expected: String,
    },
    /// The network is for a game of the same name with other features.
    #[error("features: found `{found}`, expected `{expected}`")]
    Features {
        /// Features of the file.
        found: String,
        /// Features of the game that a network is needed for.
        expected: String,
    },
    /// The hidden size is not supported.
    #[error("hidden size: found {found}, expected a multiple of {HIDDEN_MULTIPLE} up to {MAX_HIDDEN}")]
    HiddenSize {
        /// Hidden size of the file.
        found: u32,
    },
    /// A text is not valid UTF-8.
    #[error("{field}: found invalid UTF-8")]
    Utf8 {
        /// Name of the text.
        field: &'static str,
    },
}

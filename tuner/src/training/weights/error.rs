//! Why an evaluation cannot be tuned.

use std::path::PathBuf;

use thiserror::Error;

use crate::values::data::DataError;

/// Why an evaluation cannot be tuned.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The files of games cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// There are no positions to learn from.
    #[error(
        "{}: found no quiet positions with a searched score, expected games of `assay-selfplay generate`", paths(.files)
    )]
    Empty {
        /// The files.
        files: Vec<PathBuf>,
    },
    /// Too few openings to hold some back.
    #[error("{}: found {found} opening pairs, expected at least {expected}, so that some can be held back", paths(.files))]
    Few {
        /// The files.
        files: Vec<PathBuf>,
        /// How many there are.
        found: usize,
        /// How many it takes.
        expected: usize,
    },
}

fn paths(files: &[PathBuf]) -> String {
    let texts: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    texts.join(", ")
}

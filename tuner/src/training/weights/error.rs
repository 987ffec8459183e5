//! Errors of training.

use std::path::PathBuf;

use thiserror::Error;

use crate::values::data::DataError;

/// Why training fails.
#[derive(Debug, Error)]
pub enum TrainingError {
    /// The files of games cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The files hold no training positions.
    #[error(
        "{}: found no quiet positions with a searched score, expected games of `assay-selfplay generate`", paths(.files)
    )]
    Empty {
        /// Files of games.
        files: Vec<PathBuf>,
    },
    /// Too few opening pairs to hold some out.
    #[error("{}: found {found} opening pairs, expected at least {expected}, so that some can be held out", paths(.files))]
    Few {
        /// Files of games.
        files: Vec<PathBuf>,
        /// Opening pairs found.
        found: usize,
        /// Opening pairs needed.
        expected: usize,
    },
}

fn paths(files: &[PathBuf]) -> String {
    let texts: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    texts.join(", ")
}

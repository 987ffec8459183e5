//! Reads the results that commands print with `--json`.

use std::path::{Path, PathBuf};

use assay_engine::file;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

use super::ranges;

/// Error from reading a result.
#[derive(Debug, Error)]
pub enum ReadResultError {
    /// The file cannot be read.
    #[error("{}: {error}", .path.display())]
    Read { path: PathBuf, error: std::io::Error },
    /// The file has other contents.
    #[error("{}: {error}; expected the output of `assay-tuner {command} --json`", .path.display())]
    Format {
        path: PathBuf,
        /// Position and cause.
        error: serde_json::Error,
        /// The command that writes such files.
        command: &'static str,
    },
    /// Numbers are out of range, or lists that belong together have different lengths.
    #[error("{}: {fault}", .path.display())]
    Contents {
        path: PathBuf,
        /// Place, what was found, and what was expected.
        fault: String,
    },
}

impl ReadResultError {
    pub(in crate::values) fn contents(path: &Path, fault: String) -> ReadResultError {
        ReadResultError::Contents {
            path: path.to_owned(),
            fault,
        }
    }
}

/// A result that a command prints with `--json`.
pub(in crate::values) trait Stored: DeserializeOwned {
    /// The command.
    const COMMAND: &'static str;

    /// Checks what neither the types nor the ranges of single numbers express: lists that belong together, and counts of a whole and its
    /// parts.
    ///
    /// # Errors
    /// The place of the first fault, what was found there, and what was expected.
    fn check(&self) -> Result<(), String>;
}

/// The text of a result.
pub(in crate::values) fn read_text(path: &Path) -> Result<String, ReadResultError> {
    file::read_text(path, file::MAX_FILE).map_err(|error| ReadResultError::Read {
        path: path.to_owned(),
        error,
    })
}

/// A value from its JSON, without checks. `command` is the one that prints such JSON.
pub(in crate::values) fn deserialize<T: DeserializeOwned>(
    text: &str,
    path: &Path,
    command: &'static str,
) -> Result<T, ReadResultError> {
    serde_json::from_str(text).map_err(|error| ReadResultError::Format {
        path: path.to_owned(),
        error,
        command,
    })
}

/// A result from its JSON, with all checks. `path` is the name of the text in errors.
pub(in crate::values) fn parse<T: Stored>(text: &str, path: &Path) -> Result<T, ReadResultError> {
    let result: T = deserialize(text, path, T::COMMAND)?;
    let values: Value = deserialize(text, path, T::COMMAND)?;
    let checked = ranges::check(&values).and_then(|()| result.check());
    checked.map_err(|fault| ReadResultError::contents(path, fault))?;
    Ok(result)
}

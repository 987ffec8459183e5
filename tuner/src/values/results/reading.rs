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

/// Reads what `command` prints with `--json`.
pub(in crate::values) fn read_json<T: DeserializeOwned>(
    path: &Path,
    command: &'static str,
) -> Result<T, ReadResultError> {
    let text = file::read_text(path, file::MAX_FILE).map_err(|error| ReadResultError::Read {
        path: path.to_owned(),
        error,
    })?;
    let format = |error| ReadResultError::Format {
        path: path.to_owned(),
        error,
        command,
    };
    let result = serde_json::from_str(&text).map_err(format)?;
    let values: Value = serde_json::from_str(&text).map_err(format)?;
    ranges::check(&values).map_err(|fault| ReadResultError::contents(path, fault))?;
    Ok(result)
}

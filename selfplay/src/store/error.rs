use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use thiserror::Error;

/// Why a run file cannot be used. The file is left unchanged.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error("{}: no such file; `assay-selfplay generate` creates one", .path.display())]
    Missing { path: PathBuf },
    #[error("{}: {source}", .path.display())]
    Io { path: PathBuf, source: std::io::Error },
    /// A file that was not to be resumed.
    #[error("{}: the file exists", .path.display())]
    Exists { path: PathBuf },
    #[error("{}: another process is writing this file", .path.display())]
    InUse { path: PathBuf },
    /// Not a run file of this version, damaged, not the run that was expected, or not readable for
    /// another reason.
    #[error("{}: {why}", .path.display())]
    Unusable { path: PathBuf, why: String },
}

impl StoreError {
    pub(crate) fn unusable(path: &Path, why: impl fmt::Display) -> StoreError {
        StoreError::Unusable { path: path.to_owned(), why: why.to_string() }
    }

    /// Parts of the file are missing or changed.
    pub(super) fn damaged(path: &Path, why: impl fmt::Display) -> StoreError {
        StoreError::unusable(path, format_args!("the file is damaged: {why}"))
    }

    pub(super) fn not_a_database(path: &Path) -> StoreError {
        let why = "found a file that is not a database (or is damaged at its start), expected a run file";
        StoreError::unusable(path, why)
    }

    /// Classifies an error of SQLite, whose own texts name neither a cause nor a remedy.
    pub(crate) fn of(path: &Path, error: rusqlite::Error) -> StoreError {
        let rusqlite::Error::SqliteFailure(failure, _) = &error else {
            // A column holds a value of another type than its table has.
            return StoreError::damaged(path, error);
        };
        let why = match failure.code {
            ErrorCode::NotADatabase => return StoreError::not_a_database(path),
            ErrorCode::DatabaseCorrupt => {
                return StoreError::damaged(path, "its pages do not form the tables of a database");
            }
            ErrorCode::TooBig => {
                let limit = super::MAX_VALUE >> 20;
                return StoreError::damaged(path, format_args!("found a text or a blob of more than {limit} MiB"));
            }
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
                return StoreError::InUse { path: path.to_owned() };
            }
            ErrorCode::DiskFull => "the disk is full, expected space for the games",
            ErrorCode::ReadOnly => "the file is write-protected, expected permission to write it",
            ErrorCode::CannotOpen => {
                "cannot open the file or create another one beside it, expected permission to read the file and to write \
                 its folder"
            }
            ErrorCode::SystemIoFailure => &format!(
                "reading or writing failed, because of the disk, the network, a quota or a limit of the size of files (SQLite's \
                 error {})",
                failure.extended_code
            ),
            ErrorCode::OutOfMemory => "there is no memory to read or write the file",
            ErrorCode::ConstraintViolation => "a game with the number of a new one is in the file",
            _ => &format!("SQLite: {error}"),
        };
        StoreError::unusable(path, why)
    }
}

/// Calls SQLite for the file at `path`.
pub(super) fn sql<T>(path: &Path, call: impl FnOnce() -> rusqlite::Result<T>) -> Result<T, StoreError> {
    call().map_err(|error| StoreError::of(path, error))
}

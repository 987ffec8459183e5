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
    /// Not an SQLite database.
    #[error("{}: found a file that is not a database (or is damaged at its start), expected a run file", .path.display())]
    NotADatabase { path: PathBuf },
    /// Another program's database.
    #[error("{}: found a database of another program (application id {found:#x}), expected a run file ({expected:#x})", .path.display())]
    Foreign { path: PathBuf, found: i64, expected: i64 },
    /// A run file of another version of Assay.
    #[error("{}: found file format {found}, expected {expected}: another version of Assay wrote it", .path.display())]
    Version { path: PathBuf, found: i64, expected: i64 },
    /// The tables are not those of a run file.
    #[error("{}: not a run file of Assay: {why}", .path.display())]
    Schema { path: PathBuf, why: String },
    /// Parts of the file are missing or changed.
    #[error("{}: the file is damaged: {why}", .path.display())]
    Damaged { path: PathBuf, why: String },
    #[error("{}: another process is writing this file", .path.display())]
    InUse { path: PathBuf },
    /// The file exists, but resuming was not requested.
    #[error("{}: the file exists; -resume continues the match in it, or choose another file", .path.display())]
    Exists { path: PathBuf },
    /// The file holds a run with other settings.
    #[error("{}: found a run with {setting} {found}, expected {expected}; resume it with its own settings, or choose another file", .path.display())]
    Mismatch {
        path: PathBuf,
        setting: String,
        /// The value in the file.
        found: String,
        /// The requested value.
        expected: String,
    },
    /// A stored setting is invalid.
    #[error("{}: setting {setting}: {why}", .path.display())]
    Setting {
        path: PathBuf,
        setting: String,
        why: String,
    },
    /// The record of a game is invalid.
    #[error("{}: game {game}: {why}", .path.display())]
    Record {
        path: PathBuf,
        /// The index of the game.
        game: i64,
        why: String,
    },
    /// Any other error of SQLite.
    #[error("{}: {why}", .path.display())]
    Sqlite { path: PathBuf, why: String },
}

impl StoreError {
    /// Classifies an error of SQLite, whose own texts name neither a cause nor a remedy.
    #[expect(clippy::needless_pass_by_value, reason = "callers convert an error that they own")]
    pub(crate) fn of(path: &Path, error: rusqlite::Error) -> StoreError {
        let path = path.to_owned();
        let damaged = |path, why: &str| StoreError::Damaged {
            path,
            why: why.to_owned(),
        };
        let rusqlite::Error::SqliteFailure(failure, _) = &error else {
            // A column holds a value of another type than its table has.
            return damaged(path, &error.to_string());
        };
        let why = match failure.code {
            ErrorCode::NotADatabase => return StoreError::NotADatabase { path },
            ErrorCode::DatabaseCorrupt => {
                return damaged(path, "its pages do not form the tables of a database");
            }
            ErrorCode::TooBig => {
                let why = format!("found a text or a blob of more than {} MiB", super::MAX_VALUE >> 20);
                return damaged(path, &why);
            }
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => return StoreError::InUse { path },
            ErrorCode::DiskFull => "the disk is full, expected space for the games".to_owned(),
            ErrorCode::ReadOnly => "the file is write-protected, expected permission to write it".to_owned(),
            ErrorCode::CannotOpen => {
                "cannot open the file or create another one beside it, expected permission to read the file and to write \
                 its folder"
                    .to_owned()
            }
            ErrorCode::SystemIoFailure => format!(
                "reading or writing failed, because of the disk, the network, a quota or a limit of the size of files (SQLite's \
                 error {})",
                failure.extended_code
            ),
            ErrorCode::OutOfMemory => "there is no memory to read or write the file".to_owned(),
            ErrorCode::ConstraintViolation => "a game with the number of a new one is in the file".to_owned(),
            _ => format!("SQLite: {error}"),
        };
        StoreError::Sqlite { path, why }
    }
}

//! What can be wrong with a file of games.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use thiserror::Error;

/// Why a file of games cannot be used. Nothing of the file is changed by any of these.
#[derive(Debug, Error)]
pub enum StoreError {
    /// It is not there.
    #[error("{}: no such file; `assay-selfplay generate` makes one", .path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The file system refuses.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Something else than a database.
    #[error("{}: found another sort of file (or one whose beginning is damaged), expected a file of games", .path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// A database of another program.
    #[error("{}: found a database of another program (application id {found:#x}), expected a file of games ({expected:#x})", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Its application id.
        found: i64,
        /// Ours.
        expected: i64,
    },
    /// A file of a later version of Assay.
    #[error("{}: found file format {found}, expected at most {expected}: a newer Assay made it", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The newest format that is known.
        expected: i64,
    },
    /// Parts of it are missing or changed.
    #[error("{}: the file is damaged: {why}", .path.display())]
    Torn {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        why: String,
    },
    /// Another process is writing it.
    #[error("{}: another process is writing this file", .path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// It holds games already, and nobody said that it is to be continued.
    #[error("{}: the file exists already; -resume continues the match in it, or choose another file", .path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// It holds a run with other settings.
    #[error("{}: found a run with {setting} {found}, expected {expected}; continue it with its own settings, or begin another file", .path.display())]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// The setting's name.
        setting: &'static str,
        /// Its value in the file.
        found: String,
        /// Its value now.
        expected: String,
    },
    /// The settings that it holds make no sense.
    #[error("{}: setting {setting}: {why}", .path.display())]
    Setting {
        /// The file.
        path: PathBuf,
        /// The setting's name.
        setting: &'static str,
        /// What was found, and what was expected.
        why: String,
    },
    /// A game's record makes no sense.
    #[error("{}: game {game}: {why}", .path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The game's number.
        game: i64,
        /// What was found, and what was expected.
        why: String,
    },
    /// Anything else that SQLite reports.
    #[error("{}: {source}", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What it reports.
        source: rusqlite::Error,
    },
}

impl StoreError {
    /// What an error of SQLite means for a file of games.
    pub(crate) fn of(path: &Path, source: rusqlite::Error) -> StoreError {
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreError::NotADatabase { path },
            Some(ErrorCode::DatabaseCorrupt) => StoreError::Torn {
                path,
                why: source.to_string(),
            },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::InUse { path },
            _ => StoreError::Sqlite { path, source },
        }
    }
}

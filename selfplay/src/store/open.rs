//! Opening files of games: what is refused, and in which order it is looked at, so that nothing of a file is touched before
//! it is known to be one of ours.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::error::StoreError;
use super::run::{self, Rows};
use super::{Store, schema};
use crate::settings::GenerateSettings;

/// How every SQLite database begins.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// How long to wait for a reader that is about to finish.
const PATIENCE: Duration = Duration::from_secs(5);

impl Store {
    /// Opens a file of games for reading; a run that is being written can be read as well.
    ///
    /// # Errors
    /// When there is no such file, or it is damaged, or no file of games that this version knows.
    pub fn open_read(path: &Path) -> Result<Store, StoreError> {
        let (connection, rows) = open_for_reading(path)?;
        let run = run::read(path, &rows)?;
        Store {
            connection,
            path: path.to_owned(),
            run,
            lock: None,
        }
        .checked()
    }

    /// Begins a run in a new file, or continues one in a file with the same settings. `player` says who plays.
    ///
    /// # Errors
    /// When the file holds anything else, is damaged, or is being written by another process; it is left as it is.
    pub fn open_run(path: &Path, settings: &GenerateSettings, player: &str) -> Result<Store, StoreError> {
        let (file, mut connection) = open_locked(path)?;
        let rows = prepare_run(path, &mut connection, settings, player)?;
        let run = run::read(path, &rows)?;
        let store = Store {
            connection,
            path: path.to_owned(),
            run,
            lock: Some(file),
        }
        .checked()?;
        begin_log(path, &store.connection)?;
        Ok(store)
    }

    /// Closes a file that was written, so that it is one plain file again. Dropping a store does the same but for the log,
    /// which the next process to open it brings in.
    ///
    /// # Errors
    /// When the last changes cannot be written to their place; they are not lost.
    pub fn close(self) -> Result<(), StoreError> {
        if self.lock.is_some() {
            end_log(&self.path, &self.connection)?;
        }
        Ok(())
    }

    fn checked(self) -> Result<Store, StoreError> {
        check_whole(&self.path, &self.connection)?;
        Ok(self)
    }
}

/// Opens a file for writing, which is made when there is none, and keeps others from writing it as long as the handle lives.
/// The handle must outlive the connection: closing any handle of the file releases SQLite's own locks too.
pub(crate) fn open_locked(path: &Path) -> Result<(File, Connection), StoreError> {
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|source| io_error(path, source))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(StoreError::InUse { path: path.to_owned() }),
        Err(TryLockError::Error(source)) => return Err(io_error(path, source)),
    }
    let is_empty = file.metadata().map_err(|source| io_error(path, source))?.len() == 0;
    if !is_empty {
        check_magic(path, &mut file)?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|error| StoreError::of(path, error))?;
    connection
        .busy_timeout(PATIENCE)
        .map_err(|error| StoreError::of(path, error))?;
    Ok((file, connection))
}

/// Opens a file of ours for reading, with the rows of its settings.
pub(crate) fn open_for_reading(path: &Path) -> Result<(Connection, Rows), StoreError> {
    // Not by opening it: closing a handle releases the locks that a writer in this very process has on the file.
    std::fs::metadata(path).map_err(|source| io_error(path, source))?;
    // A log that a killed run left is brought in, which needs leave to write; without it reading may still work.
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_READ_WRITE)
        .or_else(|_| Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_READ_ONLY))
        .map_err(|error| StoreError::of(path, error))?;
    let prepare = || -> rusqlite::Result<()> {
        connection.busy_timeout(PATIENCE)?;
        connection.pragma_update(None, "query_only", true)
    };
    prepare().map_err(|error| StoreError::of(path, error))?;
    if page_count(path, &connection)? == 0 {
        return Err(StoreError::NotADatabase { path: path.to_owned() });
    }
    check_identity(path, &connection)?;
    let rows = read_rows(&connection).map_err(|error| StoreError::of(path, error))?;
    Ok((connection, rows))
}

/// Makes every commit one write and one sync, and durable before it is reported.
pub(crate) fn begin_log(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    let log = || -> rusqlite::Result<()> {
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "full")
    };
    log().map_err(|error| StoreError::of(path, error))
}

/// Makes the file one plain file again.
pub(crate) fn end_log(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    let back = connection.pragma_update(None, "journal_mode", "delete");
    match back.map_err(|error| StoreError::of(path, error)) {
        // Somebody is reading: the log stays until that ends.
        Ok(()) | Err(StoreError::InUse { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Is nothing of the file missing, as far as a quick look can tell?
pub(crate) fn check_whole(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    check_length(path, connection)?;
    let faults = integrity(path, connection, "quick_check(1)")?;
    match faults.into_iter().next() {
        None => Ok(()),
        Some(why) => Err(StoreError::Torn {
            path: path.to_owned(),
            why,
        }),
    }
}

/// What SQLite's own check finds wrong.
pub(crate) fn integrity(path: &Path, connection: &Connection, pragma: &str) -> Result<Vec<String>, StoreError> {
    let read = || -> rusqlite::Result<Vec<String>> {
        let mut statement = connection.prepare(&format!("PRAGMA {pragma}"))?;
        let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
        lines.filter(|line| !matches!(line, Ok(text) if text == "ok")).collect()
    };
    read().map_err(|error| StoreError::of(path, error))
}

/// SQLite takes a last page that is cut short for one that ends in zeros.
fn check_length(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    let mut log = path.to_owned().into_os_string();
    log.push("-wal");
    if Path::new(&log).exists() {
        // What the pages hold is in the log, or will be again.
        return Ok(());
    }
    let length = std::fs::metadata(path).map_err(|source| io_error(path, source))?.len();
    let page_size = connection.pragma_query_value(None, "page_size", |row| row.get::<_, i64>(0));
    let page_size = page_size.map_err(|error| StoreError::of(path, error))? as u64;
    if length.is_multiple_of(page_size) {
        return Ok(());
    }
    let why = format!("found {length} bytes, expected a multiple of {page_size}");
    Err(StoreError::Torn {
        path: path.to_owned(),
        why,
    })
}

fn io_error(path: &Path, source: std::io::Error) -> StoreError {
    let is_in_folder = path
        .parent()
        .is_none_or(|parent| parent.as_os_str().is_empty() || parent.exists());
    if source.kind() == std::io::ErrorKind::NotFound && is_in_folder {
        return StoreError::Missing { path: path.to_owned() };
    }
    StoreError::Io {
        path: path.to_owned(),
        source,
    }
}

/// A file that is to be written is looked at before SQLite is let near it.
fn check_magic(path: &Path, file: &mut File) -> Result<(), StoreError> {
    let mut beginning = [0; MAGIC.len()];
    match file.read_exact(&mut beginning) {
        Ok(()) if beginning == *MAGIC => Ok(()),
        Ok(()) => Err(StoreError::NotADatabase { path: path.to_owned() }),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            Err(StoreError::NotADatabase { path: path.to_owned() })
        }
        Err(source) => Err(io_error(path, source)),
    }
}

pub(crate) fn check_identity(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let application = pragma("application_id").map_err(|error| StoreError::of(path, error))?;
    if application != schema::APPLICATION_ID {
        let expected = schema::APPLICATION_ID;
        return Err(StoreError::Foreign {
            path: path.to_owned(),
            found: application,
            expected,
        });
    }
    let version = pragma("user_version").map_err(|error| StoreError::of(path, error))?;
    if version > schema::VERSION {
        return Err(StoreError::Newer {
            path: path.to_owned(),
            found: version,
            expected: schema::VERSION,
        });
    }
    Ok(())
}

/// Makes the tables in an empty file; in another one looks whether it holds this run. Gives the settings' rows.
fn prepare_run(
    path: &Path,
    connection: &mut Connection,
    settings: &GenerateSettings,
    player: &str,
) -> Result<Rows, StoreError> {
    let error = |error| StoreError::of(path, error);
    // Asked of SQLite, not of the file system: a process killed while it made the tables may have left a journal that
    // makes the file empty again.
    if page_count(path, connection)? == 0 {
        schema::create(connection, &run::rows(&settings.run, settings.games, player)).map_err(error)?;
        return read_rows(connection).map_err(error);
    }
    check_identity(path, connection)?;
    let rows = read_rows(connection).map_err(error)?;
    run::compare(path, &rows, &settings.run, player)?;
    // An extended run says so before its first new game.
    let extend = "UPDATE run SET value = ?1 WHERE key = 'games' AND CAST(value AS INTEGER) < ?1";
    connection.execute(extend, [settings.games as i64]).map_err(error)?;
    read_rows(connection).map_err(error)
}

pub(crate) fn page_count(path: &Path, connection: &Connection) -> Result<i64, StoreError> {
    let pages = connection.pragma_query_value(None, "page_count", |row| row.get(0));
    pages.map_err(|error| StoreError::of(path, error))
}

pub(crate) fn read_rows(connection: &Connection) -> rusqlite::Result<Rows> {
    let mut statement = connection.prepare("SELECT key, value FROM run")?;
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

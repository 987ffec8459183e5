//! Opening run files. The checks are ordered so that nothing is written before the file is known to
//! be ours.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use assay_engine::file::check_regular;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use serde_json::json;

use super::error::{StoreError, sql};
use super::run::{NewRun, StoredRows};
use super::{MAX_VALUE, Store, schema};
use crate::run::Look;

/// The first bytes of every SQLite database.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// How long to wait for a lock that a reader or writer holds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// How long to wait for the lock of another run. The lock of a killed run may outlive it briefly: a
/// child process that was being started holds a copy of the file handle until it executes the
/// engine.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);
const LOCK_POLL_INTERVAL: Duration = Duration::from_millis(20);

impl Store {
    /// Opens a run file for reading, even while the run is being played.
    ///
    /// # Errors
    /// If there is no such file, or it is damaged, or is not a run file of this version.
    pub fn open_read(path: &Path) -> Result<Store, StoreError> {
        let store = Store::open_checked(path)?;
        check_not_truncated(path, &store.connection)?;
        Ok(store)
    }

    /// Opens several run files for reading.
    ///
    /// # Errors
    /// As [`Store::open_read`], for the first file that cannot be opened.
    pub fn open_all(paths: &[PathBuf]) -> Result<Vec<Store>, StoreError> {
        paths.iter().map(|path| Store::open_read(path)).collect()
    }

    /// Like [`Store::open_read`], without the integrity check, which reads the whole file, for a
    /// file that has just been checked.
    ///
    /// # Errors
    /// As [`Store::open_read`], apart from damage in the middle of the file.
    pub fn open_checked(path: &Path) -> Result<Store, StoreError> {
        Store::of_connection(path, None, open_for_reading(path)?)
    }

    /// Like [`Store::open_read`]: settings and games are those of one moment, also while the run is
    /// being played. A run that is to be continued in the file waits a few seconds for the store to be
    /// dropped.
    ///
    /// # Errors
    /// As [`Store::open_read`].
    pub fn open_snapshot(path: &Path) -> Result<Store, StoreError> {
        let connection = open_for_reading(path)?;
        sql(path, || connection.execute_batch("BEGIN"))?;
        let store = Store::of_connection(path, None, connection)?;
        check_not_truncated(path, &store.connection)?;
        Ok(store)
    }

    /// The lock stands before the connection, so that it is dropped after it.
    fn of_connection(path: &Path, lock: Option<File>, connection: Connection) -> Result<Store, StoreError> {
        let rows = StoredRows::read(path, &connection)?;
        Ok(Store { header: rows.parse(path)?, rows, connection, path: path.to_owned(), lock })
    }

    /// Starts a run in a new file, or resumes the same run in an existing file if `resume`. The
    /// file then keeps the definition with which it was resumed last: titles, sources and published
    /// values may have changed since, unlike the rules.
    ///
    /// # Errors
    /// If the file exists and `resume` is false, holds anything else, is damaged, a game has changed since it was written, or another
    /// process is writing the file.
    /// The file is left unchanged.
    pub fn open_run(path: &Path, run: &NewRun<'_>, resume: bool) -> Result<Store, StoreError> {
        let requested = run.rows();
        Store::create_or_open(path, &requested, |store| {
            if !resume {
                return Err(StoreError::Exists { path: path.to_owned() });
            }
            if store.header.settings.import().is_some() {
                let why = "found imported games, which cannot be continued; choose another file";
                return Err(StoreError::unusable(path, why));
            }
            let advice = "; resume it with its own settings, or choose another file";
            store.rows.check_equal(&requested, Some("shard"), path, advice)?;
            check_not_truncated(path, &store.connection)?;
            store.games().try_for_each(|game| game.map(drop))?;
            store.replace_definition(&requested)?;
            store.extend(run.options.games)
        })
    }

    /// Opens a file for writing. A new file gets these rows; `check` decides whether an existing
    /// one is used.
    pub(super) fn create_or_open(
        path: &Path,
        rows: &StoredRows,
        check: impl FnOnce(&mut Store) -> Result<(), StoreError>,
    ) -> Result<Store, StoreError> {
        let existed = path.exists();
        let (file, connection) = open_locked(path)?;
        // Ask SQLite, not the file system, for the size: a process that was killed while it created
        // the schema may have left a journal that empties the file again.
        let is_new = number(path, &connection, "page_count")? == 0;
        let store = Store::set_up(path, file, connection, rows, is_new, check);
        if store.is_err() && is_new && !existed {
            remove_siblings(path);
            // An empty file that stays does no harm.
            let _ = std::fs::remove_file(path);
        }
        store
    }

    fn set_up(
        path: &Path,
        file: File,
        mut connection: Connection,
        rows: &StoredRows,
        is_new: bool,
        check: impl FnOnce(&mut Store) -> Result<(), StoreError>,
    ) -> Result<Store, StoreError> {
        if is_new {
            sql(path, || schema::create(&mut connection, rows))?;
        } else {
            check_identity(path, &connection)?;
        }
        let mut store = Store::of_connection(path, Some(file), connection)?;
        if !is_new {
            check(&mut store)?;
        }
        enable_wal(path, &store.connection)?;
        Ok(store)
    }

    /// Starts a run in memory.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn open_memory(run: &NewRun<'_>) -> Result<Store, StoreError> {
        let path = Path::new(":memory:");
        let mut connection = sql(path, Connection::open_in_memory)?;
        sql(path, || schema::create(&mut connection, &run.rows()))?;
        Store::of_connection(path, None, connection)
    }

    /// Stores the definition of `requested` if its text is another one, with the same rules.
    fn replace_definition(&mut self, requested: &StoredRows) -> Result<(), StoreError> {
        const KEY: &str = "definition";
        let definition = &requested.run[KEY];
        if self.rows.run.get(KEY) == Some(definition) {
            return Ok(());
        }
        let update = format!("UPDATE run SET value = ?1 WHERE key = '{KEY}'");
        self.sql(|database| database.execute(&update, [definition.to_string()]))?;
        self.rows.run.insert(KEY.to_owned(), definition.clone());
        self.header = self.rows.parse(&self.path)?;
        Ok(())
    }

    /// Stores the total number of games of the run if it is larger than before.
    pub(super) fn extend(&mut self, games: u64) -> Result<(), StoreError> {
        self.header.games = self.header.games.max(games);
        let update = "UPDATE run SET value = ?1 WHERE key = 'games'";
        self.sql(|database| database.execute(update, [self.header.games as i64]))?;
        Ok(())
    }

    /// Stores a look at the games of the file, unless there are no more of them than at the last
    /// look. A file that may not be written is left unchanged.
    ///
    /// # Errors
    /// If the file cannot be read or written for another reason.
    pub fn add_look(&mut self, number: u64, is_interim: bool) -> Result<(), StoreError> {
        let games = self.count()?;
        if games <= self.header.looks.last().map_or(0, |last| last.games) {
            return Ok(());
        }
        self.header.looks.push(Look { number, games, is_interim });
        let write = |database: &Connection| {
            database.pragma_update(None, "query_only", false)?;
            let insert = "INSERT OR REPLACE INTO run (key, value) VALUES ('looks', ?1)";
            database.execute(insert, [json!(self.header.looks).to_string()])?;
            database.pragma_update(None, "query_only", true)
        };
        match write(&self.connection) {
            // A folder that may not be written has no place for a journal.
            Err(error) if matches!(error.sqlite_error_code(), Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen)) => {
                Ok(())
            }
            written => written.map_err(|error| StoreError::of(&self.path, error)),
        }
    }

    /// Closes the store and merges the write-ahead log into the file. If the store is dropped
    /// instead, the next process that opens the file merges the log.
    ///
    /// # Errors
    /// If the log cannot be merged. No game is lost.
    pub fn close(self) -> Result<(), StoreError> {
        if self.lock.is_some() {
            disable_wal(&self.path, &self.connection)?;
        }
        Ok(())
    }
}

/// Opens or creates a file for writing, and locks it as long as the handle lives. The handle must
/// outlive the connection: closing any handle of the file releases SQLite's own locks, too.
fn open_locked(path: &Path) -> Result<(File, Connection), StoreError> {
    match check_regular(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(io_error(path, error)),
        _ => {}
    }
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|source| io_error(path, source))?;
    let deadline = Instant::now() + LOCK_TIMEOUT;
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => std::thread::sleep(LOCK_POLL_INTERVAL),
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => return Err(io_error(path, source)),
        }
    }
    let is_empty = file.metadata().map_err(|source| io_error(path, source))?.len() == 0;
    // If the power failed while the schema was created, there may be pages without the first one,
    // and a journal by which SQLite removes them.
    if !is_empty && !beside(path, "-journal").exists() {
        check_magic(path, &mut file)?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = sql(path, || {
        let connection = Connection::open_with_flags(plain(path), flags)?;
        restrict(&connection)?;
        Ok(connection)
    })?;
    Ok((file, connection))
}

/// A path that SQLite takes as it is: names like `:memory:` and `file:x.db?mode=memory` mean
/// something else to it.
fn plain(path: &Path) -> PathBuf {
    Path::new(".").join(path)
}

/// Limits the time that a lock is waited for and the size of values.
fn restrict(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE)?;
    Ok(())
}

fn open_for_reading(path: &Path) -> Result<Connection, StoreError> {
    // Do not open the file to check: closing a handle releases the locks that a writer in this
    // process has on it.
    check_regular(path).map_err(|source| io_error(path, source))?;
    // Merging the log of a killed run needs write permission; without it reading may still work.
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = sql(path, || {
        let connection = Connection::open_with_flags(plain(path), flags | OpenFlags::SQLITE_OPEN_READ_WRITE)
            .or_else(|_| Connection::open_with_flags(plain(path), flags | OpenFlags::SQLITE_OPEN_READ_ONLY))?;
        restrict(&connection)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    })?;
    if number(path, &connection, "page_count")? == 0 {
        return Err(StoreError::not_a_database(path));
    }
    check_identity(path, &connection)?;
    Ok(connection)
}

/// Enables the write-ahead log with full synchronization, so that every commit is one write and one
/// sync, and durable.
fn enable_wal(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    sql(path, || {
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "full")
    })
}

fn disable_wal(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    match sql(path, || connection.pragma_update(None, "journal_mode", "delete")) {
        // A reader has the file open: the log stays until it closes it.
        Ok(()) | Err(StoreError::InUse { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Checks quickly that the file is not truncated.
fn check_not_truncated(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    check_length(path, connection)?;
    let faults = integrity(path, connection, "quick_check(1)")?;
    faults.first().map_or(Ok(()), |why| Err(StoreError::damaged(path, why)))
}

/// The problems that SQLite's integrity check finds.
pub(super) fn integrity(path: &Path, connection: &Connection, pragma: &str) -> Result<Vec<String>, StoreError> {
    sql(path, || {
        let mut statement = connection.prepare(&format!("PRAGMA {pragma}"))?;
        let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
        lines.filter(|line| !matches!(line, Ok(text) if text == "ok")).collect()
    })
}

/// SQLite reads a truncated last page as if it ended in zeros.
fn check_length(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    if beside(path, "-wal").exists() {
        // The log has the contents of the pages.
        return Ok(());
    }
    let length = std::fs::metadata(path).map_err(|source| io_error(path, source))?.len();
    let page_size = number(path, connection, "page_size")? as u64;
    if length.is_multiple_of(page_size) {
        return Ok(());
    }
    let why = format!("found {length} bytes, expected a multiple of {page_size}");
    Err(StoreError::damaged(path, why))
}

/// The ends of the names of the files that SQLite puts beside a database.
const SIBLINGS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Removes what SQLite has left beside a database that is removed, too.
pub(crate) fn remove_siblings(path: &Path) {
    for suffix in SIBLINGS {
        // Most are not there.
        let _ = std::fs::remove_file(beside(path, suffix));
    }
}

/// The path of a file that SQLite puts beside the database.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(suffix);
    PathBuf::from(name)
}

fn io_error(path: &Path, source: std::io::Error) -> StoreError {
    let mut folder = path.parent().into_iter();
    let is_in_folder = folder.all(|folder| folder.as_os_str().is_empty() || folder.exists());
    let path = path.to_owned();
    if source.kind() == ErrorKind::NotFound && is_in_folder {
        return StoreError::Missing { path };
    }
    StoreError::Io { path, source }
}

/// Checks a file before SQLite opens it for writing.
fn check_magic(path: &Path, file: &mut File) -> Result<(), StoreError> {
    let mut beginning = [0; MAGIC.len()];
    match file.read_exact(&mut beginning) {
        Ok(()) if beginning == *MAGIC => Ok(()),
        Err(error) if error.kind() != ErrorKind::UnexpectedEof => Err(io_error(path, error)),
        _ => Err(StoreError::not_a_database(path)),
    }
}

fn check_identity(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    let (found, expected) = (number(path, connection, "application_id")?, schema::APPLICATION_ID);
    if found != expected {
        let why = format_args!(
            "found a database of another program (application id {found:#x}), expected a run file ({expected:#x})"
        );
        return Err(StoreError::unusable(path, why));
    }
    let (found, expected) = (number(path, connection, "user_version")?, schema::VERSION);
    if found != expected {
        let why = format!("found file format {found}, expected {expected}: another version of Assay wrote it");
        return Err(StoreError::unusable(path, why));
    }
    let checked = sql(path, || schema::check(connection))?;
    checked.map_err(|why| StoreError::unusable(path, format_args!("not a run file of Assay: {why}")))
}

/// The value of a pragma.
fn number(path: &Path, connection: &Connection, pragma: &str) -> Result<i64, StoreError> {
    sql(path, || connection.pragma_query_value(None, pragma, |row| row.get(0)))
}

//! The games of a match in one SQLite file, of the same sort as those of generated runs but with other tables.
//!
//! A finished game is on the disk when [`MatchStore::add`] returns: write-ahead log with `synchronous=FULL`. Matches are long
//! and slow compared with a sync, so there is nothing to gain from less.

mod codec;

use std::fs::File;
use std::path::{Path, PathBuf};

use assay_rules::Points;
use rusqlite::{Connection, Row, params};

use crate::game::end::Ending;
use crate::game::match_record::MatchGame;
use crate::settings::GameSource;
use crate::store::StoreError;
use crate::store::open::{
    begin_log, check_identity, check_whole, end_log, integrity, open_for_reading, open_locked, page_count, read_rows,
};
use crate::store::run::{Rows, read_game};
use crate::store::schema::{APPLICATION_ID, VERSION};

/// `run` holds the settings, one row each, as in a generated run. `games` holds finished games only: `white` and `culprit`
/// are engines (0 or 1), `result` White's score in quarter points, `moves` a line for each move (`codec`), `times` their
/// milliseconds, `detail` what is known of a fault as JSON, `digest` a hash of all other columns.
const TABLES: &str = "
CREATE TABLE run (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE games (
    idx INTEGER PRIMARY KEY CHECK (idx >= 0),
    round INTEGER NOT NULL,
    white INTEGER NOT NULL CHECK (white IN (0, 1)),
    start TEXT NOT NULL,
    opening TEXT NOT NULL,
    result INTEGER NOT NULL CHECK (result BETWEEN 0 AND 4),
    ending TEXT NOT NULL,
    culprit INTEGER CHECK (culprit IN (0, 1)),
    detail TEXT,
    moves TEXT NOT NULL,
    times TEXT NOT NULL,
    ended TEXT NOT NULL,
    digest BLOB NOT NULL
) STRICT;
";

const COLUMNS: &str = "idx, round, white, start, opening, result, ending, culprit, detail, moves, times, ended, digest";

/// A match's games, in a file or in memory.
#[derive(Debug)]
pub struct MatchStore {
    connection: Connection,
    path: PathBuf,
    rows: Rows,
    /// Held for as long as the connection: dropped behind it.
    lock: Option<File>,
}

/// What is to be written into a new file.
#[derive(Clone, Debug)]
pub struct NewMatch<'m> {
    /// The settings that must be the same for a match to be continued, with the names that messages use.
    pub deciding: &'m [(&'static str, String)],
    /// Other things that the file is to tell.
    pub others: &'m [(&'static str, String)],
}

/// Is this a file of a match, not of a generated run?
///
/// # Errors
/// When it is no file of games at all.
pub fn is_match(path: &Path) -> Result<bool, StoreError> {
    let (_, rows) = open_for_reading(path)?;
    Ok(rows.get("sort").is_some_and(|sort| sort == "match"))
}

/// The words of the command that began the match in this file, its program apart.
///
/// # Errors
/// When the file cannot be read or is no match.
pub fn stored_words(path: &Path) -> Result<Vec<String>, StoreError> {
    let store = MatchStore::open_read(path)?;
    let words = store.row("words").and_then(|words| serde_json::from_str(words).ok());
    words.ok_or_else(|| StoreError::Setting {
        path: path.to_owned(),
        setting: "words",
        why: "found no command, expected the one that began the match".to_owned(),
    })
}

impl MatchStore {
    /// Begins a match in a new file, or, with `resume`, continues one with the same settings. Without a path it is kept in
    /// memory and lost at the end.
    ///
    /// # Errors
    /// When the file holds anything else, is damaged, is being written by another process, or exists and is not to be
    /// continued; it is left as it is.
    pub fn open(path: Option<&Path>, new: &NewMatch<'_>, resume: bool) -> Result<MatchStore, StoreError> {
        let Some(path) = path else {
            let path = PathBuf::from(":memory:");
            let mut connection = Connection::open_in_memory().map_err(|error| StoreError::of(&path, error))?;
            create(&mut connection, new).map_err(|error| StoreError::of(&path, error))?;
            return MatchStore::of(connection, path, None);
        };
        let (lock, mut connection) = open_locked(path)?;
        if page_count(path, &connection)? == 0 {
            create(&mut connection, new).map_err(|error| StoreError::of(path, error))?;
        } else {
            check_identity(path, &connection)?;
            let rows = read_rows(&connection).map_err(|error| StoreError::of(path, error))?;
            if !resume {
                return Err(StoreError::Exists { path: path.to_owned() });
            }
            compare(path, &rows, new.deciding)?;
            check_whole(path, &connection)?;
            let remember = || -> rusqlite::Result<()> {
                for (key, value) in new.others.iter().filter(|(key, _)| *key == "rounds" || *key == "words") {
                    connection.execute("UPDATE run SET value = ?2 WHERE key = ?1", (key, value))?;
                }
                Ok(())
            };
            remember().map_err(|error| StoreError::of(path, error))?;
        }
        begin_log(path, &connection)?;
        MatchStore::of(connection, path.to_owned(), Some(lock))
    }

    /// Opens a match for reading; one that is being played can be read as well.
    ///
    /// # Errors
    /// When there is none, or it is damaged.
    pub fn open_read(path: &Path) -> Result<MatchStore, StoreError> {
        let (connection, rows) = open_for_reading(path)?;
        match rows.get("sort").map(String::as_str) {
            Some("match") => {}
            found => {
                return Err(StoreError::Setting {
                    path: path.to_owned(),
                    setting: "sort",
                    why: format!("found `{}`, expected `match`", found.unwrap_or("(nothing)")),
                });
            }
        }
        check_whole(path, &connection)?;
        MatchStore::of(connection, path.to_owned(), None)
    }

    fn of(connection: Connection, path: PathBuf, lock: Option<File>) -> Result<MatchStore, StoreError> {
        let rows = read_rows(&connection).map_err(|error| StoreError::of(&path, error))?;
        Ok(MatchStore {
            connection,
            path,
            rows,
            lock,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A setting as it stands in the file.
    pub fn row(&self, key: &str) -> Option<&str> {
        self.rows.get(key).map(String::as_str)
    }

    /// The game that is played; `None` when Assay does not know it.
    ///
    /// # Errors
    /// When the file names a game that does not exist.
    pub fn game(&self) -> Result<Option<GameSource>, StoreError> {
        if self.row("definition-hash") == Some("trusted") {
            return Ok(None);
        }
        let name = self.row("game").unwrap_or_default();
        read_game(&self.path, name, self.row("definition").unwrap_or_default()).map(Some)
    }

    /// The time in UTC, as `2026-01-31T23:59:59Z`.
    ///
    /// # Errors
    /// When the file cannot be asked.
    pub fn now(&self) -> Result<String, StoreError> {
        let sql = "SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";
        let now = self.connection.query_row(sql, [], |row| row.get(0));
        now.map_err(|error| StoreError::of(&self.path, error))
    }

    /// Adds a game; when this returns it is on the disk.
    ///
    /// # Errors
    /// When it cannot be written, or a game of that number is there already.
    pub fn add(&mut self, game: &MatchGame) -> Result<(), StoreError> {
        let raw = Raw::encode(game);
        let sql =
            format!("INSERT INTO games ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)");
        let written = self.connection.execute(
            &sql,
            params![
                raw.index,
                raw.round,
                raw.white,
                raw.start,
                raw.opening,
                raw.result,
                raw.ending,
                raw.culprit,
                raw.detail,
                raw.moves,
                raw.times,
                raw.ended,
                raw.digest,
            ],
        );
        written.map(|_| ()).map_err(|error| StoreError::of(&self.path, error))
    }

    /// All games in the order of their numbers.
    ///
    /// # Errors
    /// When they cannot be read, or one of them makes no sense.
    pub fn games(&self) -> Result<Vec<MatchGame>, StoreError> {
        let raws = self.raws().map_err(|error| StoreError::of(&self.path, error))?;
        raws.into_iter().map(|raw| self.decode(raw)).collect()
    }

    /// Everything that is wrong with the file, in words; empty when nothing is.
    ///
    /// # Errors
    /// When the file cannot be read at all.
    pub fn faults(&self) -> Result<Vec<String>, StoreError> {
        let mut faults = integrity(&self.path, &self.connection, "integrity_check")?;
        for raw in self.raws().map_err(|error| StoreError::of(&self.path, error))? {
            if let Err(error) = self.decode(raw) {
                faults.push(error.to_string());
            }
        }
        Ok(faults)
    }

    fn raws(&self) -> rusqlite::Result<Vec<Raw>> {
        let sql = format!("SELECT {COLUMNS} FROM games ORDER BY idx");
        let mut statement = self.connection.prepare(&sql)?;
        statement.query_map([], Raw::read)?.collect()
    }

    fn decode(&self, raw: Raw) -> Result<MatchGame, StoreError> {
        let game = raw.index;
        raw.decode().map_err(|why| StoreError::Record {
            path: self.path.clone(),
            game,
            why,
        })
    }

    /// Closes a file that was written, so that it is one plain file again.
    ///
    /// # Errors
    /// When the last changes cannot be written to their place; they are not lost.
    pub fn close(&self) -> Result<(), StoreError> {
        if self.lock.is_some() {
            end_log(&self.path, &self.connection)?;
        }
        Ok(())
    }
}

fn create(connection: &mut Connection, new: &NewMatch<'_>) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.execute_batch(TABLES)?;
    for (key, value) in new.deciding.iter().chain(new.others) {
        transaction.execute("INSERT INTO run (key, value) VALUES (?1, ?2)", (key, value))?;
    }
    let now = "INSERT INTO run (key, value) VALUES ('created', strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))";
    transaction.execute(now, [])?;
    transaction.commit()
}

fn compare(path: &Path, rows: &Rows, deciding: &[(&'static str, String)]) -> Result<(), StoreError> {
    for (setting, expected) in deciding {
        let found = rows.get(*setting).map_or("(nothing)", String::as_str);
        if found != expected {
            return Err(StoreError::Mismatch {
                path: path.to_owned(),
                setting,
                found: found.to_owned(),
                expected: expected.clone(),
            });
        }
    }
    Ok(())
}

/// A row of the table of games, before anything in it is believed.
#[derive(Debug)]
struct Raw {
    index: i64,
    round: i64,
    white: i64,
    start: String,
    opening: String,
    result: i64,
    ending: String,
    culprit: Option<i64>,
    detail: Option<String>,
    moves: String,
    times: String,
    ended: String,
    digest: Vec<u8>,
}

impl Raw {
    fn read(row: &Row<'_>) -> rusqlite::Result<Raw> {
        Ok(Raw {
            index: row.get(0)?,
            round: row.get(1)?,
            white: row.get(2)?,
            start: row.get(3)?,
            opening: row.get(4)?,
            result: row.get(5)?,
            ending: row.get(6)?,
            culprit: row.get(7)?,
            detail: row.get(8)?,
            moves: row.get(9)?,
            times: row.get(10)?,
            ended: row.get(11)?,
            digest: row.get(12)?,
        })
    }

    fn encode(game: &MatchGame) -> Raw {
        let mut raw = Raw {
            index: game.index as i64,
            round: game.round as i64,
            white: game.white as i64,
            start: game.start.clone(),
            opening: game.opening.clone(),
            result: i64::from(game.result.quarters()),
            ending: game.ending.name().to_owned(),
            culprit: game.culprit.map(|engine| engine as i64),
            detail: game
                .detail
                .as_ref()
                .and_then(|detail| serde_json::to_string(detail).ok()),
            moves: codec::moves(&game.moves),
            times: codec::times(&game.moves),
            ended: game.ended.clone(),
            digest: Vec::new(),
        };
        raw.digest = raw.compute_digest();
        raw
    }

    fn compute_digest(&self) -> Vec<u8> {
        let mut hasher = blake3::Hasher::new();
        let culprit = self.culprit.unwrap_or(-1);
        for number in [self.index, self.round, self.white, self.result, culprit] {
            hasher.update(&number.to_le_bytes());
        }
        let detail = self.detail.as_deref().unwrap_or_default();
        for text in [
            &self.start,
            &self.opening,
            &self.ending,
            detail,
            &self.moves,
            &self.times,
            &self.ended,
        ] {
            hasher
                .update(&(text.len() as u64).to_le_bytes())
                .update(text.as_bytes());
        }
        hasher.finalize().as_bytes()[..8].to_vec()
    }

    fn decode(self) -> Result<MatchGame, String> {
        if self.digest != self.compute_digest() {
            return Err("the record is not what was written: its digest does not fit".to_owned());
        }
        let result = u8::try_from(self.result).ok().and_then(Points::from_quarters);
        let detail = self.detail.as_deref().map(serde_json::from_str).transpose();
        Ok(MatchGame {
            index: self.index as u64,
            round: self.round as u64,
            white: self.white as usize,
            result: result.ok_or_else(|| format!("found result {}, expected 0 to 4 quarter points", self.result))?,
            ending: Ending::from_name(&self.ending).ok_or_else(|| format!("found unknown ending `{}`", self.ending))?,
            culprit: self.culprit.map(|engine| engine as usize),
            detail: detail.map_err(|error| format!("detail: {error}"))?,
            moves: codec::read(&self.moves, &self.times)?,
            start: self.start,
            opening: self.opening,
            ended: self.ended,
        })
    }
}

#[cfg(test)]
mod tests;

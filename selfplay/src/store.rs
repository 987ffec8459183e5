//! The games of a run in one SQLite file. `docs/data.md` documents the format.
//!
//! A run file has a table of settings, a table of players and a table of finished games; positions
//! are derived from games when they are needed. Games are written in transactions that are durable
//! before they are reported, each under its number, so a killed run is resumed by playing the
//! numbers that are missing.
//!
//! A file that is being written has SQLite's write-ahead log beside it (`-wal`, `-shm`), and other
//! processes can read it; afterwards it is one plain file. Only one process writes: it holds a lock
//! on the file.

mod error;
mod merge;
mod open;
mod problems;
mod row;
mod run;
mod schema;
mod tags;

use std::collections::BTreeMap;
use std::fs::File;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params_from_iter};
use serde_json::Value;

pub use error::StoreError;
pub use merge::{MergeError, MergeProgress, MergeSummary, MergedShard, merge};
pub use open::beside;
pub(crate) use open::remove_siblings;
pub use run::NewRun;

use crate::game::{GameRecord, GameTags};
use crate::run::{ReadError, RecordedRun, RunHeader};
use crate::settings::GameSource;
use row::{COLUMNS, GameRow};
use run::StoredRows;

/// Games that are read at a time.
const PAGE: i64 = 64;

/// Games of a chunk.
const CHUNK: usize = 256;

/// The largest text or blob of a file, in bytes. No game and no definition comes near it, and a
/// forged one must not fill the memory.
const MAX_VALUE: i32 = 16 << 20;

/// Inserts a game, with parameters in the order of [`COLUMNS`].
const INSERT: &str = "INSERT INTO games (idx, pair, white, start, opening, material, result, end, fault, plies, moves, ended, \
                      digest) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";

/// An open run file, or a run in memory.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    header: RunHeader,
    /// Settings and players as the file had them when it was opened.
    rows: StoredRows,
    /// Held as long as the connection and dropped after it, since closing any handle of the file
    /// releases SQLite's own locks, too.
    lock: Option<File>,
}

impl Store {
    /// The path of the file, or `:memory:`.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is known of the run besides its games.
    pub fn header(&self) -> &RunHeader {
        &self.header
    }

    /// Settings and players as the file has them, for reports; see `docs/data.md`.
    pub fn json(&self) -> Value {
        self.rows.json()
    }

    /// The definition of the game.
    pub fn source(&self) -> &GameSource {
        &self.header.settings.source
    }

    /// Number of games.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn count(&self) -> Result<u64, StoreError> {
        let count = self.sql(|database| {
            let sql = "SELECT count(*) FROM games";
            database.query_row(sql, [], |row| row.get::<_, i64>(0))
        });
        count.map(|count| count as u64)
    }

    /// The numbers of the games, in ascending order.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn indices(&self) -> Result<Vec<u64>, StoreError> {
        self.sql(|database| {
            let mut statement = database.prepare("SELECT idx FROM games ORDER BY idx")?;
            let indices = statement.query_map([], |row| Ok(row.get::<_, i64>(0)? as u64))?;
            indices.collect()
        })
    }

    /// All games in the order of their numbers. A file that cannot be read ends the iteration.
    pub fn games(&self) -> impl Iterator<Item = Result<GameRecord, StoreError>> {
        self.rows().map(|row| self.decode(row?))
    }

    /// All games, a chunk at a time, for work in parallel. A file that cannot be read ends the
    /// iteration.
    pub fn chunks(&self) -> impl Iterator<Item = Vec<Result<GameRecord, StoreError>>> {
        let mut games = self.games();
        let chunks = std::iter::repeat_with(move || games.by_ref().take(CHUNK).collect());
        chunks.take_while(|chunk: &Vec<_>| !chunk.is_empty())
    }

    /// The games with a valid record, in the order of their numbers. [`Store::problems`] lists the
    /// others.
    pub fn intact_games(&self) -> impl Iterator<Item = GameRecord> {
        self.games().filter_map(Result::ok)
    }

    /// The rows in the order of their numbers. An error ends the iteration.
    fn rows(&self) -> impl Iterator<Item = Result<GameRow, StoreError>> {
        let mut after = Some(-1);
        let pages = std::iter::from_fn(move || {
            let rows = self.page(after?);
            after = rows.as_ref().ok().and_then(|rows| Some(rows.last()?.index()));
            Some(rows)
        });
        pages.flat_map(|page| match page {
            Ok(rows) => rows.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        })
    }

    /// The game with this number.
    ///
    /// # Errors
    /// If the file cannot be read or the record is invalid.
    pub fn game(&self, index: u64) -> Result<Option<GameRecord>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM games WHERE idx = ?1");
        let row = self.sql(|database| database.query_row(&sql, [index as i64], GameRow::read).optional())?;
        row.map(|row| self.decode(row)).transpose()
    }

    /// Adds games in one transaction, which is durable when this returns.
    ///
    /// # Errors
    /// If they cannot be written, or a game with the same number exists.
    pub fn add(&mut self, games: &[GameRecord]) -> Result<(), StoreError> {
        self.insert(games.iter().map(|game| (game, None)))
    }

    fn insert<'g>(
        &mut self,
        games: impl Iterator<Item = (&'g GameRecord, Option<&'g GameTags>)>,
    ) -> Result<(), StoreError> {
        let write = || -> rusqlite::Result<()> {
            let transaction = self.connection.transaction()?;
            for (game, tags) in games {
                transaction.prepare_cached(INSERT)?.execute(params_from_iter(row::encode(game)))?;
                if let Some(tags) = tags {
                    let columns = params_from_iter(tags::encode(game.index, tags));
                    transaction.prepare_cached(tags::INSERT)?.execute(columns)?;
                }
            }
            transaction.commit()
        };
        write().map_err(|error| StoreError::of(&self.path, error))
    }

    /// The time in UTC, as `2026-01-31T23:59:59Z`.
    ///
    /// # Errors
    /// If SQLite fails.
    pub(crate) fn now(&self) -> Result<String, StoreError> {
        let sql = "SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";
        self.sql(|database| database.query_row(sql, [], |row| row.get(0)))
    }

    fn page(&self, after: i64) -> Result<Vec<GameRow>, StoreError> {
        let rows: Vec<GameRow> = self.sql(|database| {
            let sql = format!("SELECT {COLUMNS} FROM games WHERE idx > ?1 ORDER BY idx LIMIT ?2");
            let mut statement = database.prepare_cached(&sql)?;
            statement.query_map([after, PAGE], GameRow::read)?.collect()
        })?;
        // SQLite takes the order from the pages of the file. In a damaged one it may go back, and a
        // reader would never end.
        let mut before = after;
        for index in rows.iter().map(GameRow::index) {
            if index <= before {
                let why = format!("found game {index} after game {before}, expected ascending numbers");
                return Err(StoreError::damaged(&self.path, why));
            }
            before = index;
        }
        Ok(rows)
    }

    fn decode(&self, row: GameRow) -> Result<GameRecord, StoreError> {
        self.check_place(&row)?;
        let game = row.index();
        row.decode().map_err(|why| self.invalid_record(game, &why))
    }

    /// Checks that a row is as it was written, without decoding it.
    fn check_row(&self, row: &GameRow) -> Result<(), StoreError> {
        if !row.is_intact() {
            return Err(self.invalid_record(row.index(), row::DIGEST_MISMATCH));
        }
        self.check_place(row)
    }

    /// Checks that a game belongs to the shard that the file holds.
    fn check_place(&self, row: &GameRow) -> Result<(), StoreError> {
        let (Some(shard), Ok(index)) = (self.header.shard, u64::try_from(row.index())) else {
            return Ok(());
        };
        let pair = index / self.header.settings.games_per_opening();
        if shard.contains(pair) && row.pair() == pair as i64 {
            return Ok(());
        }
        let why = format!("found pair {}, which does not belong to shard {shard}", row.pair());
        Err(self.invalid_record(row.index(), &why))
    }

    fn invalid_record(&self, game: i64, why: &str) -> StoreError {
        StoreError::unusable(&self.path, format_args!("game {game}: {why}"))
    }

    fn sql<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        read(&self.connection).map_err(|error| StoreError::of(&self.path, error))
    }
}

impl RecordedRun for Store {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn header(&self) -> &RunHeader {
        &self.header
    }

    fn games(&self) -> Box<dyn Iterator<Item = Result<GameRecord, ReadError>> + '_> {
        Box::new(Store::games(self).map(|game| Ok(game?)))
    }

    fn tags(&self, games: RangeInclusive<u64>) -> Result<BTreeMap<u64, GameTags>, ReadError> {
        Ok(Store::tags(self, games)?)
    }
}

#[cfg(test)]
mod tests;

//! The games of a run in one SQLite file, whoever plays them. `docs/data.md` documents the format.
//!
//! A run file has a table of settings, a table of players and a table of finished games; positions are derived from games
//! when they are needed. Games are written in transactions that are durable before they are reported, each under its number,
//! so a killed run is resumed by playing the numbers that are missing.
//!
//! A file that is being written has SQLite's write-ahead log beside it (`-wal`, `-shm`), and other processes can read it;
//! afterwards it is one plain file. Only one process writes: it holds a lock on the file.

mod codec;
mod error;
mod open;
mod run;
mod schema;
mod tally;

use std::fs::File;
use std::path::{Path, PathBuf};

use assay_rules::Points;
use rusqlite::{Connection, OptionalExtension, Row, params};

pub use error::StoreError;
pub use run::{NewRun, StoredRun};
pub use tally::Tally;

use crate::game::{GameEnd, GameRecord};
use crate::settings::GameSource;
use crate::tournament::score::MatchScore;

/// Games that the iterator reads at a time.
const PAGE: i64 = 256;

const COLUMNS: &str = "idx, pair, white, start, opening, material, result, end, fault, plies, moves, ended, digest";

/// An open run file, or a run in memory.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    run: StoredRun,
    /// Held as long as the connection and dropped after it, since closing any handle of the file releases SQLite's own
    /// locks, too.
    lock: Option<File>,
}

impl Store {
    /// The path of the file, or `:memory:`.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The settings of the run.
    pub fn run(&self) -> &StoredRun {
        &self.run
    }

    /// The definition of the game.
    ///
    /// # Errors
    /// [`StoreError::Unruled`] if Assay does not know the game.
    pub fn source(&self) -> Result<&GameSource, StoreError> {
        let rules = &self.run.settings.rules;
        rules.source().ok_or_else(|| StoreError::Unruled {
            path: self.path.clone(),
            game: rules.name().to_owned(),
        })
    }

    /// Number of games.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn count(&self) -> Result<u64, StoreError> {
        let count = self
            .connection
            .query_row("SELECT count(*) FROM games", [], |row| row.get::<_, i64>(0));
        Ok(count.map_err(|error| self.error(error))? as u64)
    }

    /// The numbers of the games, in ascending order.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn indices(&self) -> Result<Vec<u64>, StoreError> {
        let read = || -> rusqlite::Result<Vec<u64>> {
            let mut statement = self.connection.prepare("SELECT idx FROM games ORDER BY idx")?;
            let indices = statement.query_map([], |row| Ok(row.get::<_, i64>(0)? as u64))?;
            indices.collect()
        };
        read().map_err(|error| self.error(error))
    }

    /// Counts of results and ends.
    ///
    /// # Errors
    /// If the file cannot be read or holds an unknown result.
    pub fn tally(&self) -> Result<Tally, StoreError> {
        let read = || -> rusqlite::Result<Vec<(i64, String, i64, i64)>> {
            let sql = "SELECT result, end, count(*), sum(plies) FROM games GROUP BY result, end";
            let mut statement = self.connection.prepare(sql)?;
            statement
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
                .collect()
        };
        let mut tally = Tally::default();
        for (result, name, games, plies) in read().map_err(|error| self.error(error))? {
            let points = u8::try_from(result).ok().and_then(Points::from_quarters);
            let (Some(points), Some(end)) = (points, GameEnd::from_name(&name)) else {
                return Err(StoreError::Damaged {
                    path: self.path.clone(),
                    why: format!("found games that ended with {result} quarter points by `{name}`"),
                });
            };
            tally.count(points, end, games as u64, plies as u64);
        }
        Ok(tally)
    }

    /// The score of a match.
    ///
    /// # Errors
    /// If a game cannot be read.
    pub fn match_score(&self) -> Result<MatchScore, StoreError> {
        let mut score = self.run.settings.new_score();
        for game in self.games() {
            score.add(&game?);
        }
        Ok(score)
    }

    /// All games in the order of their numbers. An error ends the iteration.
    pub fn games(&self) -> Games<'_> {
        Games {
            store: self,
            after: -1,
            page: Vec::new().into_iter(),
            done: false,
        }
    }

    /// The game with this number.
    ///
    /// # Errors
    /// If the file cannot be read or the record is invalid.
    pub fn game(&self, index: u64) -> Result<Option<GameRecord>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM games WHERE idx = ?1");
        let row = self
            .connection
            .query_row(&sql, [index as i64], GameRow::read)
            .optional();
        row.map_err(|error| self.error(error))?
            .map(|row| self.decode(row))
            .transpose()
    }

    /// Adds games in one transaction, which is durable when this returns.
    ///
    /// # Errors
    /// If they cannot be written, or a game with the same number exists.
    pub fn add(&mut self, games: &[GameRecord]) -> Result<(), StoreError> {
        let mut write = || -> rusqlite::Result<()> {
            let transaction = self.connection.transaction()?;
            {
                let mut insert = transaction.prepare_cached(
                    "INSERT INTO games \
                     (idx, pair, white, start, opening, material, result, end, fault, plies, moves, ended, digest) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                )?;
                for row in games.iter().map(GameRow::encode) {
                    insert.execute(params![
                        row.index,
                        row.pair,
                        row.white,
                        row.start,
                        row.opening,
                        row.material,
                        row.result,
                        row.end,
                        row.fault,
                        row.plies,
                        row.moves,
                        row.ended,
                        row.digest,
                    ])?;
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
        let now = self.connection.query_row(sql, [], |row| row.get(0));
        now.map_err(|error| self.error(error))
    }

    /// Everything that is wrong with the file, in words: SQLite's own check, then every record and its place in its pair.
    ///
    /// # Errors
    /// If the file cannot be read at all.
    pub fn problems(&self) -> Result<Vec<String>, StoreError> {
        let mut problems = open::integrity(&self.path, &self.connection, "integrity_check")?;
        let games_per_opening = self.run.settings.games_per_opening();
        let mut after = -1;
        loop {
            let page = self.page(after)?;
            let Some(last) = page.last() else {
                return Ok(problems);
            };
            after = last.index;
            for row in page {
                match self.decode(row) {
                    Err(error) => problems.push(error.to_string()),
                    Ok(game) if game.pair != game.index / games_per_opening => problems.push(format!(
                        "game {}: found pair {}, expected {}",
                        game.index,
                        game.pair,
                        game.index / games_per_opening
                    )),
                    Ok(_) => {}
                }
            }
        }
    }

    fn page(&self, after: i64) -> Result<Vec<GameRow>, StoreError> {
        let read = || -> rusqlite::Result<Vec<GameRow>> {
            let sql = format!("SELECT {COLUMNS} FROM games WHERE idx > ?1 ORDER BY idx LIMIT ?2");
            let mut statement = self.connection.prepare_cached(&sql)?;
            statement.query_map([after, PAGE], GameRow::read)?.collect()
        };
        read().map_err(|error| self.error(error))
    }

    fn decode(&self, row: GameRow) -> Result<GameRecord, StoreError> {
        let game = row.index;
        row.decode().map_err(|why| StoreError::Record {
            path: self.path.clone(),
            game,
            why,
        })
    }

    fn error(&self, error: rusqlite::Error) -> StoreError {
        StoreError::of(&self.path, error)
    }
}

/// The games of a store, in the order of their numbers.
#[derive(Debug)]
pub struct Games<'s> {
    store: &'s Store,
    after: i64,
    page: std::vec::IntoIter<GameRow>,
    done: bool,
}

impl Iterator for Games<'_> {
    type Item = Result<GameRecord, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        if self.page.len() == 0 {
            match self.store.page(self.after) {
                Ok(page) => self.page = page.into_iter(),
                Err(error) => {
                    self.done = true;
                    return Some(Err(error));
                }
            }
        }
        let Some(row) = self.page.next() else {
            self.done = true;
            return None;
        };
        self.after = row.index;
        let game = self.store.decode(row);
        self.done = game.is_err();
        Some(game)
    }
}

/// A row of the table `games`, not yet validated.
#[derive(Debug)]
struct GameRow {
    index: i64,
    pair: i64,
    white: i64,
    start: String,
    opening: String,
    material: Option<String>,
    result: i64,
    end: String,
    fault: Option<String>,
    plies: i64,
    moves: Vec<u8>,
    ended: Option<String>,
    digest: Vec<u8>,
}

impl GameRow {
    fn read(row: &Row<'_>) -> rusqlite::Result<GameRow> {
        Ok(GameRow {
            index: row.get(0)?,
            pair: row.get(1)?,
            white: row.get(2)?,
            start: row.get(3)?,
            opening: row.get(4)?,
            material: row.get(5)?,
            result: row.get(6)?,
            end: row.get(7)?,
            fault: row.get(8)?,
            plies: row.get(9)?,
            moves: row.get(10)?,
            ended: row.get(11)?,
            digest: row.get(12)?,
        })
    }

    fn encode(game: &GameRecord) -> GameRow {
        let fault = game.fault.as_ref().map(|fault| serde_json::json!(fault).to_string());
        let mut row = GameRow {
            index: game.index as i64,
            pair: game.pair as i64,
            white: game.white as i64,
            start: game.start_fen.clone(),
            opening: game.opening.clone(),
            material: game.material.clone(),
            result: i64::from(game.result.quarters()),
            end: game.end.name().to_owned(),
            fault,
            plies: game.moves.len() as i64,
            moves: codec::encode(&game.moves),
            ended: game.ended.clone(),
            digest: Vec::new(),
        };
        row.digest = row.compute_digest();
        row
    }

    /// The first eight bytes of the BLAKE3 hash of all other columns. SQLite itself does not notice when a byte of its pages
    /// has changed.
    fn compute_digest(&self) -> Vec<u8> {
        let mut hasher = blake3::Hasher::new();
        for number in [self.index, self.pair, self.white, self.result, self.plies] {
            hasher.update(&number.to_le_bytes());
        }
        let optional = |text: &Option<String>| text.as_ref().map(|text| text.as_bytes().to_vec());
        for bytes in [
            Some(self.start.as_bytes().to_vec()),
            Some(self.opening.as_bytes().to_vec()),
            optional(&self.material),
            Some(self.end.as_bytes().to_vec()),
            optional(&self.fault),
            Some(self.moves.clone()),
            optional(&self.ended),
        ] {
            match bytes {
                None => hasher.update(&[0]),
                Some(bytes) => hasher
                    .update(&[1])
                    .update(&(bytes.len() as u64).to_le_bytes())
                    .update(&bytes),
            };
        }
        hasher.finalize().as_bytes()[..8].to_vec()
    }

    fn decode(self) -> Result<GameRecord, String> {
        let number = |name: &str, value: i64| {
            u64::try_from(value).map_err(|_| format!("found {name} {value}, expected a number from 0"))
        };
        let index = number("game", self.index)?;
        let pair = number("pair", self.pair)?;
        let moves = codec::decode(&self.moves)?;
        if self.plies != moves.len() as i64 {
            return Err(format!("found {} moves, expected {}", moves.len(), self.plies));
        }
        let result = u8::try_from(self.result).ok().and_then(Points::from_quarters);
        let result = result.ok_or_else(|| format!("found result {}, expected 0 to 4 quarter points", self.result))?;
        let end = GameEnd::from_name(&self.end).ok_or_else(|| format!("found unknown end `{}`", self.end))?;
        let fault = self.fault.as_deref().map(serde_json::from_str).transpose();
        let fault = fault.map_err(|error| format!("fault: {error}"))?;
        if self.digest != self.compute_digest() {
            return Err("the record has changed since it was written: its digest does not match".to_owned());
        }
        Ok(GameRecord {
            index,
            pair,
            white: usize::from(self.white != 0),
            start_fen: self.start,
            opening: self.opening,
            material: self.material,
            moves,
            result,
            end,
            fault,
            ended: self.ended,
        })
    }
}

#[cfg(test)]
mod tests;

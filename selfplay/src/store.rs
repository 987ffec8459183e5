//! Games in one SQLite file.
//!
//! A run is a table of settings and a table of finished games, nothing else: positions are derived from games when they are
//! needed. Games are written in transactions that are on the disk before anybody is told of them, and each has its number as
//! key, so a run that was killed is continued by playing the numbers that are missing.
//!
//! While a file is being written it has SQLite's write-ahead log beside it (`-wal`, `-shm`) and can be read by others; at
//! rest it is one ordinary file. Only one process writes at a time: it holds a lock on the file.

mod codec;
mod error;
pub mod match_reading;
pub mod match_store;
pub(crate) mod open;
mod record;
mod replay;
pub(crate) mod run;
pub(crate) mod schema;
pub mod tally;

use std::fs::File;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, Row, params};

pub use error::StoreError;
pub use record::{GameRecord, PackedMove, PlayedMove};
pub use replay::ReplayError;
pub use run::StoredRun;

use assay_rules::{Points, Termination};

pub use tally::Tally;

/// How many games the iterator reads at a time.
const PAGE: i64 = 256;

/// A file of games, open.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    run: StoredRun,
    /// Held for as long as the connection: dropped behind it, as the fields' order says, since closing any handle of the
    /// file would release SQLite's own locks too.
    lock: Option<File>,
}

impl Store {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The settings of the run, as they stand in the file.
    pub fn settings(&self) -> &StoredRun {
        &self.run
    }

    /// How many games there are.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn count(&self) -> Result<u64, StoreError> {
        let count = self
            .connection
            .query_row("SELECT count(*) FROM games", [], |row| row.get::<_, i64>(0));
        Ok(count.map_err(|error| self.error(error))? as u64)
    }

    /// The numbers below `games` that no game has yet, in ascending order.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn missing(&self, games: u64) -> Result<Vec<u64>, StoreError> {
        let read = || -> rusqlite::Result<Vec<u64>> {
            let mut statement = self
                .connection
                .prepare("SELECT idx FROM games WHERE idx < ?1 ORDER BY idx")?;
            let mut there = statement.query_map([games as i64], |row| row.get::<_, i64>(0))?;
            let mut missing = Vec::new();
            let mut expected = 0;
            loop {
                let next = there.next().transpose()?.map_or(games, |index| index as u64);
                missing.extend(expected..next);
                if next >= games {
                    return Ok(missing);
                }
                expected = next + 1;
            }
        };
        read().map_err(|error| self.error(error))
    }

    /// How the games ended.
    ///
    /// # Errors
    /// When the file cannot be read, or holds results that there are not.
    pub fn tally(&self) -> Result<Tally, StoreError> {
        let read = || -> rusqlite::Result<Vec<(i64, String, i64, i64)>> {
            let sql = "SELECT result, reason, count(*), sum(plies) FROM games GROUP BY result, reason";
            let mut statement = self.connection.prepare(sql)?;
            statement
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
                .collect()
        };
        let mut tally = Tally::default();
        for (result, name, games, plies) in read().map_err(|error| self.error(error))? {
            let score = u8::try_from(result).ok().and_then(Points::from_quarters);
            let (Some(score), Some(reason)) = (score, reason(&name)) else {
                let why = format!("found games that ended with {result} quarter points by `{name}`");
                return Err(StoreError::Torn {
                    path: self.path.clone(),
                    why,
                });
            };
            tally.count(score, reason, games as u64, plies as u64);
        }
        Ok(tally)
    }

    /// All games in the order of their numbers. After an error there are no more.
    pub fn games(&self) -> Games<'_> {
        Games {
            store: self,
            after: -1,
            page: Vec::new().into_iter(),
            done: false,
        }
    }

    /// The game of that number.
    ///
    /// # Errors
    /// When the file cannot be read, or the game's record makes no sense.
    pub fn game(&self, index: u64) -> Result<Option<GameRecord>, StoreError> {
        let sql = "SELECT idx, pair, start, result, reason, plies, material, moves, digest FROM games WHERE idx = ?1";
        let raw = self.connection.query_row(sql, [index as i64], raw_game).optional();
        raw.map_err(|error| self.error(error))?
            .map(|raw| self.decode(raw))
            .transpose()
    }

    /// Adds games; when this returns they are on the disk, all or none of them.
    ///
    /// # Errors
    /// When they cannot be written, or a game of that number is there already.
    pub fn add(&mut self, games: &[GameRecord]) -> Result<(), StoreError> {
        let mut write = || -> rusqlite::Result<()> {
            let transaction = self.connection.transaction()?;
            {
                let mut insert = transaction.prepare_cached(
                    "INSERT INTO games (idx, pair, start, result, reason, plies, material, moves, digest) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                )?;
                for raw in games.iter().map(RawGame::encode) {
                    insert.execute(params![
                        raw.index,
                        raw.pair,
                        raw.start,
                        raw.result,
                        raw.reason,
                        raw.plies,
                        raw.material,
                        raw.moves,
                        raw.digest,
                    ])?;
                }
            }
            transaction.commit()
        };
        write().map_err(|error| StoreError::of(&self.path, error))
    }

    /// Everything that is wrong with the file, in words; empty when nothing is: SQLite's own check, then that every game
    /// can be read and belongs to the pair that its number says.
    ///
    /// # Errors
    /// When the file cannot be read at all.
    pub fn faults(&self) -> Result<Vec<String>, StoreError> {
        let mut faults = open::integrity(&self.path, &self.connection, "integrity_check")?;
        let mut after = -1;
        loop {
            let page = self.raw_page(after)?;
            let Some(last) = page.last() else { return Ok(faults) };
            after = last.index;
            for raw in page {
                let index = raw.index;
                match self.decode(raw) {
                    Err(error) => faults.push(error.to_string()),
                    Ok(game) if game.pair != game.index / 2 => {
                        faults.push(format!(
                            "game {index}: found pair {}, expected {}",
                            game.pair,
                            game.index / 2
                        ));
                    }
                    Ok(_) => {}
                }
            }
        }
    }

    fn raw_page(&self, after: i64) -> Result<Vec<RawGame>, StoreError> {
        let read = || -> rusqlite::Result<Vec<RawGame>> {
            let mut statement = self.connection.prepare_cached(
                "SELECT idx, pair, start, result, reason, plies, material, moves, digest FROM games \
                 WHERE idx > ?1 ORDER BY idx LIMIT ?2",
            )?;
            statement.query_map([after, PAGE], raw_game)?.collect()
        };
        read().map_err(|error| self.error(error))
    }

    fn decode(&self, raw: RawGame) -> Result<GameRecord, StoreError> {
        let index = raw.index;
        raw.decode().map_err(|why| StoreError::Record {
            path: self.path.clone(),
            game: index,
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
    page: std::vec::IntoIter<RawGame>,
    done: bool,
}

impl Iterator for Games<'_> {
    type Item = Result<GameRecord, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        if self.page.len() == 0 {
            match self.store.raw_page(self.after) {
                Ok(page) => self.page = page.into_iter(),
                Err(error) => {
                    self.done = true;
                    return Some(Err(error));
                }
            }
        }
        let Some(raw) = self.page.next() else {
            self.done = true;
            return None;
        };
        self.after = raw.index;
        let game = self.store.decode(raw);
        self.done = game.is_err();
        Some(game)
    }
}

/// A row of the table of games, before anything in it is believed.
#[derive(Debug)]
struct RawGame {
    index: i64,
    pair: i64,
    start: String,
    result: i64,
    reason: String,
    plies: i64,
    material: Option<String>,
    moves: Vec<u8>,
    digest: Vec<u8>,
}

fn raw_game(row: &Row<'_>) -> rusqlite::Result<RawGame> {
    Ok(RawGame {
        index: row.get(0)?,
        pair: row.get(1)?,
        start: row.get(2)?,
        result: row.get(3)?,
        reason: row.get(4)?,
        plies: row.get(5)?,
        material: row.get(6)?,
        moves: row.get(7)?,
        digest: row.get(8)?,
    })
}

impl RawGame {
    fn encode(game: &GameRecord) -> RawGame {
        let mut raw = RawGame {
            index: game.index as i64,
            pair: game.pair as i64,
            start: game.start_fen.clone(),
            result: i64::from(game.result.quarters()),
            reason: game.reason.name().to_owned(),
            plies: game.moves.len() as i64,
            material: game.material.clone(),
            moves: codec::encode(&game.moves),
            digest: Vec::new(),
        };
        raw.digest = raw.compute_digest();
        raw
    }

    /// The first eight bytes of a BLAKE3 hash of everything else in the row: SQLite itself does not see it when a byte of
    /// its pages has changed.
    fn compute_digest(&self) -> Vec<u8> {
        let mut hasher = blake3::Hasher::new();
        for number in [self.index, self.pair, self.result, self.plies] {
            hasher.update(&number.to_le_bytes());
        }
        let material = self.material.as_deref();
        for text in [
            self.start.as_bytes(),
            self.reason.as_bytes(),
            material.unwrap_or_default().as_bytes(),
            &self.moves,
        ] {
            hasher.update(&(text.len() as u64).to_le_bytes()).update(text);
        }
        hasher.update(&[u8::from(material.is_some())]);
        hasher.finalize().as_bytes()[..8].to_vec()
    }

    fn decode(self) -> Result<GameRecord, String> {
        let number = |name: &str, value: i64| {
            u64::try_from(value).map_err(|_| format!("found {name} {value}, expected a number from 0"))
        };
        let index = number("game", self.index)?;
        let result = u8::try_from(self.result).ok().and_then(Points::from_quarters);
        let moves = codec::decode(&self.moves)?;
        if self.plies != moves.len() as i64 {
            return Err(format!("found {} moves, expected {}", moves.len(), self.plies));
        }
        let pair = number("pair", self.pair)?;
        let result = result.ok_or_else(|| format!("found result {}, expected 0 to 4 quarter points", self.result))?;
        let reason = reason(&self.reason).ok_or_else(|| format!("found unknown ending `{}`", self.reason))?;
        if self.digest != self.compute_digest() {
            return Err("the record is not what was written: its digest does not fit".to_owned());
        }
        Ok(GameRecord {
            index,
            pair,
            start_fen: self.start,
            moves,
            result,
            reason,
            material: self.material,
        })
    }
}

/// The reason of that name.
fn reason(name: &str) -> Option<Termination> {
    [
        Termination::Checkmate,
        Termination::Stalemate,
        Termination::DeadPosition,
        Termination::Repetition,
        Termination::MoveRule,
    ]
    .into_iter()
    .find(|reason| reason.name() == name)
}

#[cfg(test)]
mod tests;

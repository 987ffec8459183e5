//! Merging the shards of a run into one file.
//!
//! The merged file equals that of an undivided run and can be resumed like one. Games are copied in
//! the order of their numbers, so that the file is written sequentially. Every transaction is
//! durable, and games that are already in the file are skipped, so merging can be stopped at any
//! time and repeated.

use std::collections::BTreeMap;
use std::fs;
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use assay_cli::format::{count, grouped};
use assay_cli::text::enumeration;
use serde::{Serialize, Serializer};
use serde_json::json;
use thiserror::Error;

use super::error::StoreError;
use super::row::{COLUMNS, GameRow};
use super::run::StoredRows;
use super::{INSERT, Store};
use crate::game::GameRecord;
use crate::run::{Look, RunHeader};
use crate::settings::Shard;

/// Files that are read at the same time. More shards need further passes over the merged file.
const FILES_AT_ONCE: usize = 256;

/// Games of a transaction.
const TRANSACTION: u64 = 10_000;

/// Why shards cannot be merged. The merged file has no wrong games; those copied before the error
/// are kept.
#[derive(Debug, Error)]
pub enum MergeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Not all shards were named.
    #[error(
        "found no {}, expected all {}",
        list(.missing),
        count(.missing[0].count(), "shard", "shards")
    )]
    Missing {
        /// The shards, at least one.
        missing: Vec<Shard>,
    },
    /// Not all games of a shard are there.
    #[error(
        "{}: found {} of {} of shard {}, expected all; the command that plays the shard continues it",
        .0.path.display(),
        grouped(.0.done),
        count(.0.games, "game", "games"),
        .0.shard
    )]
    Incomplete(MergedShard),
}

/// `shard 2/4`, `shards 2/4 and 3/4`; of many, the first ten.
fn list(shards: &[Shard]) -> String {
    const SHOWN: usize = 10;
    let noun = if shards.len() == 1 { "shard" } else { "shards" };
    let mut names: Vec<String> = shards.iter().take(SHOWN).map(ToString::to_string).collect();
    if shards.len() > SHOWN {
        names.push(format!("{} more", shards.len() - SHOWN));
    }
    format!("{noun} {}", enumeration(&names))
}

/// A file that was merged.
#[derive(Clone, Debug, Serialize)]
pub struct MergedShard {
    #[serde(rename = "file", serialize_with = "lossy")]
    pub path: PathBuf,
    pub shard: Shard,
    /// Games in the file.
    pub done: u64,
    /// Number of games of the complete shard.
    pub games: u64,
}

/// A path as text; JSON has no other.
fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

/// Result of merging.
#[derive(Clone, Debug)]
pub struct MergeSummary {
    /// The name of the game.
    pub game: String,
    /// Total number of games of the run.
    pub games: u64,
    /// Number of games that this call has copied. How many the merged file has now is not counted:
    /// that reads all of it, and a distributed run merges into the same file many times.
    pub new: u64,
    /// The files, in the order of their shards.
    pub shards: Vec<MergedShard>,
    /// The shards that were not named.
    pub missing: Vec<Shard>,
    /// Whether merging was stopped before the end.
    pub is_stopped: bool,
}

/// Progress of merging.
#[derive(Clone, Copy, Debug)]
pub struct MergeProgress {
    /// Games of the shards that are in the merged file.
    pub done: u64,
    /// Games in all shards.
    pub total: u64,
}

/// Merges shards into the file `out`, which is created, or extended if it holds games of the same
/// run. The order of `paths` makes no difference.
///
/// Unless `partial`, all shards must be there and complete. All files are checked before anything
/// is written. Raising `stop` ends merging after the next transaction.
///
/// # Errors
/// If a file is no shard, belongs to another run or another division of it, or cannot be used; if two hold the same shard; if a shard
/// or a game is missing and not `partial`; if `out` holds another run.
pub fn merge(
    out: &Path,
    paths: &[PathBuf],
    partial: bool,
    mut progress: impl FnMut(MergeProgress),
    stop: &AtomicBool,
) -> Result<MergeSummary, MergeError> {
    let mut shards = read_shards(out, paths)?;
    let (Some(first), Some(games)) = (shards.first(), shards.iter().map(|shard| shard.header.games).max()) else {
        return Err(MergeError::Missing { missing: vec![Shard::WHOLE] });
    };
    let games_per_opening = first.header.settings.games_per_opening();
    let of = first.merged.shard.count();
    for ShardFile { merged, .. } in &mut shards {
        merged.games = merged.shard.games(games, games_per_opening);
    }
    let is_named = |wanted: &Shard| shards.iter().any(|shard| shard.merged.shard == *wanted);
    let all = (1..=of).filter_map(|number| Shard::new(number, of));
    let missing: Vec<Shard> = all.filter(|shard| !is_named(shard)).collect();
    if !partial && !missing.is_empty() {
        return Err(MergeError::Missing { missing });
    }
    let incomplete = shards.iter().find(|shard| shard.merged.done < shard.merged.games);
    if let Some(shard) = incomplete.filter(|_| !partial) {
        return Err(MergeError::Incomplete(shard.merged.clone()));
    }
    let store = open_output(out, &shards, games)?;
    let total = shards.iter().map(|shard| shard.merged.done).sum();
    let (mut done, mut new) = (0, 0);
    progress(MergeProgress { done, total });
    for group in shards.chunks(FILES_AT_ONCE) {
        let open = |shard: &ShardFile| Store::open_checked(&shard.merged.path);
        let sources: Vec<Store> = group.iter().map(open).collect::<Result<_, _>>()?;
        let mut readers: Vec<_> = sources.iter().map(|source| source.rows().peekable()).collect();
        while !stop.load(Ordering::Relaxed) {
            let (read, added) = copy(&sources, &mut readers, &store)?;
            if read == 0 {
                break;
            }
            (done, new) = (done + read, new + added);
            progress(MergeProgress { done, total });
        }
    }
    let summary = MergeSummary {
        game: store.source().game.name.clone(),
        games: store.header.games,
        new,
        shards: shards.into_iter().map(|shard| shard.merged).collect(),
        missing,
        is_stopped: done < total && stop.load(Ordering::Relaxed),
    };
    store.close()?;
    Ok(summary)
}

/// A shard that was checked.
struct ShardFile {
    merged: MergedShard,
    /// With the total number of games of the run, as far as this file knows.
    header: RunHeader,
    rows: StoredRows,
}

/// Checks that the files are different shards of one run; returns them in the order of their
/// numbers.
fn read_shards(out: &Path, paths: &[PathBuf]) -> Result<Vec<ShardFile>, StoreError> {
    let output = fs::canonicalize(out).ok();
    let mut shards: Vec<ShardFile> = Vec::new();
    for path in paths {
        let refuse = |why: String| Err(StoreError::unusable(path, why));
        if output.is_some() && fs::canonicalize(path).ok() == output {
            return refuse("found the file to merge into, expected a shard".to_owned());
        }
        let store = Store::open_read(path)?;
        let Some(shard) = store.header.shard else {
            return refuse("found a whole run, expected a shard".to_owned());
        };
        if let Some(first) = shards.first() {
            check_same_run(&store, first)?;
            if shard.count() != first.merged.shard.count() {
                let (expected, first) = (first.merged.shard.count(), first.merged.path.display());
                return refuse(format!("found shard {shard}, expected one of {expected} shards, as {first} is"));
            }
        }
        if let Some(same) = shards.iter().find(|other| other.merged.shard == shard) {
            let first = same.merged.path.display();
            return refuse(format!("found shard {shard} again, expected it only in {first}"));
        }
        shards.push(ShardFile {
            merged: MergedShard { path: path.clone(), shard, done: store.count()?, games: 0 },
            header: store.header,
            rows: store.rows,
        });
    }
    shards.sort_by_key(|shard| shard.merged.shard);
    Ok(shards)
}

/// Checks that a file has the settings and players of the first shard. The PGN tag `Event` counts,
/// too: the merged file can have only one.
fn check_same_run(found: &Store, first: &ShardFile) -> Result<(), StoreError> {
    let first_path = first.merged.path.display();
    let advice = format!(" as in {first_path}; only files of one run can be merged");
    found.rows.check_equal(&first.rows, None, &found.path, &advice)
}

/// Creates the merged file with the settings of the first shard, or opens it if it holds the same
/// run.
fn open_output(out: &Path, shards: &[ShardFile], games: u64) -> Result<Store, StoreError> {
    let first = &shards[0];
    let mut rows = first.rows.clone();
    rows.run.insert("shard".to_owned(), json!(null));
    rows.run.insert("games".to_owned(), json!(games));
    rows.run.insert("looks".to_owned(), json!(looks(shards)));
    // Times in this format sort like their text.
    let created = shards.iter().filter_map(|shard| shard.rows.run.get("created")?.as_str());
    rows.run.insert("created".to_owned(), json!(created.min()));
    Store::create_or_open(out, &rows, |store| {
        check_same_run(store, first)?;
        if let Some(shard) = store.header.shard {
            let first = first.merged.path.display();
            let why = format!(
                "found a run with shard {shard}, expected none as in {first}; only files of one run can be merged"
            );
            return Err(StoreError::unusable(out, why));
        }
        store.extend(games)
    })
}

/// The looks at the shards. A command that looks at several gives its look the same number in all
/// that have new games; the games of the others are those of their last look before.
fn looks(shards: &[ShardFile]) -> Vec<Look> {
    let all = shards.iter().map(|shard| &shard.header.looks);
    let numbers: BTreeMap<u64, bool> = all.clone().flatten().map(|look| (look.number, look.is_interim)).collect();
    let games = |number: u64| {
        let seen = all.clone().filter_map(|looks| looks.iter().rfind(|look| look.number <= number));
        seen.fold(0, |sum: u64, look| sum.saturating_add(look.games))
    };
    numbers.iter().map(|(&number, &is_interim)| Look { number, games: games(number), is_interim }).collect()
}

/// Copies games of the readers, one for each source, in one transaction, which is durable when this
/// returns. Returns how many were read, and how many of these were new.
fn copy<R>(sources: &[Store], readers: &mut [Peekable<R>], store: &Store) -> Result<(u64, u64), StoreError>
where
    R: Iterator<Item = Result<GameRow, StoreError>>,
{
    let failed = |error| StoreError::of(&store.path, error);
    // An error comes before all games.
    let index = |row: &Result<GameRow, StoreError>| row.as_ref().map_or(-1, GameRow::index);
    let transaction = store.connection.unchecked_transaction().map_err(failed)?;
    let (mut read, mut new) = (0, 0);
    {
        let insert = format!("{INSERT} ON CONFLICT (idx) DO NOTHING");
        let mut insert = transaction.prepare_cached(&insert).map_err(failed)?;
        while read < TRANSACTION
            && let Some((_, reader, source)) = (readers.iter_mut().zip(sources))
                .filter_map(|(reader, source)| Some((index(reader.peek()?), reader, source)))
                .min_by_key(|(index, ..)| *index)
            && let Some(row) = reader.next()
        {
            let row = row?;
            source.check_row(&row)?;
            read += 1;
            if insert.execute(row.values()).map_err(failed)? == 1 {
                new += 1;
            } else {
                check_equal(row, source, store)?;
            }
        }
    }
    transaction.commit().map_err(failed)?;
    Ok((read, new))
}

/// Checks that the merged file has the same game, apart from the times.
fn check_equal(row: GameRow, source: &Store, store: &Store) -> Result<(), StoreError> {
    let index = row.index();
    let sql = format!("SELECT {COLUMNS} FROM games WHERE idx = ?1");
    let stored = store.sql(|database| database.prepare_cached(&sql)?.query_row([index], GameRow::read))?;
    if stored.digest() == row.digest() {
        return Ok(());
    }
    let without_times = |mut game: GameRecord| {
        game.ended = None;
        game.moves.iter_mut().for_each(|played| played.time_ms = None);
        game
    };
    if without_times(store.decode(stored)?) == without_times(source.decode(row)?) {
        return Ok(());
    }
    let why = format!(
        "game {index}: found other moves or another result than in {}, expected the same game; it was played twice, and an engine \
         that is not deterministic played differently",
        store.path.display()
    );
    Err(StoreError::unusable(&source.path, why))
}

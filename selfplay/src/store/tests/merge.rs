//! Shards, and merging them.

use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::settings::Shard;

static NEVER: AtomicBool = AtomicBool::new(false);

fn shard(number: u64, count: u64) -> Option<Shard> {
    Shard::new(number, count)
}

fn open_shard(path: &Path, run: &RunSettings, shard: Option<Shard>, games: u64) -> Result<Store, StoreError> {
    let options = RunOptions { shard, ..RunOptions::self_play(games, 1) };
    let new = NewRun {
        settings: run,
        options: &options,
        identities: &vec![IDENTITY.to_owned(); run.players.all().len()],
        book_hash: None,
    };
    Store::open_run(path, &new, true)
}

/// The games that belong to a shard of a run.
fn records_of(shard: Option<Shard>, games: u64) -> Vec<GameRecord> {
    let shard = shard.unwrap();
    (0..games).filter(|index| shard.contains(index / 2)).map(record).collect()
}

/// Writes the first games of a shard; returns its path.
fn write_shard(folder: &TempDir, shard: Option<Shard>, games: u64, done: usize) -> PathBuf {
    let name = shard.unwrap().to_string().replace('/', "-of-");
    let path = folder.path().join(format!("{name}.db"));
    let mut store = open_shard(&path, &settings(), shard, games).unwrap();
    let records = records_of(shard, games);
    let missing: Vec<GameRecord> =
        records.into_iter().take(done).filter(|record| store.game(record.index).unwrap().is_none()).collect();
    store.add(&missing).unwrap();
    store.close().unwrap();
    path
}

fn merged(out: &Path, shards: &[PathBuf], partial: bool) -> Result<MergeSummary, MergeError> {
    merge(out, shards, partial, |_| {}, &NEVER)
}

fn indices(path: &Path) -> Vec<u64> {
    Store::open_read(path).unwrap().indices().unwrap()
}

#[test]
fn a_partial_merge_takes_what_is_there_and_later_the_rest() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("all.db");
    let first = write_shard(&folder, shard(1, 3), 20, 3);
    let third = write_shard(&folder, shard(3, 3), 20, 100);
    let summary = merged(&out, &[third.clone(), first.clone()], true).unwrap();
    assert_eq!((summary.games, summary.new), (20, 9));
    assert_eq!(summary.missing, [shard(2, 3).unwrap()]);
    let counts: Vec<_> = summary.shards.iter().map(|shard| (shard.done, shard.games)).collect();
    assert_eq!(counts, [(3, 8), (6, 6)]);
    assert_eq!(indices(&out), [0, 1, 4, 5, 6, 10, 11, 16, 17]);

    // The same again, then with the rest of the first shard and the second one.
    assert_eq!(merged(&out, &[first.clone(), third.clone()], true).unwrap().new, 0);
    let second = write_shard(&folder, shard(2, 3), 20, 100);
    let incomplete = merged(&out, &[first, second.clone(), third.clone()], false);
    let incomplete = incomplete.unwrap_err().to_string();
    assert!(incomplete.contains("found 3 of 8 games of shard 1/3"), "{incomplete}");
    let first = write_shard(&folder, shard(1, 3), 20, 100);
    let summary = merged(&out, &[second, third, first], false).unwrap();
    assert_eq!((summary.new, summary.missing.len()), (11, 0));
    assert_eq!(all_games(&Store::open_read(&out).unwrap()), (0..20).map(record).collect::<Vec<_>>());
    assert!(!files(&folder).iter().any(|name| name.contains("-wal")), "{:?}", files(&folder));
}

#[test]
fn a_merged_file_is_resumed_as_the_whole_run() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("all.db");
    let first = write_shard(&folder, shard(1, 2), 20, 100);
    merged(&out, std::slice::from_ref(&first), true).unwrap();
    assert_eq!(Store::open_read(&out).unwrap().header().shard, None);
    let mut store = open_shard(&out, &settings(), None, 20).unwrap();
    store.add(&[record(2)]).unwrap();
    store.close().unwrap();
    // Game 2 is there already, and equal.
    let second = write_shard(&folder, shard(2, 2), 24, 100);
    let first = write_shard(&folder, shard(1, 2), 24, 100);
    let summary = merged(&out, &[second, first], false).unwrap();
    assert_eq!((summary.games, summary.new), (24, 13));
    assert_eq!(Store::open_read(&out).unwrap().header().games, 24);
}

#[test]
fn a_game_that_was_played_twice_must_be_the_same() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("all.db");
    let path = folder.path().join("2-of-2.db");
    let write = |game: GameRecord| {
        let _ = fs::remove_file(&path);
        let mut store = open_shard(&path, &match_settings(), shard(2, 2), 4).unwrap();
        store.add(&[game]).unwrap();
        store.close().unwrap();
        merged(&out, std::slice::from_ref(&path), true)
    };
    assert_eq!(write(faulty_record(2)).unwrap().new, 1);
    let mut later = faulty_record(2);
    later.ended = Some("2026-01-02T00:00:00Z".to_owned());
    later.moves[0].time_ms = Some(9);
    assert_eq!(write(later).unwrap().new, 0);
    let mut other = faulty_record(2);
    other.moves.pop();
    let error = write(other).unwrap_err().to_string();
    assert!(error.contains("2-of-2.db: game 2: found other moves or another result than in "), "{error}");
    assert_eq!(indices(&out), [2]);
}

#[test]
fn a_game_of_another_shard_is_rejected() {
    let folder = TempDir::new().unwrap();
    let path = write_shard(&folder, shard(1, 2), 8, 100);
    let mut store = open_shard(&path, &settings(), shard(1, 2), 8).unwrap();
    store.add(&[record(2)]).unwrap();
    store.close().unwrap();
    let error = merged(&folder.path().join("all.db"), std::slice::from_ref(&path), true).unwrap_err().to_string();
    assert!(error.contains("1-of-2.db: game 2: found pair 1, which does not belong to shard 1/2"), "{error}");
    assert_eq!(Store::open_read(&path).unwrap().problems().unwrap().len(), 1);
}

#[test]
fn a_changed_record_is_not_copied() {
    let folder = TempDir::new().unwrap();
    let path = write_shard(&folder, shard(1, 1), 8, 100);
    let database = Connection::open(&path).unwrap();
    database.execute("UPDATE games SET result = 4 - result WHERE idx = 3", []).unwrap();
    drop(database);
    let error = merged(&folder.path().join("all.db"), &[path], false).unwrap_err().to_string();
    assert!(error.contains("1-of-1.db: game 3: the record has changed since it was written"), "{error}");
}

#[test]
fn the_event_of_all_shards_is_the_same() {
    let folder = TempDir::new().unwrap();
    let paths = [shard(1, 2), shard(2, 2)].map(|shard| write_shard(&folder, shard, 8, 100));
    let database = Connection::open(&paths[1]).unwrap();
    database.execute("UPDATE run SET value = '\"Other\"' WHERE key = 'event'", []).unwrap();
    drop(database);
    let error = merged(&folder.path().join("all.db"), &paths, false).unwrap_err().to_string();
    assert!(error.contains("2-of-2.db: found a run with event Other, expected Assay self-play as in "), "{error}");
    assert!(!folder.path().join("all.db").exists());
}

#[test]
fn more_shards_than_are_read_at_once() {
    let folder = TempDir::new().unwrap();
    let (out, count) = (folder.path().join("all.db"), 260);
    let shards: Vec<PathBuf> =
        (1..=count).map(|number| write_shard(&folder, shard(number, count), 2 * count, 100)).collect();
    assert_eq!(merged(&out, &shards[..250], true).unwrap().missing.len(), 10);
    let error = merged(&out, &shards[..240], false).unwrap_err().to_string();
    assert!(error.contains("250/260 and 10 more, expected all 260 shards"), "{error}");
    assert_eq!(merged(&out, &shards, false).unwrap().new, 20);
    assert_eq!(indices(&out), (0..2 * count).collect::<Vec<_>>());
}

#[test]
fn a_stopped_merge_is_continued() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("all.db");
    let path = write_shard(&folder, shard(1, 1), 12_000, 12_000);
    let stop = AtomicBool::new(false);
    let progress = |progress: MergeProgress| stop.store(progress.done > 0, Ordering::Relaxed);
    let summary = merge(&out, std::slice::from_ref(&path), false, progress, &stop).unwrap();
    assert_eq!((summary.new, summary.is_stopped), (10_000, true));
    let summary = merged(&out, &[path], false).unwrap();
    assert_eq!((summary.new, summary.is_stopped), (2_000, false));
    assert_eq!(Store::open_read(&out).unwrap().count().unwrap(), 12_000);
}

//! A match that is killed at any moment loses only the games in flight.
#![cfg(unix)]

mod common;
#[path = "common/fake.rs"]
mod fake;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use assay_selfplay::seed::Stream;
use assay_selfplay::{GameRecord, Store};
use common::{printed, signal, wait_until};
use fake::{assert_none_left, fake_engine, some_are_there};
use tempfile::TempDir;

const KILLS: u64 = 20;

fn games(path: &Path) -> Vec<GameRecord> {
    // A file that was killed before its schema was complete is empty.
    if !path.metadata().is_ok_and(|file| file.len() > 0) {
        return Vec::new();
    }
    Store::open_read(path).map_or_else(|_| Vec::new(), |store| store.games().collect::<Result<_, _>>().unwrap())
}

/// Everything of a game that time does not change.
fn timeless(mut game: GameRecord) -> GameRecord {
    game.ended = None;
    game.moves.iter_mut().for_each(|played| played.time_ms = None);
    game
}

/// A match of 60 rounds between a program and Assay's own engine.
fn words(db: &str, mode: &str, word: &str, concurrency: &str) -> Vec<String> {
    let fake = fake_engine().display();
    let text = format!(
        "match|chess|-engine|builtin|name=good|nodes=150|option.Hash=1|-engine|cmd={fake}|args={mode} 0 {word}|name=fake|nodes=1\
         |-rounds|60|-concurrency|{concurrency}|-seed|9|-maxmoves|40|-json|-resume|-db|{db}"
    );
    text.split('|').map(str::to_owned).collect()
}

fn spawn(words: &[String], folder: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_assay-selfplay"))
        .args(words)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_killed_match_is_continued_to_the_same_games() {
    let folder = TempDir::new().unwrap();
    let word = format!("word-kill-{}", std::process::id());
    let run = |words: &[String]| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        printed(&words, folder.path())
    };
    // The whole run plays one game at a time, the killed one two: it makes no difference.
    let whole_json = run(&words("whole.db", "deaf", &word, "1"));
    let killed_words = words("killed.db", "deaf", &word, "2");
    let path = folder.path().join("killed.db");
    let mut random = Stream::test(2_026, 1);
    let mut seen = 0;
    for kill in 0..KILLS {
        let mut child = spawn(&killed_words, folder.path());
        // At a random moment of the start, or of a game some games later.
        let goal = seen + random.below(4);
        let deadline = Instant::now() + Duration::from_mins(1);
        while kill % 4 != 0 && games(&path).len() < goal && Instant::now() < deadline {
            sleep(Duration::from_millis(3));
        }
        sleep(Duration::from_millis(random.below(60) as u64));
        assert!(
            child.try_wait().unwrap().is_none(),
            "the match was over before kill {kill}"
        );
        child.kill().unwrap();
        child.wait().unwrap();
        let now = games(&path).len();
        assert!(now >= seen, "a game was lost: {now} where {seen} were");
        seen = now;
        // The engines of the killed runner ignore that their input is closed, and are gone all the same.
        assert_none_left(&word);
    }
    let killed_json = run(&killed_words);
    let whole = games(&folder.path().join("whole.db"));
    let killed = games(&path);
    assert_eq!(killed.len(), 120);
    let numbers: Vec<u64> = killed.iter().map(|game| game.index).collect();
    assert_eq!(numbers, (0..120).collect::<Vec<u64>>(), "each game once");
    for pair in killed.chunks(2) {
        assert_eq!(
            (pair[0].pair, &pair[0].start_fen, pair[0].white),
            (pair[1].pair, &pair[1].start_fen, 1 - pair[1].white)
        );
    }
    assert_eq!(
        whole.into_iter().map(timeless).collect::<Vec<_>>(),
        killed.into_iter().map(timeless).collect::<Vec<_>>()
    );
    assert_eq!(whole_json, killed_json);
    printed(&["info", "killed.db"], folder.path());
    assert!(!folder.path().join("killed.db-wal").exists(), "one file at rest");
}

#[test]
fn an_interrupted_match_ends_cleanly_with_its_engines() {
    let folder = TempDir::new().unwrap();
    let word = format!("word-int-{}", std::process::id());
    let mut words = words("match.db", "child", &word, "2");
    // More games than fit into memory.
    words.extend(["-rounds", "100000000"].map(str::to_owned));
    let mut child = spawn(&words, folder.path());
    let path = folder.path().join("match.db");
    wait_until(|| !games(&path).is_empty());
    if Path::new("/proc").exists() {
        assert!(some_are_there(&word), "the test looks for the right processes");
    }
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_none_left(&word);
    assert!(!games(&path).is_empty());
}

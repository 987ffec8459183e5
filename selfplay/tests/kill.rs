//! A run that is killed at any moment loses only the games in flight.
#![cfg(unix)]

mod common;

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use assay_selfplay::export::Format;
use assay_selfplay::{Store, StoreError};
use common::{games, printed, signal, text, wait_until};
use tempfile::TempDir;

const RUN: [&str; 16] = [
    "generate",
    "gamma2",
    "--games",
    "60",
    "--nodes",
    "150",
    "--hash",
    "1",
    "--seed",
    "3",
    "--material",
    "odds",
    "--threads",
    "2",
    "--json",
    "--out",
];

#[test]
fn a_killed_run_is_continued_to_the_same_games() {
    let folder = TempDir::new().unwrap();
    let with_out = |name| RUN.into_iter().chain([name]).collect::<Vec<_>>();
    printed(&with_out("whole.db"), folder.path());

    let mut seen = 0;
    let mut kills = 0;
    // Moments from the making of the file to the middle of play; from the second round on, later ones.
    for milliseconds in [1, 3, 5, 8, 12, 17, 25, 40, 60, 90, 130, 180, 250, 330, 420] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_assay-selfplay"))
            .args(with_out("killed.db"))
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(milliseconds));
        let finished = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        child.wait().unwrap();
        kills += u32::from(!finished);
        let path = folder.path().join("killed.db");
        // A file that was not even begun holds nothing to be read, nor does one that was killed while it was being made: SQLite
        // takes back what had been written of its tables.
        let is_begun = match Store::open_read(&path) {
            Err(StoreError::Missing { .. } | StoreError::NotADatabase { .. }) => {
                assert_eq!(seen, 0, "games were lost");
                false
            }
            _ => true,
        };
        if is_begun {
            let now = games(&path);
            assert!(now.len() >= seen, "a game was lost: {} where {seen} were", now.len());
            seen = now.len();
        }
        if finished {
            break;
        }
    }
    assert!(kills >= 5, "the run was over before it could be killed");
    printed(&with_out("killed.db"), folder.path());

    let [whole, killed] = ["whole.db", "killed.db"].map(|name| folder.path().join(name));
    assert_eq!(games(&killed).len(), 60);
    assert_eq!(games(&whole), games(&killed));
    assert_eq!(text(&whole, Format::Pgn), text(&killed, Format::Pgn));
    printed(&["info", "killed.db", "--replay"], folder.path());
    assert!(!folder.path().join("killed.db-wal").exists(), "one file at rest");
}

/// A run of more games than fit into memory, which is stopped after some of them.
fn play_until_interrupted(starter: &[&str]) {
    let folder = TempDir::new().unwrap();
    let words = [starter, &[env!("CARGO_BIN_EXE_assay-selfplay")]].concat();
    let child = Command::new(words[0])
        .args(&words[1..])
        .args([
            "generate",
            "chess",
            "--games",
            "1099511627776",
            "--nodes",
            "200",
            "--out",
            "games.db",
        ])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let path = folder.path().join("games.db");
    let count = || Store::open_read(&path).map_or(0, |store| store.count().unwrap());
    wait_until(|| count() >= 2);
    if !starter.is_empty() {
        signal(&child, "HUP");
        let before = count();
        wait_until(|| count() > before + 1);
    }
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "",
        "quiet where nobody watches"
    );
    let printed_text = String::from_utf8_lossy(&output.stdout);
    assert!(
        printed_text.contains("stopped; the same command plays the remaining games"),
        "{printed_text}"
    );
    assert!(
        printed_text.contains(&format!("games.db: {} of 1,099,511,627,776 games", games(&path).len())),
        "{printed_text}"
    );
}

#[test]
fn an_interrupted_run_ends_cleanly() {
    play_until_interrupted(&[]);
}

#[test]
fn a_run_under_nohup_survives_the_end_of_its_terminal() {
    play_until_interrupted(&["nohup"]);
}

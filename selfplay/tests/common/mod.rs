//! Functions that several tests share.
#![allow(dead_code, reason = "each test uses its part")]

pub(crate) mod fake;

use std::path::Path;
use std::process::{Child, Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use assay_selfplay::export::{Format, export};
use assay_selfplay::settings::{GameSource, Material, RunOptions, RunSettings, SelfPlay};
use assay_selfplay::{GameRecord, Store};

/// A run of short self-play games.
pub(crate) fn settings(game: &str, material: Material) -> RunSettings {
    let choices = SelfPlay {
        seed: 11,
        nodes: 60,
        hash_mb: 1,
        material,
        opening_plies: Some(8),
        balance: Some(Some(300)),
        ..SelfPlay::default()
    };
    choices.settings(GameSource::builtin(game).unwrap()).unwrap()
}

pub(crate) fn options(games: u64, threads: usize) -> RunOptions {
    RunOptions::self_play(games, threads)
}

/// All games of a file.
pub(crate) fn games(path: &Path) -> Vec<GameRecord> {
    Store::open_read(path).unwrap().games().collect::<Result<_, _>>().unwrap()
}

/// All games of a file as text.
pub(crate) fn text(path: &Path, format: Format) -> String {
    let mut out = Vec::new();
    export(&Store::open_read(path).unwrap(), format, |_| true, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Runs the program.
pub(crate) fn assay_selfplay(args: &[&str], folder: &Path) -> Output {
    assert_cmd::Command::cargo_bin("assay-selfplay").unwrap().args(args).current_dir(folder).output().unwrap()
}

/// Runs the program, which must succeed, and returns its output.
pub(crate) fn printed(args: &[&str], folder: &Path) -> String {
    let output = assay_selfplay(args, folder);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Sends a signal to a process, which must exist.
pub(crate) fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Waits for a condition, for at most a minute.
pub(crate) fn wait_until(mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_mins(1);
    while !condition() {
        assert!(Instant::now() < deadline, "nothing happens");
        sleep(Duration::from_millis(10));
    }
}

//! A signal ends every command with status 130, also one that cannot measure anything from the
//! games so far.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use assay_cli::testing::reset_signals;
use assay_selfplay::Store;
use tempfile::TempDir;

use crate::common::self_play;

fn spawn(words: &str, folder: &Path) -> Child {
    reset_signals(&mut Command::new(env!("CARGO_BIN_EXE_assay-tuner")))
        .args(words.split(' '))
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn wait_until(condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_mins(2);
    while !condition() {
        assert!(Instant::now() < deadline, "nothing happens");
        sleep(Duration::from_millis(5));
    }
}

fn end_by(child: Child, signal: &str) -> Output {
    let sent = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    child.wait_with_output().unwrap()
}

/// The number of games in all files of a folder.
fn games(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let databases = files.filter(|path| path.extension().is_some_and(|end| end == "db"));
    let count = |path: &Path| Store::open_read(path).and_then(|store| store.count()).unwrap_or(0);
    databases.map(|path| count(&path)).sum()
}

#[test]
fn interrupted_games() {
    let commands = ["validate chess --phase-model constant", "weigh --piece WD", "claims berolina"];
    for (command, signal) in commands.into_iter().zip(["INT", "TERM", "HUP"].into_iter().cycle()) {
        let folder = TempDir::new().unwrap();
        let running = spawn(&format!("{command} --games 1000000 --nodes 30"), folder.path());
        wait_until(|| games(folder.path()) > 0);
        let output = end_by(running, signal);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{command}: {stderr}");
        assert!(stderr.contains("stopped after "), "{command}: {stderr}");
    }
}

/// Returns true if the process handles SIGINT itself.
#[cfg(target_os = "linux")]
fn handles_interrupts(child: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(caught.trim(), 16).unwrap() & 0b10 != 0
}

/// These commands play no games and do not stop in between.
#[cfg(target_os = "linux")]
#[test]
fn interrupted_computations() {
    let folder = TempDir::new().unwrap();
    self_play(&folder.path().join("games.db"), 200);
    for (command, signal) in [
        ("fit games.db --phase-model constant --resamples 100000", "INT"),
        ("fit games.db --phase-model constant --resamples 100000", "TERM"),
        ("network games.db --epochs 60000 --out games.network", "HUP"),
    ] {
        let running = spawn(command, folder.path());
        wait_until(|| handles_interrupts(&running));
        let output = end_by(running, signal);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.as_str()), (Some(130), ""), "{command}");
    }
}

/// What was trained before the signal is kept.
#[test]
fn interrupted_training() {
    let folder = TempDir::new().unwrap();
    self_play(&folder.path().join("games.db"), 200);
    for signal in ["INT", "TERM", "HUP"] {
        let command = format!("network games.db --epochs 60000 --out {signal}.network --progress json");
        let mut running = spawn(&command, folder.path());
        let mut stderr = BufReader::new(running.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("epoch 2/60000") {
            line.clear();
            assert_ne!(stderr.read_line(&mut line).unwrap(), 0, "ended before the second epoch");
        }
        let output = end_by(running, signal);
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(130), "{signal}: {stdout}");
        assert!(stdout.contains(" of 60000"), "{signal}: {stdout}");
        assert!(folder.path().join(format!("{signal}.network")).is_file(), "{signal}");
    }
}

/// Interrupts a measurement when all its games are played and returns its results.
fn results_after_interrupt() -> String {
    let folder = TempDir::new().unwrap();
    let command =
        "validate chess --games 200 --nodes 30 --playtest 0 --phase-model constant --resamples 100000 --progress json";
    let mut running = spawn(command, folder.path());
    let mut stderr = BufReader::new(running.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    while !line.contains("\"done\":200") {
        line.clear();
        assert_ne!(stderr.read_line(&mut line).unwrap(), 0, "ended before all games were played");
    }
    let output = end_by(running, "INT");
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    assert_eq!(output.status.code(), Some(130), "{rest}");
    assert!(rest.lines().all(|line| line.starts_with("{\"")), "{rest}");
    String::from_utf8(output.stdout).unwrap()
}

/// A signal before the fit ends the playing, and values are measured from the games so far. A
/// signal during the fit ends the program immediately. The few signals that arrive between the last
/// game and the fit are sent again, in another run.
#[test]
fn interrupted_measurement() {
    let ended = (0..20).any(|_| {
        let results = results_after_interrupt();
        assert!(results.is_empty() || results.starts_with("Orthodox chess: 200 games"));
        results.is_empty()
    });
    assert!(ended, "no signal ended a fit");
}

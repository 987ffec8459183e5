//! Runs of the program. The words of a command are separated by blanks.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;

use assay_selfplay::generate;
use assay_selfplay::settings::{GameSource, RunOptions, SelfPlay};
use serde_json::Value;

pub(crate) fn run<'a>(args: impl IntoIterator<Item = &'a str>, folder: &Path) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_assay-tuner"));
    program.args(args).current_dir(folder).output().unwrap()
}

pub(crate) fn assay_tuner(command: &str, folder: &Path) -> Output {
    run(command.split_whitespace(), folder)
}

/// Standard output of a command that must succeed.
pub(crate) fn printed(command: &str, folder: &Path) -> String {
    let output = assay_tuner(command, folder);
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What a command prints with `--json`.
pub(crate) fn json(command: &str, folder: &Path) -> Value {
    serde_json::from_str(&printed(&format!("{command} --json"), folder)).unwrap()
}

/// Standard error of a command that must fail.
pub(crate) fn error(command: &str, folder: &Path) -> String {
    let output = assay_tuner(command, folder);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{command}: {stderr}");
    stderr
}

/// Plays games of chess between equal armies into a file.
pub(crate) fn self_play(path: &Path, games: u64) {
    play(path, SelfPlay { nodes: 30, hash_mb: 1, ..SelfPlay::default() }, &RunOptions::self_play(games, 1));
}

/// Plays games of chess into a file.
pub(crate) fn play(path: &Path, choices: SelfPlay, options: &RunOptions) {
    let settings = choices.settings(GameSource::builtin("chess").unwrap()).unwrap();
    generate(&settings, options, path, |_| {}, &AtomicBool::new(false)).unwrap();
}

/// The text of a file.
pub(crate) fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// A text on one line.
pub(crate) fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

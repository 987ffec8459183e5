//! The steps and recipes of docs/define-a-game.md.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A fenced block of a document: its language and its text.
fn blocks(document: &str) -> Vec<(&str, &str)> {
    let parts: Vec<&str> = document.split("\n```").collect();
    let inside = parts.iter().skip(1).step_by(2);
    inside.filter_map(|block| block.split_once('\n')).collect()
}

/// Each block of TOML that names a game begins a file of that name, the others continue it. Each
/// command runs with the file of that step, and prints the lines below it, in their order; columns
/// after the last of a line are times.
#[test]
fn every_step_does_what_it_says() {
    let document = include_str!("../../docs/define-a-game.md");
    let folder = tempfile::tempdir().unwrap();
    let mut file = PathBuf::new();
    let (mut definition, mut commands) = (String::new(), 0);
    for (language, text) in blocks(document) {
        match language {
            "toml" => {
                if let Some(name) = text.strip_prefix("name = \"").and_then(|rest| rest.split('"').next()) {
                    definition.clear();
                    file = folder.path().join(format!("{name}.toml"));
                }
                definition += &format!("{text}\n");
                std::fs::write(&file, &definition).unwrap();
            }
            "console" => {
                let (command, expected) = text.split_once('\n').unwrap();
                let words: Vec<&str> = command.strip_prefix("$ ").unwrap().split(' ').collect();
                // A test of this package alone builds no other program.
                if program(words[0]).exists() {
                    let printed = run(words[0], &words[1..], folder.path());
                    let mut lines = printed.lines();
                    for line in expected.lines() {
                        let found = lines.any(|printed| printed.trim_end().starts_with(line));
                        assert!(found, "{command}: the document expects `{line}` here:\n{printed}");
                    }
                }
                commands += 1;
            }
            _ => {}
        }
    }
    assert_eq!(commands, 19);
}

/// One of Assay's programs, which stand in one folder.
fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_assay-perft")).with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Runs a program and returns its standard output.
fn run(program: &str, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(self::program(program)).args(arguments).current_dir(folder).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

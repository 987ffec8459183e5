//! The example for CI systems, `examples/ci`.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{root, run};

/// Runs `check.sh` with the example engine. Returns the exit status, the output and the JUnit file.
fn check(engine_options: &str, options: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let example = root().join("examples/ci");
    let programs = Path::new(env!("CARGO_BIN_EXE_assay-perft")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let output = Command::new(example.join("check.sh"))
        .args(["breakthrough", &format!("{}{engine_options}", example.join("engine.py").display())])
        .args(options)
        .env("PATH", format!("{}:{path}", programs.display()))
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let junit = fs::read_to_string(folder.path().join("perft.xml")).unwrap_or_default();
    (output.status.code().unwrap(), text, junit)
}

#[test]
fn a_correct_engine_passes() {
    let suite = root().join("examples/ci/suite.epd").display().to_string();
    for options in [["--positions", "10"], ["--suite", &suite]] {
        let (status, text, junit) = check("", &options);
        assert_eq!(status, 0, "{text}");
        assert!(text.contains("all agree: "), "{text}");
        assert!(junit.contains("failures=\"0\" errors=\"0\""), "{junit}");
    }
    assert_eq!(run(&["verify", &suite]).0, 0);
}

#[test]
fn an_engine_with_a_bug_fails_with_one_difference() {
    let (status, text, junit) = check(" --bug", &["--positions", "10"]);
    assert_eq!(status, 1, "{text}");
    assert_eq!(text.matches("difference from ").count(), 1, "{text}");
    assert!(text.contains("\n  missing: c6c5\n  extra: none\n"), "{text}");
    assert!(junit.contains("failures=\"1\""), "{junit}");
}

//! The misbehaving engine, and the processes that it leaves behind.
#![allow(dead_code, reason = "each test uses its part")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The program, built if it is missing or older than its source: Cargo builds examples with all
/// tests, but not with a single one.
pub(crate) fn fake_engine() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let profile = test.parent().and_then(Path::parent).unwrap();
        let path = profile.join("examples").join(format!("fake_engine{}", std::env::consts::EXE_SUFFIX));
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/fake_engine.rs");
        let changed = |path: &Path| path.metadata().and_then(|file| file.modified()).ok();
        if changed(&path) > changed(Path::new(source)) {
            return path;
        }
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "assay-selfplay", "--example", "fake_engine"]);
        build.arg("--target-dir").arg(profile.parent().unwrap());
        if profile.ends_with("release") {
            build.arg("--release");
        }
        let built = build.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap();
        assert!(built.success() && path.exists(), "{} could not be built", path.display());
        path
    })
}

/// The fake engines, and the processes they started, whose command lines contain this word. Needs
/// `/proc`; elsewhere none are found.
fn with_word(word: &str) -> Vec<String> {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let commands = processes.filter_map(|entry| std::fs::read(entry.ok()?.path().join("cmdline")).ok());
    commands
        .map(|bytes| String::from_utf8_lossy(&bytes).replace('\0', " "))
        .filter(|command| {
            let mut words = command.split(' ');
            words.next().is_some_and(|program| program.contains("fake_engine")) && words.any(|part| part == word)
        })
        .collect()
}

/// Asserts that no process with this word on its command line is left; a killed one may take a
/// moment to go.
pub(crate) fn assert_none_left(word: &str) {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let left = with_word(word);
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < deadline, "left over: {left:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Returns true if processes with this word exist.
pub(crate) fn some_are_there(word: &str) -> bool {
    !with_word(word).is_empty()
}

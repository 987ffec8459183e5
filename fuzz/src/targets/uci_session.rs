//! Sessions in UCI: every `isready` is answered, whatever commands come between, and no thread
//! panics.

use super::common;

const COMMANDS: [&str; 16] = [
    "uci",
    "debug",
    "register",
    "isready",
    "ucinewgame",
    "setoption",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "d",
    "eval",
    "bench",
    "perft",
    "genfens",
];

pub fn target(data: &[u8]) {
    let setup = "setoption name Hash value 1\n";
    let (pings, output) = common::run_session(setup, data, bounded, command_of, "isready");
    assert_eq!(output.count("readyok"), pings, "answers to isready");
}

/// The first word of a line that is a command: words before it are skipped.
fn command_of(line: &str) -> Option<&str> {
    line.split_whitespace().find(|word| COMMANDS.contains(word))
}

/// The line with a limit on its cost; `None` if it takes long or reads files.
fn bounded(line: &str) -> Option<String> {
    let words: Vec<String> = line.split_whitespace().map(str::to_lowercase).collect();
    let has = |word: &str| words.iter().any(|other| other == word);
    match command_of(line) {
        Some("go") if has("perft") => None,
        Some("go") => Some(format!("{line} nodes 100")),
        Some("perft" | "bench" | "genfens") => None,
        Some("setoption") if ["hash", "threads", "variantpath", "evalfile"].into_iter().any(has) => None,
        _ => Some(line.to_owned()),
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    common::session_seeds("fuzz/seeds/uci.txt")
}

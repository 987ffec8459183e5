//! Sessions in UCI: every `isready` is answered, whatever commands come between, and no thread panics.

use std::io::Cursor;

use assay_engine::protocol;

use super::common::Transcript;
use crate::seeds;

const MAX_LINES: usize = 40;

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
    let text = String::from_utf8_lossy(data);
    let mut input = String::from("setoption name Hash value 1\n");
    let mut pings = 0;
    for line in text.lines().take(MAX_LINES).filter_map(bounded) {
        let command = command_of(&line);
        if command == Some("quit") {
            break;
        }
        pings += usize::from(command == Some("isready"));
        input += &line;
        input.push('\n');
    }
    let output = Transcript::default();
    protocol::run(Cursor::new(input.into_bytes()), output.clone(), true).expect("the input can be read");
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
    let lines = seeds::lines("fuzz/seeds/uci.txt");
    let mut sessions: Vec<Vec<u8>> = lines.chunks(12).map(|lines| lines.join(&b'\n')).collect();
    sessions.push(lines.into_iter().step_by(7).collect::<Vec<_>>().join(&b'\n'));
    sessions
}

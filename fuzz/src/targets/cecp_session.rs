//! Sessions in CECP: each `ping` is answered at most once, whatever commands come between, and no thread panics or hangs.

use std::io::Cursor;

use assay_engine::protocol;

use super::common::Transcript;
use crate::seeds;

const MAX_LINES: usize = 40;

pub fn target(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut input = String::from("xboard\nmemory 1\nsd 1\n");
    let mut pings = 0;
    for line in text.lines().take(MAX_LINES).filter(|line| is_bounded(line)) {
        let word = line.split_whitespace().next();
        if word == Some("quit") {
            break;
        }
        pings += usize::from(word == Some("ping"));
        input += line;
        input.push('\n');
    }
    let output = Transcript::default();
    protocol::run(Cursor::new(input.into_bytes()), output.clone(), true).expect("the input can be read");
    // A ping during a search is answered after its move, which the end of the input prevents.
    let answers = output.count("pong");
    assert!(answers <= pings, "{answers} answers to {pings} pings");
}

/// Returns false for lines that lift the limits on time and memory, or read files.
fn is_bounded(line: &str) -> bool {
    let word = line.split_whitespace().next();
    !matches!(word, Some("sd" | "memory" | "cores" | "option"))
}

pub fn seeds() -> Vec<Vec<u8>> {
    let lines = seeds::lines("fuzz/seeds/cecp.txt");
    let mut sessions: Vec<Vec<u8>> = lines.chunks(12).map(|lines| lines.join(&b'\n')).collect();
    sessions.push(lines.into_iter().step_by(7).collect::<Vec<_>>().join(&b'\n'));
    sessions
}

//! Sessions in CECP: each `ping` is answered at most once, whatever commands come between, and no
//! thread panics or hangs.

use super::common;

pub fn target(data: &[u8]) {
    let (pings, output) = common::run_session("xboard\nmemory 1\nsd 1\n", data, bounded, command_of, "ping");
    // A ping during a search is answered after its move, which the end of the input prevents.
    let answers = output.count("pong");
    assert!(answers <= pings, "{answers} answers to {pings} pings");
}

fn command_of(line: &str) -> Option<&str> {
    line.split_whitespace().next()
}

/// The line; `None` if it lifts the limits on time and memory, or reads files.
fn bounded(line: &str) -> Option<String> {
    let is_unbounded = matches!(command_of(line), Some("sd" | "memory" | "cores" | "option"));
    (!is_unbounded).then(|| line.to_owned())
}

pub fn seeds() -> Vec<Vec<u8>> {
    common::session_seeds("fuzz/seeds/cecp.txt")
}

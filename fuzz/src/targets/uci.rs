//! Lines of UCI, parsed without being executed.

use assay_engine::protocol::uci;

use crate::seeds;

pub fn target(data: &[u8]) {
    for line in String::from_utf8_lossy(data).lines() {
        if let Err(message) = uci::check_line(line) {
            assert!(message.contains("found ") && message.contains("expected "), "{message}");
        }
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    seeds::lines("fuzz/seeds/uci.txt")
}

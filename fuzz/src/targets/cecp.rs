//! Lines of CECP, parsed without being executed.

use assay_engine::protocol::cecp;

use crate::seeds;

pub fn target(data: &[u8]) {
    for line in String::from_utf8_lossy(data).lines() {
        if let Err(message) = cecp::check_line(line) {
            assert!(message.ends_with(line.trim()), "{message}");
        }
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    seeds::lines("fuzz/seeds/cecp.txt")
}

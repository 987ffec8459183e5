//! What an engine prints: `info` and `option` lines of UCI, thinking output and features of CECP.

use assay_client::options::{self, EngineOption};
use assay_selfplay::players::info::ReportedInfo;

use crate::seeds;

pub fn target(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (mut uci, mut cecp) = (ReportedInfo::default(), ReportedInfo::default());
    let mut offered = Vec::new();
    for line in text.lines() {
        uci.update_uci(line);
        cecp.update_cecp(line);
        offered.extend(EngineOption::parse_uci(line));
        offered.extend(EngineOption::parse_cecp(line));
        let _ = options::reported_error(line);
    }
    for option in &offered {
        // The command for the engine is a single line.
        for value in text.lines().chain(["true", "1"]) {
            match options::setoption(&offered, &option.name, value) {
                Ok(line) => assert!(line.starts_with("setoption name ") && line.lines().count() == 1, "{line:?}"),
                Err(error) => assert!(!error.is_empty()),
            }
        }
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = seeds::lines("fuzz/seeds/engine_output.txt");
    seeds.push(seeds.join(&b'\n'));
    seeds
}

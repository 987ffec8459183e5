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
        // An option is found by its name, in any case, if no earlier one has it.
        let found = options::find(&offered, &option.name).expect("an offered option");
        assert!(found.name.eq_ignore_ascii_case(&option.name), "{option:?}");
        if let Err(error) = options::checked(&offered, &option.name, &text) {
            assert!(error.contains("found") || error.contains("expected"), "{error}");
        }
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = seeds::lines("fuzz/seeds/engine_output.txt");
    seeds.push(seeds.join(&b'\n'));
    seeds
}

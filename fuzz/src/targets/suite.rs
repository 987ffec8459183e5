//! Perft suites: entries are printed and read back, and errors have a place in the file.

use std::fmt::Write;

use assay_perft::suite::{self, Entry, Games, Lines, Suite, SuiteError};
use assay_rules::def::BUILTIN_NAMES;

use super::common;
use crate::seeds;

pub fn target(data: &[u8]) {
    match parse(data) {
        Ok(suite) => {
            let printed = print(&suite);
            let again = parse(printed.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{printed}"));
            assert_eq!(print(&again), printed);
        }
        Err(error) => {
            assert!(!error.found.is_empty() && !error.expected.is_empty(), "{error}");
            common::assert_place(&String::from_utf8_lossy(data), error.line, error.column);
        }
    }
}

/// A suite in a folder that does not exist, so that it names no file beside it.
fn parse(data: &[u8]) -> Result<Suite, SuiteError> {
    let suite = suite::parse("/nonexistent/fuzz.epd".into(), data, Lines::Counted, None, &mut Games::default())?;
    match suite.faults.first() {
        Some(fault) => Err(fault.clone()),
        None => Ok(suite),
    }
}

fn print(suite: &Suite) -> String {
    let mut text = String::new();
    // A definition file is found by its path, which an entry does not keep.
    let is_builtin = |entry: &&Entry| BUILTIN_NAMES.contains(&entry.game.name.as_str());
    for entry in suite.entries.iter().filter(is_builtin) {
        let _ = write!(text, "{} ;variant {}", entry.position.fen(), entry.game.name);
        for count in &entry.counts {
            let _ = write!(text, " ;D{} {}", count.depth, count.nodes);
        }
        text.push('\n');
    }
    text
}

pub fn seeds() -> Vec<Vec<u8>> {
    let suites = seeds::files("epd", &["perft/suites", "testdata/bad/suites"]);
    // A few lines of each: a whole suite takes long to read.
    suites
        .iter()
        .flat_map(|suite| {
            let lines: Vec<&[u8]> = suite.split(|&byte| byte == b'\n').collect();
            let parts: Vec<Vec<u8>> = lines.chunks(3).take(12).map(|lines| lines.join(&b'\n')).collect();
            parts
        })
        .collect()
}

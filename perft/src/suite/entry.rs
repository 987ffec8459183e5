//! Contents of a suite.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use assay_rules::{GameDef, Position};

/// Greatest depth that a suite may state.
pub const MAX_DEPTH: u32 = 64;

/// Number of move sequences of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Depth in plies.
    pub depth: u32,
    /// Number of move sequences of that length.
    pub nodes: u64,
}

/// One line of a suite.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Line number, from 1.
    pub line: usize,
    pub game: Arc<GameDef>,
    pub position: Position,
    /// Counts in ascending order of depth, at least one.
    pub counts: Vec<Count>,
}

/// Positions with known counts.
#[derive(Clone, Debug)]
pub struct Suite {
    /// File of the suite, or its name if it is compiled in.
    pub source: Source,
    pub entries: Vec<Entry>,
    /// Number of lines that were skipped because they belong to another game than the selected one.
    pub other_games: usize,
}

/// Where a suite was read from. Displayed as a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    File(PathBuf),
    /// A suite that is compiled into the program, by file name.
    Embedded(&'static str),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File(path) => write!(f, "{}", path.display()),
            Source::Embedded(name) => write!(f, "suites/{name}"),
        }
    }
}

//! Suites: positions with known counts.
//!
//! One position per line: `FEN ;variant NAME ;D1 20 ;D2 400`. `NAME` is a built-in game, or the
//! path of a definition file (`.toml`) relative to the suite. Lines of other programs are read,
//! too: the FEN may lack its counters, semicolons may stand before or after an operation, and a
//! count may be written `perft 2 = 400`. Empty lines, comments after `#` and lines that begin with
//! `%` are skipped. In files of other programs (`.perft`), a position is a block of lines
//! `id NAME`, `epd FEN` and `perft 3 8902`.

mod parse;
mod read;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_engine::LoadError;
use assay_rules::{GameDef, Position};

pub use parse::{Lines, SuiteError, parse};
pub use read::{read_embedded, read_file, read_files};

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
    /// The FEN as written, with the counters that it lacks. The position does not have, for
    /// example, an en passant square that no legal capture uses.
    pub fen: String,
    /// The parts of the FEN that Assay ignores, in sentences; empty for most.
    pub ignored: String,
    pub position: Position,
    /// Counts in ascending order of depth, at least one if [`Lines::Counted`].
    pub counts: Vec<Count>,
}

/// Positions with known counts.
#[derive(Clone, Debug)]
pub struct Suite {
    /// File of the suite; `suites/NAME` if it is compiled in.
    pub source: PathBuf,
    pub entries: Vec<Entry>,
    /// Number of lines that were skipped because they belong to another game than the selected one.
    pub other_games: usize,
    /// What is wrong with the lines that could not be read, which are not among the entries.
    pub faults: Vec<SuiteError>,
}

/// Games that suites name, each loaded once.
#[derive(Default)]
pub struct Games {
    /// By name or path.
    loaded: HashMap<PathBuf, Arc<GameDef>>,
}

impl Games {
    /// Loads a game by name or path.
    ///
    /// # Errors
    /// If the name is unknown, or the file is wrong.
    pub fn load(&mut self, name: impl AsRef<Path>) -> Result<Arc<GameDef>, LoadError> {
        let name = name.as_ref();
        if let Some(game) = self.loaded.get(name) {
            return Ok(Arc::clone(game));
        }
        let game = assay_engine::load_game(&name.display().to_string())?;
        self.loaded.insert(name.to_owned(), Arc::clone(&game));
        Ok(game)
    }
}

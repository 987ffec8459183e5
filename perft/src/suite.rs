//! Suites: positions with known counts.
//!
//! One position per line: `FEN ;variant NAME ;D1 20 ;D2 400`. `NAME` is a built-in game, or the path of a definition file
//! (`.toml`) relative to the suite. Empty lines and lines that begin with `#` are skipped.

mod embedded;
mod entry;
mod games;
mod parse;
mod read;

pub use entry::{Count, Entry, MAX_DEPTH, Source, Suite};
pub use games::Games;
pub use parse::{SuiteError, parse};
pub use read::{read_embedded, read_files};

//! Suites: positions with known counts.
//!
//! One position per line: `FEN ;variant NAME ;D1 20 ;D2 400`. `NAME` is a built-in game, or the path of a definition file
//! (`.toml`) relative to the suite. Lines of other programs are read, too: the FEN may lack its counters, semicolons may stand
//! before or after an operation, and a count may be written `perft 2 = 400`. Empty lines and comments after `#` are skipped.

mod embedded;
mod entry;
mod games;
mod parse;
mod read;

pub use entry::{Count, Entry, MAX_DEPTH, Source, Suite};
pub use games::Games;
pub use parse::{SuiteError, parse};
pub use read::{read_embedded, read_files};

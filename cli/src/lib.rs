//! The command-line layer that Assay's programs share.
//!
//! | Job | Item |
//! |---|---|
//! | Exit status, and errors as one `error: ...` line | [`run`], [`Exit`] |
//! | Results on standard output, notes on standard error | [`output`] |
//! | Output files: checked before the work, replaced only as a whole | [`output_file`] |
//! | Progress bar on a terminal, a line every 30 seconds elsewhere, JSON on request | [`Progress`] |
//! | Digit grouping, rates, durations, percentages, plurals | [`format`](mod@format) |
//! | Ctrl-C: exit status 130, and a stop flag | [`interrupt`] |
//! | Reports as lists of sections, for a terminal and as HTML | [`page`] |
//! | Charts of HTML reports | [`chart`] |
//! | Tables and wrapped paragraphs | [`Table`], [`text`] |
//! | Enums with a name for each value | [`named!`] |
//! | Arguments that several programs take, and value parsers | [`args`] |
//! | Shell completions | [`SharedCommand`] |
//! | Snapshots of help and error texts, signals (feature `testing`) | `testing` |
//!
//! A program looks like this:
//!
//! ```no_run
//! use assay_cli::{Exit, Progress, SharedCommand, format, output};
//! use clap::{Parser, Subcommand};
//!
//! #[derive(Parser)]
//! #[command(name = "count", version, max_term_width = assay_cli::MAX_WIDTH)]
//! struct Cli {
//!     #[command(subcommand)]
//!     command: Command,
//! }
//!
//! #[derive(Subcommand)]
//! enum Command {
//!     /// Count to N
//!     To { n: u64 },
//!     #[command(flatten)]
//!     Shared(SharedCommand),
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     assay_cli::run(|| match Cli::try_parse()?.command {
//!         Command::To { n } => {
//!             let progress = Progress::new(n, "numbers");
//!             (0..n).for_each(|_| progress.inc(1));
//!             progress.finish();
//!             output::line(format::count(n, "number", "numbers"))?;
//!             Ok(Exit::Success)
//!         }
//!         Command::Shared(shared) => shared.run::<Cli>(),
//!     })
//! }
//! ```

pub mod chart;
pub mod format;
mod named;
pub mod page;
mod table;
pub mod text;

#[cfg(feature = "terminal")]
pub mod args;
#[cfg(feature = "terminal")]
mod exit;
#[cfg(feature = "terminal")]
pub mod interrupt;
#[cfg(feature = "terminal")]
pub mod output;
#[cfg(feature = "terminal")]
pub mod output_file;
#[cfg(feature = "terminal")]
mod progress;
#[cfg(feature = "terminal")]
mod shared_command;
#[cfg(feature = "testing")]
pub mod testing;

#[cfg(feature = "terminal")]
pub use exit::{Exit, error_line, error_text, run};
#[cfg(feature = "terminal")]
pub use progress::{Progress, ProgressMode};
#[cfg(feature = "terminal")]
pub use shared_command::SharedCommand;
pub use table::{Align, Cell, Table, row};
pub use text::MAX_WIDTH;

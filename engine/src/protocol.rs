//! The protocols of the engine: UCI and CECP, with their common options, session and worker thread.
//!
//! The first line of input selects the protocol. The command loop never waits for the worker, which
//! runs jobs in order and reports results as events; so `stop`, `quit` and the end of the input
//! take effect immediately.

pub mod cecp;
mod debug_log;
mod eval_file;
mod genfens;
mod input;
mod options;
mod output;
mod refusal;
mod session;
pub mod uci;

use std::io::{self, Read, Write};

pub use eval_file::LINEAR;
use input::InputLines;
pub use uci::run_commands;

/// Engine name and version, as shown to GUIs.
pub const ENGINE_NAME: &str = concat!("Assay ", env!("CARGO_PKG_VERSION"));

/// Runs the protocol that the first word selects: CECP for `xboard` or `protover`, UCI otherwise.
/// The end of the input means `quit`: a running search is stopped. `is_interactive` says that a
/// user types the input; then `quit` also stops `go perft` and other counts.
///
/// # Errors
/// Returns an error if the input cannot be read. Closed output ends the loop without an error.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    is_interactive: bool,
) -> io::Result<()> {
    let mut lines = InputLines::new(io::BufReader::new(input)).peekable();
    while lines.next_if(|line| line.as_ref().is_ok_and(|line| line.trim().is_empty())).is_some() {}
    let first_word = match lines.peek() {
        Some(Ok(line)) => line.split_whitespace().next(),
        _ => None,
    };
    match first_word {
        Some("xboard" | "protover") => cecp::run(lines, output),
        _ => uci::run(lines, output, is_interactive),
    }
}

//! The protocols of the engine: UCI and CECP, with their common options, session and search thread.
//!
//! A GUI or match runner speaks [UCI](crate::protocol::uci) or [CECP](crate::protocol::cecp); the first line of input decides
//! which. The command loop answers immediately, even during a search. Jobs that take time go to a worker thread, which runs
//! them in order and reports results as events.

pub mod cecp;
mod eval_file;
mod eval_table;
mod event;
pub mod genfens;
mod job;
mod number;
mod options;
mod output;
mod search_request;
mod session;
pub mod uci;
mod uci_move;
mod worker;

use std::io::{self, BufRead, Read, Write};

/// Engine name and version, as shown to GUIs.
pub const ENGINE_NAME: &str = concat!("Assay ", env!("CARGO_PKG_VERSION"));

/// Maximum length of the first line, in bytes.
const MAX_FIRST_LINE: u64 = 1 << 16;

/// Runs the protocol that the first word selects: CECP for `xboard` or `protover`, UCI otherwise. Returns on `quit` or at the
/// end of the input.
///
/// # Errors
/// Returns an error if the input cannot be read.
pub fn run(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    let mut input = io::BufReader::new(input);
    let mut consumed = Vec::new();
    loop {
        let start = consumed.len();
        let read = input.by_ref().take(MAX_FIRST_LINE).read_until(b'\n', &mut consumed)?;
        let line = String::from_utf8_lossy(&consumed[start..]);
        match line.split_whitespace().next() {
            None if read > 0 => {}
            Some("xboard" | "protover") => return cecp::run(io::Cursor::new(consumed).chain(input), output),
            _ => return uci::run(io::Cursor::new(consumed).chain(input), output),
        }
    }
}

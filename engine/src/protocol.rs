//! What the protocols have in common: options, the game being played, and a thread that thinks.
//!
//! A program that starts the engine speaks [UCI](crate::protocol::uci) or [CECP](crate::protocol::cecp); its first line says which. Either loop
//! answers at once, whatever the search is doing; what takes time it hands to a worker for the game being played, which does
//! one thing after the other and tells what it finds by events.

pub mod cecp;
pub(crate) mod evaluation;
pub(crate) mod event;
pub mod genfens;
pub(crate) mod moves;
pub(crate) mod options;
pub(crate) mod output;
pub(crate) mod request;
pub(crate) mod session;
mod terms;
pub mod uci;
mod worker;

use std::io::{self, BufRead, Read, Write};

/// The longest line that the first one may be, in bytes, for its protocol to be found out.
const FIRST_LINE: u64 = 1 << 16;

/// Speaks the protocol that the first word asks for: CECP after `xboard` or `protover`, UCI after anything else. Ends with
/// `quit` or the end of the input.
///
/// # Errors
/// When the input cannot be read.
pub fn run(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    let mut input = io::BufReader::new(input);
    let mut seen = Vec::new();
    loop {
        let start = seen.len();
        let read = input.by_ref().take(FIRST_LINE).read_until(b'\n', &mut seen)?;
        let line = String::from_utf8_lossy(&seen[start..]);
        match line.split_whitespace().next() {
            None if read > 0 => {}
            Some("xboard" | "protover") => return cecp::run(io::Cursor::new(seen).chain(input), output),
            _ => return uci::run(io::Cursor::new(seen).chain(input), output),
        }
    }
}

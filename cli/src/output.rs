//! Results on standard output, notes and warnings on standard error.

use std::fmt::Display;
use std::io::{self, Write};

use anyhow::Result;
use serde::Serialize;

/// Prints a result as it is.
///
/// # Errors
/// If standard output cannot be written. [`run`](crate::run) treats a closed pipe as success.
pub fn print(text: impl Display) -> Result<()> {
    let mut out = io::stdout().lock();
    write!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

/// Prints a result and a line end.
///
/// # Errors
/// As [`print()`].
pub fn line(text: impl Display) -> Result<()> {
    print(format_args!("{text}\n"))
}

/// Prints a result as indented JSON.
///
/// # Errors
/// As [`print()`], and if the value cannot be represented in JSON.
pub fn json(value: &impl Serialize) -> Result<()> {
    line(serde_json::to_string_pretty(value)?)
}

/// Prints a line on standard error. Failures are ignored: there is no other place to report them.
pub fn note(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Prints `warning: ...` on standard error, with control characters escaped.
pub fn warning(text: impl Display) {
    note(format_args!("warning: {}", escaped(&text.to_string())));
}

/// The text with control characters (also line ends) and bidirectional overrides escaped, safe to print on a terminal.
pub fn escaped(text: &str) -> String {
    let is_unsafe = |c: char| c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) {
            safe.extend(c.escape_default());
        } else {
            safe.push(c);
        }
    }
    safe
}

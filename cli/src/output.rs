//! Results on standard output, notes and warnings on standard error.

use std::fmt::Display;
use std::io::{self, Write};

use anyhow::Result;
use assay_rules::text::{escape, is_control};
use serde::Serialize;

pub use assay_rules::text::{escaped, printable};

/// Prints a result, made [`printable`].
///
/// # Errors
/// If standard output cannot be written. [`run`](crate::run) treats a closed pipe as success.
pub fn print(text: impl Display) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(printable(&text.to_string()).as_bytes())?;
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
    line(json_text(value)?)
}

/// Indented JSON as [`json`] prints it, without the last line end.
///
/// # Errors
/// If the value cannot be represented in JSON.
pub fn json_text(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value)?;
    // JSON has its own escape sequences.
    let is_escaped = |c| c != '\n' && is_control(c);
    Ok(escape(&text, is_escaped, |c| format!("\\u{:04x}", u32::from(c))).into_owned())
}

/// Prints a line on standard error, made [`printable`]. Failures are ignored: there is no other place to report them.
pub fn note(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{}", printable(&text.to_string()));
}

/// Prints `warning: ...` on standard error, with control characters escaped.
pub fn warning(text: impl Display) {
    note(format_args!("warning: {}", escaped(&text.to_string())));
}

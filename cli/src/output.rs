//! Results on standard output, notes and warnings on standard error.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use assay_rules::text::{escape, is_control};
use serde::Serialize;
use serde_json::json;

pub use assay_rules::text::{escaped, printable};

/// Prints a result, made [`printable`].
///
/// # Errors
/// If standard output cannot be written. [`run`](crate::run) treats a closed pipe as success.
pub fn print(text: impl Display) -> Result<()> {
    let mut out = io::stdout().lock();
    let written = out.write_all(printable(&text.to_string()).as_bytes());
    written.and_then(|()| out.flush()).context("standard output")
}

/// Prints a result and a line end.
///
/// # Errors
/// Those of [`print()`].
pub fn line(text: impl Display) -> Result<()> {
    print(format_args!("{text}\n"))
}

/// Prints a result as indented JSON.
///
/// # Errors
/// Those of [`print()`], and if the value cannot be represented in JSON.
pub fn json(value: &impl Serialize) -> Result<()> {
    line(json_text(value)?)
}

/// Indented JSON as [`json()`] prints it, without the last line end.
///
/// # Errors
/// If the value cannot be represented in JSON.
pub fn json_text(value: &impl Serialize) -> Result<String> {
    Ok(escape_json(&serde_json::to_string_pretty(value)?))
}

/// JSON without control characters, for which it has escape sequences of its own.
fn escape_json(text: &str) -> String {
    let escaped = escape(text, |c| c != '\n' && is_control(c), |c| format!("\\u{:04x}", u32::from(c)));
    escaped.into_owned()
}

/// True if notes are printed as JSON.
static JSON_NOTES: AtomicBool = AtomicBool::new(false);

/// Prints every note as JSON from now on: `{"note":"..."}`, so that each line of standard error is
/// an object.
pub(crate) fn print_notes_as_json() {
    JSON_NOTES.store(true, Ordering::Relaxed);
}

/// Prints a line on standard error, made [`printable`]. Failures are ignored: there is no other
/// place to report them.
pub fn note(text: impl Display) {
    if JSON_NOTES.load(Ordering::Relaxed) {
        return json_note(&json!({"note": text.to_string()}));
    }
    let _ = writeln!(io::stderr().lock(), "{}", printable(&text.to_string()));
}

/// Prints a value as one line of JSON on standard error.
pub(crate) fn json_note(value: &impl Serialize) {
    if let Ok(text) = serde_json::to_string(value) {
        let _ = writeln!(io::stderr().lock(), "{}", escape_json(&text));
    }
}

/// Prints `warning: ...` on standard error, with control characters escaped.
pub fn warning(text: impl Display) {
    note(format_args!("warning: {}", escaped(&text.to_string())));
}

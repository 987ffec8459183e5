//! Writing results: lines and JSON on standard output, warnings and errors on standard error.

use std::io::{self, Write};

use anyhow::Result;
use serde::Serialize;

/// Writes a text and a line end on standard output, at once.
///
/// # Errors
/// When standard output cannot be written; see [`is_broken_pipe`].
pub fn line(text: impl AsRef<str>) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_ref().as_bytes())?;
    out.write_all(b"\n")?;
    out.flush()?;
    Ok(())
}

/// Writes a value as indented JSON on standard output.
///
/// # Errors
/// When standard output cannot be written.
pub fn json(value: &impl Serialize) -> Result<()> {
    line(serde_json::to_string_pretty(value)?)
}

/// Writes one warning on standard error.
pub fn warning(text: impl std::fmt::Display) {
    note(format_args!("warning: {text}"));
}

/// Writes an error, with its causes on the same line, on standard error.
pub fn error(error: &anyhow::Error) {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        // Some errors already say what caused them.
        if !text.ends_with(&cause) {
            text += if text.is_empty() { "" } else { ": " };
            text += &cause;
        }
    }
    note(format_args!("error: {text}"));
}

/// Writes a line on standard error. There is nowhere to complain when that fails.
pub fn note(text: impl std::fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Did a write fail because nobody reads standard output any more, as in `assay-perft ... | head`?
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

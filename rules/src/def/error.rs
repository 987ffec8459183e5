//! Errors in game definition files.

use thiserror::Error;

/// An error in a game definition file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}{}: {}{message}", position(*.line, *.column), key.as_ref().map(|key| format!("{key}: ")).unwrap_or_default())]
pub struct DefError {
    /// Name of the file as given by the caller.
    pub file: String,
    /// Line, counted from 1, if the file contains the key.
    pub line: Option<usize>,
    /// Column in characters, counted from 1.
    pub column: Option<usize>,
    /// Dotted key (`pieces.queen.move`), if the error belongs to one.
    pub key: Option<String>,
    /// What was found, and what was expected.
    pub message: String,
}

fn position(line: Option<usize>, column: Option<usize>) -> String {
    match (line, column) {
        (Some(line), Some(column)) => format!(":{line}:{column}"),
        _ => String::new(),
    }
}

/// Line and column, both counted from 1, of a byte offset.
pub(super) fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}

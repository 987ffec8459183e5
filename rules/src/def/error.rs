//! What can be wrong with a game definition file.

use thiserror::Error;

/// One thing wrong with a game definition file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}{}: {}{message}", place(*.line, *.column), key.as_ref().map(|key| format!("{key}: ")).unwrap_or_default())]
pub struct DefError {
    /// The file's name as the caller gave it.
    pub file: String,
    /// The line, counted from 1, when the file has the key.
    pub line: Option<usize>,
    /// The column, counted from 1.
    pub column: Option<usize>,
    /// The key, dotted (`pieces.queen.move`), when the fault is one key's.
    pub key: Option<String>,
    /// What was found, and what was expected.
    pub message: String,
}

fn place(line: Option<usize>, column: Option<usize>) -> String {
    match (line, column) {
        (Some(line), Some(column)) => format!(":{line}:{column}"),
        _ => String::new(),
    }
}

/// The line and column (counted from 1) of a byte of a text.
pub(super) fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}

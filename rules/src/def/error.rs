//! Errors in TOML files: definitions, and other files about a game.

use serde::de::DeserializeOwned;
use thiserror::Error;

/// An error in a definition, or in another TOML file about a game.
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

impl DefError {
    /// Creates an error at a byte of the text of a file.
    pub fn at(file: &str, text: &str, byte: Option<usize>, key: Option<&str>, message: impl Into<String>) -> DefError {
        let position = byte.map(|byte| line_and_column(text, byte));
        DefError {
            file: file.to_owned(),
            line: position.map(|(line, _)| line),
            column: position.map(|(_, column)| column),
            key: key.map(str::to_owned),
            message: message.into(),
        }
    }
}

/// Parses a TOML file; `file` is its name in error messages.
///
/// # Errors
/// If the text is not TOML, or does not have the structure of `T`.
pub fn parse_toml<T: DeserializeOwned>(text: &str, file: &str) -> Result<T, DefError> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let message = error.message().trim().replace('\n', ", ");
        DefError::at(file, text, error.span().map(|span| span.start), None, message)
    })
}

/// Line and column, both counted from 1, of a byte offset.
fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}

//! Errors in TOML files: definitions, and other files about a game.

use std::ops::Range;

use serde::de::DeserializeOwned;
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::text::{is_control, without_bom};

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
    /// Says what was found and what was expected.
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

/// Parses a TOML file; `file` is its name in error messages. A byte-order mark is skipped.
///
/// # Errors
/// If the text is not TOML, contains a control character in a key or value, or does not have the
/// structure of `T`. Names and titles are printed on terminals and written to other files, so they
/// must be single lines of printable characters.
pub fn parse_toml<T: DeserializeOwned>(text: &str, file: &str) -> Result<T, DefError> {
    let text = without_bom(text);
    let invalid = |error: toml::de::Error| {
        DefError::at(file, text, error.span().map(|span| span.start), None, plain_message(&error))
    };
    let table = DeTable::parse(text).map_err(invalid)?;
    if let Some((byte, c)) = control_in_table(table.get_ref()) {
        let message =
            format!("found the control character U+{:04X}, expected one line of printable characters", u32::from(c));
        return Err(DefError::at(file, text, Some(byte), None, message));
    }
    T::deserialize(toml::Deserializer::from(table.clone())).map_err(|error| {
        let key = error.span().and_then(|span| key_at(table.get_ref(), &span));
        DefError { key: key.map(|parts| parts.join(".")), ..invalid(error) }
    })
}

/// The parts of the key whose name or value is at these bytes; `None` if they are not within one.
///
/// A deserializer that keeps track of the key while it reads (`serde_path_to_error`) says the same,
/// but is compiled for each key of each type.
fn key_at(table: &DeTable<'_>, bytes: &Range<usize>) -> Option<Vec<String>> {
    table.iter().find_map(|(key, value)| {
        let below = value_at(value, bytes).or_else(|| contains(&key.span(), bytes).then(Vec::new))?;
        Some([vec![key.get_ref().to_string()], below].concat())
    })
}

fn value_at(value: &Spanned<DeValue<'_>>, bytes: &Range<usize>) -> Option<Vec<String>> {
    let within = match value.get_ref() {
        DeValue::Array(values) => values.iter().enumerate().find_map(|(index, value)| {
            let below = value_at(value, bytes)?;
            Some([vec![index.to_string()], below].concat())
        }),
        DeValue::Table(table) => key_at(table, bytes),
        _ => None,
    };
    within.or_else(|| contains(&value.span(), bytes).then(Vec::new))
}

fn contains(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// What a TOML error says, without the names of Rust's types.
pub(super) fn plain_message(error: &toml::de::Error) -> String {
    let text = error.message().trim().replace('\n', ", ");
    let kinds = ["invalid type: ", "invalid value: "];
    if let Some(rest) = text.strip_prefix("unknown variant ") {
        return format!("found {}", rest.replace("expected one of ", "expected one of: "));
    }
    // The path names the key.
    if let Some((_, expected)) = text.strip_prefix("unknown field ").and_then(|text| text.split_once(", ")) {
        return format!("unknown key, {expected}");
    }
    let Some(rest) = kinds.into_iter().find_map(|kind| text.strip_prefix(kind)) else {
        return text;
    };
    let Some((found, expected)) = rest.rsplit_once(", expected ") else {
        return format!("found {rest}");
    };
    let expected = match expected {
        "f32" | "f64" => "a number",
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" | "u64" | "usize" => "a whole number of 0 or more",
        "i8" | "i16" | "i32" | "i64" => "a whole number",
        "a sequence" => "a list",
        "a map" => "a table",
        name if name.starts_with("struct ") => "a table",
        other => other,
    };
    format!("found {found}, expected {expected}")
}

/// The first key or value with a control character: its byte offset, and the character.
fn control_in_table(table: &DeTable<'_>) -> Option<(usize, char)> {
    table.iter().find_map(|(key, value)| {
        let in_key = key.get_ref().chars().find(|&c| is_control(c));
        in_key.map(|c| (key.span().start, c)).or_else(|| control_in_value(value))
    })
}

fn control_in_value(value: &Spanned<DeValue<'_>>) -> Option<(usize, char)> {
    match value.get_ref() {
        DeValue::String(text) => Some((value.span().start, text.chars().find(|&c| is_control(c))?)),
        DeValue::Array(values) => values.iter().find_map(control_in_value),
        DeValue::Table(table) => control_in_table(table),
        _ => None,
    }
}

/// Line and column, both counted from 1, of a byte offset.
fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

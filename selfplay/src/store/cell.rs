//! Values of columns, checked by hand: in a damaged file, a column may hold a value of any type.

use rusqlite::types::{Type, Value, ValueRef};
use rusqlite::{Error, Row};

/// The text in a column. `place` names the table and the row.
///
/// # Errors
/// If the column holds anything else.
pub(super) fn text(row: &Row<'_>, column: usize, place: &str) -> rusqlite::Result<String> {
    text_of(value(row, column)?).map_err(|why| at(row, column, place, &why))
}

/// The integer in a column. `place` names the table and the row.
///
/// # Errors
/// If the column holds anything else.
pub(super) fn integer(row: &Row<'_>, column: usize, place: &str) -> rusqlite::Result<i64> {
    integer_of(value(row, column)?).map_err(|why| at(row, column, place, &why))
}

/// The value of a column. Text that is not UTF-8 becomes a blob.
///
/// # Errors
/// If there is no such column.
pub(super) fn value(row: &Row<'_>, column: usize) -> rusqlite::Result<Value> {
    Ok(match row.get_ref(column)? {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Value::Text(text.to_owned()),
            Err(_) => Value::Blob(bytes.to_vec()),
        },
        ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
    })
}

pub(super) fn text_of(value: Value) -> Result<String, String> {
    match value {
        Value::Text(text) => Ok(text),
        other => Err(wrong_type(&other, "text")),
    }
}

pub(super) fn integer_of(value: Value) -> Result<i64, String> {
    match value {
        Value::Integer(number) => Ok(number),
        other => Err(wrong_type(&other, "an integer")),
    }
}

pub(super) fn bytes_of(value: Value) -> Result<Vec<u8>, String> {
    match value {
        Value::Blob(bytes) => Ok(bytes),
        other => Err(wrong_type(&other, "bytes")),
    }
}

fn wrong_type(found: &Value, expected: &str) -> String {
    let found = match found {
        Value::Null => "nothing",
        Value::Integer(_) => "an integer",
        Value::Real(_) => "a real number",
        Value::Text(_) => "text",
        Value::Blob(_) => "bytes that are not text",
    };
    format!("found {found}, expected {expected}")
}

fn at(row: &Row<'_>, column: usize, place: &str, why: &str) -> Error {
    let name = row.as_ref().column_name(column).unwrap_or_default();
    Error::FromSqlConversionFailure(column, Type::Null, format!("{place}, column {name}: {why}").into())
}

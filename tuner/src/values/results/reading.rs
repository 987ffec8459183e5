//! Reads the results that commands print with `--json`.

use std::path::Path;

use assay_engine::file;
use serde::de::DeserializeOwned;

use crate::values::data::DataError;

/// A result that a command prints with `--json`.
pub(in crate::values) trait Stored: DeserializeOwned {
    /// The command.
    const COMMAND: &'static str;

    /// Checks what the types do not express: lists that belong together, and counts of a whole and its
    /// parts.
    ///
    /// # Errors
    /// The place of the first fault, what was found there, and what was expected.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

/// The text of a result.
pub(in crate::values) fn read_text(path: &Path) -> Result<String, DataError> {
    file::read_text(path, file::MAX_FILE).map_err(|error| DataError::at(path.display(), error))
}

/// A value from its JSON, without checks. `command` is the one that prints such JSON.
pub(in crate::values) fn deserialize<T: DeserializeOwned>(
    text: &str,
    path: &Path,
    command: &'static str,
) -> Result<T, DataError> {
    serde_json::from_str(text).map_err(|error| {
        let place = place_at(text, error.line(), error.column());
        let colon = if place.is_empty() { "" } else { ": " };
        let expected = format_args!("expected the output of `assay-tuner {command} --json`");
        DataError::at(path.display(), format!("{place}{colon}{error}; {expected}"))
    })
}

/// The innermost field (`fit.covariance[3][4]`) that has begun at a place of a JSON text, which is
/// valid up to there; empty for the whole. Lines and columns count from 1, columns in bytes.
///
/// A deserializer that keeps track of the field while it reads (`serde_path_to_error`) says the
/// same, but is compiled for each field of each type: a quarter of this crate's build time.
fn place_at(text: &str, line: usize, column: usize) -> String {
    let line_start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let read = &text.as_bytes()[..text.len().min(line_start + column)];
    // The open arrays and objects: the index of the last value of an array, and the part of the
    // place, which is empty before the first value and the first key.
    let mut open: Vec<(Option<usize>, String)> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = read.get(at) {
        let begin = at;
        at += 1;
        match (byte, open.last_mut()) {
            (b'}' | b']', _) => drop(open.pop()),
            (b',', Some((None, part))) => part.clear(),
            (b',', Some((Some(index), part))) if !part.is_empty() => {
                *index += 1;
                *part = format!("[{index}]");
            }
            (b',' | b':' | b' ' | b'\n' | b'\r' | b'\t', _) => (),
            (_, last) => {
                if let Some((Some(index), part)) = last {
                    *part = format!("[{index}]");
                }
                match byte {
                    b'{' => open.push((None, String::new())),
                    b'[' => open.push((Some(0), String::new())),
                    b'"' => {
                        while read.get(at).is_some_and(|&byte| byte != b'"') {
                            at += 1 + usize::from(read[at] == b'\\');
                        }
                        at += 1;
                        let text = read.get(begin..at).unwrap_or_default();
                        if let Some((None, part)) = open.last_mut()
                            && part.is_empty()
                            && let Ok(key) = serde_json::from_slice::<String>(text)
                        {
                            *part = format!(".{key}");
                        }
                    }
                    _ => (),
                }
            }
        }
    }
    let place: String = open.into_iter().map(|(_, part)| part).collect();
    place.strip_prefix('.').unwrap_or(&place).to_owned()
}

/// A result from its JSON, with all checks. `path` is the name of the text in errors.
pub(in crate::values) fn parse<T: Stored>(text: &str, path: &Path) -> Result<T, DataError> {
    let result: T = deserialize(text, path, T::COMMAND)?;
    result.check().map_err(|fault| DataError::at(path.display(), fault))?;
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_the_innermost_fields() {
        let text = "{\"a\\\"b\": [1, {\"c\": [[2, 3], []]}],\n \"d\": {\"e\": \"f,{\"}, \"g\": true}";
        let of = |part: &str| {
            let offset = text.find(part).unwrap() + part.len();
            let line = 1 + text[..offset].matches('\n').count();
            place_at(text, line, offset - text[..offset].rfind('\n').map_or(0, |end| end + 1))
        };
        let places = [
            ("{", ""),
            ("[", "a\"b"),
            ("[1", "a\"b[0]"),
            ("{\"c\"", "a\"b[1].c"),
            ("[[2", "a\"b[1].c[0][0]"),
            ("3", "a\"b[1].c[0][1]"),
            ("3]", "a\"b[1].c[0]"),
            ("[]", "a\"b[1].c[1]"),
            ("[]]", "a\"b[1].c"),
            ("[]]}", "a\"b[1]"),
            ("\"d\"", "d"),
            ("f,{\"", "d.e"),
            ("f,{\"}", "d"),
            ("true", "g"),
            ("true}", ""),
        ];
        for (part, place) in places {
            assert_eq!(of(part), place, "after {part}");
        }
        // Nothing that is cut or broken stops it.
        for end in 0..=text.len() {
            place_at(&text[..end], 3, 100);
            place_at(&text[end..], 1, 40);
        }
    }
}

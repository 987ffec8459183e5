//! Reads the results that commands print with `--json`.

use std::fmt::Display;
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
    let fault = |error: &dyn Display| {
        DataError::at(path.display(), format!("{error}; expected the output of `assay-tuner {command} --json`"))
    };
    let mut json = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| fault(&error))?;
    json.end().map_err(|error| fault(&error))?;
    Ok(value)
}

/// A result from its JSON, with all checks. `path` is the name of the text in errors.
pub(in crate::values) fn parse<T: Stored>(text: &str, path: &Path) -> Result<T, DataError> {
    let result: T = deserialize(text, path, T::COMMAND)?;
    result.check().map_err(|fault| DataError::at(path.display(), fault))?;
    Ok(result)
}

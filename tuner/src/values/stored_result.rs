//! Results of any command, read from the JSON that it printed.

use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::values::atlas::Atlas;
use crate::values::claims::Claims;
use crate::values::data::DataError;
use crate::values::ladder::Ladder;
use crate::values::results::MeasurementReport;
use crate::values::results::reading::{deserialize, parse, read_text};

/// A result of any command.
#[derive(Clone, Debug)]
pub enum StoredResult {
    Measurement(Box<MeasurementReport>),
    Claims(Claims),
    Ladder(Ladder),
    Atlas(Atlas),
}

/// Keys that only one kind of result has. A file without them counts as a measurement, the usual
/// case.
#[derive(Deserialize)]
struct Keys {
    findings: Option<IgnoredAny>,
    levels: Option<IgnoredAny>,
    pieces: Option<IgnoredAny>,
}

impl StoredResult {
    /// Reads the JSON of a measurement, of claims, of a ladder, or of an atlas.
    ///
    /// # Errors
    /// If the file cannot be read or has other contents, numbers are out of range, or lists that belong together have different lengths.
    pub fn read(path: &Path) -> Result<StoredResult, DataError> {
        StoredResult::parse(&read_text(path)?, path)
    }

    /// A result from its JSON. `path` is the name of the text in errors.
    ///
    /// # Errors
    /// As [`StoredResult::read`].
    pub fn parse(text: &str, path: &Path) -> Result<StoredResult, DataError> {
        Ok(match deserialize(text, path, "validate")? {
            Keys { findings: Some(_), .. } => StoredResult::Claims(Claims::parse(text, path)?),
            Keys { levels: Some(_), .. } => StoredResult::Ladder(parse(text, path)?),
            Keys { pieces: Some(_), .. } => StoredResult::Atlas(parse(text, path)?),
            Keys { .. } => StoredResult::Measurement(Box::new(MeasurementReport::parse(text, path)?)),
        })
    }
}

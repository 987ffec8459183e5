//! Results of any command, read from the JSON that it printed.

use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::values::claims::Claims;
use crate::values::ladder::Ladder;
use crate::values::results::MeasurementReport;
use crate::values::results::reading::{ReadResultError, read_json};

/// A result of any command.
#[derive(Clone, Debug)]
pub enum StoredResult {
    Measurement(Box<MeasurementReport>),
    Claims(Claims),
    Ladder(Ladder),
}

/// Keys that only one kind of result has. A file without them counts as a measurement, the usual case.
#[derive(Deserialize)]
struct Keys {
    findings: Option<IgnoredAny>,
    levels: Option<IgnoredAny>,
}

impl StoredResult {
    /// Reads the JSON of a measurement, of claims, or of a ladder.
    ///
    /// # Errors
    /// If the file cannot be read or has other contents, numbers are out of range, or lists that belong together have different lengths.
    pub fn read(path: &Path) -> Result<StoredResult, ReadResultError> {
        Ok(match read_json(path, "validate")? {
            Keys { findings: Some(_), .. } => StoredResult::Claims(read_json(path, "claims")?),
            Keys { levels: Some(_), .. } => StoredResult::Ladder(Ladder::read(path)?),
            Keys { .. } => StoredResult::Measurement(Box::new(MeasurementReport::read(path)?)),
        })
    }
}

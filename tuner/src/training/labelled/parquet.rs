//! The rows of a Parquet file as records.

use std::fs::File;

use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};

use super::formats::{Columns, Layout, PlacedFault, RecordFault};

/// Numbers of rows, from 1, and their texts.
type Rows = Box<dyn Iterator<Item = Result<(u64, String), PlacedFault>>>;

/// The rows as comma-separated values.
pub(super) fn open(file: File) -> Result<(Layout, Rows), PlacedFault> {
    let fault = |number: u64, error: ParquetError| (number, RecordFault::Read(std::io::Error::other(error)));
    let reader = SerializedFileReader::new(file).map_err(|error| fault(0, error))?;
    let fields = reader.metadata().file_metadata().schema().get_fields();
    let names: Vec<&str> = fields.iter().map(|field| field.name()).collect();
    let header = names.join(",");
    let no_position = || RecordFault::field("columns", &header, "a column `fen` with positions");
    let columns = Columns::of(&header).and_then(|columns| columns.ok_or_else(no_position));
    let columns = columns.map_err(|fault| (0, fault))?;
    let rows = (1..).zip(reader).map(move |(number, row)| {
        let row = row.map_err(|error| fault(number, error))?;
        Ok((number, text(&row)))
    });
    Ok((Layout::Csv(columns), Box::new(rows)))
}

/// A row as a line of CSV.
fn text(row: &Row) -> String {
    let values = row.get_column_iter().map(|(_, value)| match value {
        Field::Null => String::new(),
        Field::Str(text) => format!("\"{}\"", text.replace('"', "")),
        other => format!("\"{}\"", other.to_string().replace('"', "")),
    });
    values.collect::<Vec<_>>().join(",")
}

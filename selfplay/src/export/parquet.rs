//! Parquet output: the columns of the CSV file with types. `eval` is optional.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::table::Row;

const SCHEMA: &str = "message positions {
    REQUIRED BINARY fen (STRING);
    REQUIRED BINARY variant (STRING);
    REQUIRED BINARY side (STRING);
    REQUIRED INT32 ply;
    REQUIRED INT32 pieces;
    REQUIRED INT32 hmvc;
    REQUIRED BINARY best (STRING);
    OPTIONAL INT32 eval;
    REQUIRED DOUBLE score;
    REQUIRED BINARY game (STRING);
    REQUIRED BINARY pair (STRING);
}";

/// Rows of a row group.
const GROUP: usize = 65_536;

/// A Parquet file being written.
pub(super) struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    waiting: Vec<Row>,
}

impl<W: Write + Send> ParquetWriter<W> {
    pub(super) fn new(out: W) -> io::Result<ParquetWriter<W>> {
        let schema = parse_message_type(SCHEMA)?;
        let properties = WriterProperties::builder().set_compression(Compression::UNCOMPRESSED);
        let file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties.build()))?;
        Ok(ParquetWriter { file, waiting: Vec::new() })
    }

    pub(super) fn write(&mut self, rows: Vec<Row>) -> io::Result<()> {
        self.waiting.extend(rows);
        if self.waiting.len() >= GROUP {
            self.write_group()?;
        }
        Ok(())
    }

    pub(super) fn finish(&mut self) -> io::Result<()> {
        if !self.waiting.is_empty() {
            self.write_group()?;
        }
        self.file.finish()?;
        self.file.inner_mut().flush()
    }

    /// Writes the columns in the order of the schema.
    fn write_group(&mut self) -> Result<(), ParquetError> {
        let rows = std::mem::take(&mut self.waiting);
        let mut group = self.file.next_row_group()?;
        let texts = |text: fn(&Row) -> &str| -> Vec<ByteArray> { rows.iter().map(|row| text(row).into()).collect() };
        let numbers = |number: fn(&Row) -> usize| -> Vec<i32> { rows.iter().map(|row| number(row) as i32).collect() };
        let evals: Vec<i32> = rows.iter().filter_map(|row| row.eval).collect();
        let has_eval: Vec<i16> = rows.iter().map(|row| i16::from(row.eval.is_some())).collect();
        let scores: Vec<f64> = rows.iter().map(|row| row.score).collect();
        column::<W, ByteArrayType>(&mut group, &texts(|row| &row.fen), None)?;
        column::<W, ByteArrayType>(&mut group, &texts(|row| &row.variant), None)?;
        column::<W, ByteArrayType>(&mut group, &texts(|row| row.side), None)?;
        column::<W, Int32Type>(&mut group, &numbers(|row| row.ply), None)?;
        column::<W, Int32Type>(&mut group, &numbers(|row| row.pieces), None)?;
        column::<W, Int32Type>(&mut group, &numbers(|row| row.hmvc), None)?;
        column::<W, ByteArrayType>(&mut group, &texts(|row| &row.best), None)?;
        column::<W, Int32Type>(&mut group, &evals, Some(&has_eval))?;
        column::<W, DoubleType>(&mut group, &scores, None)?;
        column::<W, ByteArrayType>(&mut group, &texts(|row| &row.game), None)?;
        column::<W, ByteArrayType>(&mut group, &texts(|row| &row.pair), None)?;
        group.close()?;
        Ok(())
    }
}

/// Writes the next column. `levels` are 0 where an optional value is missing.
fn column<W: Write + Send, T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let mut column = group.next_column()?.expect("the schema has this column");
    column.typed::<T>().write_batch(values, levels, None)?;
    column.close()
}

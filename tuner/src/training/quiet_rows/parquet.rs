//! Parquet output: the columns of the CSV file with types. `eval` is optional.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::{PositionSink, QuietPosition, side};

const SCHEMA: &str = "message quiet_positions {
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
    REQUIRED INT64 pair;
}";

/// Rows of a row group.
const GROUP: usize = 65_536;

/// A Parquet file being written.
pub struct Parquet<W: Write + Send> {
    file: SerializedFileWriter<W>,
    waiting: Vec<QuietPosition>,
}

impl<W: Write + Send> Parquet<W> {
    /// Writes to `out`.
    ///
    /// # Errors
    /// If writing fails.
    pub fn new(out: W) -> io::Result<Parquet<W>> {
        let schema = parse_message_type(SCHEMA).map_err(io_error)?;
        let properties = WriterProperties::builder().set_compression(Compression::UNCOMPRESSED);
        let file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties.build())).map_err(io_error)?;
        Ok(Parquet {
            file,
            waiting: Vec::new(),
        })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let rows = std::mem::take(&mut self.waiting);
        let mut group = self.file.next_row_group()?;
        let mut number = 0;
        while let Some(mut column) = group.next_column()? {
            write_column(super::COLUMNS[number], column.untyped(), &rows)?;
            column.close()?;
            number += 1;
        }
        group.close()?;
        Ok(())
    }
}

fn write_column(name: &str, column: &mut ColumnWriter<'_>, rows: &[QuietPosition]) -> Result<(), ParquetError> {
    match column {
        ColumnWriter::ByteArrayColumnWriter(column) => {
            let text = |row: &QuietPosition| -> ByteArray {
                match name {
                    "fen" => row.fen.as_str().into(),
                    "variant" => row.variant.as_str().into(),
                    "side" => side(row.side).into(),
                    "best" => row.best.as_str().into(),
                    _ => row.game.as_str().into(),
                }
            };
            let texts: Vec<ByteArray> = rows.iter().map(text).collect();
            column.write_batch(&texts, None, None)?;
        }
        ColumnWriter::Int32ColumnWriter(column) if name == "eval" => {
            let there: Vec<i32> = rows.iter().filter_map(|row| row.eval).collect();
            let levels: Vec<i16> = rows.iter().map(|row| i16::from(row.eval.is_some())).collect();
            column.write_batch(&there, Some(&levels), None)?;
        }
        ColumnWriter::Int32ColumnWriter(column) => {
            let number = |row: &QuietPosition| match name {
                "ply" => row.ply as i32,
                "pieces" => row.pieces as i32,
                _ => row.unchanged as i32,
            };
            column.write_batch(&rows.iter().map(number).collect::<Vec<i32>>(), None, None)?;
        }
        ColumnWriter::Int64ColumnWriter(column) => {
            let numbers: Vec<i64> = rows.iter().map(|row| row.pair as i64).collect();
            column.write_batch(&numbers, None, None)?;
        }
        ColumnWriter::DoubleColumnWriter(column) => {
            let numbers: Vec<f64> = rows.iter().map(|row| row.score).collect();
            column.write_batch(&numbers, None, None)?;
        }
        _ => unreachable!("the schema has no other type"),
    }
    Ok(())
}

fn io_error(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

impl<W: Write + Send> PositionSink for Parquet<W> {
    fn write(&mut self, rows: &[QuietPosition]) -> io::Result<()> {
        self.waiting.extend_from_slice(rows);
        if self.waiting.len() >= GROUP {
            self.write_group().map_err(io_error)?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        if !self.waiting.is_empty() {
            self.write_group().map_err(io_error)?;
        }
        self.file.finish().map_err(io_error)?;
        self.file.inner_mut().flush()
    }
}

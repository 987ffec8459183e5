//! Files of labelled positions as records: lines, the blocks of Stockfish's plain format, or the
//! rows of a Parquet file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use assay_engine::file::check_regular;
use assay_rules::fen::Epd;
use assay_selfplay::compressed::decompressed;

use super::formats::{END_OF_PLAIN, Layout, PlacedFault, RecordFault};

/// Longest line in bytes, so that no file exhausts the memory.
const MAX_LINE: u64 = 1 << 14;

/// First bytes of an SQLite database, and so of a run file.
const SQLITE: &[u8] = b"SQLite format 3\0";
const PARQUET: &[u8] = b"PAR1";

/// A record with the number of its first line or its row, from 1.
pub(super) type Record = (u64, String);

type Lines = Box<dyn Iterator<Item = Result<Record, PlacedFault>>>;

/// The records of a file, in order. Empty lines, and lines that begin with `#`, are left out.
pub(super) struct Records {
    pub(super) layout: Layout,
    lines: Lines,
    /// The first line of a position in Stockfish's plain format that has been read with the one
    /// before it.
    next_position: Option<Record>,
}

/// Whether a file is a run file rather than one of labelled positions. A file that cannot be opened
/// counts as a run file, whose reader reports the error.
pub fn is_run_file(path: &Path) -> bool {
    let first_bytes = || -> io::Result<Vec<u8>> {
        check_regular(path)?;
        let mut bytes = Vec::new();
        File::open(path)?.take(SQLITE.len() as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    first_bytes().map_or(true, |bytes| bytes.is_empty() || bytes == SQLITE)
}

impl Records {
    /// Opens a file and finds out its layout from its first bytes and its first record.
    ///
    /// # Errors
    /// If the file cannot be opened, or its columns say nothing about results.
    pub(super) fn open(path: &Path) -> Result<Records, PlacedFault> {
        let fault = |error: io::Error| (0, RecordFault::Read(error));
        check_regular(path).map_err(fault)?;
        let mut bytes = BufReader::with_capacity(1 << 16, File::open(path).map_err(fault)?);
        let start = bytes.fill_buf().map_err(fault)?;
        let mut lines: Lines = if start.starts_with(PARQUET) {
            #[cfg(feature = "parquet")]
            return super::parquet::open(bytes.into_inner()).map(|(layout, lines)| Records {
                layout,
                lines,
                next_position: None,
            });
            #[cfg(not(feature = "parquet"))]
            return Err((0, RecordFault::Parquet));
        } else {
            text_lines(decompressed(bytes).map_err(fault)?)
        };
        let first = lines.next();
        let (layout, is_header) = match &first {
            Some(Ok((number, text))) => Layout::of(text).map_err(|fault| (*number, fault))?,
            _ => (Layout::Lines, false),
        };
        Ok(Records {
            layout,
            lines: Box::new(first.filter(|_| !is_header).into_iter().chain(lines)),
            next_position: None,
        })
    }
}

impl Iterator for Records {
    type Item = Result<Record, PlacedFault>;

    fn next(&mut self) -> Option<Self::Item> {
        let (number, mut block) = match self.next_position.take().map(Ok).or_else(|| self.lines.next())? {
            Ok(record) if self.layout == Layout::Plain => record,
            other => return Some(other),
        };
        while block != "e" && !block.ends_with("\ne") {
            match self.lines.next() {
                // Without its last line the position is faulty, but not what follows.
                Some(Ok(line)) if line.1.starts_with("fen ") => {
                    self.next_position = Some(line);
                    break;
                }
                Some(Ok((_, line))) if block.len() as u64 <= MAX_LINE => block = block + "\n" + &line,
                Some(Ok(_)) => return Some(Err((number, RecordFault::field("position", &block, END_OF_PLAIN)))),
                Some(Err(fault)) => return Some(Err(fault)),
                None => break,
            }
        }
        Some(Ok((number, block)))
    }
}

/// The lines of a text. Nothing can be read behind a fault.
fn text_lines(mut reader: impl BufRead + 'static) -> Lines {
    let mut number = 0;
    let mut line = move || -> Result<Option<Record>, PlacedFault> {
        loop {
            number += 1;
            let mut bytes = Vec::new();
            let read = reader.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut bytes);
            read.map_err(|error| (number, RecordFault::Read(error)))?;
            if bytes.is_empty() {
                return Ok(None);
            }
            if bytes.len() as u64 > MAX_LINE {
                return Err((number, RecordFault::LongLine(MAX_LINE)));
            }
            let text = String::from_utf8(bytes).map_err(|_| (number, RecordFault::NotText))?;
            if let Some(text) = Epd::line(&text) {
                return Ok(Some((number, text.to_owned())));
            }
        }
    };
    Box::new(std::iter::from_fn(move || line().transpose()))
}

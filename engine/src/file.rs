//! Reading files named by the user: only regular files of bounded size, so that no device or pipe
//! can hang a program or exhaust its memory.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use assay_rules::text::without_bom;
use thiserror::Error;

/// The largest definition of a game, in bytes.
pub const MAX_DEFINITION: u64 = 1 << 20;

/// The largest of all other files: books, suites, weights, networks, reports.
pub const MAX_FILE: u64 = 1 << 28;

/// An error in the content of a weights file or network file: the place, what was found there, and
/// what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ContentError(pub(crate) String);

impl ContentError {
    pub(crate) fn at(place: &str, found: impl Display, expected: impl Display) -> ContentError {
        ContentError(format!("{place}: found {found}, expected {expected}"))
    }
}

/// Checks that a path does not lead to a device or a pipe, or to a folder. Call this before opening
/// it: opening a FIFO waits for a writer.
///
/// # Errors
/// If it does, or there is no file.
pub fn check_regular(path: &Path) -> io::Result<()> {
    let metadata = fs::metadata(path)?;
    let (kind, found) = if metadata.is_dir() {
        (io::ErrorKind::IsADirectory, "a folder")
    } else if metadata.is_file() {
        return Ok(());
    } else {
        (io::ErrorKind::InvalidInput, "a device or pipe")
    };
    Err(io::Error::new(kind, format!("found {found}, expected a regular file")))
}

/// Reads a file of at most `max` bytes.
///
/// # Errors
/// If the file cannot be read, is larger, or is not a regular file.
pub fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    check_regular(path)?;
    let mut bytes = Vec::new();
    // The size in the metadata is not enough: the file may grow.
    File::open(path)?.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        let text = format!("the file is larger than {} MiB", max >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    Ok(bytes)
}

/// Reads a text file of at most `max` bytes, without its byte-order mark.
///
/// # Errors
/// Like [`read`], and if the file is not UTF-8.
pub fn read_text(path: &Path, max: u64) -> io::Result<String> {
    let text = String::from_utf8(read(path, max)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "the file is not UTF-8 text"))?;
    Ok(without_bom(&text).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_regular_files_up_to_the_limit() {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        let length = path.metadata().unwrap().len();
        assert_eq!(read(path, length).unwrap().len() as u64, length);
        assert!(read(path, length - 1).unwrap_err().to_string().contains("is larger than"));
        assert!(read_text(path, length).unwrap().starts_with("[package]"));
    }

    #[test]
    fn skips_a_byte_order_mark() {
        let path = std::env::temp_dir().join(format!("assay-bom-{}.toml", std::process::id()));
        fs::write(&path, "\u{feff}name = 1\n").unwrap();
        let text = read_text(&path, MAX_FILE);
        fs::remove_file(&path).unwrap();
        assert_eq!(text.unwrap(), "name = 1\n");
    }

    #[test]
    #[cfg(unix)]
    fn rejects_devices_and_folders() {
        let error = |path| read(Path::new(path), MAX_FILE).unwrap_err();
        assert_eq!(error("/dev/zero").to_string(), "found a device or pipe, expected a regular file");
        assert_eq!(error("/").kind(), io::ErrorKind::IsADirectory);
    }
}

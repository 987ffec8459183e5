//! Output files that are replaced only as a whole.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};

/// Fails if writing `path` would destroy something: a folder, the `input` file, or, without `force`, any file.
pub(crate) fn check(path: &Path, input: Option<&Path>, force: bool) -> Result<()> {
    if path == Path::new("-") || !path.exists() {
        return Ok(());
    }
    if path.is_dir() {
        bail!("{}: found a folder, expected a file", path.display());
    }
    let same = input.and_then(|input| fs::canonicalize(input).ok());
    if same.is_some() && same == fs::canonicalize(path).ok() {
        bail!("{}: this is the input file", path.display());
    }
    if !force {
        bail!("{}: the file exists; --force overwrites it", path.display());
    }
    Ok(())
}

/// Writes a temporary file and renames it to `path` when it is complete, so that a failure leaves an existing file unchanged.
pub(crate) fn write<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<T>) -> Result<T> {
    let mut name = path.file_name().context("found a path without a file name")?.to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    let place = || part.display().to_string();
    let mut out = BufWriter::new(File::create(&part).with_context(place)?);
    let result = write(&mut out).and_then(|value| {
        out.flush().with_context(place)?;
        fs::rename(&part, path).with_context(|| path.display().to_string())?;
        Ok(value)
    });
    if result.is_err() {
        // Ignore a second error: the first one is reported.
        let _ = fs::remove_file(&part);
    }
    result
}

//! Output files that are replaced only as a whole. As those of `std::fs`, the errors do not name the file: the caller does.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// Checks before any work is done that a file could be written afterwards.
///
/// # Errors
/// If the folder of `path` does not exist or `path` is a folder.
pub fn check(path: &Path) -> Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    ensure!(
        folder.is_dir(),
        "found no folder {}, expected one that exists",
        folder.display()
    );
    ensure!(!path.is_dir(), "found a folder, expected the name of a file");
    Ok(())
}

/// Writes a temporary file beside `path` and renames it when its contents are on disk, so that a failure leaves an existing file
/// unchanged. Through a symbolic link, the file that it points to is replaced. A device or a pipe, such as `/dev/stdout`, is
/// written directly.
///
/// # Errors
/// Those of `write`, and if the file cannot be written.
pub fn write<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<T>) -> Result<T> {
    if path.exists() && !path.is_file() {
        let mut out = BufWriter::new(File::create(path)?);
        let value = write(&mut out)?;
        out.flush()?;
        return Ok(value);
    }
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut name = target
        .file_name()
        .context("found a path without a file name")?
        .to_owned();
    name.push(".part");
    let part = target.with_file_name(name);
    let mut out = BufWriter::new(File::create(&part)?);
    let result = write(&mut out).and_then(|value| {
        out.flush()?;
        out.get_ref().sync_all()?;
        fs::rename(&part, &target)?;
        Ok(value)
    });
    if result.is_err() {
        // Ignore a second error: the first one is reported.
        let _ = fs::remove_file(&part);
    }
    result
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;

    fn write_text(path: &Path, text: &str) -> Result<()> {
        write(path, |out| Ok(out.write_all(text.as_bytes())?))
    }

    #[test]
    fn a_failure_keeps_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_text(&path, "old").unwrap();
        let failure: Result<()> = write(&path, |out| {
            out.write_all(b"new")?;
            bail!("no more")
        });
        assert_eq!(failure.unwrap_err().to_string(), "no more");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn links_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_text(&path, "old").unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_text(&link, "new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }

    #[test]
    fn missing_folders_are_found_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let error = |path: &Path| check(path).unwrap_err().to_string();
        assert!(error(folder.path()).starts_with("found a folder, "));
        let path = folder.path().join("none/a.txt");
        assert!(error(&path).starts_with("found no folder "), "{}", error(&path));
        check(Path::new("a.txt")).unwrap();
    }
}

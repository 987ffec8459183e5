//! The log of a session: every line that the engine reads (`>>`) and writes (`<<`), for reports of
//! bugs.

use std::fs::File;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use super::refusal::Refusal;

/// The file that `Debug Log File` names. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct DebugLog(Arc<Mutex<Option<File>>>);

/// Direction of a line, from the engine's point of view.
#[derive(Clone, Copy)]
pub(crate) enum Direction {
    Read,
    Written,
}

impl DebugLog {
    /// Continues the log in the file at `path`, after what the file has; `None` ends the log.
    ///
    /// # Errors
    /// If the file cannot be opened. The log goes on as before.
    pub(super) fn open(&self, path: Option<&str>) -> Result<(), Refusal> {
        let open = |path: &str| {
            #[cfg(unix)]
            if std::fs::metadata(path).is_ok_and(|file| std::os::unix::fs::FileTypeExt::is_fifo(&file.file_type())) {
                // Without a reader, opening it would not end.
                return Err(std::io::Error::other("found a pipe, expected a file"));
            }
            File::options().append(true).create(true).open(path)
        };
        let file = path.map(open).transpose().map_err(|error| {
            let path = path.unwrap_or_default();
            Refusal::because(format_args!("option Debug Log File: {path}: {error}"))
        })?;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = file;
        Ok(())
    }

    /// Adds lines, if there is a log. A log that cannot be written ends: the game goes on.
    pub(crate) fn add(&self, direction: Direction, lines: &str) {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(log) = file.as_mut() else { return };
        let mark = match direction {
            Direction::Read => ">>",
            Direction::Written => "<<",
        };
        let text: String = lines.lines().map(|line| format!("{mark} {line}\n")).collect();
        if let Err(error) = log.write_all(text.as_bytes()) {
            eprintln!("assay: Debug Log File: {error}; the log ends");
            *file = None;
        }
    }
}

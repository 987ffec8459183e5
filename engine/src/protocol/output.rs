//! Line output shared by several threads.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use assay_rules::text::printable;

use super::debug_log::{DebugLog, Direction};

/// A line writer. Clones share the same destination.
#[derive(Clone)]
pub(crate) struct Output {
    writer: Arc<Mutex<dyn Write + Send>>,
    closed: Arc<AtomicBool>,
    debug_log: DebugLog,
}

impl Output {
    pub(crate) fn new(writer: impl Write + Send + 'static) -> Output {
        Output {
            writer: Arc::new(Mutex::new(writer)),
            closed: Arc::new(AtomicBool::new(false)),
            debug_log: DebugLog::default(),
        }
    }

    /// Writes one or more lines without interleaving output of other threads.
    pub(crate) fn line(&self, text: &str) {
        // Input that an error message quotes must not control a terminal.
        let text = printable(text);
        // A thread that panicked with the lock has at worst written part of a line.
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        self.debug_log.add(Direction::Written, &text);
        if writeln!(writer, "{text}").and_then(|()| writer.flush()).is_err() {
            self.closed.store(true, Ordering::Relaxed);
        }
    }

    /// The log that the lines are added to.
    pub(crate) fn debug_log(&self) -> &DebugLog {
        &self.debug_log
    }

    /// Returns true if a write has failed because the reader is gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}

//! Line output shared by several threads.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use assay_rules::text::printable;

/// A line writer. Clones share the same destination.
#[derive(Clone)]
pub(crate) struct Output {
    writer: Arc<Mutex<dyn Write + Send>>,
    closed: Arc<AtomicBool>,
}

impl Output {
    pub(crate) fn new(writer: impl Write + Send + 'static) -> Output {
        Output {
            writer: Arc::new(Mutex::new(writer)),
            closed: Arc::new(AtomicBool::new(false)),
        }
    }

    /// Writes one or more lines without interleaving output of other threads.
    pub(crate) fn line(&self, text: &str) {
        // Input that an error message quotes must not control a terminal.
        let text = printable(text);
        // A thread that panicked with the lock has at worst written part of a line.
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writeln!(writer, "{text}").and_then(|()| writer.flush()).is_err() {
            self.closed.store(true, Ordering::Relaxed);
        }
    }

    /// Returns true if a write has failed because the reader is gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}

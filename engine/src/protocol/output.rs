//! Lines of output from several threads, each written whole.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Where lines go. Clones write to the same place.
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

    /// Writes a line (or several, with line breaks between them) at once.
    pub(crate) fn line(&self, text: &str) {
        // A thread that died while it held the lock has at worst left half a line behind.
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writeln!(writer, "{text}").and_then(|()| writer.flush()).is_err() {
            self.closed.store(true, Ordering::Relaxed);
        }
    }

    /// Has it turned out that nobody reads any more?
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}

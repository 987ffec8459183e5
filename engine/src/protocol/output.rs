//! Line output shared by several threads.

use std::borrow::Cow;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

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
        let text = escape_controls(text);
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

/// Escapes control characters other than line ends and tabs: input that an error message quotes must not control a terminal.
fn escape_controls(text: &str) -> Cow<'_, str> {
    let is_printable = |c: char| !assay_rules::text::is_control(c) || c == '\n' || c == '\t';
    if text.chars().all(is_printable) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_printable(c) {
            escaped.push(c);
        } else {
            escaped.extend(c.escape_default());
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(escape_controls("pv\te4\né"), "pv\te4\né");
        assert_eq!(escape_controls("a\u{1b}[2Jb\0\r\u{9b}"), "a\\u{1b}[2Jb\\u{0}\\r\\u{9b}");
    }
}

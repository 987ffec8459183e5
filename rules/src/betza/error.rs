//! Parse errors with spans.

use thiserror::Error;

use super::ast::Span;

/// An error in an `XBetza` text, with its span.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text:?}, character {}: {message}", column(.text, *.span))]
pub struct BetzaError {
    /// Says what was found and what was expected.
    pub message: String,
    /// Span of the error in the text; empty at its end if something is missing.
    pub span: Span,
    /// The parsed text, truncated if it was too long.
    pub text: String,
}

/// Column of an error in characters, counted from 1.
fn column(text: &str, span: Span) -> usize {
    1 + text.char_indices().filter(|&(at, _)| at < span.start).count()
}

impl BetzaError {
    pub(super) fn new(error: SpannedError, text: &str) -> BetzaError {
        BetzaError { message: error.message, span: error.span, text: text.to_owned() }
    }

    /// The text and a line of carets that points at the error:
    ///
    /// ```text
    /// fmWkR
    ///    ^
    /// ```
    ///
    /// Control characters are replaced by `\u{fffd}`, so there are always two lines. The second has
    /// no line break.
    pub fn caret(&self) -> String {
        let shown = self.text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c });
        let before = column(&self.text, self.span) - 1;
        let width = self.text.char_indices().filter(|(at, _)| (self.span.start..self.span.end).contains(at)).count();
        shown.chain(['\n']).chain(" ".repeat(before).chars()).chain("^".repeat(width.max(1)).chars()).collect()
    }
}

/// An error without the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SpannedError {
    message: String,
    span: Span,
}

impl SpannedError {
    pub(super) fn new(message: impl Into<String>, span: Span) -> SpannedError {
        SpannedError { message: message.into(), span }
    }
}

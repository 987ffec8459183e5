//! Text of files: byte-order marks, control characters, and short tokens for error messages.

use std::borrow::Cow;

/// Maximum length of an [`excerpt`] in characters.
const MAX_EXCERPT: usize = 40;

/// The text without the byte-order mark that some editors put at the start of a file.
pub fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Returns true for characters that can break a line or disguise a text on a terminal: control
/// characters, line separators and bidirectional overrides.
pub fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text on one line, with [control characters](is_control) escaped.
pub fn escaped(text: &str) -> Cow<'_, str> {
    escape(text, is_control, |c| c.escape_default().to_string())
}

/// A text of any number of lines, safe to print on a terminal and to write to a file: [control
/// characters](is_control) except line ends and tabs are escaped. Names and answers of other
/// programs may contain them.
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_escaped = |c| !matches!(c, '\n' | '\t') && is_control(c);
    escape(text, is_escaped, |c| c.escape_default().to_string())
}

/// The text with an escape `sequence` for each character that `is_escaped`.
pub fn escape(text: &str, is_escaped: impl Fn(char) -> bool, sequence: impl Fn(char) -> String) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) {
            safe += &sequence(c);
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

/// Text found in a file, for an error message: [`escaped`], and truncated, because the file may be
/// private.
pub fn excerpt(found: &str) -> String {
    match found.char_indices().nth(MAX_EXCERPT) {
        Some((end, _)) => format!("{}…", escaped(&found[..end])),
        None => escaped(found).into_owned(),
    }
}

/// The name of a piece with its article, as `an archer` and `a unicorn`.
pub fn with_article(name: &str) -> String {
    let is_vowel = name.starts_with(['a', 'e', 'i', 'o', 'u']) && !name.starts_with("uni") && !name.starts_with("eu");
    format!("{} {name}", if is_vowel { "an" } else { "a" })
}

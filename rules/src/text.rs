//! Text of files: byte-order marks, control characters, and short tokens for error messages.

/// Maximum length of an [`excerpt`] in characters.
const MAX_EXCERPT: usize = 40;

/// The text without the byte-order mark that some editors put at the start of a file.
pub fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Returns true for characters that can break a line or disguise a text on a terminal: control characters, line separators and
/// bidirectional overrides.
pub fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text on one line, with [control characters](is_control) escaped.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_control(c) {
            safe.extend(c.escape_default());
        } else {
            safe.push(c);
        }
    }
    safe
}

/// What was found in a file, for an error message: [`escaped`], and cut if it is long. The file may be private.
pub fn excerpt(found: &str) -> String {
    match found.char_indices().nth(MAX_EXCERPT) {
        Some((end, _)) => escaped(&found[..end]) + "…",
        None => escaped(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(excerpt("a\n\u{1b}b"), "a\\n\\u{1b}b");
        assert_eq!(excerpt(&"é".repeat(50)), format!("{}…", "é".repeat(40)));
        assert_eq!(excerpt(&"é".repeat(40)), "é".repeat(40));
    }
}

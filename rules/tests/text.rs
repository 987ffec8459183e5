//! Text for terminals and errors.

use std::borrow::Cow;

use assay_rules::text::{escaped, excerpt, printable};

#[test]
fn control_characters_are_escaped() {
    let name = "é\u{1b}[31m\0\u{9b}\u{202e}\r\n\tb";
    assert_eq!(printable(name), "é\\u{1b}[31m\\u{0}\\u{9b}\\u{202e}\\r\n\tb");
    assert_eq!(escaped(name), "é\\u{1b}[31m\\u{0}\\u{9b}\\u{202e}\\r\\n\\tb");
    assert!(matches!(printable("pv\te4\né"), Cow::Borrowed("pv\te4\né")));
}

#[test]
fn excerpts_are_short_and_printable() {
    assert_eq!(excerpt("a\n\u{1b}b"), "a\\n\\u{1b}b");
    assert_eq!(excerpt(&"é".repeat(50)), format!("{}…", "é".repeat(40)));
    assert_eq!(excerpt(&"é".repeat(40)), "é".repeat(40));
}

//! Wrapped paragraphs, and words in sentences.

use textwrap::{Options, WordSplitter};

/// The longest line of help and output, in columns.
pub const MAX_WIDTH: usize = 110;

/// Width of the output in columns: that of the terminal, at most [`MAX_WIDTH`]; [`MAX_WIDTH`] if
/// standard output is not a terminal, or without the feature `terminal`.
pub fn width() -> usize {
    #[cfg(feature = "terminal")]
    if let Some((width, _)) = terminal_size::terminal_size_of(std::io::stdout()) {
        return usize::from(width.0).clamp(20, MAX_WIDTH);
    }
    MAX_WIDTH
}

/// Breaks a paragraph into lines of [`width`] columns, each with a line end. `bullet` begins the
/// first line and the others are indented as far; a `bullet` of spaces indents the whole paragraph.
/// An empty paragraph has no line.
pub fn wrap(bullet: &str, paragraph: &str) -> String {
    wrap_at(width(), bullet, paragraph)
}

/// Like [`wrap`], in `width` columns.
pub fn wrap_at(width: usize, bullet: &str, paragraph: &str) -> String {
    if paragraph.is_empty() {
        return String::new();
    }
    let indent = " ".repeat(textwrap::core::display_width(bullet));
    let options = Options::new(width)
        .initial_indent(bullet)
        .subsequent_indent(&indent)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::fill(paragraph, options) + "\n"
}

/// Names in a sentence: `rook`, `rook and bishop`, `rook, bishop and knight`; empty for none.
pub fn enumeration<S: AsRef<str>>(names: &[S]) -> String {
    joined(names, "and")
}

/// Names of which one is meant: `rook, bishop or knight`.
pub fn alternatives<S: AsRef<str>>(names: &[S]) -> String {
    joined(names, "or")
}

fn joined<S: AsRef<str>>(names: &[S], word: &str) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} {word} {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_names_with_commas_and_one_and() {
        assert_eq!(enumeration::<&str>(&[]), "");
        assert_eq!(enumeration(&["rook"]), "rook");
        assert_eq!(enumeration(&["rook", "bishop"]), "rook and bishop");
        assert_eq!(enumeration(&["rook", "bishop", "knight"]), "rook, bishop and knight");
    }

    #[test]
    fn indents_lines_as_far_as_the_bullet() {
        assert_eq!(
            wrap_at(20, "- ", "Errors are clustered by opening-pair."),
            "- Errors are\n  clustered by\n  opening-pair.\n"
        );
    }

    #[test]
    fn does_not_break_long_words() {
        assert_eq!(wrap_at(10, "", "see /a/very/long/path now"), "see\n/a/very/long/path\nnow\n");
    }
}

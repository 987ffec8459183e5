//! Cutting a text into tag sections with the moves that follow, so that a broken game never harms its neighbours.

/// A piece of the text that begins with a tag section (or with the text) and ends before the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk<'t> {
    /// The piece.
    pub(super) text: &'t str,
    /// The number of its first line, counted from 1.
    pub(super) line: usize,
}

/// The pieces of a text, in order.
#[derive(Clone, Debug)]
pub(super) struct Chunks<'t> {
    rest: &'t str,
    line: usize,
}

impl<'t> Chunks<'t> {
    pub(super) fn new(text: &'t str) -> Chunks<'t> {
        Chunks { rest: text, line: 1 }
    }
}

impl<'t> Iterator for Chunks<'t> {
    type Item = Chunk<'t>;

    fn next(&mut self) -> Option<Chunk<'t>> {
        if self.rest.is_empty() {
            return None;
        }
        let (text, rest) = self.rest.split_at(chunk_length(self.rest));
        let chunk = Chunk { text, line: self.line };
        self.line += text.bytes().filter(|&byte| byte == b'\n').count();
        self.rest = rest;
        Some(chunk)
    }
}

/// Bytes up to the line that begins the next tag section.
fn chunk_length(text: &str) -> usize {
    let mut seen = Seen::default();
    let mut at = 0;
    // Where the line began, while only white space has come since.
    let mut fresh_line = Some(0);
    while let Some(c) = text[at..].chars().next() {
        let begins_line = fresh_line.filter(|_| !c.is_whitespace());
        if begins_line.is_some() {
            fresh_line = None;
        }
        match c {
            '\n' => {
                at += 1;
                fresh_line = Some(at);
            }
            '%' if begins_line == Some(at) => at = line_end(text, at),
            ';' => {
                seen.comment();
                at = line_end(text, at);
            }
            '{' => {
                seen.comment();
                match comment_end(text, at) {
                    Ok(end) => at = end,
                    Err(broken_at) => return broken_at,
                }
            }
            '[' => {
                let event = is_event_tag(&text[at..]);
                if let Some(line) = begins_line.filter(|_| seen.moves || event && seen.event) {
                    return line;
                }
                let (end, closed) = tag_end(text, at);
                seen.tags = true;
                seen.event |= event || !closed;
                at = end;
            }
            _ => {
                seen.moves |= !c.is_whitespace();
                at += c.len_utf8();
            }
        }
    }
    text.len()
}

/// What a chunk has had so far.
#[derive(Default)]
struct Seen {
    /// A tag of any kind.
    tags: bool,
    /// An `Event` tag, or a broken one that may have been: the next one is another game's.
    event: bool,
    /// Something behind the tags.
    moves: bool,
}

impl Seen {
    /// A comment behind tags belongs to the moves; one before them heads the text.
    fn comment(&mut self) {
        self.moves |= self.tags;
    }
}

/// The end of the line that `at` is in, before its line break.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |length| at + length)
}

/// The end of the comment that begins with the `{` at `at`.
///
/// A comment that would swallow the first line of another game was never closed; then the error is where that line (or the
/// end of the text) is. So a file that broke off inside a comment and was written on does not lose the next game.
pub(super) fn comment_end(text: &str, at: usize) -> Result<usize, usize> {
    let mut line = at;
    loop {
        let end = line_end(text, line);
        if let Some(brace) = text[line..end].find('}') {
            return Ok(line + brace + 1);
        }
        if end == text.len() {
            return Err(end);
        }
        line = end + 1;
        if is_event_tag(&text[line..]) {
            return Err(line);
        }
    }
}

/// Does the text begin with an `Event` tag, the first one of every game?
pub(super) fn is_event_tag(text: &str) -> bool {
    text.strip_prefix("[Event")
        .is_some_and(|rest| rest.trim_start_matches([' ', '\t']).starts_with('"'))
}

/// The end of the tag that begins with the `[` at `at`: behind its `]`, or at the end of the line when there is none. Was
/// there one?
fn tag_end(text: &str, at: usize) -> (usize, bool) {
    let mut in_value = false;
    let mut escaped = false;
    for (offset, c) in text[at..].char_indices() {
        match c {
            '\n' => return (at + offset, false),
            _ if escaped => escaped = false,
            '\\' if in_value => escaped = true,
            '"' => in_value = !in_value,
            ']' if !in_value => return (at + offset + 1, true),
            _ => {}
        }
    }
    (text.len(), false)
}

//! Splits a text into chunks, so that an error in one game does not affect the others.

/// A part of the text from one tag section up to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk<'t> {
    pub(super) text: &'t str,
    /// Number of its first line, counted from 1.
    pub(super) line: usize,
    pub(super) is_followed_by_event: bool,
}

/// Iterator over the chunks of a text.
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
        let chunk = Chunk { text, line: self.line, is_followed_by_event: is_event_tag(rest.trim_start()) };
        self.line += text.bytes().filter(|&byte| byte == b'\n').count();
        self.rest = rest;
        Some(chunk)
    }
}

/// Length in bytes up to the line that begins the next tag section.
fn chunk_length(text: &str) -> usize {
    let mut contents = Contents::default();
    let mut at = 0;
    // Start of the line as long as only white space has followed.
    let mut line_start = Some(0);
    while let Some(c) = text[at..].chars().next() {
        let begins_line = line_start.filter(|_| !c.is_whitespace());
        if begins_line.is_some() {
            line_start = None;
        }
        match c {
            '\n' => {
                at += 1;
                line_start = Some(at);
            }
            '%' if begins_line == Some(at) => at = line_end(text, at),
            ';' => {
                contents.add_comment();
                at = line_end(text, at);
            }
            '{' => {
                contents.add_comment();
                match comment_end(text, at) {
                    Ok(end) => at = end,
                    Err(end) => return end,
                }
            }
            '[' => {
                let event = is_event_tag(&text[at..]);
                if let Some(line) = begins_line.filter(|_| contents.has_moves || event && contents.has_event) {
                    return line;
                }
                let (end, closed) = tag_end(text, at);
                contents.has_tags = true;
                contents.has_event |= event || !closed;
                at = end;
            }
            _ => {
                contents.has_moves |= !c.is_whitespace();
                at += c.len_utf8();
            }
        }
    }
    text.len()
}

/// What a chunk contains so far.
#[derive(Default)]
struct Contents {
    has_tags: bool,
    /// True after an `Event` tag, or a broken tag that may be one: the next `Event` tag begins
    /// another game.
    has_event: bool,
    /// True after anything that is not a tag.
    has_moves: bool,
}

impl Contents {
    /// A comment after tags belongs to the moves; one before them belongs to the file.
    fn add_comment(&mut self) {
        self.has_moves |= self.has_tags;
    }
}

/// Offset of the line break that ends the line containing `at`.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |length| at + length)
}

/// Offset of the end of the comment that begins at `at`.
///
/// A comment that would include the first line of another game is unterminated. The error is then
/// the offset of that line, or of the end of the text, so that a file truncated inside a comment
/// and appended to does not lose the next game.
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

/// Returns true if the text begins with an `Event` tag, the first tag of every game.
pub(super) fn is_event_tag(text: &str) -> bool {
    text.strip_prefix("[Event").is_some_and(|rest| rest.trim_start_matches([' ', '\t']).starts_with('"'))
}

/// Offset after the `]` of the tag that begins at `at`, and true; or the end of its line and false
/// if it has no `]`.
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

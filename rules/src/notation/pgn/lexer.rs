//! Tokens of a [`Chunk`].

use super::chunks::{Chunk, comment_end, line_end};
use super::error::{PgnError, PgnErrorKind};

/// A token with its byte offset in the chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) offset: usize,
    pub(super) kind: TokenKind<'t>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind<'t> {
    Tag(Tag<'t>),
    /// The text of a comment of either kind.
    Comment(&'t str),
    Open,
    Close,
    /// Numeric annotation glyph: `$` and a number.
    Glyph,
    /// Any other word: a move, move number or result.
    Word(&'t str),
    End,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag<'t> {
    pub(super) name: &'t str,
    /// Without quotes and escapes.
    pub(super) value: String,
    /// Offset of the opening quote in the chunk.
    pub(super) value_offset: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Lexer<'t> {
    chunk: Chunk<'t>,
    offset: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(chunk: Chunk<'t>) -> Lexer<'t> {
        Lexer { chunk, offset: 0 }
    }

    /// Skips the rest of the chunk.
    pub(super) fn skip_to_end(&mut self) {
        self.offset = self.chunk.text.len();
    }

    /// Returns true if the chunk ends where an `Event` tag follows.
    pub(super) fn is_followed_by_event(&self) -> bool {
        self.chunk.is_followed_by_event
    }

    /// Creates an error at an offset in the chunk.
    pub(super) fn error(&self, offset: usize, kind: PgnErrorKind) -> PgnError {
        let before = &self.chunk.text[..offset];
        let line_begin = before.rfind('\n').map_or(0, |newline| newline + 1);
        PgnError {
            line: self.chunk.line + before.bytes().filter(|&byte| byte == b'\n').count(),
            column: before[line_begin..].chars().count() + 1,
            kind,
        }
    }

    /// Creates a syntax error at an offset in the chunk.
    pub(super) fn unexpected(&self, offset: usize, found: impl Into<String>, expected: &'static str) -> PgnError {
        self.error(offset, PgnErrorKind::Unexpected { found: found.into(), expected })
    }

    fn unexpected_char(&self, expected: &'static str) -> PgnError {
        let found = match self.peek() {
            None | Some('\n' | '\r') => "the end of the line".to_owned(),
            Some(c) => format!("`{c}`"),
        };
        self.unexpected(self.offset, found, expected)
    }

    fn rest(&self) -> &'t str {
        &self.chunk.text[self.offset..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take_while(&mut self, predicate: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c| !predicate(c)).unwrap_or(rest.len());
        self.offset += length;
        &rest[..length]
    }

    fn is_line_start(&self) -> bool {
        self.offset == 0 || self.chunk.text.as_bytes()[self.offset - 1] == b'\n'
    }

    /// Returns the next token, [`TokenKind::End`] at the end.
    pub(super) fn next_token(&mut self) -> Result<Token<'t>, PgnError> {
        loop {
            self.take_while(char::is_whitespace);
            // A line that begins with a percent sign is an escape for other programs.
            if self.peek() != Some('%') || !self.is_line_start() {
                break;
            }
            self.offset = line_end(self.chunk.text, self.offset);
        }
        let offset = self.offset;
        let kind = match self.peek() {
            None => TokenKind::End,
            Some('[') => TokenKind::Tag(self.read_tag()?),
            Some('{') => {
                let Ok(end) = comment_end(self.chunk.text, offset) else {
                    return Err(self.unexpected(offset, "an unterminated comment", "`}`"));
                };
                self.offset = end;
                TokenKind::Comment(&self.chunk.text[offset + 1..end - 1])
            }
            Some(';') => {
                self.offset = line_end(self.chunk.text, offset);
                TokenKind::Comment(&self.chunk.text[offset + 1..self.offset])
            }
            Some('(') => self.single(TokenKind::Open),
            Some(')') => self.single(TokenKind::Close),
            Some('$') => {
                self.offset += 1;
                if self.take_while(|c| c.is_ascii_digit()).is_empty() {
                    return Err(self.unexpected_char("the number of an annotation glyph"));
                }
                TokenKind::Glyph
            }
            Some('}' | ']' | '"') => return Err(self.unexpected_char("a move, a comment or a result")),
            // The marker of an unfinished game is a token on its own.
            Some('*') => {
                self.offset += 1;
                TokenKind::Word("*")
            }
            Some(_) => {
                let ends = |c: char| c.is_whitespace() || "{}()[];$\"*".contains(c);
                TokenKind::Word(self.take_while(|c| !ends(c)))
            }
        };
        Ok(Token { offset, kind })
    }

    fn single(&mut self, kind: TokenKind<'t>) -> TokenKind<'t> {
        self.offset += 1;
        kind
    }

    /// Returns true if the tag goes on behind the quote here: another quote closes it on this line.
    fn is_inner_quote(&self) -> bool {
        let rest = &self.chunk.text[self.offset + 1..line_end(self.chunk.text, self.offset)];
        let closes = |rest: &str| rest.trim_start_matches([' ', '\t']).starts_with(']');
        !closes(rest) && rest.match_indices('"').any(|(at, _)| closes(&rest[at + 1..]))
    }

    /// Parses `[Name "value"]` on one line.
    fn read_tag(&mut self) -> Result<Tag<'t>, PgnError> {
        let blank = |c: char| c == ' ' || c == '\t';
        self.offset += 1;
        self.take_while(blank);
        let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        if name.is_empty() {
            return Err(self.unexpected_char("the name of a tag"));
        }
        // Some writers put a colon behind the name.
        self.take_while(|c| blank(c) || c == ':');
        let value_offset = self.offset;
        if self.peek() != Some('"') {
            return Err(self.unexpected_char("`\"` before the value of the tag"));
        }
        self.offset += 1;
        let mut value = String::new();
        loop {
            value += self.take_while(|c| !matches!(c, '"' | '\\' | '\r' | '\n'));
            match self.peek() {
                // A quote inside the value, which should be escaped: the last one closes it.
                Some('"') if self.is_inner_quote() => {
                    value.push('"');
                    self.offset += 1;
                }
                Some('"') => break,
                Some('\\') => {
                    self.offset += 1;
                    match self.peek() {
                        Some(c @ ('"' | '\\')) => {
                            value.push(c);
                            self.offset += 1;
                        }
                        // Any other backslash is literal, as in unescaped paths.
                        _ => value.push('\\'),
                    }
                }
                _ => return Err(self.unexpected_char("`\"` after the value of the tag")),
            }
        }
        self.offset += 1;
        self.take_while(blank);
        if self.peek() != Some(']') {
            return Err(self.unexpected_char("`]` after the tag"));
        }
        self.offset += 1;
        Ok(Tag { name, value, value_offset })
    }
}

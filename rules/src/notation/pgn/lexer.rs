//! The tokens of one chunk of PGN.

use super::chunks::{Chunk, comment_end, line_end};
use super::error::{PgnError, PgnErrorKind};

/// A token with the byte of the chunk where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) at: usize,
    pub(super) kind: TokenKind<'t>,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind<'t> {
    /// A tag.
    Tag(Tag<'t>),
    /// A comment of either kind, without its marks.
    Comment(&'t str),
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `$` with a number.
    Glyph,
    /// A run of other characters: a move, a move number, a result.
    Word(&'t str),
    /// Nothing is left.
    End,
}

/// A tag: name and value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag<'t> {
    pub(super) name: &'t str,
    /// Without quotes and escapes.
    pub(super) value: String,
    /// The byte of the chunk where the value's quote stands.
    pub(super) value_at: usize,
}

/// Takes tokens off a chunk.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'t> {
    chunk: Chunk<'t>,
    at: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(chunk: Chunk<'t>) -> Lexer<'t> {
        Lexer { chunk, at: 0 }
    }

    /// An error at a byte of the chunk.
    pub(super) fn error(&self, at: usize, fault: PgnErrorKind) -> PgnError {
        let before = &self.chunk.text[..at];
        let line_begin = before.rfind('\n').map_or(0, |newline| newline + 1);
        PgnError {
            line: self.chunk.line + before.bytes().filter(|&byte| byte == b'\n').count(),
            column: before[line_begin..].chars().count() + 1,
            fault,
        }
    }

    /// An error of form at a byte of the chunk.
    pub(super) fn unexpected(&self, at: usize, found: impl Into<String>, expected: &'static str) -> PgnError {
        self.error(
            at,
            PgnErrorKind::Unexpected {
                found: found.into(),
                expected,
            },
        )
    }

    fn unexpected_char(&self, expected: &'static str) -> PgnError {
        let found = match self.peek() {
            None | Some('\n' | '\r') => "the end of the line".to_owned(),
            Some(c) => format!("`{c}`"),
        };
        self.unexpected(self.at, found, expected)
    }

    fn rest(&self) -> &'t str {
        &self.chunk.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Takes the characters that are wanted.
    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn at_line_start(&self) -> bool {
        self.at == 0 || self.chunk.text.as_bytes()[self.at - 1] == b'\n'
    }

    /// The next token; [`TokenKind::End`] for ever once there is none.
    pub(super) fn next(&mut self) -> Result<Token<'t>, PgnError> {
        loop {
            self.take_while(char::is_whitespace);
            // A line that begins with a percent sign is for others to read.
            if self.peek() != Some('%') || !self.at_line_start() {
                break;
            }
            self.at = line_end(self.chunk.text, self.at);
        }
        let at = self.at;
        let kind = match self.peek() {
            None => TokenKind::End,
            Some('[') => TokenKind::Tag(self.tag()?),
            Some('{') => {
                let Ok(end) = comment_end(self.chunk.text, at) else {
                    return Err(self.unexpected(at, "a comment without end", "`}` behind it"));
                };
                self.at = end;
                TokenKind::Comment(&self.chunk.text[at + 1..end - 1])
            }
            Some(';') => {
                self.at = line_end(self.chunk.text, at);
                TokenKind::Comment(&self.chunk.text[at + 1..self.at])
            }
            Some('(') => self.single(TokenKind::Open),
            Some(')') => self.single(TokenKind::Close),
            Some('$') => {
                self.at += 1;
                if self.take_while(|c| c.is_ascii_digit()).is_empty() {
                    return Err(self.unexpected_char("the number of a glyph"));
                }
                TokenKind::Glyph
            }
            Some('}' | ']' | '"') => return Err(self.unexpected_char("a move, a comment or a result")),
            // The marker of an unfinished game stands alone, whatever follows.
            Some('*') => {
                self.at += 1;
                TokenKind::Word("*")
            }
            Some(_) => {
                let ends = |c: char| c.is_whitespace() || "{}()[];$\"*".contains(c);
                TokenKind::Word(self.take_while(|c| !ends(c)))
            }
        };
        Ok(Token { at, kind })
    }

    fn single(&mut self, kind: TokenKind<'t>) -> TokenKind<'t> {
        self.at += 1;
        kind
    }

    /// `[Name "value"]`, all in one line.
    fn tag(&mut self) -> Result<Tag<'t>, PgnError> {
        let blank = |c: char| c == ' ' || c == '\t';
        self.at += 1;
        self.take_while(blank);
        let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        if name.is_empty() {
            return Err(self.unexpected_char("the name of a tag"));
        }
        self.take_while(blank);
        let value_at = self.at;
        if self.peek() != Some('"') {
            return Err(self.unexpected_char("`\"` before the value of the tag"));
        }
        self.at += 1;
        let mut value = String::new();
        loop {
            value += self.take_while(|c| !matches!(c, '"' | '\\' | '\r' | '\n'));
            match self.peek() {
                Some('"') => break,
                Some('\\') => {
                    self.at += 1;
                    match self.peek() {
                        Some(c @ ('"' | '\\')) => {
                            value.push(c);
                            self.at += 1;
                        }
                        // Elsewhere a backslash is a backslash, as in paths that somebody wrote unescaped.
                        _ => value.push('\\'),
                    }
                }
                _ => return Err(self.unexpected_char("`\"` behind the value of the tag")),
            }
        }
        self.at += 1;
        self.take_while(blank);
        if self.peek() != Some(']') {
            return Err(self.unexpected_char("`]` behind the tag"));
        }
        self.at += 1;
        Ok(Tag { name, value, value_at })
    }
}

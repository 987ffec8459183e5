//! A SAN text as typed, before any legal move is looked for.

use super::SanError;
use crate::def::GameDef;
use crate::piece::Kind;
use crate::square::Square;

/// What was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SanText {
    /// `O-O` or `O-O-O`.
    Castle {
        /// Towards the higher files?
        higher: bool,
    },
    /// Any other move.
    Piece(Typed),
}

/// The parts of a move's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Typed {
    /// The kind that moves: the pawn when no letter was typed.
    pub(super) kind: Kind,
    /// The file of origin counted from zero, if typed.
    pub(super) file: Option<u8>,
    /// The rank of origin counted from zero, if typed.
    pub(super) rank: Option<u8>,
    /// Was an `x` typed?
    pub(super) capture: bool,
    /// The target.
    pub(super) to: Square,
    /// What the pawn becomes.
    pub(super) promotion: Option<Kind>,
    /// What is dropped.
    pub(super) gate: Option<Kind>,
    /// Was `e.p.` typed?
    pub(super) en_passant: bool,
}

/// What is left to read, with the whole text for messages.
struct Reader<'t, 'g> {
    game: &'g GameDef,
    text: &'t str,
    /// The text without marks at either end.
    body: &'t str,
    /// Bytes of `body` read.
    at: usize,
    /// Bytes of `text` before `body`.
    before: usize,
}

impl SanText {
    /// Reads the parts; knows the game's letters and squares but no position.
    pub(super) fn parse(game: &GameDef, text: &str) -> Result<SanText, SanError> {
        let (body, en_passant) = strip_marks(text);
        match body {
            "O-O" | "0-0" => return Ok(SanText::Castle { higher: true }),
            "O-O-O" | "0-0-0" => return Ok(SanText::Castle { higher: false }),
            _ => {}
        }
        let before = text.len() - text.trim_start().len();
        let mut reader = Reader {
            game,
            text,
            body,
            at: 0,
            before,
        };
        let kind = if reader.peek().is_some_and(|c| c.is_ascii_uppercase()) {
            reader.kind()?
        } else {
            game.pawn
        };
        let (file, rank, capture, to) = reader.squares()?;
        let equals = reader.eat('=');
        let promotes = equals || reader.peek().is_some_and(|c| c.is_ascii_uppercase());
        let promotion = if promotes { Some(reader.kind()?) } else { None };
        let gate = if reader.eat('/') { Some(reader.kind()?) } else { None };
        if reader.peek().is_some() {
            return Err(reader.fail("the end of the move"));
        }
        Ok(SanText::Piece(Typed {
            kind,
            file,
            rank,
            capture,
            to,
            promotion,
            gate,
            en_passant,
        }))
    }
}

/// Takes white space off both ends, and marks that mean nothing here off the end. Was `e.p.` one of them?
fn strip_marks(text: &str) -> (&str, bool) {
    let mut body = text.trim();
    let mut en_passant = false;
    loop {
        let shorter = body.trim_end_matches(['+', '#', '!', '?']).trim_end();
        let shorter = match shorter.strip_suffix("e.p.") {
            Some(rest) => {
                en_passant = true;
                rest.trim_end()
            }
            None => shorter,
        };
        if shorter.len() == body.len() {
            return (body, en_passant);
        }
        body = shorter;
    }
}

impl Reader<'_, '_> {
    fn rest(&self) -> &str {
        &self.body[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn fail(&self, expected: impl Into<String>) -> SanError {
        let found = self.peek().map_or_else(|| "the end".to_owned(), |c| format!("`{c}`"));
        self.fail_with(found, expected)
    }

    fn fail_with(&self, found: String, expected: impl Into<String>) -> SanError {
        let column = self.text[..self.before + self.at].chars().count() + 1;
        SanError::Form {
            text: self.text.to_owned(),
            column,
            found,
            expected: expected.into(),
        }
    }

    /// A kind's letter.
    fn kind(&mut self) -> Result<Kind, SanError> {
        let read = self
            .peek()
            .and_then(|letter| Some((letter, self.game.kind_by_letter(letter)?)));
        let Some((letter, kind)) = read else {
            let letters: String = self.game.kinds.iter().map(|kind| kind.letter).collect();
            return Err(self.fail(format!("a letter of {letters}")));
        };
        self.at += letter.len_utf8();
        Ok(kind)
    }

    /// `e4`, `ce4`, `3xe4`, `c3e4`: origin file and rank as far as typed, `x`, target.
    fn squares(&mut self) -> Result<(Option<u8>, Option<u8>, bool, Square), SanError> {
        let board = &self.game.board;
        let is_file = |c: char| c.is_ascii_lowercase() && c != 'x';
        // Everything up to a promotion or drop belongs to the squares; the last file letter in it begins the target.
        let end = self
            .rest()
            .find(|c: char| c == '=' || c == '/' || c.is_ascii_uppercase())
            .unwrap_or(self.rest().len());
        let Some(target) = self.rest()[..end].rfind(is_file) else {
            return Err(self.fail("a square"));
        };
        let target = self.at + target;
        let end = self.at + end;
        let mut file = None;
        let mut rank = None;
        if self.at < target {
            if let Some(letter) = self.peek().filter(|&c| is_file(c)) {
                let number = letter as u8 - b'a';
                if number >= board.files() {
                    return Err(self.fail("a file of this board"));
                }
                file = Some(number);
                self.at += 1;
            }
            let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
            if digits > 0 {
                let typed = &self.rest()[..digits];
                let known = (0..board.ranks()).find(|&rank| board.rank_number(rank).to_string() == typed);
                let Some(known) = known else {
                    return Err(self.fail_with(format!("`{typed}`"), "a rank of this board"));
                };
                rank = Some(known);
                self.at += digits;
            }
        }
        let capture = self.at < target && self.eat('x');
        if self.at != target {
            return Err(self.fail("`x` or a square"));
        }
        let name = &self.body[target..end];
        let Some(to) = board.parse_square(name) else {
            return Err(self.fail_with(format!("`{name}`"), "a square of this board"));
        };
        self.at = end;
        Ok((file, rank, capture, to))
    }
}

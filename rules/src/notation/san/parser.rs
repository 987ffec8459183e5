//! SAN parser, independent of the position.

use super::SanError;
use crate::types::piece::Kind;
use crate::types::square::Square;
use crate::variant::GameDef;

/// A parsed SAN move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SanText {
    /// `O-O` or `O-O-O`, or with a gated piece and its square, `O-O/He1`.
    Castle { toward_last_file: bool, gate: Option<(Kind, Square)> },
    /// A piece from the pocket: `N@f3`, `P@e4` or `@e4`.
    Drop { kind: Kind, to: Square },
    /// Any other move.
    Piece(PieceMove),
}

/// A move other than castling and drops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PieceMove {
    /// Kind that moves: the pawn if there is no letter.
    pub(super) kind: Kind,
    /// File of origin counted from zero, if given.
    pub(super) file: Option<u8>,
    /// Rank of origin counted from zero, if given.
    pub(super) rank: Option<u8>,
    /// True if the text has an `x`.
    pub(super) is_capture: bool,
    pub(super) to: Square,
    pub(super) promotion: Option<Kind>,
    pub(super) gate: Option<Kind>,
    /// True if the text has `e.p.`.
    pub(super) is_en_passant: bool,
}

struct Parser<'t, 'g> {
    game: &'g GameDef,
    text: &'t str,
    /// The text without surrounding white space and annotations.
    body: &'t str,
    /// Position in `body`, in bytes.
    offset: usize,
    /// Bytes of `text` before `body`.
    before: usize,
}

impl SanText {
    /// Parses a move with the letters and squares of a game. Returns also the square of the wall
    /// that it makes, if given.
    pub(super) fn parse(game: &GameDef, text: &str) -> Result<(SanText, Option<Square>), SanError> {
        let (body, is_en_passant) = strip_annotations(text);
        let before = text.len() - text.trim_start().len();
        let Some((step, name)) = body.split_once(',').filter(|_| game.wall_rule().is_some()) else {
            return Ok((SanText::parse_step(game, text, body, is_en_passant)?, None));
        };
        let offset = step.len() + 1;
        let parser = Parser { game, text, body, offset, before };
        let wall = game.board.parse_square(name);
        let wall = wall.ok_or_else(|| parser.error("the square of the wall"))?;
        Ok((SanText::parse_step(game, text, step, is_en_passant)?, Some(wall)))
    }

    /// Parses the part of a move before its wall.
    fn parse_step(game: &GameDef, text: &str, body: &str, is_en_passant: bool) -> Result<SanText, SanError> {
        let before = text.len() - text.trim_start().len();
        let mut parser = Parser { game, text, body, offset: 0, before };
        if ["--", "Z0", "0000", "null", "@@@@"].contains(&body) {
            return Err(parser.error_with("a null move".to_owned(), "a move: a side cannot pass"));
        }
        let castling = body.split('/').next().unwrap_or(body);
        let is_oh = |c: char| "Oo0\u{41e}\u{43e}\u{39f}\u{3bf}".contains(c);
        let is_dash = |c: char| c == '-' || ('\u{2010}'..='\u{2015}').contains(&c) || c == '\u{2212}';
        let is_castling = castling.chars().enumerate().all(|(at, c)| if at % 2 == 0 { is_oh(c) } else { is_dash(c) });
        let toward_last_file = match castling.chars().count() {
            3 if is_castling => Some(true),
            5 if is_castling => Some(false),
            _ => None,
        };
        if let Some(toward_last_file) = toward_last_file {
            parser.offset = castling.len();
            return Ok(SanText::Castle { toward_last_file, gate: parser.parse_castling_gate()? });
        }
        let kind = if parser.peek().is_some_and(|c| c.is_ascii_uppercase() || c == '+') {
            parser.parse_kind()?
        } else {
            game.first_pawn()
        };
        if game.mechanisms.drops.is_some() && parser.eat('@') {
            let to = game.board.parse_square(parser.rest());
            return to.map(|to| SanText::Drop { kind, to }).ok_or_else(|| parser.error("a square of the board"));
        }
        let (file, rank, is_capture, to) = parser.parse_squares()?;
        let equals = parser.eat('=');
        let promotes = equals || parser.peek().is_some_and(|c| c.is_ascii_alphabetic());
        let promotion = if promotes { Some(parser.parse_kind()?) } else { None };
        let gate = if parser.eat('/') { Some(parser.parse_kind()?) } else { None };
        if parser.peek().is_some() {
            return Err(parser.error("the end of the move"));
        }
        Ok(SanText::Piece(PieceMove { kind, file, rank, is_capture, to, promotion, gate, is_en_passant }))
    }
}

/// Strips white space from both ends and annotations from the end; returns true if `e.p.` was one
/// of them.
fn strip_annotations(text: &str) -> (&str, bool) {
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

impl Parser<'_, '_> {
    fn rest(&self) -> &str {
        &self.body[self.offset..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, symbol: char) -> bool {
        let found = self.peek() == Some(symbol);
        if found {
            self.offset += symbol.len_utf8();
        }
        found
    }

    fn error(&self, expected: impl Into<String>) -> SanError {
        let found = self.peek().map_or_else(|| "the end".to_owned(), |c| format!("`{c}`"));
        self.error_with(found, expected)
    }

    fn error_with(&self, found: String, expected: impl Into<String>) -> SanError {
        let column = self.text[..self.before + self.offset].chars().count() + 1;
        SanError::Syntax { text: self.text.to_owned(), column, found, expected: expected.into() }
    }

    fn parse_kind(&mut self) -> Result<Kind, SanError> {
        let Some((kind, rest)) = self.game.kinds.parse(self.rest()) else {
            return Err(self.error(format!("one of {}", self.game.kinds.letters())));
        };
        self.offset = self.body.len() - rest.len();
        Ok(kind)
    }

    /// Parses the rest of castling: nothing, or `/He1`.
    fn parse_castling_gate(&mut self) -> Result<Option<(Kind, Square)>, SanError> {
        let gate = if self.eat('/') {
            let kind = self.parse_kind()?;
            let Some((square, rest)) = self.game.board.parse_square_prefix(self.rest()) else {
                return Err(self.error("the square of the gated piece, like `O-O/He1`"));
            };
            self.offset = self.body.len() - rest.len();
            Some((kind, square))
        } else {
            None
        };
        if self.peek().is_some() {
            return Err(self.error("the end of the move"));
        }
        Ok(gate)
    }

    /// Parses `e4`, `ce4`, `3xe4`, `c3e4` or `c3-e4`: optional file and rank of origin, optional
    /// `x` or, as in long algebraic notation, `-`, destination.
    fn parse_squares(&mut self) -> Result<(Option<u8>, Option<u8>, bool, Square), SanError> {
        let board = &self.game.board;
        let is_file = |c: char| c.is_ascii_lowercase() && c != 'x';
        // The squares end before a promotion or gated piece. The last file letter begins the
        // destination.
        let end =
            self.rest().find(|c: char| c == '=' || c == '/' || c.is_ascii_uppercase()).unwrap_or(self.rest().len());
        // A promotion's letter may be in lower case: `e8q`.
        let squares = &self.rest()[..end];
        let squares = squares
            .strip_suffix(|c: char| c.is_ascii_lowercase())
            .filter(|squares| squares.ends_with(|c: char| c.is_ascii_digit()))
            .unwrap_or(squares);
        let end = squares.len();
        let Some(target) = squares.rfind(is_file) else {
            return Err(self.error("a square"));
        };
        let target = self.offset + target;
        let end = self.offset + end;
        let mut file = None;
        let mut rank = None;
        if self.offset < target {
            if let Some(letter) = self.peek().filter(|&c| is_file(c)) {
                let number = letter as u8 - b'a';
                if number >= board.files() {
                    return Err(self.error("a file of the board"));
                }
                file = Some(number);
                self.offset += 1;
            }
            let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
            if digits > 0 {
                let digits_text = &self.rest()[..digits];
                let known = (0..board.ranks()).find(|&rank| board.rank_number(rank).to_string() == digits_text);
                let Some(known) = known else {
                    return Err(self.error_with(format!("`{digits_text}`"), "a rank of the board"));
                };
                rank = Some(known);
                self.offset += digits;
            }
        }
        let capture = self.offset < target && self.eat('x');
        if file.is_some() && rank.is_some() && !capture && self.offset < target {
            self.eat('-');
        }
        if self.offset != target {
            return Err(self.error("`x` or a square"));
        }
        let name = &self.body[target..end];
        let Some(to) = board.parse_square(name) else {
            return Err(self.error_with(format!("`{name}`"), "a square of the board"));
        };
        self.offset = end;
        Ok((file, rank, capture, to))
    }
}

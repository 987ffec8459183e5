//! PGN: portable game notation.
//!
//! [`PgnReader`] iterates over the games of a text and continues after a game with errors.
//! [`PgnGame`] is a game in memory; its `Display` implementation writes PGN, which reads back as an
//! equal game.
//!
//! Differences from the standard: a `Variant` tag names the game; results of 0.75 and 0.25 are
//! written as a draw with a `Score` tag; move numbers are not checked; only comments on the main
//! line are kept, with white space collapsed, because line breaks in a comment come from wrapping;
//! numeric annotation glyphs are skipped, and so are variations, unless they are asked for
//! ([`PgnReader::with_variations`]); moves in long algebraic or UCI notation and games without a
//! termination marker are read.
//!
//! ```
//! use assay_rules::pgn::PgnGame;
//! use assay_rules::{GameDef, Points, Position, san};
//!
//! let mut game = PgnGame::new(Position::start(&GameDef::builtin("chess").unwrap()));
//! for text in ["f3", "e5", "g4", "Qh4#"] {
//!     game.push(san::parse(game.end(), text).unwrap());
//! }
//! game.set_result(Some(Points::LOSS));
//! assert!(game.to_string().ends_with("1. f3 e5 2. g4 Qh4# 0-1\n\n"));
//! ```

mod chunks;
mod error;
mod lexer;
mod read;
mod write;

use std::sync::Arc;

use crate::types::color::Color;
use crate::types::moves::Move;
use crate::types::outcome::Points;
use crate::variant::GameDef;
use crate::variant::Position;

pub use error::{PgnError, PgnErrorKind, TagError};
pub use read::PgnReader;

/// Tags of the seven tag roster except `Result`, with their default values.
const ROSTER: [(&str, &str); 6] =
    [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("White", "?"), ("Black", "?")];

/// Tags that are derived from the game. They are never in [`PgnGame::tags`].
const DERIVED_TAGS: [&str; 5] = ["Result", "Variant", "Score", "SetUp", "FEN"];

/// Most variations in one another that are read.
pub const MAX_NESTED_VARIATIONS: usize = 64;

/// Moves that could have been played instead of a move of a game, or of another variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// Index of that move in its line: the variation begins from the position before it.
    pub ply: usize,
    /// At least one.
    pub moves: Vec<Move>,
    /// Instead of one of these moves, in the order of their plies.
    pub variations: Vec<Variation>,
}

/// A game with its tags, moves, variations, comments and result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    tags: Vec<(String, String)>,
    start: Position,
    end: Position,
    opening_comment: Option<String>,
    moves: Vec<Move>,
    variations: Vec<Variation>,
    comments: Vec<Option<String>>,
    closing_comment: Option<String>,
    result: Option<Points>,
}

impl PgnGame {
    /// Creates an unfinished game without moves, with default tags.
    pub fn new(start: Position) -> PgnGame {
        PgnGame {
            tags: ROSTER.iter().map(|&(name, unknown)| (name.to_owned(), unknown.to_owned())).collect(),
            end: start.clone(),
            start,
            opening_comment: None,
            moves: Vec::new(),
            variations: Vec::new(),
            comments: Vec::new(),
            closing_comment: None,
            result: None,
        }
    }

    pub fn game(&self) -> &Arc<GameDef> {
        self.start.game()
    }

    /// Tags as (name, value): `Event`, `Site`, `Date`, `Round`, `White` and `Black`, then all
    /// others in the order in which they were set. `Result`, `Score`, `Variant`, `SetUp` and `FEN`
    /// are not included; see [`PgnGame::result`] and [`PgnGame::start`].
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// Value of one of [`PgnGame::tags`].
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag. Control characters in the value are replaced by spaces.
    ///
    /// # Errors
    /// Returns an error if the name contains anything but ASCII letters, digits and underscores, or
    /// if the tag is derived from the game.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return Err(TagError::Name { name: name.to_owned() });
        }
        if DERIVED_TAGS.contains(&name) {
            return Err(TagError::Derived { name: name.to_owned() });
        }
        let value = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_owned(), value)),
        }
        Ok(())
    }

    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Final position.
    pub fn end(&self) -> &Position {
        &self.end
    }

    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Variations on the moves, in the order of their plies.
    pub fn variations(&self) -> &[Variation] {
        &self.variations
    }

    /// Sets the variations, which are in the order of their plies and have legal moves.
    pub fn set_variations(&mut self, variations: Vec<Variation>) {
        self.variations = variations;
    }

    /// Comment after each move.
    pub fn comments(&self) -> &[Option<String>] {
        &self.comments
    }

    /// Comment before the first move.
    pub fn opening_comment(&self) -> Option<&str> {
        self.opening_comment.as_deref()
    }

    /// Appends a move, which must be legal in [`PgnGame::end`].
    pub fn push(&mut self, mv: Move) {
        self.end = self.end.play(mv);
        self.moves.push(mv);
        self.comments.push(None);
    }

    /// Appends to the comment after the last move, or to the opening comment if there is no move
    /// yet.
    ///
    /// White space is collapsed, and `}` is replaced by `)`, because PGN comments have no escape
    /// sequences.
    pub fn add_comment(&mut self, text: &str) {
        append(self.comments.last_mut().unwrap_or(&mut self.opening_comment), text);
    }

    /// Appends to the comment behind the number of the move that was not played, which is therefore
    /// about the side to move in [`PgnGame::end`]. When the game is read again, it belongs to the
    /// last move.
    pub fn add_closing_comment(&mut self, text: &str) {
        append(&mut self.closing_comment, text);
    }

    /// White's points; `None` if the game is unfinished.
    pub fn result(&self) -> Option<Points> {
        self.result
    }

    /// Sets White's points.
    pub fn set_result(&mut self, white: Option<Points>) {
        self.result = white;
    }
}

fn append(comment: &mut Option<String>, text: &str) {
    for word in text.split_whitespace() {
        let comment = comment.get_or_insert_with(String::new);
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.extend(word.chars().map(|c| if c == '}' { ')' } else { c }));
    }
}

/// The indication of a move's number: `12.` for White, `12...` for Black.
pub fn move_number(number: u32, side: Color) -> String {
    match side {
        Color::White => format!("{number}."),
        Color::Black => format!("{number}..."),
    }
}

/// Termination marker and `Result` tag. Results of 0.75 and 0.25 are written as a draw.
fn result_marker(result: Option<Points>) -> &'static str {
    match result {
        None => "*",
        Some(Points::WIN) => "1-0",
        Some(Points::LOSS) => "0-1",
        Some(_) => "1/2-1/2",
    }
}

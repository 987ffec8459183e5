//! PGN: games as text, many in one file.
//!
//! [`PgnReader`] walks through a text game by game, and a game that cannot be read does not keep it from the next one.
//! [`PgnGame`] is a game in memory, and its `Display` is the text. What is written is read back as an equal game.
//!
//! Beyond the standard: a `Variant` tag names the game; the results worth 0.75 and 0.25 are written as a drawn `Result` with
//! a `Score` tag; move numbers are not checked on input; of comments only those of the main line are kept, with every run of
//! white space made one space (line breaks in a comment come from wrapping); numeric glyphs and variations are skipped.

mod chunks;
mod error;
mod lexer;
mod read;
mod write;

use std::sync::Arc;

use crate::position::Position;
use crate::types::definition::GameDef;
use crate::types::moves::Move;
use crate::types::outcome::Points;

pub use error::{PgnError, PgnErrorKind, TagError};
pub use read::PgnReader;

/// The tags that every game has, in their order; `Result` comes behind them.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

/// Tags whose content the game itself is; they are never among [`PgnGame::tags`].
const OWN_TAGS: [&str; 5] = ["Result", "Variant", "Score", "SetUp", "FEN"];

/// A game with its tags and comments: legal moves from a start position, and a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    tags: Vec<(String, String)>,
    start: Position,
    end: Position,
    opening_comment: Option<String>,
    moves: Vec<Move>,
    comments: Vec<Option<String>>,
    result: Option<Points>,
}

impl PgnGame {
    /// A game without moves, unfinished, all tags of the roster unknown.
    pub fn new(start: Position) -> PgnGame {
        PgnGame {
            tags: ROSTER
                .iter()
                .map(|&(name, unknown)| (name.to_owned(), unknown.to_owned()))
                .collect(),
            end: start.clone(),
            start,
            opening_comment: None,
            moves: Vec::new(),
            comments: Vec::new(),
            result: None,
        }
    }

    /// The game's definition.
    pub fn game(&self) -> &Arc<GameDef> {
        self.start.game()
    }

    /// All tags that are not told by the game itself, as (name, value): the six of the roster first (Event, Site, Date,
    /// Round, White, Black), then the others as they were set. `Result`, `Score`, `Variant`, `SetUp` and `FEN` are
    /// [`PgnGame::result`] and [`PgnGame::start`].
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// The value of one of [`PgnGame::tags`].
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Sets a tag. Control characters in the value become spaces, as a tag is one line.
    ///
    /// # Errors
    /// When the name is not made of ASCII letters, digits and underscores, or is one that the game itself tells.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return Err(TagError::Name { name: name.to_owned() });
        }
        if OWN_TAGS.contains(&name) {
            return Err(TagError::Own { name: name.to_owned() });
        }
        let value = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_owned(), value)),
        }
        Ok(())
    }

    /// Where the game begins.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Where the game ends.
    pub fn end(&self) -> &Position {
        &self.end
    }

    /// All moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The comment behind each move; as many as there are moves.
    pub fn comments(&self) -> &[Option<String>] {
        &self.comments
    }

    /// The comment before the first move.
    pub fn opening_comment(&self) -> Option<&str> {
        self.opening_comment.as_deref()
    }

    /// Adds a move that is legal in [`PgnGame::end`], without comment.
    pub fn push(&mut self, mv: Move) {
        self.end = self.end.play(mv);
        self.moves.push(mv);
        self.comments.push(None);
    }

    /// Adds to the comment behind the last move, or before the first one when there is none yet.
    ///
    /// PGN knows no escape in comments: every run of white space becomes one space, and `}` becomes `)`.
    pub fn comment(&mut self, text: &str) {
        let place = self.comments.last_mut().unwrap_or(&mut self.opening_comment);
        for word in text.split_whitespace() {
            let comment = place.get_or_insert_with(String::new);
            if !comment.is_empty() {
                comment.push(' ');
            }
            comment.extend(word.chars().map(|c| if c == '}' { ')' } else { c }));
        }
    }

    /// White's score; `None` for a game that is not finished, or not known to be.
    pub fn result(&self) -> Option<Points> {
        self.result
    }

    /// Sets White's score.
    pub fn set_result(&mut self, white: Option<Points>) {
        self.result = white;
    }

    /// Every position with the move played in it.
    pub fn walk(&self) -> impl Iterator<Item = (Position, Move)> + '_ {
        let mut position = self.start.clone();
        self.moves.iter().map(move |&mv| {
            let next = position.play(mv);
            (std::mem::replace(&mut position, next), mv)
        })
    }
}

/// The termination marker and `Result` tag of a score: an advantage is written as a draw.
fn marker(result: Option<Points>) -> &'static str {
    match result {
        None => "*",
        Some(Points::WIN) => "1-0",
        Some(Points::LOSS) => "0-1",
        Some(_) => "1/2-1/2",
    }
}

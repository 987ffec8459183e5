//! A playable position: pieces on the board and everything else that decides which moves are possible.

mod apply;
mod attack;
mod check;
mod ending;
mod generate;
mod key;

use std::sync::Arc;

use crate::color::{ByColor, Color};
use crate::def::{GameDef, RightKind, Rights};
use crate::piece::{Kind, Piece};
use crate::setup::Setup;
use crate::square::Square;

pub use check::{SetupError, SetupErrors, SetupWarning};
pub use key::RepetitionKey;

/// A pawn that can be captured en passant on this move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EnPassant {
    /// The square it passed over.
    pub passed: Square,
    /// Where it stands.
    pub victim: Square,
}

/// Whose move it is, and what is left of a two-move handicap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// One move, then the other side.
    Single(Color),
    /// White makes the first of two moves (`ww` in a FEN).
    WhiteTwice,
    /// White makes one move, then Black two that may not capture (`wbqbq`).
    WhiteThenBlackTwice,
    /// Black makes the first of two moves that may not capture (`bqbq`).
    BlackTwice,
    /// Black makes the second of them (`bq`).
    BlackAgain,
}

impl Turn {
    /// All turns but the single ones, with their text in a FEN.
    pub const HANDICAPS: [(Turn, &'static str); 4] = [
        (Turn::WhiteTwice, "ww"),
        (Turn::WhiteThenBlackTwice, "wbqbq"),
        (Turn::BlackTwice, "bqbq"),
        (Turn::BlackAgain, "bq"),
    ];

    /// The side to move.
    pub const fn color(self) -> Color {
        match self {
            Turn::Single(color) => color,
            Turn::WhiteTwice | Turn::WhiteThenBlackTwice => Color::White,
            Turn::BlackTwice | Turn::BlackAgain => Color::Black,
        }
    }

    /// May the side to move capture?
    pub const fn may_capture(self) -> bool {
        !matches!(self, Turn::BlackTwice | Turn::BlackAgain)
    }

    /// The turn after a move.
    #[must_use]
    pub fn next(self) -> Turn {
        match self {
            Turn::Single(color) => Turn::Single(!color),
            Turn::WhiteTwice | Turn::BlackAgain => Turn::Single(Color::White),
            Turn::WhiteThenBlackTwice => Turn::BlackTwice,
            Turn::BlackTwice => Turn::BlackAgain,
        }
    }

    /// The turn as a FEN writes it.
    pub fn text(self) -> &'static str {
        match self {
            Turn::Single(Color::White) => "w",
            Turn::Single(Color::Black) => "b",
            other => Turn::HANDICAPS
                .iter()
                .find(|(turn, _)| *turn == other)
                .map_or("", |(_, text)| text),
        }
    }
}

/// A playable position of a game.
///
/// Two positions are equal when everything a FEN says of them is equal, clocks included; for "the same position" of the
/// repetition rule compare [`Position::repetition_key`]s.
#[derive(Clone, Debug)]
pub struct Position {
    game: Arc<GameDef>,
    pieces: Vec<Option<Piece>>,
    kings: ByColor<Square>,
    turn: Turn,
    rights: Rights,
    en_passant: Option<EnPassant>,
    pockets: ByColor<Vec<Kind>>,
    last_moved_as: ByColor<Option<Kind>>,
    halfmove_clock: u32,
    fullmove_number: u32,
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.pieces == other.pieces
            && self.turn == other.turn
            && self.rights == other.rights
            && self.en_passant == other.en_passant
            && self.pockets == other.pockets
            && self.last_moved_as == other.last_moved_as
            && self.halfmove_clock == other.halfmove_clock
            && self.fullmove_number == other.fullmove_number
            && self.game.name == other.game.name
    }
}

impl Eq for Position {}

impl Position {
    /// The default start position of a game.
    ///
    /// # Panics
    /// Never for a game that [`GameDef::from_toml`] accepted: it has tried all starts.
    pub fn start(game: &Arc<GameDef>) -> Position {
        Position::from_fen(game, &game.starts[game.default_start].fen).expect("start positions are checked at load")
    }

    /// Reads a FEN and checks it; warnings are dropped. [`Setup::parse`] and [`Position::from_setup`] give both.
    ///
    /// # Errors
    /// When the text is no FEN of this game, or the position is impossible.
    pub fn from_fen(game: &Arc<GameDef>, fen: &str) -> Result<Position, crate::fen::FenError> {
        let setup = Setup::parse(game, fen)?;
        let (position, _warnings) = Position::from_setup(game, &setup)?;
        Ok(position)
    }

    /// The game this is a position of.
    pub fn game(&self) -> &Arc<GameDef> {
        &self.game
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    /// All pieces with their squares, in ascending order of squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.pieces
            .iter()
            .enumerate()
            .filter_map(|(index, piece)| Some((Square(index as u8), (*piece)?)))
    }

    /// Where the king of a side stands.
    pub fn king(&self, color: Color) -> Square {
        self.kings[color]
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.turn.color()
    }

    /// The turn, two-move handicaps included.
    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// The rights of unmoved pieces.
    pub fn rights(&self) -> Rights {
        self.rights
    }

    /// The pawn that can be captured en passant; recorded only when at least one such capture is legal.
    pub fn en_passant(&self) -> Option<EnPassant> {
        self.en_passant
    }

    /// What waits in the pocket of a side, in the order of kinds.
    pub fn pocket(&self, color: Color) -> &[Kind] {
        &self.pockets[color]
    }

    /// The power of a side: the kind of the last movement it used, which the *other* side's joker has. Always `None` in games
    /// without a joker.
    pub fn last_moved_as(&self, color: Color) -> Option<Kind> {
        self.last_moved_as[color]
    }

    /// Plies since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// The move number: 1 at the start, one more after each of Black's turns.
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// The number of the next move of a side.
    pub fn next_fullmove_number(&self, color: Color) -> u32 {
        match (self.side_to_move(), color) {
            (Color::Black, Color::White) => self.fullmove_number + 1,
            _ => self.fullmove_number,
        }
    }

    /// May `color` still gate with some first move: a piece in its pocket, and its move limit not past at its next move?
    pub fn can_still_gate(&self, color: Color) -> bool {
        !self.pockets[color].is_empty()
            && self
                .game
                .gating
                .as_ref()
                .is_some_and(|gating| self.next_fullmove_number(color) <= gating.last_move[color])
    }

    /// May the piece on `square` use its kind's initial powers? Pawns may on their home rank; others while the right stands.
    fn has_first_move(&self, square: Square, piece: Piece) -> bool {
        if piece.kind == self.game.pawn {
            return self.game.board.relative_rank(piece.color, square) == self.game.pawn_home_rank;
        }
        self.rights
            .iter()
            .any(|index| self.game.rights[index].kind == RightKind::FirstMove(square))
    }
}

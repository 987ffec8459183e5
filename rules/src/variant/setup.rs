//! Positions that have not been validated, and what can be wrong with them.

use thiserror::Error;

use crate::types::board::Board;
use crate::types::color::{ByColor, Color};
use crate::types::piece::{Kind, Piece};
use crate::types::rights::Rights;
use crate::types::square::{Square, SquareSet};
use crate::types::turn::Turn;

/// The en passant field of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EnPassantField {
    None,
    /// One square: the square passed over.
    One(Square),
    /// Two squares: the square passed over and the victim's, in either order.
    Two(Square, Square),
}

/// The fields of a FEN, which need not describe a legal position.
/// [`Position::from_setup`](crate::Position::from_setup) validates them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Pieces, indexed by square.
    pub pieces: Vec<Option<Piece>>,
    /// Squares with walls.
    pub walls: SquareSet,
    /// Pieces in the pockets.
    pub pockets: ByColor<Vec<Kind>>,
    /// Kind of the last movement that each side used, which the other side's joker imitates.
    pub last_moved_as: ByColor<Option<Kind>>,
    /// Number of checks that each side still has to give to win; 0 in games that do not count
    /// checks.
    pub checks_left: ByColor<u8>,
    /// Number of plies after which the count of moves that runs ends the game.
    pub count_limit: Option<u32>,
    /// Side to move, including two-move handicaps.
    pub turn: Turn,
    /// Claimed rights of unmoved pieces.
    pub rights: Rights,
    /// Claimed en passant capture.
    pub en_passant: EnPassantField,
    /// Plies since the last capture or pawn move, or plies of the running count of moves.
    pub halfmove_clock: u32,
    /// Move number, starting at 1.
    pub fullmove_number: u32,
    /// What the reader of a FEN has left out.
    pub warnings: Vec<SetupWarning>,
}

impl Setup {
    /// A board without pieces, White to move.
    pub fn empty(board: &Board) -> Setup {
        Setup {
            pieces: vec![None; board.box_size()],
            walls: SquareSet::EMPTY,
            pockets: ByColor::default(),
            last_moved_as: ByColor::default(),
            checks_left: ByColor::default(),
            count_limit: None,
            turn: Turn::Single(Color::White),
            rights: Rights::EMPTY,
            en_passant: EnPassantField::None,
            halfmove_clock: 0,
            fullmove_number: 1,
            warnings: Vec::new(),
        }
    }
}

/// A reason why a [`Setup`] is not a legal position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// A side does not have exactly one king.
    #[error("{color} has {found} kings, expected 1")]
    Kings {
        /// Side with the wrong number of kings.
        color: Color,
        /// Number of kings.
        found: usize,
    },
    /// A piece of a kind that only the other side can have.
    #[error("{color} has a {piece} on {square}, which only the other side can have")]
    Side {
        color: Color,
        /// Name of the piece.
        piece: String,
        square: String,
    },
    /// More walls than the game can have on squares without pieces.
    #[error("found {found} walls, expected at most {most}, on empty squares")]
    Walls {
        /// Number of walls.
        found: usize,
        /// Largest number that is possible.
        most: usize,
    },
    /// More pieces on the board and in the pockets than a game can have.
    #[error("found {found} pieces on the board and in the pockets, expected at most 255")]
    TooManyPieces {
        /// Number of pieces.
        found: usize,
    },
    /// The side to move could capture a royal piece of the opponent.
    #[error("{color} is not to move, but its {piece} on {square} can be captured by the piece on {attacker}")]
    KingCapturable {
        /// Owner of the royal piece.
        color: Color,
        /// Name of the royal piece.
        piece: String,
        /// Square of the royal piece.
        square: String,
        /// Square of an attacker.
        attacker: String,
    },
    /// A pawn on a square that no pawn can reach.
    #[error("{color} pawn on {square}: {why}")]
    Pawn {
        /// Owner of the pawn.
        color: Color,
        /// Square of the pawn.
        square: String,
        /// Why no pawn can be there.
        why: &'static str,
    },
    /// The en passant field does not determine which pawn can be captured.
    #[error("en passant square {square} has more than one possible victim ({victims}); add the victim's square")]
    AmbiguousVictim {
        square: String,
        /// Squares of the possible victims.
        victims: String,
    },
    /// The en passant field has only the square passed over, and no pawn can have passed it. In
    /// games where that square identifies the victim, the field is ignored instead:
    /// [`SetupWarning::EnPassant`].
    #[error("en passant square {square} has no possible victim: no pawn can have passed it on the last move")]
    NoVictim { square: String },
    /// A two-move handicap after the first move.
    #[error("turn `{turn}` at move {number}: two moves in a row are allowed at move 1 only")]
    LateHandicap {
        /// Turn field of the FEN.
        turn: &'static str,
        /// Move number.
        number: u32,
    },
}

/// All reasons why a [`Setup`] is not a legal position; never empty.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct SetupErrors(pub Vec<SetupError>);

/// A contradiction in a [`Setup`] that was resolved by ignoring part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error)]
pub enum SetupWarning {
    /// A right whose pieces are not on their home squares, or that the game does not have.
    #[error("right `{letter}` ignored: its pieces are not on squares from which this game gives it")]
    Right {
        /// Letter of the right.
        letter: char,
    },
    /// A king and its partner that have not moved, but not on the squares from which the game
    /// castles.
    #[error("castling of {color} ignored: this game castles only from the squares of its own start")]
    Castling { color: Color },
    /// No bracket in a game whose pockets cannot be told from the board.
    #[error("no pocket found (`[...]` after the board): the pockets are taken to be empty")]
    NoPocket,
    /// No field of rights in a game that has some.
    #[error("no rights found (behind the side to move): nobody has any")]
    NoRights,
    /// An en passant field that no double step can have produced.
    #[error("en passant `{text}` ignored: no pawn can have passed it on the last move")]
    EnPassant {
        /// The en passant field.
        text: String,
    },
}

//! A set-up: whatever somebody typed in. It need not be playable; [`Position::from_setup`](crate::Position::from_setup) decides.

use std::sync::Arc;

use crate::color::ByColor;
use crate::def::{GameDef, Rights};
use crate::fen::FenError;
use crate::piece::{Kind, Piece};
use crate::position::Turn;
use crate::square::Square;

/// The en passant field of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EnPassantField {
    /// `-`.
    None,
    /// One square: the one passed over.
    One(Square),
    /// Two squares, the one passed over and the victim's, in either order.
    Two(Square, Square),
}

/// The six fields of a FEN, as typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// A piece or nothing for each place of the board's bounding box.
    pub pieces: Vec<Option<Piece>>,
    /// What waits in the pockets.
    pub pockets: ByColor<Vec<Kind>>,
    /// The kind of the last movement that each side used.
    pub last_moved_as: ByColor<Option<Kind>>,
    /// Whose move it is.
    pub turn: Turn,
    /// The rights claimed.
    pub rights: Rights,
    /// The en passant chance claimed.
    pub en_passant: EnPassantField,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The move number.
    pub fullmove_number: u32,
}

impl Setup {
    /// Reads a FEN of `game`.
    ///
    /// # Errors
    /// When the text is not of the form; whether the position is possible is not asked here.
    pub fn parse(game: &Arc<GameDef>, fen: &str) -> Result<Setup, FenError> {
        crate::fen::parse(game, fen)
    }
}

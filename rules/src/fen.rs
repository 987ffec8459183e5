//! FEN: positions as one line of text.

mod read;
mod write;

use thiserror::Error;

use crate::position::SetupErrors;

pub(crate) use read::{parse, read_pieces};

/// A field of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The pieces on the board.
    Board,
    /// Pockets and powers, in brackets behind the board.
    Pocket,
    /// The side to move.
    Side,
    /// Rights of unmoved pieces.
    Rights,
    /// The en passant square.
    EnPassant,
    /// Plies since the last capture or pawn move.
    Clock,
    /// The move number.
    Number,
}

impl Field {
    /// The field's name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Field::Board => "board",
            Field::Pocket => "pocket",
            Field::Side => "side to move",
            Field::Rights => "rights",
            Field::EnPassant => "en passant",
            Field::Clock => "half-move clock",
            Field::Number => "move number",
        }
    }
}

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// The number of fields is not six.
    #[error(
        "FEN has {found} fields, expected six: board, side to move, rights, en passant, half-move clock, move number"
    )]
    FieldCount {
        /// How many there are.
        found: usize,
    },
    /// A field is not of the form.
    #[error("FEN column {column} ({}): found {found}, expected {expected}", .field.name())]
    Syntax {
        /// Which field.
        field: Field,
        /// The character of the FEN where it goes wrong, counted from 1.
        column: usize,
        /// What stands there.
        found: String,
        /// What could stand there.
        expected: String,
    },
    /// The text is a FEN, but the position cannot be played from.
    #[error("impossible position: {0}")]
    Impossible(#[from] SetupErrors),
}

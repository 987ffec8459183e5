//! Moves that a person types, in UCI notation or SAN.

use thiserror::Error;

use super::san::{self, SanError};
use super::uci::{self, UciError};
use crate::types::moves::Move;
use crate::variant::Position;

/// Why a move was rejected as UCI and as SAN; the error is for the notation it looks like.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    #[error(transparent)]
    Uci(#[from] UciError),
    #[error(transparent)]
    San(#[from] SanError),
}

/// Parses a legal move as UCI, or as SAN if it is not in UCI format.
///
/// ```
/// use assay_rules::{GameDef, Position, parse_move};
///
/// let start = Position::start(&GameDef::builtin("chess").unwrap());
/// assert_eq!(parse_move(&start, "g1f3"), parse_move(&start, "Nf3"));
/// ```
///
/// # Errors
/// If the text is malformed or the move is illegal.
pub fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    match uci::parse(position, text) {
        Ok(mv) => Ok(mv),
        // Some texts, such as `exd5` with a piece letter X, have both formats. If neither fits,
        // UCI's error is the better one.
        Err(error @ UciError::Illegal { .. }) => san::parse(position, text).map_err(|_| error.into()),
        Err(UciError::Syntax { .. }) => Ok(san::parse(position, text)?),
    }
}

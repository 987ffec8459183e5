//! Moves as UCI writes them: from-to squares, then the letter of a promotion or of the piece dropped from the pocket.

use thiserror::Error;

use crate::def::GameDef;
use crate::moves::Move;
use crate::position::Position;

/// Why a text is no legal move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UciError {
    /// Not of the form.
    #[error("move `{text}` is not of the form from-to, like `e2e4`, with a letter behind for a promotion or a drop")]
    Form {
        /// What was found.
        text: String,
    },
    /// Of the form, but not legal in the position.
    #[error("move `{text}` is not legal here: {why}")]
    Illegal {
        /// What was found.
        text: String,
        /// What is legal instead.
        why: String,
    },
}

/// A move as UCI writes it.
pub fn format(game: &GameDef, mv: Move) -> String {
    let mut text = game.board.square_name(mv.from()) + &game.board.square_name(mv.to());
    if let Some(kind) = mv.promotion().or(mv.gate()) {
        text.push(game.kind(kind).letter.to_ascii_lowercase());
    }
    text
}

/// Reads a legal move.
///
/// # Errors
/// When the text is not of the form, or the move is not legal in `position`.
pub fn parse(position: &Position, text: &str) -> Result<Move, UciError> {
    let game = position.game();
    let form = || UciError::Form { text: text.to_owned() };
    let (from, rest) = game.board.parse_square_prefix(text).ok_or_else(form)?;
    let (to, rest) = game.board.parse_square_prefix(rest).ok_or_else(form)?;
    let mut letters = rest.chars();
    let extra = match (letters.next(), letters.next()) {
        (None, _) => None,
        (Some(letter), None) => Some(game.kind_by_letter(letter).ok_or_else(form)?),
        _ => return Err(form()),
    };
    let legal = position.legal_moves();
    let wanted = |mv: &&Move| mv.from() == from && mv.to() == to && mv.promotion().or(mv.gate()) == extra;
    if let Some(&mv) = legal.iter().find(wanted) {
        return Ok(mv);
    }
    let mut targets: Vec<String> = legal
        .iter()
        .filter(|mv| mv.from() == from)
        .map(|&mv| format(game, mv))
        .collect();
    targets.dedup();
    let name = game.board.square_name(from);
    let why = match position.piece_at(from) {
        None => format!("no piece stands on {name}"),
        Some(piece) if piece.color != position.side_to_move() => format!(
            "the piece on {name} is {}'s, and {} is to move",
            piece.color,
            position.side_to_move()
        ),
        Some(_) if targets.is_empty() => format!("the piece on {name} has no legal move"),
        Some(_) => format!("the piece on {name} has {}", targets.join(" ")),
    };
    Err(UciError::Illegal {
        text: text.to_owned(),
        why,
    })
}

//! Moves in UCI notation.

use assay_rules::GameDef;

use crate::moves::Move;
use crate::moves::MoveList;
use crate::position::CompiledPosition;
use crate::position::Position;

pub(crate) fn format(game: &GameDef, mv: Move) -> String {
    let mut text = game.board.square_name(mv.from()) + &game.board.square_name(mv.to());
    if let Some(kind) = mv.promotion().or(mv.gate()) {
        text.push(game.kind(kind).letter.to_ascii_lowercase());
    }
    text
}

/// Parses a legal move.
///
/// # Errors
/// Returns a message for the user.
pub(crate) fn parse<R: CompiledPosition>(position: &Position<R>, text: &str) -> Result<Move, String> {
    let mut list = MoveList::new();
    position.legal_moves(&mut list);
    let game = position.game();
    if let Some(mv) = list.iter().copied().find(|&mv| format(game, mv) == text) {
        return Ok(mv);
    }
    // The rules crate explains why the move is illegal.
    match assay_rules::uci::parse(&position.to_rules(), text) {
        Ok(mv) => Ok(position.from_rules_move(mv)),
        Err(error) => Err(error.to_string()),
    }
}

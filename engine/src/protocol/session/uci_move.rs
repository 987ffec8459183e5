//! Moves in UCI notation.

use assay_rules::uci::UciError;
use assay_rules::{Color, GameDef};

use crate::moves::{Move, MoveList};
use crate::position::{CompiledPosition, Position};

pub(super) fn format(game: &GameDef, mv: Move) -> String {
    if let Some(kind) = mv.dropped() {
        return format!("{}@{}", game.kinds.symbol(kind, Color::White), game.board.square_name(mv.to()));
    }
    let (from, to) = mv.uci_squares(game);
    let mut text = game.board.square_name(from) + &game.board.square_name(to);
    let gated = mv.gate().map(|kind| game.kinds.letter(kind, Color::Black));
    text.extend(mv.promotion().map(|kind| game.promotion_suffix(kind)).or(gated));
    if let Some(wall) = mv.wall() {
        text += &format!(",{}{}", game.board.square_name(to), game.board.square_name(wall));
    }
    text
}

/// Parses a legal move.
pub(super) fn parse<R: CompiledPosition>(position: &Position<R>, text: &str) -> Result<Move, UciError> {
    let mut list = MoveList::new();
    position.legal_moves(&mut list);
    let game = position.game();
    if let Some(mv) = list.iter().copied().find(|&mv| format(game, mv) == text) {
        return Ok(mv);
    }
    // The rules crate explains why the move is illegal.
    let mv = assay_rules::uci::parse(&position.to_rules(), text)?;
    Ok(position.from_rules_move(mv))
}

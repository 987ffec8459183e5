//! Moves of a book in the text that names an opening.

use std::sync::Arc;

use assay_rules::{GameDef, Move, Position, uci};

use crate::game::GameRecord;

/// The place of an opening in a book with the moves that lead to it from the game's start, for
/// [`book_moves`]: `game 7: e2e4 c7c5`.
pub(super) fn with_moves(place: String, game: &GameDef, moves: &[Move]) -> String {
    let moves: Vec<String> = moves.iter().map(|&mv| uci::format(game, mv)).collect();
    if moves.is_empty() { place } else { format!("{place}: {}", moves.join(" ")) }
}

/// The moves of a book that led from the game's start to the start of a game; none if its opening
/// does not tell them.
pub(crate) fn book_moves(game: &Arc<GameDef>, record: &GameRecord) -> Vec<Move> {
    let mut position = Position::start(game);
    let texts = record.opening.split_once(": ").map_or("", |(_, moves)| moves).split(' ');
    let mut moves = Vec::new();
    for text in texts {
        let Ok(mv) = uci::parse(&position, text) else { return Vec::new() };
        position = position.play(mv);
        moves.push(mv);
    }
    if position.fen() == record.start_fen { moves } else { Vec::new() }
}

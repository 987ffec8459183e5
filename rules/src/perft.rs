//! Perft by the reference generator.

use crate::moves::Move;
use crate::position::Position;

/// The number of move sequences of `depth` plies from a position; 1 at depth 0. Only mate and stalemate end a line, as perft
/// has it everywhere.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.into_iter().map(|mv| perft(&position.play(mv), depth - 1)).sum()
}

/// The perft of each legal move, in the order of [`Position::legal_moves`]; nothing at depth 0.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else {
        return Vec::new();
    };
    position
        .legal_moves()
        .into_iter()
        .map(|mv| (mv, perft(&position.play(mv), rest)))
        .collect()
}

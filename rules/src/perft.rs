//! Perft with the reference generator.

use crate::types::moves::Move;
use crate::variant::Position;

/// Counts the move sequences of `depth` plies; 1 at depth 0.
///
/// As usual for perft, only positions without legal moves end a sequence: repetition, the move rule
/// and dead positions do not.
///
/// ```
/// use assay_rules::{GameDef, Position, perft::perft};
///
/// let start = Position::start(&GameDef::builtin("chess").unwrap());
/// assert_eq!(perft(&start, 3), 8_902);
/// ```
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

/// Perft of each legal move at depth `depth - 1`, in the order of [`Position::legal_moves`]; empty
/// at depth 0.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else {
        return Vec::new();
    };
    position.legal_moves().into_iter().map(|mv| (mv, perft(&position.play(mv), rest))).collect()
}

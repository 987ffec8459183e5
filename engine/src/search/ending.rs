//! Games that end within the tree.

use assay_rules::Points;

use crate::eval::Score;
use crate::position::Position;
use crate::search::CompiledSearch;

/// The score of a game that is over at `ply`, mate and stalemate apart: dead position, repetition, move rule.
///
/// A position that has occurred once before within the tree counts as ended, because whoever wanted the repetition can have
/// it again. Where points are counted, they decide what it is worth.
#[inline]
pub(super) fn ended<R: CompiledSearch>(position: &Position<R>, ply: usize) -> Option<Score> {
    if position.has_insufficient_material() {
        return Some(Score::DRAW);
    }
    let clock = position.halfmove_clock();
    if clock < 4 {
        return None;
    }
    let endings = &position.game().endings;
    let repeated = position.has_occurred_within(ply)
        || clock >= 2 * (endings.repetitions - 1) && position.repetitions() + 1 >= endings.repetitions;
    if repeated {
        return Some(for_mover(position, position.material_count_points(), ply));
    }
    if clock < endings.move_rule {
        return None;
    }
    // Mate with the last move comes before the move rule.
    let counted = if position.has_legal_move() {
        position.material_count_points()
    } else {
        position.outcome_without_moves().white
    };
    Some(for_mover(position, counted, ply))
}

/// The score of the side to move, which has no legal move, at `ply`.
#[cold]
pub(super) fn without_moves<R: CompiledSearch>(position: &Position<R>, ply: usize) -> Score {
    for_mover(position, position.outcome_without_moves().white, ply)
}

fn for_mover<R: CompiledSearch>(position: &Position<R>, white: Points, ply: usize) -> Score {
    Score::of_points(white.for_white(position.side_to_move()), ply)
}

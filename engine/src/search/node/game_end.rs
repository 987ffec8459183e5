//! Scores of games that end inside the search tree.

use assay_rules::Points;

use crate::eval::Score;
use crate::position::{CompiledPosition, Position};

/// Score of a game that is over at `ply` by extinction, a goal, checks, bare king, dead position,
/// repetition or move rule, for the side to move. Mate and stalemate are not detected here, but
/// take precedence over dead positions and the move rule.
///
/// A position that has occurred once before inside the tree counts as a repetition: the side that
/// benefits from a repetition can do it again. The result of a repetition follows the game's rules,
/// which may award points.
#[inline]
pub(crate) fn game_over_score<R: CompiledPosition>(position: &Position<R>, ply: usize) -> Option<Score> {
    if let Some(outcome) = position.decided() {
        return Some(side_to_move_score(position, outcome.white, ply));
    }
    if position.has_insufficient_material() {
        // Stalemate takes precedence, and may win.
        return Some(if position.has_legal_move() {
            drawn_score(position, ply)
        } else {
            no_moves_score(position, ply)
        });
    }
    let endings = &position.game().endings;
    let is_over_by_moves = position.move_rule_applies();
    let reversible = position.reversible_plies();
    if reversible < 4 && !is_over_by_moves {
        return None;
    }
    let repeated = reversible >= 4 && position.has_occurred_within(ply)
        || reversible >= 2 * (endings.repetitions - 1) && position.repetitions() + 1 >= endings.repetitions;
    if repeated {
        return Some(side_to_move_score(position, position.repetition_points(), ply));
    }
    if !is_over_by_moves {
        return None;
    }
    // A mate by the last move takes precedence over the move rule.
    let points =
        if position.has_legal_move() { position.move_rule_points() } else { position.outcome_without_moves().white };
    Some(side_to_move_score(position, points, ply))
}

/// [`game_over_score`], or the score of a goal or a last check by the next move.
#[inline]
pub(crate) fn over_or_won_score<R: CompiledPosition>(position: &Position<R>, ply: usize) -> Option<Score> {
    if position.can_follow() {
        return Some(drawn_score(position, ply));
    }
    game_over_score(position, ply).or_else(|| position.winning_move().map(|_| Score::mating(ply + 1)))
}

/// Score of a position without legal moves (mate, stalemate) at `ply`, for the side to move.
#[cold]
pub(crate) fn no_moves_score<R: CompiledPosition>(position: &Position<R>, ply: usize) -> Score {
    side_to_move_score(position, position.outcome_without_moves().white, ply)
}

/// Score of a drawn game at `ply`, for the side to move: in some games a draw counts for one side.
pub(crate) fn drawn_score<R: CompiledPosition>(position: &Position<R>, ply: usize) -> Score {
    side_to_move_score(position, position.game().endings.draw, ply)
}

fn side_to_move_score<R: CompiledPosition>(position: &Position<R>, white: Points, ply: usize) -> Score {
    Score::of_points(white.for_white(position.side_to_move()), ply)
}

//! What is known of a node and of a move while they are searched.

use super::correction::CorrectionKeys;
use crate::eval::Score;
use crate::position::{CompiledPosition, Position};

/// An alpha-beta window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) fn full() -> Window {
        Window {
            alpha: -Score::INFINITE,
            beta: Score::INFINITE,
        }
    }

    /// The zero-width window that tests whether the score is above `alpha`.
    pub(super) fn zero_width(alpha: Score) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// The window from the point of view of the other side.
    pub(super) fn negated(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// The window without scores that no mate found below `ply` can reach (mate distance pruning), or `None` if it is
    /// empty then.
    pub(super) fn within_mate_distance(self, ply: usize) -> Option<Window> {
        let narrowed = Window {
            alpha: self.alpha.max(Score::mated(ply)),
            beta: self.beta.min(Score::mating(ply + 1)),
        };
        (narrowed.alpha < narrowed.beta).then_some(narrowed)
    }
}

/// A node of the search tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeContext {
    /// Plies from the root.
    pub(super) ply: usize,
    /// Remaining depth in plies.
    pub(super) depth: i32,
    pub(super) in_check: bool,
    /// True if the node is expected to fail high.
    pub(super) cut_node: bool,
}

/// Evaluations of a node from the point of view of the side to move; `None` in check.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeEval {
    /// Static evaluation without correction.
    pub(super) raw_eval: Option<Score>,
    /// Static evaluation corrected by the correction history.
    pub(super) static_eval: Option<Score>,
    /// The transposition table's score where it is a better estimate, otherwise `static_eval`.
    pub(super) eval: Option<Score>,
    pub(super) correction_keys: CorrectionKeys,
}

/// A move about to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveContext {
    /// Number of moves searched or pruned before it.
    pub(super) number: usize,
    pub(super) is_quiet: bool,
    /// History score.
    pub(super) history: i32,
    /// True if the static evaluation is higher than at this side's previous move.
    pub(super) improving: bool,
    /// True if the node's transposition-table move is a capture or promotion.
    pub(super) tt_capture: bool,
    pub(super) is_killer: bool,
}

/// Returns true if the side to move has pieces other than king and pawns.
pub(super) fn has_pieces<R: CompiledPosition>(position: &Position<R>) -> bool {
    let side = position.side_to_move();
    let game = position.game();
    let king_and_pawns = position.pieces(side, game.king) | position.pieces(side, game.pawn);
    (position.by_color(side) & !king_and_pawns).any()
}

/// Returns true if the side to move has also made the last move, as in the first half of a two-move handicap.
pub(super) fn same_side_moves_again<R: CompiledPosition>(position: &Position<R>) -> bool {
    let Some(mv) = position.last_move() else { return false };
    R::MECHANICS.handicaps && position.color_at(mv.to()) == Some(position.side_to_move())
}

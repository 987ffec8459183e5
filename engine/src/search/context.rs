//! State of a node and of a move during the search.

use super::correction::CorrectionKeys;
use crate::bitboard::Bitboard;
use crate::eval::Score;
use crate::position::{CompiledPosition, Position};
use crate::ruleset::Mechanics;

/// An alpha-beta window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
}

impl Window {
    pub(crate) fn full() -> Window {
        Window { alpha: -Score::INFINITE, beta: Score::INFINITE }
    }

    /// The zero-width window that tests whether the score is above `alpha`.
    pub(crate) fn zero_width(alpha: Score) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// The window from the point of view of the other side.
    pub(crate) fn negated(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// The window without scores that no mate found below `ply` can reach (mate distance pruning),
    /// or `None` if it is empty then. If being stalemated wins, the node itself may be won.
    pub(crate) fn within_mate_distance(self, ply: usize, stalemated_wins: bool) -> Option<Window> {
        let narrowed = Window {
            alpha: self.alpha.max(Score::mated(ply)),
            beta: self.beta.min(Score::mating(ply + usize::from(!stalemated_wins))),
        };
        (narrowed.alpha < narrowed.beta).then_some(narrowed)
    }
}

/// A node of the search tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeContext {
    /// Plies from the root.
    pub(crate) ply: usize,
    /// Remaining depth in plies.
    pub(crate) depth: i32,
    pub(crate) in_check: bool,
    /// True if the node is expected to fail high.
    pub(crate) cut_node: bool,
}

/// Evaluations of a node from the point of view of the side to move; `None` in check.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodeEval {
    /// Static evaluation without correction.
    pub(crate) raw_eval: Option<Score>,
    /// Static evaluation corrected by the correction history.
    pub(crate) static_eval: Option<Score>,
    /// The transposition table's score where it is a better estimate, otherwise `static_eval`.
    pub(crate) eval: Option<Score>,
    pub(crate) correction_keys: CorrectionKeys,
}

/// A move about to be searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveContext {
    /// Number of moves searched or pruned before it.
    pub(crate) number: usize,
    pub(crate) is_quiet: bool,
    pub(crate) gives_check: bool,
    /// History score.
    pub(crate) history: i32,
    /// True if the static evaluation is higher than at this side's previous move, or was not known
    /// there.
    pub(crate) improving: bool,
    /// True if the node's transposition-table move is a capture or promotion.
    pub(crate) tt_capture: bool,
    pub(crate) is_killer: bool,
}

/// Returns true if the side to move has pieces other than king and pawns.
pub(crate) fn has_pieces<R: CompiledPosition>(position: &Position<R>) -> bool {
    let side = position.side_to_move();
    let game = position.game();
    let king = game.kinds.king().map_or(Bitboard::EMPTY, |king| position.pieces(side, king));
    (position.by_color(side) & !(king | position.pawns(side))).any()
}

/// Returns true if the side to move has also made the last move, as in the first half of a two-move
/// handicap.
pub(crate) fn same_side_moves_again<R: CompiledPosition>(position: &Position<R>) -> bool {
    let Some(mv) = position.last_move() else { return false };
    R::MECHANICS.contains(Mechanics::HANDICAPS) && position.color_at(mv.to()) == Some(position.side_to_move())
}

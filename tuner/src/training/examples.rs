//! Training positions as examples for one kind of evaluation, and which positions these are.

use std::sync::Arc;

use assay_engine::{CompiledRuleset, Move, Position, Score, Tables};
use assay_rules::Color;
use assay_selfplay::game::Eval;

/// The label that an evaluation is trained to predict: points, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Target {
    /// By the game's result.
    pub result: f32,
    /// Expected by the search of this position and of later ones.
    pub expected: f32,
    /// Opening pair or block of labelled positions, numbered without gaps from 0 over all files.
    pub pair: u32,
}

impl Target {
    /// The targets from White's and Black's point of view. The points are White's.
    pub(super) fn of_both_sides(result: f64, expected: f64, pair: u32) -> [Target; 2] {
        [(result, expected), (1.0 - result, 1.0 - expected)].map(|(result, expected)| Target {
            result: result as f32,
            expected: expected as f32,
            pair,
        })
    }

    /// The mixture of both: `lambda` is the weight of the result, 0 to 1.
    #[inline]
    pub fn label(&self, lambda: f32) -> f32 {
        lambda * self.result + (1.0 - lambda) * self.expected
    }
}

/// A training position as one kind of evaluation sees it: a head and any number of entries.
#[derive(Clone, Debug, PartialEq)]
pub struct Example<H, E> {
    pub target: Target,
    pub head: H,
    pub entries: Box<[E]>,
}

/// Number of occurrences of each term of the linear evaluation, weighted by the middlegame share and by the endgame share of the position.
/// Empty for networks.
pub type Occurrences = Vec<[f64; 2]>;

/// Makes examples for one kind of evaluation.
pub trait Extract: Copy + Sync {
    type Head: Send;
    type Entry: Send;

    /// Whether examples and their targets are from the side to move's point of view; else from White's.
    const IS_MOVERS_VIEW: bool;

    /// A function that turns a position into an example, or leaves it out, and counts its terms. The targets are those of White and
    /// Black, by the search of this position alone.
    fn extractor<R: CompiledRuleset>(
        self,
        tables: &Arc<Tables<R>>,
    ) -> impl Fn(&Position<R>, &[Target; 2], &mut Occurrences) -> Option<Example<Self::Head, Self::Entry>> + Sync;
}

/// The target of an example, of those of White and Black.
pub(super) fn target_of<X: Extract>(targets: [Target; 2], side_to_move: Color) -> Target {
    let view = if X::IS_MOVERS_VIEW { side_to_move } else { Color::White };
    targets[view.index()]
}

/// White's expected points by the score of a search for the side to move, 0 to 1.
pub(super) fn white_expects(eval: Eval, side: Color) -> f64 {
    let points = match eval {
        Eval::Centipawns(centipawns) => Score::from_centipawns(centipawns).expected_points(),
        Eval::Mate(moves) => f64::from(u8::from(moves > 0)),
    };
    match side {
        Color::White => points,
        Color::Black => 1.0 - points,
    }
}

/// In a training position the side to move is not in check, the move played neither captures nor promotes, and the search found no
/// mate: the engine evaluates only such positions, at the leaves of quiescence search. A move or score that is not known is not
/// tested.
pub(super) fn is_training_position<R: CompiledRuleset>(
    position: &Position<R>,
    eval: Option<Eval>,
    best: Option<Move>,
) -> bool {
    !matches!(eval, Some(Eval::Mate(_)))
        && !position.in_check()
        && best.is_none_or(|mv| mv.promotion().is_none() && !position.is_capture(mv))
}

//! Linear evaluation: a weighted sum of terms, tapered between middlegame and endgame.
//!
//! `accumulate.rs` enumerates the terms of a position and passes them to a sink. The [`Evaluator`]
//! adds their weights, the [`Tracer`] counts them: the tuner fits exactly the terms that are
//! played.

mod accumulate;
mod bare_king;
pub mod mobility;
mod score;
mod tables;
mod terms;
mod trace;
mod wdl;
mod weights;

use std::sync::Arc;

use assay_rules::piece::{Kind, Piece};
use assay_rules::{Color, Square};

use crate::position::{CompiledPosition, Position};
use crate::tables::Tables;
use accumulate::{DRAWISH_DIVISOR, EvalSink, evaluate_terms};
use tables::EvalTables;

pub use score::{MAX_PLY, Score};
pub use tables::MAX_PHASE;
pub use terms::{Section, Term, TermName, Terms};
pub use trace::{Trace, Tracer};
pub use wdl::WdlModel;
pub use weights::{Weight, Weights};

/// Fixed-point units per centipawn.
const UNIT: f64 = 16.0;

/// A middlegame and an endgame score in one integer, so that both are added at once. The middlegame
/// score is in the high half; both are in units of 1/16 centipawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tapered(i64);

impl Tapered {
    fn new(weight: Weight) -> Tapered {
        let units = |centipawns: f64| (centipawns * UNIT).round() as i64;
        // A negative endgame score borrows from the high half; `middlegame` corrects for that.
        Tapered((units(weight.middlegame) << 32) + units(weight.endgame))
    }

    fn middlegame(self) -> i32 {
        ((self.0 + (1 << 31)) >> 32) as i32
    }

    fn endgame(self) -> i32 {
        self.0 as i32
    }

    /// Interpolates between the two scores by the game phase, 0 to [`MAX_PHASE`]. Returns
    /// centipawns.
    fn interpolate(self, phase: i32) -> i32 {
        let units =
            i64::from(self.middlegame()) * i64::from(phase) + i64::from(self.endgame()) * i64::from(MAX_PHASE - phase);
        (units / (i64::from(MAX_PHASE) * UNIT as i64)) as i32
    }
}

/// Evaluates positions of one game with fixed weights.
///
/// ```
/// use std::sync::Arc;
///
/// use assay_engine::{CompiledRuleset, Evaluator, Position, Score, Tables, Visitor, Weights, dispatch};
/// use assay_rules::GameDef;
///
/// struct EvaluateStart;
///
/// impl Visitor for EvaluateStart {
///     type Output = Score;
///
///     fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Score {
///         let evaluator = Evaluator::new(&tables, &Weights::for_game(tables.game()));
///         let start = assay_rules::Position::start(tables.game());
///         evaluator.evaluate(&Position::new(&tables, &start))
///     }
/// }
///
/// let chess = GameDef::builtin("chess").unwrap();
/// let score = dispatch(&chess, EvaluateStart);
/// // A symmetrical position is worth the tempo to the side to move.
/// assert!(score > Score::DRAW);
/// ```
#[derive(Clone, Debug)]
pub struct Evaluator<R: CompiledPosition> {
    tables: EvalTables<R::Word>,
    /// By term.
    weights: Vec<Tapered>,
    /// Piece-square tables, material included: by color, kind and square.
    piece_square: Vec<Tapered>,
    /// Number of squares in the board's bounding box.
    box_size: usize,
    /// By kind: value in exchanges, in centipawns.
    see_values: Vec<i32>,
}

/// Value of the king in exchanges: more than all other pieces together.
pub(crate) const KING_SEE_VALUE: i32 = 20_000;

impl<R: CompiledPosition> Evaluator<R> {
    /// Creates an evaluator for the game of `tables`.
    ///
    /// # Panics
    /// Panics if the weights belong to another game.
    pub fn new(tables: &Arc<Tables<R>>, weights: &Weights) -> Evaluator<R> {
        let game = tables.game();
        assert_eq!(game.name, weights.game().name, "the weights belong to another game");
        let tables: EvalTables<R::Word> = EvalTables::new(game, weights.terms().clone());
        let box_size = game.board.box_size();
        let mut piece_square = Vec::with_capacity(2 * game.kinds.len() * box_size);
        for color in Color::ALL {
            for kind in game.kinds.all() {
                for square in (0..box_size as u8).map(Square) {
                    let sum =
                        tables.piece_terms(color, kind, square).map(|term| Tapered::new(weights.get(term)).0).sum();
                    piece_square.push(Tapered(sum));
                }
            }
        }
        let value = |term: Term| weights.get(term).middlegame.round() as i32;
        // A captured piece is lost on the board, and won in a pocket.
        let in_pocket = |kind: Kind| {
            let pocketed = game.pocketed(Piece { color: Color::White, kind })?;
            let value = value(weights.terms().kinds[pocketed.kind.index()].pocket?);
            Some(if pocketed.color == Color::White { -value } else { value })
        };
        let see_value = |kind: Kind| match weights.terms().material(kind) {
            Some(term) => value(term) + in_pocket(kind).unwrap_or(0),
            None => KING_SEE_VALUE,
        };
        Evaluator {
            weights: weights.values().iter().map(|&weight| Tapered::new(weight)).collect(),
            piece_square,
            box_size,
            see_values: game.kinds.all().map(see_value).collect(),
            tables,
        }
    }

    /// Evaluates a position from the point of view of the side to move.
    pub fn evaluate(&self, position: &Position<R>) -> Score {
        let mut sum = WeightedSum { evaluator: self, white: 0 };
        let phase = evaluate_terms(&self.tables, position, &mut sum);
        let white = self.adjusted(position, Tapered(sum.white).interpolate(phase));
        Score::from_centipawns(match position.side_to_move() {
            Color::White => white,
            Color::Black => -white,
        })
    }

    /// Adjusts another evaluation (from the side to move's point of view) in endings, as this
    /// evaluator adjusts its own. It does not count where bishop and knight drive a bare king to
    /// one of two corners: what a network says of such positions is noise.
    #[inline]
    pub(crate) fn adjust_ending(&self, position: &Position<R>, score: Score) -> Score {
        let Some(own) = score.centipawns() else { return score };
        let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
        let white = self.tables.against_bare_king(position).unwrap_or(sign * own);
        Score::from_centipawns(sign * self.adjusted(position, white))
    }

    /// Adjusts an evaluation, from White's point of view, if a side has a bare king, or the side
    /// ahead can hardly win.
    #[inline]
    fn adjusted(&self, position: &Position<R>, white: i32) -> i32 {
        let white = white + self.tables.bare_king_score(position);
        let strong = if white >= 0 { Color::White } else { Color::Black };
        if self.tables.is_drawish(position, strong) { white / DRAWISH_DIVISOR } else { white }
    }

    /// Value of a piece kind in exchanges, in centipawns.
    #[inline]
    pub(crate) fn see_value(&self, kind: Kind) -> i32 {
        self.see_values[kind.index()]
    }
}

/// Sums weights from White's point of view.
struct WeightedSum<'e, R: CompiledPosition> {
    evaluator: &'e Evaluator<R>,
    white: i64,
}

impl<R: CompiledPosition> WeightedSum<'_, R> {
    #[inline]
    fn add(&mut self, color: Color, weight: i64) {
        match color {
            Color::White => self.white += weight,
            Color::Black => self.white -= weight,
        }
    }
}

impl<R: CompiledPosition> EvalSink for WeightedSum<'_, R> {
    #[inline]
    fn piece(&mut self, color: Color, kind: Kind, square: Square) {
        let kinds = self.evaluator.see_values.len();
        let index = (color.index() * kinds + kind.index()) * self.evaluator.box_size + square.index();
        self.add(color, self.evaluator.piece_square[index].0);
    }

    #[inline]
    fn term(&mut self, color: Color, term: Term, count: i32) {
        self.add(color, self.evaluator.weights[term.index()].0 * i64::from(count));
    }
}

#[cfg(test)]
mod tests;

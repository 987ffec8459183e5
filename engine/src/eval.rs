//! The evaluation of a position without search: a sum of named terms, each with a weight.
//!
//! One walk (`walk`) meets every term of a position and hands it to a sink. The search's sink adds weights; the sink of a
//! [`Tracer`] writes down how often each side has each term, so that what is tuned is what is played.

mod accumulate;
mod mobility;
mod score;
mod tables;
mod terms;
mod trace;
mod weights;

use std::sync::Arc;

use assay_rules::piece::Kind;
use assay_rules::{Color, Square};

use crate::position::CompiledPosition;
use crate::position::Position;
use crate::tables::Tables;
use accumulate::{DRAWISH_DIVISOR, EvalSink, evaluate_terms};
use tables::EvalTables;

pub use score::{MAX_PLY, Score};
pub use tables::MAX_PHASE;
pub use terms::{Section, Term, TermName, Terms};
pub use trace::{Trace, Tracer};
pub use weights::{Weight, Weights, WeightsError};

/// Weights are kept in so many parts of a centipawn.
const GRAIN: f64 = 16.0;

/// A sum of weights for both phases, in grains, added in one go: the middle game in the high half, the ending in the low.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tapered(i64);

impl Tapered {
    fn of(weight: Weight) -> Tapered {
        let grains = |centipawns: f64| (centipawns * GRAIN).round() as i64;
        // The low half borrows from the high one when it is negative; `middle` gives that back.
        Tapered((grains(weight.middlegame) << 32) + grains(weight.endgame))
    }

    fn middle(self) -> i32 {
        ((self.0 + (1 << 31)) >> 32) as i32
    }

    fn end(self) -> i32 {
        self.0 as i32
    }

    /// Centipawns at a phase.
    fn at(self, phase: i32) -> i32 {
        let grains = i64::from(self.middle()) * i64::from(phase) + i64::from(self.end()) * i64::from(MAX_PHASE - phase);
        (grains / (i64::from(MAX_PHASE) * GRAIN as i64)) as i32
    }
}

/// Evaluates positions of one game with fixed weights.
#[derive(Clone, Debug)]
pub struct Evaluator<R: CompiledPosition> {
    tables: EvalTables<R::Word>,
    /// By term.
    weights: Vec<Tapered>,
    /// By colour, kind and place: what a piece on its square is worth, for its owner.
    pieces: Vec<Tapered>,
    /// Places of the board.
    places: usize,
    /// By kind, in centipawns: what a piece is worth in exchanges, whatever the square.
    exchange: Vec<i32>,
}

/// What the king is worth in exchanges: more than everything else together.
pub(crate) const KING_SEE_VALUE: i32 = 20_000;

impl<R: CompiledPosition> Evaluator<R> {
    /// An evaluator for the game of `tables`.
    ///
    /// # Panics
    /// When the weights are another game's.
    pub fn new(tables: &Arc<Tables<R>>, weights: &Weights) -> Evaluator<R> {
        let game = tables.game();
        assert_eq!(game.name, weights.game().name, "weights are for one game");
        let tables: EvalTables<R::Word> = EvalTables::new(game, weights.terms().clone());
        let places = game.board.box_size();
        let mut pieces = Vec::with_capacity(2 * game.kinds.len() * places);
        for color in Color::ALL {
            for kind in game.all_kinds() {
                for square in (0..places as u8).map(Square) {
                    let sum = tables
                        .piece_terms(color, kind, square)
                        .map(|term| Tapered::of(weights.get(term)).0)
                        .sum();
                    pieces.push(Tapered(sum));
                }
            }
        }
        let exchange = |kind: Kind| match weights.terms().material(kind) {
            Some(term) => weights.get(term).middlegame.round() as i32,
            None => KING_SEE_VALUE,
        };
        Evaluator {
            weights: weights.values().iter().map(|&weight| Tapered::of(weight)).collect(),
            pieces,
            places,
            exchange: game.all_kinds().map(exchange).collect(),
            tables,
        }
    }

    /// What the side to move may think of the position, without search.
    pub fn evaluate(&self, position: &Position<R>) -> Score {
        let mut sum = Sum {
            evaluator: self,
            white: 0,
        };
        let phase = evaluate_terms(&self.tables, position, &mut sum);
        let white = self.damped(position, Tapered(sum.white).at(phase));
        Score::from_centipawns(match position.side_to_move() {
            Color::White => white,
            Color::Black => -white,
        })
    }

    /// Another evaluation for the side to move, damped as this one's own is.
    #[inline]
    pub(crate) fn damp(&self, position: &Position<R>, score: Score) -> Score {
        let Some(own) = score.centipawns() else { return score };
        Score::from_centipawns(match position.side_to_move() {
            Color::White => self.damped(position, own),
            Color::Black => -self.damped(position, -own),
        })
    }

    /// White's evaluation, damped when the side that leads will hardly win.
    fn damped(&self, position: &Position<R>, white: i32) -> i32 {
        let strong = if white >= 0 { Color::White } else { Color::Black };
        if self.tables.is_drawish(position, strong) {
            white / DRAWISH_DIVISOR
        } else {
            white
        }
    }

    /// What a piece is worth in exchanges, in centipawns.
    #[inline]
    pub(crate) fn see_value(&self, kind: Kind) -> i32 {
        self.exchange[kind.index()]
    }
}

/// Adds weights, for White.
struct Sum<'e, R: CompiledPosition> {
    evaluator: &'e Evaluator<R>,
    white: i64,
}

impl<R: CompiledPosition> Sum<'_, R> {
    #[inline]
    fn add(&mut self, color: Color, grains: i64) {
        match color {
            Color::White => self.white += grains,
            Color::Black => self.white -= grains,
        }
    }
}

impl<R: CompiledPosition> EvalSink for Sum<'_, R> {
    #[inline]
    fn piece(&mut self, color: Color, kind: Kind, square: Square) {
        let kinds = self.evaluator.exchange.len();
        let index = (color.index() * kinds + kind.index()) * self.evaluator.places + square.index();
        self.add(color, self.evaluator.pieces[index].0);
    }

    #[inline]
    fn term(&mut self, color: Color, term: Term, times: i32) {
        self.add(color, self.evaluator.weights[term.index()].0 * i64::from(times));
    }
}

#[cfg(test)]
mod tests;

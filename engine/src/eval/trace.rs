//! The terms of a position written down, for whoever fits or shows weights.

use std::sync::Arc;

use assay_rules::piece::Kind;
use assay_rules::{Color, GameDef, Square};

use super::accumulate::{DRAWISH_DIVISOR, EvalSink, evaluate_terms};
use super::tables::{EvalTables, MAX_PHASE};
use super::terms::{Term, Terms};
use super::weights::Weight;
use crate::bitboard::BitboardWord;
use crate::position::CompiledPosition;
use crate::position::Position;

/// The terms of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Each term that is there, once, in ascending order, with how often White has it and how often Black.
    pub terms: Vec<(Term, [i32; 2])>,
    /// The phase of the game: [`MAX_PHASE`] with all pieces on the board, 0 with kings and pawns alone.
    pub phase: i32,
    /// By colour: is a lead of this side damped, because it has no pawns and not much more than the other? The evaluation
    /// is then a quarter of the terms' sum.
    pub drawish: [bool; 2],
}

impl Trace {
    /// The evaluation of the terms for White, in centipawns.
    pub fn evaluate(&self, weight: impl Fn(Term) -> Weight) -> f64 {
        let share = f64::from(self.phase) / f64::from(MAX_PHASE);
        let value = |(term, times)| {
            let weight = weight(term);
            f64::from(times) * (weight.middlegame * share + weight.endgame * (1.0 - share))
        };
        let sum: f64 = self.coefficients().map(value).sum();
        let strong = if sum >= 0.0 { Color::White } else { Color::Black };
        if self.drawish[strong.index()] {
            sum / f64::from(DRAWISH_DIVISOR)
        } else {
            sum
        }
    }

    /// The terms with White's count less Black's, those apart that cancel out.
    pub fn coefficients(&self) -> impl Iterator<Item = (Term, i32)> + '_ {
        self.terms
            .iter()
            .map(|&(term, [white, black])| (term, white - black))
            .filter(|&(_, times)| times != 0)
    }
}

/// Writes down the terms of positions of one game.
#[derive(Clone, Debug)]
pub struct Tracer<R: CompiledPosition> {
    tables: EvalTables<R::Word>,
}

impl<R: CompiledPosition> Tracer<R> {
    /// A tracer for a game.
    pub fn new(game: &Arc<GameDef>) -> Tracer<R> {
        Tracer {
            tables: EvalTables::new(game, Arc::new(Terms::of(game))),
        }
    }

    /// The game's terms.
    pub fn terms(&self) -> &Arc<Terms> {
        &self.tables.terms
    }

    /// The terms of a position.
    pub fn trace(&self, position: &Position<R>) -> Trace {
        let mut sink = Counter {
            tables: &self.tables,
            counts: vec![[0; 2]; self.tables.terms.len()],
        };
        let phase = evaluate_terms(&self.tables, position, &mut sink);
        let counted = sink.counts.into_iter().enumerate();
        let terms = counted
            .filter(|(_, counts)| *counts != [0; 2])
            .map(|(index, counts)| (Term(index as u16), counts));
        let drawish = Color::ALL.map(|color| self.tables.is_drawish(position, color));
        Trace {
            terms: terms.collect(),
            phase,
            drawish,
        }
    }
}

struct Counter<'t, W: BitboardWord> {
    tables: &'t EvalTables<W>,
    counts: Vec<[i32; 2]>,
}

impl<W: BitboardWord> EvalSink for Counter<'_, W> {
    fn piece(&mut self, color: Color, kind: Kind, square: Square) {
        for term in self.tables.piece_terms(color, kind, square) {
            self.term(color, term, 1);
        }
    }

    fn term(&mut self, color: Color, term: Term, times: i32) {
        self.counts[term.index()][color.index()] += times;
    }
}

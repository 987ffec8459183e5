//! Evaluation traces: how often each side has each term, for tuning and display.

use std::sync::Arc;

use assay_rules::piece::Kind;
use assay_rules::{Color, GameDef, Square};

use super::accumulate::{DRAWISH_DIVISOR, EvalSink, evaluate_terms};
use super::tables::{EvalTables, MAX_PHASE};
use super::terms::{Term, Terms};
use super::weights::Weight;
use crate::bitboard::BitboardWord;
use crate::position::{CompiledPosition, Position};

/// Evaluation terms of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Terms in ascending order, with the counts of White and Black.
    pub terms: Vec<(Term, [i32; 2])>,
    /// Game phase: [`MAX_PHASE`] with all pieces on the board, 0 with kings and pawns alone.
    pub phase: i32,
    /// By color: true if this side can hardly win, because it has no pawns and is ahead by at most
    /// a minor piece. The evaluation is then a quarter of the sum of the terms.
    pub drawish: [bool; 2],
    /// Centipawns from White's point of view for driving a bare king to where it can be mated. A
    /// part of the sum that no weight scales.
    pub bare_king: i32,
}

impl Trace {
    /// Evaluates the terms with the given weights, in centipawns from White's point of view.
    pub fn evaluate(&self, weight: impl Fn(Term) -> Weight) -> f64 {
        let share = f64::from(self.phase) / f64::from(MAX_PHASE);
        let value = |(term, times)| {
            let weight = weight(term);
            f64::from(times) * (weight.middlegame * share + weight.endgame * (1.0 - share))
        };
        let sum = f64::from(self.bare_king) + self.coefficients().map(value).sum::<f64>();
        let strong = if sum >= 0.0 { Color::White } else { Color::Black };
        if self.drawish[strong.index()] { sum / f64::from(DRAWISH_DIVISOR) } else { sum }
    }

    /// Terms with White's count less Black's, without terms that cancel out.
    pub fn coefficients(&self) -> impl Iterator<Item = (Term, i32)> + '_ {
        self.terms.iter().map(|&(term, [white, black])| (term, white - black)).filter(|&(_, times)| times != 0)
    }
}

/// Traces positions of one game.
#[derive(Clone, Debug)]
pub struct Tracer<R: CompiledPosition> {
    tables: EvalTables<R::Word>,
}

impl<R: CompiledPosition> Tracer<R> {
    /// Creates a tracer for a game.
    pub fn new(game: &Arc<GameDef>) -> Tracer<R> {
        Tracer { tables: EvalTables::new(game, Arc::new(Terms::new(game))) }
    }

    /// The game's terms.
    pub fn terms(&self) -> &Arc<Terms> {
        &self.tables.terms
    }

    pub fn trace(&self, position: &Position<R>) -> Trace {
        let mut sink = TermCounts { tables: &self.tables, counts: vec![[0; 2]; self.tables.terms.len()] };
        let phase = evaluate_terms(&self.tables, position, &mut sink);
        let counted = sink.counts.into_iter().enumerate();
        let terms = counted.filter(|(_, counts)| *counts != [0; 2]).map(|(index, counts)| (Term(index as u16), counts));
        let drawish = Color::ALL.map(|color| self.tables.is_drawish(position, color));
        Trace { terms: terms.collect(), phase, drawish, bare_king: self.tables.bare_king_score(position) }
    }
}

struct TermCounts<'t, W: BitboardWord> {
    tables: &'t EvalTables<W>,
    counts: Vec<[i32; 2]>,
}

impl<W: BitboardWord> EvalSink for TermCounts<'_, W> {
    fn piece(&mut self, color: Color, kind: Kind, square: Square) {
        for term in self.tables.piece_terms(color, kind, square) {
            self.term(color, term, 1);
        }
    }

    fn term(&mut self, color: Color, term: Term, count: i32) {
        self.counts[term.index()][color.index()] += count;
    }
}

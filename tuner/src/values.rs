//! Values in pawns: coefficients over the pawn's, with their intervals and verdicts.

use assay_rules::GameDef;
use assay_rules::def::Class;
use nalgebra::{DMatrix, DVector};
use serde::Serialize;

use crate::fieller::{Ratio, Region};
use crate::terms::Term;
use crate::verdict::Verdict;

/// Estimated coefficients with their covariance, in the order of `terms`.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// What each coefficient speaks of.
    pub terms: Vec<Term>,
    /// Log-odds of White's score for each unit of a term.
    pub coefficients: DVector<f64>,
    /// Their covariance, clustered by opening pair.
    pub covariance: DMatrix<f64>,
    /// How many standard errors an interval reaches to each side.
    pub reach: f64,
}

/// One row of the table of values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Value {
    /// The kind's name, or the name of a pair.
    pub piece: String,
    /// The kind's letter; none for pairs.
    pub letter: Option<char>,
    /// The inventor's value as published.
    pub inventor_raw: Option<f64>,
    /// The inventor's value in the inventor's pawns.
    pub inventor: Option<f64>,
    /// The measured value in pawns.
    pub measured: Option<f64>,
    /// Its 95% region in pawns.
    pub interval: Option<Region>,
    /// The measured value against the inventor's.
    pub verdict: Verdict,
}

impl Estimate {
    /// The place of a term among the coefficients.
    pub fn index(&self, term: Term) -> Option<usize> {
        self.terms.iter().position(|&other| other == term)
    }

    /// A coefficient's standard error.
    pub fn standard_error(&self, index: usize) -> f64 {
        self.covariance[(index, index)].sqrt()
    }

    /// A coefficient over the pawn's.
    pub fn ratio(&self, index: usize, pawn: usize) -> Ratio {
        Ratio {
            numerator: self.coefficients[index],
            denominator: self.coefficients[pawn],
            numerator_variance: self.covariance[(index, index)],
            denominator_variance: self.covariance[(pawn, pawn)],
            covariance: self.covariance[(index, pawn)],
        }
    }

    /// The table of values: pieces from the most valuable down (by the inventor's value, else by the measured one),
    /// then pairs, then the king, which is never measured.
    ///
    /// # Panics
    /// When the game's pawn is not among the terms.
    pub fn values(&self, game: &GameDef) -> Vec<Value> {
        let pawn = self.index(Term::Kind(game.pawn)).expect("the pawn is the unit");
        let (mut pieces, mut pairs) = (Vec::new(), Vec::new());
        for (index, &term) in self.terms.iter().enumerate() {
            match term {
                Term::Kind(_) => pieces.push(self.value(game, term, index, pawn)),
                Term::Pair(_) => pairs.push(self.value(game, term, index, pawn)),
                Term::SideToMove | Term::White => {}
            }
        }
        let rank = |value: &Value| value.inventor.or(value.measured).unwrap_or(0.0);
        pieces.sort_by(|one, other| rank(other).total_cmp(&rank(one)));
        pieces.extend(pairs);
        pieces.push(king(game));
        pieces
    }

    /// What a term that is no piece is worth in pawns; `None` when it was not fitted.
    pub fn other(&self, game: &GameDef, term: Term) -> Option<Value> {
        let pawn = self.index(Term::Kind(game.pawn))?;
        Some(self.value(game, term, self.index(term)?, pawn))
    }

    fn value(&self, game: &GameDef, term: Term, index: usize, pawn: usize) -> Value {
        let inventor = term.inventor_in_pawns(game);
        let common = Value {
            piece: term.name(game),
            letter: match term {
                Term::Kind(kind) => Some(game.kind(kind).letter),
                _ => None,
            },
            inventor_raw: term.inventor_raw(game),
            inventor,
            measured: Some(1.0),
            interval: None,
            verdict: Verdict::Unit,
        };
        if index == pawn {
            return common;
        }
        let ratio = self.ratio(index, pawn);
        let region = ratio.region(self.reach);
        Value {
            measured: Some(ratio.estimate()),
            interval: Some(region),
            verdict: Verdict::of(region, inventor),
            ..common
        }
    }
}

fn king(game: &GameDef) -> Value {
    debug_assert_eq!(game.kind(game.king).class, Class::King);
    let term = Term::Kind(game.king);
    Value {
        piece: term.name(game),
        letter: Some(game.kind(game.king).letter),
        inventor_raw: term.inventor_raw(game),
        inventor: term.inventor_in_pawns(game),
        measured: None,
        interval: None,
        verdict: Verdict::Unmeasurable,
    }
}

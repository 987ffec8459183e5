//! Piece values by Texel's method: the logistic regression of the labels on White's pieces less
//! Black's, one value for each piece.
//!
//! The maximum of the likelihood, without a prior and with a fixed scale (+300 centipawns are an
//! expected score of 0.75), by the Newton's method of [`values::model`](crate::values::model), and
//! so with its cluster-robust covariance and its tests of what the positions do not determine.

use std::collections::BTreeSet;
use std::sync::Arc;

use assay_engine::Weights;
use assay_engine::eval::{Section, Term, Weight};
use assay_rules::{GameDef, Kind};
use nalgebra::{DMatrix, DVector};

use super::MAX_WEIGHT;
use super::linear::{LOG_ODDS_PER_CENTIPAWN, TuningData};
use crate::values::design::{DesignMatrix, Observation};
use crate::values::inference::{Fit, Sample};
use crate::values::model::{FitError, Logit, ModelFit, fit_from, or_penalized};

/// Fitted piece values.
#[derive(Clone, Debug)]
pub struct MaterialFit {
    /// The terms that coefficients belong to.
    terms: Vec<Term>,
    names: Vec<String>,
    /// Of the coefficients, in log-odds.
    standard_errors: DVector<f64>,
    /// Log-odds of one more piece. Penalized if a combination of pieces separates the results.
    pub model: ModelFit,
    /// Mean log-loss of the labels in nats.
    pub log_loss: f64,
    /// Why some values are not identified.
    pub faults: Vec<FitError>,
}

/// Name of a piece, on the board or in the pocket.
pub fn name(weights: &Weights, term: Term) -> String {
    let name = weights.terms().name(term);
    let Section::Piece(kind) = name.section else { return weights.terms().label(weights.game(), term) };
    let kind = &weights.game().kind(kind).name;
    if name.name == "pocket" { format!("{kind} in hand") } else { kind.clone() }
}

fn is_material(weights: &Weights, term: Term) -> bool {
    weights.game().kinds.all().any(|kind| weights.terms().material(kind) == Some(term))
}

/// Fits the values of the pieces that occur in positions whose terms are those of material alone.
/// `lambda` is the weight of the result in the label, and `weights` are any of the game.
///
/// # Errors
/// If no value can be fitted.
pub fn fit(data: &TuningData, lambda: f64, weights: &Weights) -> Result<MaterialFit, FitError> {
    let entries = data.examples.iter().flat_map(|example| &example.entries);
    let unbalanced: BTreeSet<u16> = entries.map(|entry| entry.term).collect();
    let occurring = weights.terms().all().filter(|term| data.occurrences[term.index()][0] > 0.0);
    let (mut terms, balanced): (Vec<Term>, Vec<Term>) = occurring.partition(|term| unbalanced.contains(&term.0));
    let never = |term: Term| FitError::NeverUnbalanced { column: name(weights, term) };
    let mut faults: Vec<FitError> = balanced.into_iter().map(never).collect();
    let names = |terms: &[Term]| -> Vec<String> { terms.iter().map(|&term| name(weights, term)).collect() };
    let logit = Logit::fractional();
    let (model, log_loss) = loop {
        if terms.is_empty() {
            return Err(faults.pop().unwrap_or(FitError::Empty));
        }
        let design = design(data, lambda as f32, &terms, names(&terms));
        match or_penalized(fit_from(&logit, &design, None), &logit, &design) {
            // Without one of them, the same predictions are possible, and the other values are the
            // same.
            Err(FitError::Collinear { columns }) => {
                let is_named = |term: &Term| columns.contains(&name(weights, *term));
                terms.remove(terms.iter().rposition(is_named).unwrap_or(terms.len() - 1));
                faults.push(FitError::Collinear { columns });
            }
            fitted => {
                let model = fitted?;
                let likelihood = design.rows().map(|row| logit.at_row(row, &model.coefficients).log_likelihood);
                let log_loss = -likelihood.sum::<f64>() / data.examples.len() as f64;
                break (model, log_loss);
            }
        }
    };
    if !model.separated.is_empty() {
        faults.push(FitError::Separated { columns: model.separated.clone() });
    }
    let standard_errors = model.robust_covariance().diagonal().map(f64::sqrt);
    Ok(MaterialFit { names: names(&terms), terms, standard_errors, model, log_loss, faults })
}

/// White's pieces less Black's in each position.
fn design(data: &TuningData, lambda: f32, terms: &[Term], names: Vec<String>) -> DesignMatrix {
    let mut design = DesignMatrix::new(names);
    let mut row = vec![0.0; terms.len()];
    for example in &data.examples {
        row.fill(0.0);
        for entry in &example.entries {
            if let Ok(column) = terms.binary_search(&Term(entry.term)) {
                row[column] = f64::from(entry.count);
            }
        }
        let score = f64::from(example.target.label(lambda)).clamp(0.0, 1.0);
        design.push(&row, Observation::new(score, example.target.pair as usize));
    }
    design
}

impl MaterialFit {
    /// Whether the likelihood has a maximum.
    pub fn has_converged(&self) -> bool {
        self.model.separated.is_empty()
    }

    /// Value and standard error in centipawns; `None` if the value is not identified.
    pub fn centipawns(&self, term: Term) -> Option<(f64, f64)> {
        let column = self.terms.iter().position(|&fitted| fitted == term)?;
        let is_named = |fault: &FitError| match fault {
            FitError::Collinear { columns } | FitError::Separated { columns } => columns.contains(&self.names[column]),
            _ => false,
        };
        let in_centipawns = |numbers: &DVector<f64>| numbers[column] / LOG_ODDS_PER_CENTIPAWN;
        let is_identified = !self.faults.iter().any(is_named);
        is_identified.then(|| (in_centipawns(&self.model.coefficients), in_centipawns(&self.standard_errors)))
    }

    /// The values of some kinds on the board, for which `weights` name the terms, as those of `fit`
    /// are kept.
    pub fn of_kinds(&self, weights: &Weights, kinds: &[Kind]) -> Fit {
        let terms: Vec<Option<Term>> = kinds.iter().map(|&kind| weights.terms().material(kind)).collect();
        let chosen = DMatrix::from_fn(kinds.len(), self.terms.len(), |row, column| {
            f64::from(u8::from(terms[row] == Some(self.terms[column])))
        });
        let sample = Sample::of_fit(&self.model, 0).of_combinations(&chosen);
        Fit::of_kinds(weights.game(), kinds, &chosen * &self.model.coefficients, sample)
    }

    /// The fitted values as weights, and for pieces whose value is not identified those that their
    /// movement makes them worth.
    pub fn weights(&self, game: &Arc<GameDef>) -> Weights {
        let computed = Weights::computed(game);
        let mut weights = Weights::zero(game, "");
        for term in computed.terms().all() {
            let movement = || if is_material(&computed, term) { computed.get(term).middlegame } else { 0.0 };
            let value = self.centipawns(term).map_or_else(movement, |(value, _)| value.clamp(-MAX_WEIGHT, MAX_WEIGHT));
            weights.set(term, Weight { middlegame: value, endgame: value });
        }
        weights
    }
}

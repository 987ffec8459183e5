//! Does the model describe the games? Calibration, residuals, collinearity.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use crate::values::design::columns::Columns;
use crate::values::design::matrix::{Design, Row};
use crate::values::design::terms::Term;
use crate::values::inference::clustered::{Mean, Sums};
use crate::values::model::{Fit, Model};

/// How many bins of calibration.
const BINS: usize = 10;

/// The stretches of a game that residuals are looked at in, by the share of pieces left.
const STRETCHES: [(&str, f64, f64); 4] = [
    ("more than 3/4 of the pieces left", 0.75, f64::INFINITY),
    ("1/2 to 3/4", 0.5, 0.75),
    ("1/4 to 1/2", 0.25, 0.5),
    ("less than 1/4", f64::NEG_INFINITY, 0.25),
];

/// Rows for which about the same score was expected.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Bin {
    /// Games in it, once for each stage of the game.
    pub games: f64,
    /// White's expected score, mean over the bin.
    pub expected: f64,
    /// White's score less what was expected, with its error.
    pub residual: Mean,
}

/// What is left unexplained somewhere, seen from the side that has more.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Residual {
    /// Where: a stretch of the game, or the kind of which that side has more.
    pub of: String,
    /// The stretch of the game, for kinds; none when all of it.
    pub stretch: Option<String>,
    /// The score of the side that has more, less what was expected of it.
    pub residual: Mean,
}

/// How well columns can be told apart.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Collinearity {
    /// The condition number of the columns scaled to one length, as the fit weighs them: above 30 they are hard to tell apart.
    pub condition: f64,
    /// Each column's variance inflation factor: how many times the others enlarge the variance of its coefficient.
    pub inflation: Vec<Inflation>,
}

/// A column's variance inflation factor.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Inflation {
    /// The column.
    pub column: String,
    /// The factor, at least 1.
    pub factor: f64,
}

/// Everything that tells whether the model describes the games.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Diagnostics {
    /// Bins of equal weight by what was expected, lowest first.
    pub calibration: Vec<Bin>,
    /// Residuals by stretch of the game, for the side ahead in material.
    pub by_stretch: Vec<Residual>,
    /// Residuals by kind, over the whole game and in each stretch.
    pub by_kind: Vec<Residual>,
    /// How well columns can be told apart.
    pub collinearity: Collinearity,
}

/// Looks at a fit. `left` is the share of pieces left in each row.
pub fn diagnose(model: &dyn Model, columns: &Columns, design: &Design, fit: &Fit, left: &[f64]) -> Diagnostics {
    let count = design.columns().len();
    let coefficients = fit.coefficients.rows(0, count).into_owned();
    let extra: Vec<f64> = fit.coefficients.iter().skip(count).copied().collect();
    let log_odds: Vec<f64> = design.rows().map(|row| row.dot(&coefficients)).collect();
    let expected: Vec<f64> = log_odds.iter().map(|&z| model.expected(z, &extra)).collect();
    Diagnostics {
        calibration: calibration(design, &expected),
        by_stretch: by_stretch(design, columns, &coefficients, &expected, left),
        by_kind: by_kind(design, columns, &expected, left),
        collinearity: collinearity(fit, design, model),
    }
}

fn calibration(design: &Design, expected: &[f64]) -> Vec<Bin> {
    let mut order: Vec<usize> = (0..design.len()).collect();
    order.sort_by(|&one, &other| expected[one].total_cmp(&expected[other]));
    let total = design.total_weight();
    let mut bins: Vec<(Sums, f64)> = vec![(Sums::default(), 0.0); BINS];
    let mut before = 0.0;
    for index in order {
        let label = design.row(index).label;
        let middle = before + label.weight / 2.0;
        let bin = ((middle / total * BINS as f64) as usize).min(BINS - 1);
        bins[bin]
            .0
            .add(label.cluster, label.weight, label.score - expected[index]);
        bins[bin].1 += label.weight * expected[index];
        before += label.weight;
    }
    bins.into_iter()
        .filter_map(|(sums, expected)| {
            let residual = sums.mean()?;
            Some(Bin {
                games: residual.weight,
                expected: expected / residual.weight,
                residual,
            })
        })
        .collect()
}

fn stretch_of(left: f64) -> usize {
    STRETCHES
        .iter()
        .position(|&(_, low, high)| left > low && left <= high)
        .unwrap_or(STRETCHES.len() - 1)
}

/// The log-odds of White that are material, without who moves.
fn material(columns: &Columns, coefficients: &DVector<f64>, row: &Row<'_>) -> f64 {
    let aside = [Term::White, Term::SideToMove]
        .map(|term| columns.index(crate::values::design::columns::Column::Plain(term)))
        .map(|index| index.map_or(0.0, |index| row.get(index) * coefficients[index]));
    row.dot(coefficients) - aside.iter().sum::<f64>()
}

fn by_stretch(
    design: &Design,
    columns: &Columns,
    coefficients: &DVector<f64>,
    expected: &[f64],
    left: &[f64],
) -> Vec<Residual> {
    let mut sums = vec![Sums::default(); STRETCHES.len()];
    for (index, row) in design.rows().enumerate() {
        let ahead = material(columns, coefficients, &row);
        if ahead.abs() > 1e-9 {
            let label = row.label;
            let residual = (label.score - expected[index]) * ahead.signum();
            sums[stretch_of(left[index])].add(label.cluster, label.weight, residual);
        }
    }
    let named = STRETCHES.iter().zip(&sums);
    named
        .filter_map(|(&(name, ..), sums)| {
            Some(Residual {
                of: name.to_owned(),
                stretch: None,
                residual: sums.mean()?,
            })
        })
        .collect()
}

fn by_kind(design: &Design, columns: &Columns, expected: &[f64], left: &[f64]) -> Vec<Residual> {
    let kinds: Vec<Term> = columns
        .fitted_terms()
        .filter(|term| matches!(term, Term::Kind(_)))
        .collect();
    let parts: Vec<DVector<f64>> = kinds
        .iter()
        // On a board half full both of a kind's columns count alike, so their sum is the balance.
        .filter_map(|&kind| columns.contrast(kind, 0.5, columns.len()))
        .collect();
    let mut sums = vec![vec![Sums::default(); STRETCHES.len() + 1]; kinds.len()];
    for (index, row) in design.rows().enumerate() {
        for (part, sums) in parts.iter().zip(&mut sums) {
            let balance = row.dot(part);
            if balance.abs() > 1e-9 {
                let label = row.label;
                let residual = (label.score - expected[index]) * balance.signum();
                for at in [0, 1 + stretch_of(left[index])] {
                    sums[at].add(label.cluster, label.weight, residual);
                }
            }
        }
    }
    let mut residuals = Vec::new();
    for (&kind, sums) in kinds.iter().zip(&sums) {
        for (at, sums) in sums.iter().enumerate() {
            residuals.extend(sums.mean().map(|residual| Residual {
                of: columns.name(kind),
                stretch: at.checked_sub(1).map(|stretch| STRETCHES[stretch].0.to_owned()),
                residual,
            }));
        }
    }
    residuals
}

fn collinearity(fit: &Fit, design: &Design, model: &dyn Model) -> Collinearity {
    let names = design.columns().iter().cloned().chain(model.extra_names());
    let information = fit.bread.clone().try_inverse();
    let size = fit.bread.nrows();
    let information = information.unwrap_or_else(|| DMatrix::identity(size, size));
    let lengths = information.diagonal().map(f64::sqrt);
    let scaled = DMatrix::from_fn(size, size, |row, column| {
        information[(row, column)] / (lengths[row] * lengths[column])
    });
    let eigenvalues = scaled.symmetric_eigenvalues();
    Collinearity {
        condition: (eigenvalues.max() / eigenvalues.min()).sqrt(),
        inflation: names
            .enumerate()
            .map(|(index, column)| Inflation {
                column,
                factor: information[(index, index)] * fit.bread[(index, index)],
            })
            .collect(),
    }
}

//! Does the model describe the games? Calibration, residuals, collinearity.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use crate::values::data::regressor::Regressor;
use crate::values::design::matrix::{DesignMatrix, DesignRow};
use crate::values::design::spec::DesignSpec;
use crate::values::inference::clustered_mean::{ClusterSums, ClusteredMean};
use crate::values::model::{ModelFit, RegressionModel};

/// How many bins of calibration.
const BINS: usize = 10;

/// The stretches of a game that residuals are looked at in, by the share of pieces left.
const PHASES: [(&str, f64, f64); 4] = [
    ("more than 3/4 of the pieces left", 0.75, f64::INFINITY),
    ("1/2 to 3/4", 0.5, 0.75),
    ("1/4 to 1/2", 0.25, 0.5),
    ("less than 1/4", f64::NEG_INFINITY, 0.25),
];

/// Rows for which about the same score was expected.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct CalibrationBin {
    /// Games in it, once for each stage of the game.
    pub games: f64,
    /// White's expected score, mean over the bin.
    pub expected: f64,
    /// White's score less what was expected, with its error.
    pub residual: ClusteredMean,
}

/// What is left unexplained somewhere, seen from the side that has more.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct GroupResidual {
    /// Where: a stretch of the game, or the kind of which that side has more.
    pub group: String,
    /// The stretch of the game, for kinds; none when all of it.
    pub phase: Option<String>,
    /// The score of the side that has more, less what was expected of it.
    pub residual: ClusteredMean,
}

/// How well columns can be told apart.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Collinearity {
    /// The condition number of the columns scaled to one length, as the fit weighs them: above 30 they are hard to tell apart.
    pub condition_number: f64,
    /// Each column's variance inflation factor: how many times the others enlarge the variance of its coefficient.
    pub variance_inflation: Vec<VarianceInflation>,
}

/// A column's variance inflation factor.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct VarianceInflation {
    /// The column.
    pub column: String,
    /// The factor, at least 1.
    pub factor: f64,
}

/// Everything that tells whether the model describes the games.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Diagnostics {
    /// Bins of equal weight by what was expected, lowest first.
    pub calibration: Vec<CalibrationBin>,
    /// Residuals by stretch of the game, for the side ahead in material.
    pub by_phase: Vec<GroupResidual>,
    /// Residuals by kind, over the whole game and in each stretch.
    pub by_kind: Vec<GroupResidual>,
    /// How well columns can be told apart.
    pub collinearity: Collinearity,
}

/// Looks at a fit. `left` is the share of pieces left in each row.
pub fn diagnose(
    model: &dyn RegressionModel,
    columns: &DesignSpec,
    design: &DesignMatrix,
    fit: &ModelFit,
    left: &[f64],
) -> Diagnostics {
    let count = design.columns().len();
    let coefficients = fit.coefficients.rows(0, count).into_owned();
    let nuisance: Vec<f64> = fit.coefficients.iter().skip(count).copied().collect();
    let log_odds: Vec<f64> = design.rows().map(|row| row.dot(&coefficients)).collect();
    let expected: Vec<f64> = log_odds.iter().map(|&z| model.expected(z, &nuisance)).collect();
    Diagnostics {
        calibration: calibration(design, &expected),
        by_phase: by_phase(design, columns, &coefficients, &expected, left),
        by_kind: by_kind(design, columns, &expected, left),
        collinearity: collinearity(fit, design, model),
    }
}

fn calibration(design: &DesignMatrix, expected: &[f64]) -> Vec<CalibrationBin> {
    let mut order: Vec<usize> = (0..design.len()).collect();
    order.sort_by(|&one, &other| expected[one].total_cmp(&expected[other]));
    let total = design.total_weight();
    let mut bins: Vec<(ClusterSums, f64)> = vec![(ClusterSums::default(), 0.0); BINS];
    let mut before = 0.0;
    for index in order {
        let observation = design.row(index).observation;
        let middle = before + observation.weight / 2.0;
        let bin = ((middle / total * BINS as f64) as usize).min(BINS - 1);
        bins[bin].0.add(
            observation.cluster,
            observation.weight,
            observation.score - expected[index],
        );
        bins[bin].1 += observation.weight * expected[index];
        before += observation.weight;
    }
    bins.into_iter()
        .filter_map(|(sums, expected)| {
            let residual = sums.mean()?;
            Some(CalibrationBin {
                games: residual.weight,
                expected: expected / residual.weight,
                residual,
            })
        })
        .collect()
}

fn phase_of(left: f64) -> usize {
    PHASES
        .iter()
        .position(|&(_, low, high)| left > low && left <= high)
        .unwrap_or(PHASES.len() - 1)
}

/// The log-odds of White that are material, without who moves.
fn material(columns: &DesignSpec, coefficients: &DVector<f64>, row: &DesignRow<'_>) -> f64 {
    let aside = [Regressor::White, Regressor::SideToMove]
        .map(|term| columns.index(crate::values::design::spec::Column::Constant(term)))
        .map(|index| index.map_or(0.0, |index| row.get(index) * coefficients[index]));
    row.dot(coefficients) - aside.iter().sum::<f64>()
}

fn by_phase(
    design: &DesignMatrix,
    columns: &DesignSpec,
    coefficients: &DVector<f64>,
    expected: &[f64],
    left: &[f64],
) -> Vec<GroupResidual> {
    let mut sums = vec![ClusterSums::default(); PHASES.len()];
    for (index, row) in design.rows().enumerate() {
        let ahead = material(columns, coefficients, &row);
        if ahead.abs() > 1e-9 {
            let observation = row.observation;
            let residual = (observation.score - expected[index]) * ahead.signum();
            sums[phase_of(left[index])].add(observation.cluster, observation.weight, residual);
        }
    }
    let named = PHASES.iter().zip(&sums);
    named
        .filter_map(|(&(name, ..), sums)| {
            Some(GroupResidual {
                group: name.to_owned(),
                phase: None,
                residual: sums.mean()?,
            })
        })
        .collect()
}

fn by_kind(design: &DesignMatrix, columns: &DesignSpec, expected: &[f64], left: &[f64]) -> Vec<GroupResidual> {
    let kinds: Vec<Regressor> = columns
        .fitted_regressors()
        .filter(|term| matches!(term, Regressor::Kind(_)))
        .collect();
    let parts: Vec<DVector<f64>> = kinds
        .iter()
        // On a board half full both of a kind's columns count alike, so their sum is the balance.
        .filter_map(|&kind| columns.contrast(kind, 0.5, columns.len()))
        .collect();
    let mut sums = vec![vec![ClusterSums::default(); PHASES.len() + 1]; kinds.len()];
    for (index, row) in design.rows().enumerate() {
        for (part, sums) in parts.iter().zip(&mut sums) {
            let balance = row.dot(part);
            if balance.abs() > 1e-9 {
                let observation = row.observation;
                let residual = (observation.score - expected[index]) * balance.signum();
                for at in [0, 1 + phase_of(left[index])] {
                    sums[at].add(observation.cluster, observation.weight, residual);
                }
            }
        }
    }
    let mut residuals = Vec::new();
    for (&kind, sums) in kinds.iter().zip(&sums) {
        for (at, sums) in sums.iter().enumerate() {
            residuals.extend(sums.mean().map(|residual| GroupResidual {
                group: columns.name(kind),
                phase: at.checked_sub(1).map(|stretch| PHASES[stretch].0.to_owned()),
                residual,
            }));
        }
    }
    residuals
}

fn collinearity(fit: &ModelFit, design: &DesignMatrix, model: &dyn RegressionModel) -> Collinearity {
    let names = design.columns().iter().cloned().chain(model.nuisance_names());
    let information = fit.bread.clone().try_inverse();
    let size = fit.bread.nrows();
    let information = information.unwrap_or_else(|| DMatrix::identity(size, size));
    let lengths = information.diagonal().map(f64::sqrt);
    let scaled = DMatrix::from_fn(size, size, |row, column| {
        information[(row, column)] / (lengths[row] * lengths[column])
    });
    let eigenvalues = scaled.symmetric_eigenvalues();
    Collinearity {
        condition_number: (eigenvalues.max() / eigenvalues.min()).sqrt(),
        variance_inflation: names
            .enumerate()
            .map(|(index, column)| VarianceInflation {
                column,
                factor: information[(index, index)] * fit.bread[(index, index)],
            })
            .collect(),
    }
}

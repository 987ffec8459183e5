//! Model diagnostics: calibration, residuals and collinearity.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use crate::values::data::regressor::Regressor;
use crate::values::design::matrix::{DesignMatrix, DesignRow};
use crate::values::design::phase::{FEW, FULL};
use crate::values::design::spec::DesignSpec;
use crate::values::inference::clustered_mean::{ClusterSums, ClusteredMean};
use crate::values::model::{Logit, ModelFit};

/// Number of calibration bins.
const BINS: usize = 10;

/// Number of groups by material difference in each stage of the game.
const MATERIAL_GROUPS: usize = 8;

/// Game phases for residuals: name and least share of pieces left, inclusive like the knots. No row has less than [`FEW`].
const PHASES: [(&str, f64); 3] = [
    ("at least 3/4 of the pieces left", FULL),
    ("1/2 to 3/4", 0.5),
    ("1/4 to 1/2", FEW),
];

/// A calibration bin: rows with similar expected scores.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct CalibrationBin {
    /// Weight of the bin: games, counted once in each phase that they reach.
    pub games: f64,
    /// White's mean expected score.
    pub expected: f64,
    /// White's mean residual: score minus expected score.
    pub residual: ClusteredMean,
}

/// Mean residual of a group of rows, from the point of view of the side that has more.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct GroupResidual {
    /// Name of the group: a game phase, or the piece of which that side has more.
    pub group: String,
    /// Game phase, for groups by piece; `None` for the whole game.
    pub phase: Option<String>,
    /// Score minus expected score.
    pub residual: ClusteredMean,
}

/// Score of the side ahead in material, over positions with a similar difference.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct MaterialScore {
    /// Mean share of pieces left, 0 to 1.
    pub left: f64,
    /// Mean log-odds that the fit gives to the difference in material.
    pub log_odds: f64,
    /// Mean expected score of the side ahead.
    pub expected: f64,
    /// Score minus expected score.
    pub residual: ClusteredMean,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Collinearity {
    /// Condition number of the columns, weighted as in the fit and scaled to equal length. Above 30, collinearity is a problem (Belsley 1980).
    pub condition_number: f64,
    /// Variance inflation factor of each column: by how much the other columns enlarge the variance of its coefficient.
    pub variance_inflation: Vec<VarianceInflation>,
}

/// Variance inflation factor of a column.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct VarianceInflation {
    /// Name of the column.
    pub column: String,
    /// Factor, at least 1.
    pub factor: f64,
}

/// Diagnostics of a fit.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Diagnostics {
    /// Calibration bins of equal weight, by ascending expected score.
    pub calibration: Vec<CalibrationBin>,
    /// Residuals of the side ahead in material, by game phase.
    pub by_phase: Vec<GroupResidual>,
    /// Residuals of the side with more of a piece, for the whole game and each phase.
    pub by_kind: Vec<GroupResidual>,
    /// Scores by material difference with at least 3/4 and with 1/4 to 3/4 of the pieces left; empty in files of earlier versions.
    #[serde(default)]
    pub by_material: Vec<MaterialScore>,
    pub collinearity: Collinearity,
}

/// Computes the diagnostics of a fit. `left` is the share of pieces left in each row.
pub fn diagnose(model: &Logit, spec: &DesignSpec, design: &DesignMatrix, fit: &ModelFit, left: &[f64]) -> Diagnostics {
    let count = design.columns().len();
    let coefficients = fit.coefficients.rows(0, count).into_owned();
    let thresholds: Vec<f64> = fit.coefficients.iter().skip(count).copied().collect();
    let log_odds: Vec<f64> = design.rows().map(|row| row.dot(&coefficients)).collect();
    let expected: Vec<f64> = log_odds.iter().map(|&z| model.expected(z, &thresholds)).collect();
    Diagnostics {
        calibration: calibration(design, &expected),
        by_phase: by_phase(design, spec, &coefficients, &expected, left),
        by_kind: by_kind(design, spec, &expected, left),
        by_material: by_material(design, spec, &coefficients, &expected, left),
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
        .position(|&(_, least)| left >= least)
        .unwrap_or(PHASES.len() - 1)
}

/// White's log-odds from material alone, without the side to move and White's advantage.
fn material(spec: &DesignSpec, coefficients: &DVector<f64>, row: &DesignRow<'_>) -> f64 {
    let non_material = [Regressor::White, Regressor::SideToMove]
        .map(|term| spec.constant(term))
        .map(|index| index.map_or(0.0, |index| row.get(index) * coefficients[index]));
    row.dot(coefficients) - non_material.iter().sum::<f64>()
}

fn by_phase(
    design: &DesignMatrix,
    spec: &DesignSpec,
    coefficients: &DVector<f64>,
    expected: &[f64],
    left: &[f64],
) -> Vec<GroupResidual> {
    let mut sums = vec![ClusterSums::default(); PHASES.len()];
    for (index, row) in design.rows().enumerate() {
        let ahead = material(spec, coefficients, &row);
        if ahead.abs() > 1e-9 {
            let observation = row.observation;
            let residual = (observation.score - expected[index]) * ahead.signum();
            sums[phase_of(left[index])].add(observation.cluster, observation.weight, residual);
        }
    }
    let named = PHASES.iter().zip(&sums);
    named
        .filter_map(|(&(name, _), sums)| {
            Some(GroupResidual {
                group: name.to_owned(),
                phase: None,
                residual: sums.mean()?,
            })
        })
        .collect()
}

/// Groups of equal weight by the difference in material, for each stage of the game.
fn by_material(
    design: &DesignMatrix,
    spec: &DesignSpec,
    coefficients: &DVector<f64>,
    expected: &[f64],
    left: &[f64],
) -> Vec<MaterialScore> {
    let mut stages: [Vec<(f64, usize)>; 2] = Default::default();
    for (index, row) in design.rows().enumerate() {
        let ahead = material(spec, coefficients, &row);
        if ahead.abs() > 1e-9 {
            stages[usize::from(left[index] < FULL)].push((ahead, index));
        }
    }
    let mut scores = Vec::new();
    for mut stage in stages {
        stage.sort_by(|one, other| one.0.abs().total_cmp(&other.0.abs()));
        let weight = |index: usize| design.row(index).observation.weight;
        let total: f64 = stage.iter().map(|&(_, index)| weight(index)).sum();
        let mut before = 0.0;
        let mut groups = vec![(ClusterSums::default(), [0.0; 4]); MATERIAL_GROUPS];
        for (ahead, index) in stage {
            let observation = design.row(index).observation;
            let group = (((before + observation.weight / 2.0) / total * MATERIAL_GROUPS as f64) as usize)
                .min(MATERIAL_GROUPS - 1);
            before += observation.weight;
            let (sums, means) = &mut groups[group];
            let sign = ahead.signum();
            sums.add(
                observation.cluster,
                observation.weight,
                (observation.score - expected[index]) * sign,
            );
            let score = 0.5 + sign * (expected[index] - 0.5);
            for (mean, number) in means.iter_mut().zip([1.0, left[index], ahead.abs(), score]) {
                *mean += observation.weight * number;
            }
        }
        scores.extend(
            groups
                .into_iter()
                .filter_map(|(sums, [weight, left, log_odds, expected])| {
                    Some(MaterialScore {
                        left: left / weight,
                        log_odds: log_odds / weight,
                        expected: expected / weight,
                        residual: sums.mean()?,
                    })
                }),
        );
    }
    scores
}

fn by_kind(design: &DesignMatrix, spec: &DesignSpec, expected: &[f64], left: &[f64]) -> Vec<GroupResidual> {
    let kinds: Vec<Regressor> = spec
        .fitted_regressors()
        .filter(|term| matches!(term, Regressor::Kind(_)))
        .collect();
    // Half-way between the knots both of a piece's columns have equal weights, so this contrast is proportional to the material balance.
    let weights = spec.phase_model.knot_weights(0.5);
    let part = |&kind: &Regressor| {
        let columns = spec.columns.iter().map(|column| match column.knot {
            _ if column.regressor != kind => 0.0,
            knot => knot.map_or(1.0, |knot| weights[knot]),
        });
        DVector::from_iterator(spec.columns.len(), columns)
    };
    let parts: Vec<DVector<f64>> = kinds.iter().map(part).collect();
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
                group: kind.name(spec.game()),
                phase: at.checked_sub(1).map(|phase| PHASES[phase].0.to_owned()),
                residual,
            }));
        }
    }
    residuals
}

fn collinearity(fit: &ModelFit, design: &DesignMatrix, model: &Logit) -> Collinearity {
    let names = design.columns().iter().cloned().chain(model.threshold_names());
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

#[cfg(test)]
mod tests {
    use super::{PHASES, phase_of};

    /// As in the design matrix: three quarters belong to the full board, and a quarter has a row.
    #[test]
    fn phases_begin_at_the_knots() {
        for (pieces, phase) in [
            (48, "at least 3/4 of the pieces left"),
            (36, "at least 3/4 of the pieces left"),
            (35, "1/2 to 3/4"),
            (24, "1/2 to 3/4"),
            (23, "1/4 to 1/2"),
            (12, "1/4 to 1/2"),
        ] {
            assert_eq!(PHASES[phase_of(f64::from(pieces) / 48.0)].0, phase, "{pieces} of 48");
        }
    }
}

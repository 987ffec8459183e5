//! Model diagnostics: calibration, residuals and collinearity.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use super::{ClusterSums, ClusteredMean, range};
use crate::values::data::Regressor;
use crate::values::design::{DesignMatrix, DesignRow, DesignSpec, FEW, FULL, Observation};
use crate::values::model::{Logit, ModelFit};

/// Number of calibration bins.
const BINS: usize = 10;

/// Number of groups by material difference in each stage of the game.
const MATERIAL_GROUPS: usize = 8;

/// Game phases for residuals: name and least share of pieces left, inclusive like the knots. No row
/// has less than [`FEW`].
const PHASES: [(&str, f64); 3] = [("at least 3/4 of the pieces left", FULL), ("1/2 to 3/4", 0.5), ("1/4 to 1/2", FEW)];

/// A calibration bin: rows with similar expected scores.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct CalibrationBin {
    /// Weight of the bin: games, counted once in each phase that they reach.
    #[serde(deserialize_with = "range::count")]
    pub games: f64,
    /// White's mean expected score.
    #[serde(deserialize_with = "range::share")]
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
    #[serde(deserialize_with = "range::share")]
    pub left: f64,
    /// Mean log-odds that the fit gives to the difference in material.
    #[serde(deserialize_with = "range::any")]
    pub log_odds: f64,
    /// Mean expected score of the side ahead.
    #[serde(deserialize_with = "range::share")]
    pub expected: f64,
    /// Score minus expected score.
    pub residual: ClusteredMean,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Collinearity {
    /// Condition number of the columns, weighted as in the fit and scaled to equal length. Above
    /// 30, collinearity is a problem (Belsley 1980).
    #[serde(deserialize_with = "range::non_negative")]
    pub condition_number: f64,
    /// Variance inflation factor of each column: by how much the other columns enlarge the variance
    /// of its coefficient.
    pub variance_inflation: Vec<VarianceInflation>,
}

/// Variance inflation factor of a column.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct VarianceInflation {
    /// Name of the column.
    pub column: String,
    /// Factor, at least 1.
    #[serde(deserialize_with = "range::non_negative")]
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
    /// Scores by material difference with at least 3/4 and with 1/4 to 3/4 of the pieces left.
    pub by_material: Vec<MaterialScore>,
    pub collinearity: Collinearity,
}

/// A row of the design matrix by a fit.
struct FittedRow {
    observation: Observation,
    /// White's log-odds from material alone, without the side to move and White's advantage.
    material: f64,
    /// White's expected score.
    expected: f64,
    /// Share of pieces left.
    left: f64,
}

/// Computes the diagnostics of a fit. `left` is the share of pieces left in each row.
pub fn diagnose(model: &Logit, spec: &DesignSpec, design: &DesignMatrix, fit: &ModelFit, left: &[f64]) -> Diagnostics {
    let coefficients = &fit.coefficients;
    let thresholds = model.thresholds(coefficients);
    let constants = Regressor::CONSTANTS.map(|term| spec.constant(term));
    let fitted = |(row, &left): (&DesignRow, &f64)| {
        let log_odds = row.dot(coefficients);
        let of_constants = constants.iter().flatten().map(|&index| row.get(index) * coefficients[index]);
        FittedRow {
            observation: row.observation,
            material: log_odds - of_constants.sum::<f64>(),
            expected: model.expected(log_odds, thresholds),
            left,
        }
    };
    let rows: Vec<FittedRow> = design.rows().zip(left).map(fitted).collect();
    let of_phase = |phase: usize| {
        let rows = rows.iter().filter(move |row| phase_of(row.left) == phase);
        rows.map(|row| (row.material, row))
    };
    let by_phase = PHASES.iter().enumerate().filter_map(|(phase, &(name, _))| {
        Some(GroupResidual { group: name.to_owned(), phase: None, residual: residual(of_phase(phase))? })
    });
    Diagnostics {
        calibration: calibration(&rows),
        by_phase: by_phase.collect(),
        by_kind: by_kind(design, spec, &rows),
        by_material: by_material(&rows),
        collinearity: collinearity(fit, design, model),
    }
}

/// Mean residual of rows from the point of view of the side that is ahead, each with White's
/// balance. Rows in which no side is ahead are left out. `None` if there are fewer than two
/// clusters.
fn residual<'r>(rows: impl IntoIterator<Item = (f64, &'r FittedRow)>) -> Option<ClusteredMean> {
    let unbalanced = rows.into_iter().filter(|(balance, _)| balance.abs() > 1e-9);
    let residuals = unbalanced.map(|(balance, row)| {
        let Observation { score, weight, cluster, .. } = row.observation;
        (cluster, weight, (score - row.expected) * balance.signum())
    });
    residuals.collect::<ClusterSums>().mean()
}

/// Divides rows, which are in order of some number, into groups of equal weight.
fn equal_groups<'r>(rows: &[&'r FittedRow], count: usize) -> Vec<Vec<&'r FittedRow>> {
    let total: f64 = rows.iter().map(|row| row.observation.weight).sum();
    let mut groups = vec![Vec::new(); count];
    let mut before = 0.0;
    for &row in rows {
        let middle = before + row.observation.weight / 2.0;
        groups[((middle / total * count as f64) as usize).min(count - 1)].push(row);
        before += row.observation.weight;
    }
    groups
}

/// Weighted mean of a number over a group.
fn mean(group: &[&FittedRow], number: impl Fn(&FittedRow) -> f64) -> f64 {
    let total: f64 = group.iter().map(|row| row.observation.weight).sum();
    let sum: f64 = group.iter().map(|row| row.observation.weight * number(row)).sum();
    sum / total
}

fn calibration(rows: &[FittedRow]) -> Vec<CalibrationBin> {
    let mut order: Vec<&FittedRow> = rows.iter().collect();
    order.sort_by(|one, other| one.expected.total_cmp(&other.expected));
    let bins = equal_groups(&order, BINS).into_iter().filter_map(|bin| {
        let residual = residual(bin.iter().map(|&row| (1.0, row)))?;
        Some(CalibrationBin { games: residual.weight, expected: mean(&bin, |row| row.expected), residual })
    });
    bins.collect()
}

fn phase_of(left: f64) -> usize {
    PHASES.iter().position(|&(_, least)| left >= least).unwrap_or(PHASES.len() - 1)
}

/// Groups of equal weight by the difference in material, for each stage of the game.
fn by_material(rows: &[FittedRow]) -> Vec<MaterialScore> {
    let mut scores = Vec::new();
    for is_full in [true, false] {
        let is_in_stage = |row: &&FittedRow| row.material.abs() > 1e-9 && (row.left >= FULL) == is_full;
        let mut stage: Vec<&FittedRow> = rows.iter().filter(is_in_stage).collect();
        stage.sort_by(|one, other| one.material.abs().total_cmp(&other.material.abs()));
        let groups = equal_groups(&stage, MATERIAL_GROUPS).into_iter();
        scores.extend(groups.filter_map(|group| {
            let residual = residual(group.iter().map(|&row| (row.material, row)))?;
            Some(MaterialScore {
                left: mean(&group, |row| row.left),
                log_odds: mean(&group, |row| row.material.abs()),
                expected: mean(&group, |row| 0.5 + row.material.signum() * (row.expected - 0.5)),
                residual,
            })
        }));
    }
    scores
}

fn by_kind(design: &DesignMatrix, spec: &DesignSpec, rows: &[FittedRow]) -> Vec<GroupResidual> {
    // Half-way between the knots both of a piece's columns have equal weights, so this contrast is
    // proportional to the material balance.
    let weights = spec.phase_model.knot_weights(0.5);
    let kinds = spec.fitted_regressors().filter(|term| matches!(term, Regressor::Kind(_)));
    let mut residuals = Vec::new();
    for kind in kinds {
        let part = spec.columns.iter().map(|column| match column.knot {
            _ if column.regressor != kind => 0.0,
            knot => knot.map_or(1.0, |knot| weights[knot]),
        });
        let part = DVector::from_iterator(spec.columns.len(), part);
        let balanced = || design.rows().zip(rows).map(|(row, fitted)| (row.dot(&part), fitted));
        let group = |phase: Option<&str>, residual: Option<ClusteredMean>| {
            Some(GroupResidual { group: kind.name(spec.game()), phase: phase.map(str::to_owned), residual: residual? })
        };
        residuals.extend(group(None, residual(balanced())));
        for (phase, (name, _)) in PHASES.iter().enumerate() {
            let of_phase = balanced().filter(|(_, row)| phase_of(row.left) == phase);
            residuals.extend(group(Some(name), residual(of_phase)));
        }
    }
    residuals
}

fn collinearity(fit: &ModelFit, design: &DesignMatrix, model: &Logit) -> Collinearity {
    let names = model.parameter_names(design).into_iter();
    let information = fit.bread.clone().try_inverse();
    let size = fit.bread.nrows();
    let information = information.unwrap_or_else(|| DMatrix::identity(size, size));
    let lengths = information.diagonal().map(f64::sqrt);
    let scaled =
        DMatrix::from_fn(size, size, |row, column| information[(row, column)] / (lengths[row] * lengths[column]));
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

//! Weighted least squares over all comparisons.

use std::collections::BTreeMap;

use assay_rules::{GameDef, Kind};
use nalgebra::{DMatrix, DVector};

use super::pair_scores::PairScores;
use super::results::PlaytestError;

/// Costs of missing pieces from all comparisons.
pub(super) struct Solution {
    pub(super) kinds: Vec<Kind>,
    /// Cost of each kind in log-odds of the mean score.
    pub(super) costs: DVector<f64>,
    pub(super) covariance: DMatrix<f64>,
    pub(super) chi_square: f64,
    pub(super) degrees_of_freedom: usize,
}

impl Solution {
    /// Log-odds of the second army's score by these costs.
    pub(super) fn log_odds(&self, row: &PairScores) -> f64 {
        let pieces = self.kinds.iter().zip(self.costs.iter());
        pieces.map(|(kind, cost)| row.missing[kind.index()] * cost).sum()
    }
}

/// Weighted least squares: the log-odds of a comparison is the sum of the costs of the pieces by which the armies differ. `kinds` are the kinds to
/// estimate; the armies differ in no others.
pub(super) fn least_squares(
    files: &str,
    game: &GameDef,
    rows: &BTreeMap<String, PairScores>,
    kinds: Vec<Kind>,
) -> Result<Solution, PlaytestError> {
    let used: Vec<(&PairScores, f64, f64)> = rows
        .values()
        .filter_map(|row| row.log_odds().map(|(log_odds, error)| (row, log_odds, error)))
        .collect();
    let count = used.len();
    let matrix = DMatrix::from_fn(count, kinds.len(), |row, column| {
        used[row].0.missing[kinds[column].index()]
    });
    let weights = DVector::from_iterator(count, used.iter().map(|(.., error)| error.powi(-2)));
    let log_odds = DVector::from_iterator(count, used.iter().map(|&(_, log_odds, _)| log_odds));
    let weighted = DMatrix::from_diagonal(&weights) * &matrix;
    let undetermined = || PlaytestError::Undetermined {
        files: files.to_owned(),
        kinds: undetermined(game, &kinds, &matrix),
    };
    // The unweighted normal matrix has small integer entries, so a singular one is clearly singular.
    let eigenvalues = (matrix.transpose() * &matrix).symmetric_eigenvalues();
    if count < kinds.len() || eigenvalues.min() <= 1e-9 * eigenvalues.max() {
        return Err(undetermined());
    }
    let normal = matrix.transpose() * &weighted;
    let covariance = normal.cholesky().ok_or_else(undetermined)?.inverse();
    let costs = &covariance * weighted.transpose() * &log_odds;
    let residuals = log_odds - &matrix * &costs;
    Ok(Solution {
        chi_square: residuals.component_mul(&residuals).dot(&weights),
        degrees_of_freedom: count - kinds.len(),
        kinds,
        costs,
        covariance,
    })
}

/// Names of the kinds that occur in no comparison, or of all kinds if each occurs in one.
fn undetermined(game: &GameDef, kinds: &[Kind], matrix: &DMatrix<f64>) -> String {
    let is_absent = |index: usize| matrix.column(index).iter().all(|&count| count == 0.0);
    let mut names: Vec<&str> = kinds
        .iter()
        .enumerate()
        .filter(|&(index, _)| is_absent(index))
        .map(|(_, &kind)| game.kind(kind).name.as_str())
        .collect();
    if names.is_empty() {
        names = kinds.iter().map(|&kind| game.kind(kind).name.as_str()).collect();
    }
    names.join(", ")
}

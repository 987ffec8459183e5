//! Weighted least squares over all comparisons.

use std::collections::BTreeMap;

use assay_rules::{GameDef, Kind};
use nalgebra::{DMatrix, DVector};

use super::pair_scores::PairScores;
use super::results::PlaytestError;

/// Cost of a missing pawn in log-odds, with its variance.
#[derive(Clone, Copy, Debug)]
pub(super) struct PawnScale {
    pub(super) pawn: f64,
    pub(super) variance: f64,
}

/// Values in pawns from all comparisons.
pub(super) struct Solution {
    pub(super) kinds: Vec<Kind>,
    pub(super) scale: PawnScale,
    pub(super) values: DVector<f64>,
    pub(super) covariance: DMatrix<f64>,
    pub(super) chi_square: f64,
    pub(super) degrees_of_freedom: usize,
}

impl Solution {
    /// Advantage of the second army by these values, in pawns.
    pub(super) fn lead(&self, game: &GameDef, row: &PairScores) -> f64 {
        let pieces = self.kinds.iter().zip(self.values.iter());
        pieces
            .map(|(kind, value)| row.missing[kind.index()] * value)
            .sum::<f64>()
            + row.missing[game.pawn.index()]
    }
}

/// Weighted least squares: the log-odds of a comparison is the sum of the costs of the pieces by which the armies differ. The pawn's cost comes
/// from pawn odds and from comparisons with pawns on one side. `kinds` are the kinds to estimate besides the pawn.
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
    let pawn_odds_rows = || rows.values().filter(|row| row.is_pawn_odds(game));
    let no_pawn = || PlaytestError::UndeterminedPawn {
        files: files.to_owned(),
        pairs: pawn_odds_rows().map(|row| row.sample.observations()).sum(),
    };
    if pawn_odds_rows().next().is_none() {
        return Err(no_pawn());
    }
    let count = used.len();
    // The pawn is the last column.
    let pawn = kinds.len();
    let kind_of = |column: usize| kinds.get(column).copied().unwrap_or(game.pawn);
    let matrix = DMatrix::from_fn(count, pawn + 1, |row, column| {
        used[row].0.missing[kind_of(column).index()]
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
    if count <= pawn || eigenvalues.min() <= 1e-9 * eigenvalues.max() {
        return Err(undetermined());
    }
    let normal = matrix.transpose() * &weighted;
    let inverse = normal.cholesky().ok_or_else(undetermined)?.inverse();
    let found = &inverse * weighted.transpose() * &log_odds;
    let scale = PawnScale {
        pawn: found[pawn],
        variance: inverse[(pawn, pawn)],
    };
    // A pawn cost within two standard errors of zero cannot be the unit.
    if scale.pawn <= 2.0 * scale.variance.sqrt() {
        return Err(no_pawn());
    }
    let values = found.rows(0, pawn) / scale.pawn;
    // Jacobian of the values with respect to the log-odds (delta method).
    let jacobian = DMatrix::from_fn(pawn, pawn + 1, |value, column| match column {
        column if column == pawn => -values[value] / scale.pawn,
        column if column == value => 1.0 / scale.pawn,
        _ => 0.0,
    });
    let residuals = log_odds - &matrix * found;
    Ok(Solution {
        chi_square: residuals.component_mul(&residuals).dot(&weights),
        degrees_of_freedom: count - pawn - 1,
        covariance: &jacobian * inverse * jacobian.transpose(),
        kinds,
        scale,
        values,
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

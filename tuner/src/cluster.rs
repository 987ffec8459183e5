//! The sandwich covariance clustered by opening pair.
//!
//! Positions of one game share its result, and the two games of a pair share their opening, so rows are far from
//! independent: treating them as such gives intervals that miss the truth more often than they hit it. The sandwich
//! `A^-1 B A^-1` sums the gradient within each cluster first (`B` is the sum of the outer products of those sums), and
//! so is right for any dependence inside clusters and for any variance of the results.

use nalgebra::{DMatrix, DVector};

use crate::model::Fit;

/// The covariance of the coefficients, with the correction G / (G - 1) for a finite number G of clusters.
///
/// `cluster_of` has the cluster of each row; clusters are numbered below `count`, which is at least 2.
pub fn covariance(fit: &Fit, cluster_of: impl IntoIterator<Item = usize>, count: usize) -> DMatrix<f64> {
    let width = fit.coefficients.len();
    let mut sums = DMatrix::<f64>::zeros(width, count);
    for (row, cluster) in fit.scores.row_iter().zip(cluster_of) {
        let mut sum = sums.column_mut(cluster);
        sum += row.transpose();
    }
    let meat = &sums * sums.transpose();
    let correction = count as f64 / (count as f64 - 1.0);
    &fit.bread * meat * &fit.bread * correction
}

/// The covariance as if every row were independent of every other: what must not be done, kept as the control in tests.
pub fn position_level_covariance(fit: &Fit) -> DMatrix<f64> {
    let rows = fit.scores.nrows();
    covariance(fit, 0..rows, rows)
}

/// Square roots of the diagonal.
pub fn standard_errors(covariance: &DMatrix<f64>) -> DVector<f64> {
    covariance.diagonal().map(f64::sqrt)
}

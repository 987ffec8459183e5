//! Cluster-robust (sandwich) covariance with the CR1 correction (Liang and Zeger 1986).
//!
//! The positions of a game share one result, and the two games of an opening pair share an opening. Treating them as
//! independent makes intervals far too narrow. The sandwich sums the score vectors of each cluster before squaring, so that whatever the rows
//! of a cluster have in common counts once.

use nalgebra::{DMatrix, DVector};

use crate::values::model::ModelFit;

/// Cluster-robust covariance of the coefficients: `bread * (sum over clusters of score score') * bread * G / (G - 1)` for
/// `G` clusters, at least 2.
pub fn cluster_robust_covariance(fit: &ModelFit) -> DMatrix<f64> {
    let meat = &fit.cluster_scores * fit.cluster_scores.transpose();
    let count = fit.cluster_scores.ncols() as f64;
    &fit.bread * meat * &fit.bread * (count / (count - 1.0))
}

/// Covariance under the wrong assumption that positions are independent. Simulations use it as the control.
pub fn naive_covariance(fit: &ModelFit) -> DMatrix<f64> {
    &fit.bread * &fit.position_meat * &fit.bread
}

/// Standard errors: square roots of the diagonal of a covariance matrix.
pub fn standard_errors(covariance: &DMatrix<f64>) -> DVector<f64> {
    covariance.diagonal().map(f64::sqrt)
}

//! Standard errors that allow for dependence within clusters (the sandwich, CR1).
//!
//! The positions of a game share one result, and the two games of an opening pair share an opening. Treating them as
//! independent makes intervals far too narrow. The sandwich adds up each cluster's gradients before squaring, so that
//! whatever the rows of a cluster have in common counts once.

use nalgebra::{DMatrix, DVector};

use crate::values::model::ModelFit;

/// The covariance of the coefficients: `bread * (sum over clusters of score score') * bread * G / (G - 1)`, `G` being the
/// number of clusters, which is at least 2.
pub fn covariance(fit: &ModelFit) -> DMatrix<f64> {
    let meat = &fit.cluster_scores * fit.cluster_scores.transpose();
    let count = fit.cluster_scores.ncols() as f64;
    &fit.bread * meat * &fit.bread * (count / (count - 1.0))
}

/// The covariance as if every position were independent of every other: what must not be done, kept as the control.
pub fn position_level_covariance(fit: &ModelFit) -> DMatrix<f64> {
    &fit.bread * &fit.position_meat * &fit.bread
}

/// Square roots of the diagonal.
pub fn standard_errors(covariance: &DMatrix<f64>) -> DVector<f64> {
    covariance.diagonal().map(f64::sqrt)
}

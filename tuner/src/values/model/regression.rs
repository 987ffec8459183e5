//! The interface of regression models, and the result of fitting one.

use nalgebra::{DMatrix, DVector};

use super::FitError;
use crate::values::design::matrix::DesignMatrix;

/// Maximum number of nuisance parameters of a model.
pub const MAX_NUISANCE: usize = 2;

/// Log-likelihood of one result, and its derivatives with respect to the log-odds `z` and the nuisance parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointLikelihood {
    /// Log-likelihood in nats.
    pub log_likelihood: f64,
    /// First derivative with respect to `z`.
    pub slope: f64,
    /// Negative second derivative with respect to `z`.
    pub curvature: f64,
    /// First derivatives with respect to the nuisance parameters.
    pub nuisance_slope: [f64; MAX_NUISANCE],
    /// Negative mixed second derivatives with respect to `z` and each nuisance parameter.
    pub cross_curvature: [f64; MAX_NUISANCE],
    /// Negative second derivatives with respect to pairs of nuisance parameters.
    pub nuisance_curvature: [[f64; MAX_NUISANCE]; MAX_NUISANCE],
}

/// A regression of results on the columns of a design matrix.
///
/// The parameters are one coefficient for each column, followed by the model's nuisance parameters (thresholds between results).
pub trait RegressionModel: Sync {
    /// The model's name in reports.
    fn name(&self) -> &'static str;

    /// Names of the nuisance parameters, at most [`MAX_NUISANCE`].
    fn nuisance_names(&self) -> Vec<String>;

    /// Nuisance parameters that fit the distribution of results when all coefficients are zero.
    ///
    /// # Errors
    /// If the results do not determine one of them.
    fn initial_nuisance(&self, design: &DesignMatrix) -> Result<Vec<f64>, FitError>;

    /// Returns true if the nuisance parameters lie in the parameter space.
    fn is_feasible(&self, nuisance: &[f64]) -> bool;

    /// Log-likelihood of White's `score` (0 to 1 point) at the given log-odds.
    fn at(&self, log_odds: f64, nuisance: &[f64], score: f64) -> PointLikelihood;

    /// White's expected score in points, 0 to 1, at the given log-odds.
    fn expected(&self, log_odds: f64, nuisance: &[f64]) -> f64;
}

/// A fitted model.
#[derive(Clone, Debug)]
pub struct ModelFit {
    /// One coefficient for each column, on the log-odds scale, then the nuisance parameters.
    pub coefficients: DVector<f64>,
    /// Inverse of the information matrix: the bread of the sandwich.
    pub bread: DMatrix<f64>,
    /// Score vectors: the gradient of each cluster's weighted log-likelihood, one column for each cluster.
    pub cluster_scores: DMatrix<f64>,
    /// The meat of the sandwich if positions were independent: for comparison only.
    pub position_meat: DMatrix<f64>,
    /// Newton–Raphson steps taken.
    pub iterations: usize,
    /// Largest component of the remaining gradient, per unit of weight.
    pub gradient: f64,
    /// Largest difference between the coefficients reached from two starting points; `None` if only one was used.
    pub start_difference: Option<f64>,
    /// Weighted log-likelihood in nats.
    pub log_likelihood: f64,
}

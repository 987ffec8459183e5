//! Models: how the distribution of results follows from a position's numbers.
//!
//! A model is a file under `model/`: the log-likelihood of a result at a log-odds, with its derivatives. Everything else
//! (Newton's method, the sandwich, ratios, verdicts, cross-validation, report) works with any of them.

mod contributions;
mod error;
mod fractional_logit;
mod newton;
mod proportional_odds;

use nalgebra::{DMatrix, DVector};

use crate::values::design::matrix::DesignMatrix;

pub use contributions::{ClusterContributions, packed_index};
pub use error::FitError;
pub use fractional_logit::FractionalLogit;
pub use proportional_odds::ProportionalOdds;

/// The most parameters that a model may have besides its coefficients.
pub const MAX_NUISANCE: usize = 2;

/// The log-likelihood of a result and its derivatives, for a log-odds `z` and the model's own parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointLikelihood {
    /// The log-likelihood in nats.
    pub log_likelihood: f64,
    /// Its derivative by `z`.
    pub slope: f64,
    /// Its negative second derivative by `z`.
    pub curvature: f64,
    /// Its derivatives by the model's own parameters.
    pub nuisance: [f64; MAX_NUISANCE],
    /// Its negative second derivatives by `z` and each of them.
    pub cross: [f64; MAX_NUISANCE],
    /// Its negative second derivatives by two of them.
    pub block: [[f64; MAX_NUISANCE]; MAX_NUISANCE],
}

/// A way to explain results by the columns of a design. Its parameters are one coefficient for each column, then its own.
pub trait RegressionModel: Sync {
    /// The model's name in reports and data.
    fn name(&self) -> &'static str;

    /// The names of the model's own parameters, at most [`MAX_NUISANCE`].
    fn nuisance_names(&self) -> Vec<String>;

    /// Values for its own parameters that fit the results when nothing else is known.
    ///
    /// # Errors
    /// When the results leave one of them without a value.
    fn initial_nuisance(&self, design: &DesignMatrix) -> Result<Vec<f64>, FitError>;

    /// May its own parameters have these values?
    fn is_feasible(&self, nuisance: &[f64]) -> bool;

    /// The log-likelihood of White's `score` (0 to 1 point) at a log-odds.
    fn at(&self, log_odds: f64, nuisance: &[f64], score: f64) -> PointLikelihood;

    /// White's expected score in points, 0 to 1, at a log-odds.
    fn expected(&self, log_odds: f64, nuisance: &[f64]) -> f64;

    /// Estimates the coefficients, from two starts that must lead to the same.
    ///
    /// # Errors
    /// When the data cannot answer: no rows, all results equal, a column that never varies or follows from others, results
    /// separated by the columns.
    fn fit(&self, design: &DesignMatrix) -> Result<ModelFit, FitError>
    where
        Self: Sized,
    {
        fit(self, design)
    }
}

/// What a model found.
#[derive(Clone, Debug)]
pub struct ModelFit {
    /// One coefficient for each column, on the log-odds scale, then the model's own parameters.
    pub coefficients: DVector<f64>,
    /// The inverse of the information matrix: the bread of the sandwich.
    pub bread: DMatrix<f64>,
    /// The gradient of each cluster's weighted log-likelihood, a column each: the meat of the sandwich.
    pub cluster_scores: DMatrix<f64>,
    /// The meat as if positions were independent of each other: the control.
    pub position_meat: DMatrix<f64>,
    /// Newton steps taken.
    pub iterations: usize,
    /// The largest component of the gradient that was left, for each unit of weight.
    pub gradient: f64,
    /// The largest difference between the coefficients that two different starts led to; none where only one was tried.
    pub start_difference: Option<f64>,
    /// The weighted log-likelihood in nats.
    pub log_likelihood: f64,
}

/// As [`RegressionModel::fit`], for a model that is not known by its type.
///
/// # Errors
/// As [`RegressionModel::fit`].
pub fn fit(model: &dyn RegressionModel, design: &DesignMatrix) -> Result<ModelFit, FitError> {
    newton::fit(model, design)
}

/// As [`fit`], from one start near the solution: for parts of data that were fitted whole, and for simulation.
///
/// # Errors
/// As [`fit`].
pub fn fit_from(
    model: &dyn RegressionModel,
    design: &DesignMatrix,
    start: Option<&DVector<f64>>,
) -> Result<ModelFit, FitError> {
    newton::fit_from(model, design, start)
}

/// The distribution function of the logistic distribution.
pub fn logistic(log_odds: f64) -> f64 {
    if log_odds >= 0.0 {
        1.0 / (1.0 + (-log_odds).exp())
    } else {
        let odds = log_odds.exp();
        odds / (1.0 + odds)
    }
}

/// Its density, without cancellation for large log-odds.
fn density(log_odds: f64) -> f64 {
    let odds = (-log_odds.abs()).exp();
    odds / ((1.0 + odds) * (1.0 + odds))
}

/// Its logarithm, without overflow.
fn log_logistic(log_odds: f64) -> f64 {
    log_odds.min(0.0) - (-log_odds.abs()).exp().ln_1p()
}

//! Models: how the expected result follows from a position's numbers.
//!
//! A model is a file under `model/`. It estimates coefficients and leaves behind what the sandwich covariance of
//! [`crate::cluster`] needs, so that everything behind it (ratios, verdicts, cross-validation, report) works with any
//! model.

mod error;
mod fractional;
mod newton;

use nalgebra::{DMatrix, DVector};

use crate::design::Design;

pub use error::FitError;
pub use fractional::Fractional;

/// A way to explain results by the columns of a design.
pub trait Model: Sync {
    /// The model's name in reports and data.
    fn name(&self) -> &'static str;

    /// Estimates the coefficients.
    ///
    /// # Errors
    /// When the data cannot answer: no rows, all results equal, a column that never varies or follows from others, results
    /// separated by the columns.
    fn fit(&self, design: &Design) -> Result<Fit, FitError>;

    /// White's expected score in points, 0 to 1, for a row of numbers.
    fn expected(&self, coefficients: &DVector<f64>, values: &[f64]) -> f64;

    /// What a score (White's points, 0 to 1) costs when this row predicts it: nats, at least 0.
    fn loss(&self, coefficients: &DVector<f64>, values: &[f64], score: f64) -> f64;
}

/// What a model found.
#[derive(Clone, Debug)]
pub struct Fit {
    /// One coefficient for each column, on the log-odds scale.
    pub coefficients: DVector<f64>,
    /// The inverse of the information matrix: the bread of the sandwich.
    pub bread: DMatrix<f64>,
    /// The gradient of each row's weighted log-likelihood, a row each: the meat of the sandwich.
    pub scores: DMatrix<f64>,
    /// Newton steps taken.
    pub iterations: usize,
    /// The largest component of the gradient that was left, for each unit of weight.
    pub gradient: f64,
}

//! Regression models: how the distribution of a game's result follows from a row of the design matrix.
//!
//! A model supplies the log-likelihood of one result and its derivatives ([`RegressionModel`]). Fitting by Newton–Raphson,
//! cluster-robust errors, ratios and cross-validation work with any of them.

mod accumulator;
mod contributions;
mod error;
mod fractional_logit;
mod logistic;
mod newton;
mod proportional_odds;
mod regression;

pub use accumulator::packed_index;
pub use contributions::ClusterContributions;
pub use error::FitError;
pub use fractional_logit::FractionalLogit;
pub use logistic::logistic;
pub use newton::{fit, fit_from};
pub use proportional_odds::ProportionalOdds;
pub use regression::{MAX_NUISANCE, ModelFit, PointLikelihood, RegressionModel};

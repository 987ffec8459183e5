//! Fractional logistic regression: the expected score is a logistic function of a linear form.
//!
//! The estimator maximizes `sum of weight * (score * ln p + (1 - score) * ln (1 - p))` with the game's score as it is:
//! 0, 1/4, 1/2, 3/4 or 1. This is a quasi-likelihood. It needs only the *mean* to be right: a draw is half a point,
//! however often games are drawn, and three results or five make no difference. That the variance of a score is not `p
//! (1 - p)` would spoil likelihood-based errors; the clustered sandwich of [`crate::values::inference::sandwich`] never believes it.
//! Dropping draws, or counting each as half a win and half a loss in independent rows, would bias the one or the other.

use super::{FitError, PointLikelihood, RegressionModel, density, log_logistic, logistic};
use crate::values::design::matrix::DesignMatrix;

/// The fractional logistic model.
#[derive(Clone, Copy, Debug, Default)]
pub struct FractionalLogit;

impl RegressionModel for FractionalLogit {
    fn name(&self) -> &'static str {
        "fractional logistic regression"
    }

    fn nuisance_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn initial_nuisance(&self, _design: &DesignMatrix) -> Result<Vec<f64>, FitError> {
        Ok(Vec::new())
    }

    fn is_feasible(&self, _extra: &[f64]) -> bool {
        true
    }

    fn at(&self, log_odds: f64, _extra: &[f64], score: f64) -> PointLikelihood {
        PointLikelihood {
            log_likelihood: score * log_logistic(log_odds) + (1.0 - score) * log_logistic(-log_odds),
            slope: score - logistic(log_odds),
            curvature: density(log_odds),
            ..PointLikelihood::default()
        }
    }

    fn expected(&self, log_odds: f64, _extra: &[f64]) -> f64 {
        logistic(log_odds)
    }
}

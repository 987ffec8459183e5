//! Fractional logit (Papke and Wooldridge 1996): the expected score is a logistic function of a linear predictor.
//!
//! The estimator maximizes `sum of weight * (score * ln p + (1 - score) * ln (1 - p))` with the score unchanged: 0, 1/4, 1/2,
//! 3/4 or 1. This is a quasi-likelihood: it is consistent if the *mean* is right, whatever the share of draws and whether the game
//! has three results or five. The variance of a score is not `p (1 - p)`, which invalidates likelihood-based errors but not
//! the cluster-robust covariance of [`crate::values::inference::sandwich`]. Dropping draws, or splitting each into half a
//! win and half a loss in independent rows, would bias the estimate or its error.

use super::logistic::{log_logistic, logistic, logistic_density};
use super::{FitError, PointLikelihood, RegressionModel};
use crate::values::design::matrix::DesignMatrix;

/// The fractional logit model. It has no nuisance parameters.
#[derive(Clone, Copy, Debug, Default)]
pub struct FractionalLogit;

impl RegressionModel for FractionalLogit {
    fn name(&self) -> &'static str {
        "fractional logit"
    }

    fn nuisance_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn initial_nuisance(&self, _design: &DesignMatrix) -> Result<Vec<f64>, FitError> {
        Ok(Vec::new())
    }

    fn is_feasible(&self, _nuisance: &[f64]) -> bool {
        true
    }

    fn at(&self, log_odds: f64, _nuisance: &[f64], score: f64) -> PointLikelihood {
        PointLikelihood {
            log_likelihood: score * log_logistic(log_odds) + (1.0 - score) * log_logistic(-log_odds),
            slope: score - logistic(log_odds),
            curvature: logistic_density(log_odds),
            ..PointLikelihood::default()
        }
    }

    fn expected(&self, log_odds: f64, _nuisance: &[f64]) -> f64 {
        logistic(log_odds)
    }
}

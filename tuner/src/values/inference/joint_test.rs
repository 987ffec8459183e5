//! Joint Wald tests of several values, above all of the published ones.
//!
//! Among many 95% intervals some miss the true value by chance; a single joint test keeps the nominal level.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use crate::values::data::regressor::Regressor;
use crate::values::inference::distributions::f_survival;
use crate::values::inference::fit::Fit;

/// Wald test of several values at once, as an F test.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct JointTest {
    /// F statistic.
    pub f: f64,
    /// Number of values tested: numerator degrees of freedom.
    pub values: usize,
    /// Denominator degrees of freedom: opening pairs minus the number of values.
    pub denominator_df: usize,
    /// Probability of an F statistic at least as large if the hypothesis were true.
    pub p: f64,
}

/// Tests the hypothesis that each piece is worth the published value times the pawn's, averaged over the positions of a fit to the games of
/// `clusters` opening pairs. `None` if there is nothing to test, or at most as many clusters as values.
pub fn test_values(fit: &Fit, clusters: usize) -> Option<JointTest> {
    let pawn = Regressor::Kind(fit.game.pawn);
    let unit = fit.worth(pawn, fit.mean_left)?;
    let others = fit.regressors().into_iter().filter(|&regressor| regressor != pawn);
    let differences = others.filter_map(|regressor| {
        let worth = fit.worth(regressor, fit.mean_left)?;
        Some(worth - &unit * regressor.published_in_pawns(&fit.game)?)
    });
    JointTest::of_contrasts(fit, &differences.collect::<Vec<_>>(), clusters)
}

/// Tests the hypothesis that all measured pieces but the pawn have the published ratios to each other. Ratios of two pieces do not depend on a
/// third one. `None` if fewer than two of them have published values, or if there are too few games.
pub fn test_ratios(fit: &Fit, clusters: usize) -> Option<JointTest> {
    // Measured over published value of each piece.
    let pieces = fit.kinds().into_iter().filter(|&kind| kind != fit.game.pawn);
    let relative =
        pieces.filter_map(|kind| Some(fit.worth(Regressor::Kind(kind), fit.mean_left)? / fit.game.kind(kind).value?));
    let relative: Vec<_> = relative.collect();
    let (first, others) = relative.split_first()?;
    let differences: Vec<_> = others.iter().map(|other| other - first).collect();
    JointTest::of_contrasts(fit, &differences, clusters)
}

impl JointTest {
    /// Tests the hypothesis that all of these linear combinations of coefficients are zero in truth. `None` if there are none, their
    /// covariance is singular, or there are at most as many clusters.
    fn of_contrasts(fit: &Fit, contrasts: &[DVector<f64>], clusters: usize) -> Option<JointTest> {
        if contrasts.is_empty() {
            return None;
        }
        let contrasts = DMatrix::from_columns(contrasts).transpose();
        let covariance = &contrasts * &fit.covariance * contrasts.transpose();
        JointTest::of_zero(&(&contrasts * &fit.coefficients), &covariance, clusters)
    }

    /// Tests the hypothesis that all of these estimates, at least one, are zero in truth. `None` if the covariance is singular or there are at most as
    /// many clusters as estimates.
    pub fn of_zero(estimates: &DVector<f64>, covariance: &DMatrix<f64>, clusters: usize) -> Option<JointTest> {
        let values = estimates.len();
        let denominator_df = clusters.checked_sub(values).filter(|&df| df > 0)?;
        let wald = estimates.dot(&covariance.clone().cholesky()?.solve(estimates));
        // Hotelling's correction: with few clusters the Wald statistic is too large for a chi-square distribution.
        let f = wald * denominator_df as f64 / (values as f64 * (clusters as f64 - 1.0));
        Some(JointTest {
            f,
            values,
            denominator_df,
            p: f_survival(f, values, denominator_df),
        })
    }
}

//! Joint Wald tests of several values, above all of the published ones.
//!
//! Among many 95% intervals some miss the true value by chance; a single joint test keeps the nominal level.

use assay_rules::GameDef;
use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use crate::values::data::regressor::Regressor;
use crate::values::inference::distributions::f_survival;
use crate::values::inference::estimate::Estimate;

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

/// Tests the hypothesis that each piece is worth the published value times the pawn's, averaged over the positions of the fit. `None` if there
/// is nothing to test, or at most as many clusters as values.
pub fn joint_test(estimate: &Estimate, game: &GameDef, clusters: usize) -> Option<JointTest> {
    let pawn = Regressor::Kind(game.pawn);
    let parameters = estimate.coefficients.len();
    let at = |term| estimate.worth(game, term, estimate.mean_left);
    let unit = at(pawn)?;
    let claims: Vec<(DVector<f64>, f64)> = estimate
        .spec
        .fitted_regressors()
        .filter(|&term| term != pawn)
        .filter_map(|term| Some((at(term)?, term.published_in_pawns(game)?)))
        .collect();
    let values = claims.len();
    if values == 0 {
        return None;
    }
    let mut contrasts = DMatrix::zeros(values, parameters);
    for (row, (contrast, claimed)) in claims.iter().enumerate() {
        contrasts.set_row(row, &(contrast - &unit * *claimed).transpose());
    }
    let differences: DVector<f64> = &contrasts * &estimate.coefficients;
    let covariance = &contrasts * &estimate.covariance * contrasts.transpose();
    JointTest::of_zero(&differences, &covariance, clusters)
}

impl JointTest {
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

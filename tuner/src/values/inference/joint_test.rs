//! All published values tested at once.
//!
//! Among several 95% intervals some miss the truth by chance alone; this one test does not add up.

use assay_rules::GameDef;
use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use crate::values::data::regressor::Regressor;
use crate::values::inference::distributions::f_tail;
use crate::values::inference::estimate::Estimate;

/// A Wald test of the inventor's whole table.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct JointTest {
    /// The F statistic.
    pub f: f64,
    /// Values tested.
    pub values: usize,
    /// Degrees of freedom of the errors: opening pairs less the values tested.
    pub denominator_df: usize,
    /// The probability of an F at least as large if all of the inventor's values were right.
    pub p: f64,
}

/// Tests that each coefficient is the inventor's value times the pawn's, with as many pieces left as on average. `None` when there is nothing to test or too
/// little data for it.
pub fn test(estimate: &Estimate, game: &GameDef, clusters: usize) -> Option<JointTest> {
    let pawn = Regressor::Kind(game.pawn);
    let parameters = estimate.coefficients.len();
    let at = |term| estimate.columns.contrast(term, estimate.mean_left, parameters);
    let unit = at(pawn)?;
    let claims: Vec<(DVector<f64>, f64)> = estimate
        .columns
        .fitted_regressors()
        .filter(|&term| term != pawn)
        .filter_map(|term| Some((at(term)?, term.inventor_in_pawns(game)?)))
        .collect();
    let values = claims.len();
    if values == 0 || clusters <= values {
        return None;
    }
    let mut contrasts = DMatrix::zeros(values, parameters);
    for (row, (contrast, claimed)) in claims.iter().enumerate() {
        contrasts.set_row(row, &(contrast - &unit * *claimed).transpose());
    }
    let differences: DVector<f64> = &contrasts * &estimate.coefficients;
    let covariance = &contrasts * &estimate.covariance * contrasts.transpose();
    let wald = differences.dot(&covariance.cholesky()?.solve(&differences));
    // With few clusters the Wald statistic runs large; dividing as Hotelling does brings it to an F with the right
    // tail.
    let denominator_df = clusters - values;
    let f = wald * denominator_df as f64 / (values as f64 * (clusters as f64 - 1.0));
    Some(JointTest {
        f,
        values,
        denominator_df,
        p: f_tail(f, values, denominator_df),
    })
}

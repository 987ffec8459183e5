//! Claims that values change with the game phase.

use assay_cli::text::{enumeration, with_article};

use super::run_cache::{FittedValues, RunCache};
use super::values::regressor_by_name;
use super::{Claimed, Effect, NumberResult, TestResult};
use crate::values::design::phase::{FEW, PhaseModel};

/// Tests that a kind gains value relative to others from a full board to a quarter of the pieces.
pub fn gains_in_endgame(game: &str, kind: &str, others: &[String], cache: &RunCache) -> TestResult {
    let names = enumeration(others);
    TestResult::Number(NumberResult {
        claim: format!(
            "{} gains value relative to {names} towards the endgame",
            with_article(kind)
        ),
        unit: format!("value relative to {names}, few pieces left minus full board"),
        claimed: Claimed::MoreThan {
            value: 0.0,
            margin: 0.05,
        },
        effect: cache.values(game).and_then(|fitted| phase_gain(&fitted, kind, others)),
        note: None,
    })
}

/// Difference of a relative value between two phases, with its standard error by the delta method.
///
/// # Errors
/// The reason if the games do not determine the values in both phases.
pub(super) fn phase_gain(fitted: &FittedValues, kind: &str, others: &[String]) -> Result<Effect, String> {
    let estimate = &fitted.estimate;
    if estimate.phase_model == PhaseModel::Constant {
        return Err("the games do not determine separate values for a full board and for few pieces".to_owned());
    }
    let parameters = estimate.coefficients.len();
    let contrast = |name: &str, left: f64| {
        let found = regressor_by_name(&fitted.game, name).and_then(|term| estimate.contrast(term, left));
        found.ok_or_else(|| format!("{name} is not measured"))
    };
    let mut difference = 0.0;
    let mut gradient = nalgebra::DVector::zeros(parameters);
    for (sign, left) in [(1.0, FEW), (-1.0, 1.0)] {
        let numerator = contrast(kind, left)?;
        let mut denominator = nalgebra::DVector::zeros(parameters);
        for other in others {
            denominator += contrast(other, left)? / others.len() as f64;
        }
        let ratio = estimate.ratio(&numerator, &denominator);
        // The delta method is valid only if the denominator is clearly positive.
        if ratio.denominator < estimate.critical_value * ratio.denominator_variance.sqrt() {
            return Err(format!(
                "the value of {} does not differ significantly from zero in these games",
                enumeration(others)
            ));
        }
        difference += sign * ratio.estimate();
        gradient += (numerator - denominator * ratio.estimate()) * (sign / ratio.denominator);
    }
    let error = gradient.dot(&(&estimate.covariance * &gradient)).sqrt();
    Effect::from_error(difference, error, fitted.clusters, fitted.games)
}

//! Claims on how values change over the course of the game.

use super::run_cache::{FittedValues, RunCache};
use super::values::term;
use super::{Claimed, Effect, NumberResult, TestResult};
use crate::values::design::phase::{FEW, PhaseModel};

/// What a kind in units of others gains from the full board to one with a quarter of the pieces.
pub fn gains(game: &str, kind: &str, others: &[&str], cache: &RunCache) -> TestResult {
    TestResult::Number(NumberResult {
        claim: format!("a {kind} gains against {} towards the endgame", others.join(" and ")),
        unit: format!("units of {}, few pieces left less full board", others.join(" and ")),
        claimed: Claimed::MoreThan { value: 0.0 },
        effect: cache.values(game).and_then(|on| gain(&on, kind, others)),
        note: None,
    })
}

/// The difference of two ratios of one estimate, with the error that follows to first order from all covariances.
///
/// # Errors
/// When the games do not tell values at both ends apart.
pub(super) fn gain(on: &FittedValues, kind: &str, others: &[&str]) -> Result<Effect, String> {
    let estimate = &on.estimate;
    if estimate.spec.phase_model == PhaseModel::Constant {
        return Err("these games do not tell values on a full board from those with few pieces".to_owned());
    }
    let parameters = estimate.coefficients.len();
    let contrast = |name: &str, left: f64| {
        let found = term(&on.game, name).and_then(|term| estimate.spec.contrast(term, left, parameters));
        found.ok_or_else(|| format!("{name} is not measured"))
    };
    let mut difference = 0.0;
    let mut gradient = nalgebra::DVector::zeros(parameters);
    for (sign, left) in [(1.0, FEW), (-1.0, 1.0)] {
        let above = contrast(kind, left)?;
        let mut below = nalgebra::DVector::zeros(parameters);
        for other in others {
            below += contrast(other, left)? / others.len() as f64;
        }
        let ratio = estimate.contrast_ratio(&above, &below);
        // To first order a ratio is only as good as its denominator is far from nothing.
        if ratio.denominator < estimate.critical_value * ratio.denominator_variance.sqrt() {
            return Err(format!("{} may be worth nothing in these games", others.join(" and ")));
        }
        difference += sign * ratio.estimate();
        gradient += (above - below * ratio.estimate()) * (sign / ratio.denominator);
    }
    let error = gradient.dot(&(&estimate.covariance * &gradient)).sqrt();
    Ok(Effect::from_error(difference, error, on.clusters, on.games))
}

//! The logistic distribution, without overflow or cancellation.

/// Cumulative distribution function of the logistic distribution: the probability with the given log-odds.
///
/// ```
/// use assay_tuner::values::model::logistic;
///
/// assert_eq!(logistic(0.0), 0.5);
/// assert!((logistic(3f64.ln()) - 0.75).abs() < 1e-15);
/// ```
pub fn logistic(log_odds: f64) -> f64 {
    if log_odds >= 0.0 {
        1.0 / (1.0 + (-log_odds).exp())
    } else {
        let odds = log_odds.exp();
        odds / (1.0 + odds)
    }
}

/// Density of the logistic distribution.
pub(super) fn logistic_density(log_odds: f64) -> f64 {
    let odds = (-log_odds.abs()).exp();
    odds / ((1.0 + odds) * (1.0 + odds))
}

/// Natural logarithm of [`logistic`].
pub(super) fn log_logistic(log_odds: f64) -> f64 {
    log_odds.min(0.0) - (-log_odds.abs()).exp().ln_1p()
}

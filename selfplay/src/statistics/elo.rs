//! Logistic Elo, normalized Elo, and likelihood of superiority.

use statrs::distribution::{ContinuousCDF, Normal};

use super::counts::ResultCounts;
use super::interval::ConfidenceInterval;

/// The two-sided 95% quantile of the standard normal distribution.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// Normalized Elo per standard deviation: the normalized Elo of a mean score that is one standard deviation of a single game
/// above one half. The factor, 800 / ln 10, makes both scales agree for small differences between players who never draw
/// (Michel Van den Bergh, <http://hardy.uhasselt.be/Fishtest/normalized_elo.pdf>).
pub const NORMALIZED_ELO_PER_SIGMA: f64 = 800.0 / std::f64::consts::LN_10;

/// Elo difference between two players, from the first player's point of view.
///
/// If all observations have the same score, their variance is 0 and says nothing about the error: the intervals are unbounded.
///
/// ```
/// use assay_selfplay::statistics::{EloEstimate, ResultCounts};
///
/// let pairs = ResultCounts::from_counts(&[235, 1384, 2521, 1341, 239])?;
/// let estimate = EloEstimate::from_counts(&pairs).unwrap();
/// // fastchess printed: Elo: -1.06 +/- 4.05, nElo: -1.67 +/- 6.37, LOS: 30.33 %
/// assert_eq!(format!("{:.2} +/- {:.2}", estimate.elo.value, estimate.elo.half_width()), "-1.06 +/- 4.05");
/// assert_eq!(format!("{:.2}", estimate.normalized_elo.value), "-1.67");
/// assert_eq!(format!("{:.4}", estimate.los), "0.3033");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloEstimate {
    /// Logistic Elo. Infinite if all games were won or all were lost.
    pub elo: ConfidenceInterval,
    /// Normalized Elo: the mean score above one half in standard deviations of a single game, times
    /// [`NORMALIZED_ELO_PER_SIGMA`]. It determines how many games are needed to detect the difference, whatever the draw
    /// ratio. Infinite if all observations have the same score.
    pub normalized_elo: ConfidenceInterval,
    /// Likelihood of superiority, 0 to 1: the probability that the first player is the stronger one (normal approximation).
    pub los: f64,
}

impl EloEstimate {
    /// Estimates the difference from result counts; `None` without observations.
    pub fn from_counts(counts: &ResultCounts) -> Option<EloEstimate> {
        let (mean, variance) = (counts.mean()?, counts.variance()?);
        let standard_error = (variance / counts.observations() as f64).sqrt();
        let elo = ConfidenceInterval {
            value: elo_from_score(mean),
            low: elo_from_score(mean - Z95 * standard_error),
            high: elo_from_score(mean + Z95 * standard_error),
        };
        // A pair's score is the mean of its games' scores, so its variance is half of a game's.
        let sigma_per_game = (variance * f64::from(counts.games_per_observation())).sqrt();
        // A mean of exactly one half is 0 deviations away from it, even where the deviation is 0.
        let in_units_of = |deviation: f64| {
            if mean.total_cmp(&0.5).is_eq() {
                0.0
            } else {
                (mean - 0.5) / deviation
            }
        };
        let value = in_units_of(sigma_per_game) * NORMALIZED_ELO_PER_SIGMA;
        let half = Z95 * NORMALIZED_ELO_PER_SIGMA / (counts.games() as f64).sqrt();
        let los = Normal::standard().cdf(in_units_of(standard_error));
        let normalized_elo = ConfidenceInterval {
            value,
            low: value - half,
            high: value + half,
        };
        let [elo, normalized_elo] = [elo, normalized_elo].map(|interval| {
            if variance > 0.0 {
                interval
            } else {
                ConfidenceInterval::unbounded(interval.value)
            }
        });
        Some(EloEstimate {
            elo,
            normalized_elo,
            los,
        })
    }
}

/// The logistic Elo difference with this expected score. Infinite for scores of 0 and 1 and beyond.
///
/// ```
/// use assay_selfplay::statistics::elo::elo_from_score;
///
/// assert_eq!(elo_from_score(0.5), 0.0);
/// assert_eq!(elo_from_score(0.75).round(), 191.0);
/// ```
pub fn elo_from_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        // In this form a score of one half gives 0, not -0.
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The expected score, 0 to 1, at a logistic Elo difference.
pub fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(counts: &[u64]) -> EloEstimate {
        EloEstimate::from_counts(&ResultCounts::from_counts(counts).unwrap()).unwrap()
    }

    #[test]
    fn both_scales_agree_for_small_differences_without_draws() {
        let estimate = estimate(&[49_500, 0, 50_500]);
        assert!(
            (estimate.elo.value - estimate.normalized_elo.value).abs() < 0.01,
            "{estimate:?}"
        );
        assert!((score_from_elo(estimate.elo.value) - 0.505).abs() < 1e-12);
    }

    #[test]
    fn the_opponent_has_the_opposite_estimate() {
        let (ours, theirs) = (estimate(&[3, 10, 40, 20, 7]), estimate(&[7, 20, 40, 10, 3]));
        assert!((ours.elo.value + theirs.elo.value).abs() < 1e-9);
        assert!((ours.elo.low + theirs.elo.high).abs() < 1e-9);
        assert!((ours.los + theirs.los - 1.0).abs() < 1e-12);
    }

    #[test]
    fn one_sided_results_give_infinite_elo() {
        let won = estimate(&[0, 0, 0, 0, 6]);
        assert!(won.elo.value.is_infinite() && won.elo.value > 0.0);
        assert!((won.los - 1.0).abs() < 1e-12);
        let drawn = estimate(&[0, 0, 6, 0, 0]);
        assert_eq!(
            (drawn.elo.value, drawn.normalized_elo.value, drawn.los),
            (0.0, 0.0, 0.5)
        );
        for estimate in [won, drawn] {
            assert!(estimate.elo.is_unbounded() && estimate.normalized_elo.is_unbounded());
        }
        assert!(!estimate(&[0, 0, 6, 1, 0]).elo.is_unbounded());
    }
}

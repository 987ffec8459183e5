//! Logistic Elo, normalized Elo, and likelihood of superiority.

use std::cmp::Ordering;

use statrs::distribution::{ContinuousCDF, Normal};

use super::counts::ResultCounts;
use super::distributions::Z95;
use super::estimate::Estimate;

/// Normalized Elo per standard deviation: the normalized Elo of a mean score that is one standard
/// deviation of a single game above one half. The factor, 800 / ln 10, makes both scales agree for
/// small differences between players who never draw (Michel Van den Bergh,
/// <http://hardy.uhasselt.be/Fishtest/normalized_elo.pdf>).
pub const NORMALIZED_ELO_PER_SIGMA: f64 = 800.0 / std::f64::consts::LN_10;

/// Elo difference between two players, from the first player's point of view.
///
/// If all observations have the same score `a`, their variance is 0 and says nothing about the
/// error. Then the bounds are exact: with 95% confidence an observation scores `a` with a
/// probability of at least `q = 0.05^(1/n)` (Clopper and Pearson 1934), and the bounds are those of
/// all distributions with such a `q`. After 10 pairs won, `q` is 0.741: the Elo is at least 183.
///
/// ```
/// use assay_selfplay::statistics::{EloEstimate, ResultCounts};
///
/// let pairs = ResultCounts::from_counts(&[235, 1384, 2521, 1341, 239])?;
/// let estimate = EloEstimate::from_counts(&pairs).unwrap();
/// // fastchess printed: Elo: -1.06 +/- 4.05, nElo: -1.67 +/- 6.37, LOS: 30.33 %
/// assert_eq!(format!("{:.2} +/- {:.2}", estimate.elo.value, estimate.elo.half_width().unwrap()), "-1.06 +/- 4.05");
/// assert_eq!(format!("{:.2}", estimate.normalized_elo.value), "-1.67");
/// assert_eq!(format!("{:.4}", estimate.los), "0.3033");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloEstimate {
    /// Logistic Elo. Infinite if all games were won or all were lost.
    pub elo: Estimate,
    /// Normalized Elo: the mean score above one half in standard deviations of a single game, times
    /// [`NORMALIZED_ELO_PER_SIGMA`]. It determines how many games are needed to detect the
    /// difference, whatever the draw ratio. Infinite if all observations have the same score, other
    /// than one half.
    pub normalized_elo: Estimate,
    /// Likelihood of superiority, 0 to 1: the probability that the first player is the stronger one
    /// (normal approximation). If the normalized Elo is infinite, a bound: 1 less the greatest
    /// probability of these results between equal players, or that probability.
    pub los: f64,
}

impl EloEstimate {
    /// Estimates the difference from result counts; `None` without observations.
    pub fn from_counts(counts: &ResultCounts) -> Option<EloEstimate> {
        let (mean, variance) = (counts.mean()?, counts.variance()?);
        if variance <= 0.0 {
            return Some(EloEstimate::of_equal_scores(mean, counts));
        }
        let standard_error = (variance / counts.observations() as f64).sqrt();
        let half = Z95 * standard_error;
        let elo =
            Estimate { value: elo_from_score(mean), interval: Some([mean - half, mean + half].map(elo_from_score)) };
        // A pair's score is the mean of its games' scores, so its variance is half of a game's.
        let sigma_per_game = (variance * f64::from(counts.games_per_observation())).sqrt();
        let value = (mean - 0.5) / sigma_per_game * NORMALIZED_ELO_PER_SIGMA;
        let half = Z95 * NORMALIZED_ELO_PER_SIGMA / (counts.games() as f64).sqrt();
        Some(EloEstimate {
            elo,
            normalized_elo: Estimate::around(value, half),
            los: Normal::standard().cdf((mean - 0.5) / standard_error),
        })
    }

    /// The estimate if all observations have this score.
    fn of_equal_scores(score: f64, counts: &ResultCounts) -> EloEstimate {
        let observations = counts.observations() as f64;
        let share = 0.05f64.powf(1.0 / observations);
        // The least normalized Elo is that of a player who loses all other observations; it has no
        // greatest if the score is above one half.
        let scale = NORMALIZED_ELO_PER_SIGMA / f64::from(counts.games_per_observation()).sqrt();
        let least = |score: f64| {
            if score < 0.5 {
                f64::NEG_INFINITY
            } else {
                scale * (score * share - 0.5) / (score * (share * (1.0 - share)).sqrt())
            }
        };
        // The greatest probability of the observations between equal players, of the scores above
        // one half.
        let p_value = |score: f64| (0.5 / score).powf(observations);
        let (value, los) = match score.total_cmp(&0.5) {
            Ordering::Less => (f64::NEG_INFINITY, p_value(1.0 - score)),
            Ordering::Equal => (0.0, 0.5),
            Ordering::Greater => (f64::INFINITY, 1.0 - p_value(score)),
        };
        EloEstimate {
            elo: Estimate {
                value: elo_from_score(score),
                interval: Some([score * share, 1.0 - (1.0 - score) * share].map(elo_from_score)),
            },
            normalized_elo: Estimate { value, interval: Some([least(score), -least(1.0 - score)]) },
            los,
        }
    }
}

/// A likelihood of superiority in percent, as in `97.50 %`, or `>= 98.44 %` if it is a bound
/// because the normalized Elo is infinite.
pub fn los_text(los: f64, normalized_elo: Estimate) -> String {
    let bound = match normalized_elo.value {
        f64::INFINITY => ">= ",
        f64::NEG_INFINITY => "<= ",
        _ => "",
    };
    format!("{bound}{:.2} %", 100.0 * los)
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
    use super::super::mle::{with_mean, with_t_value};
    use super::*;

    fn estimate(counts: &[u64]) -> EloEstimate {
        EloEstimate::from_counts(&ResultCounts::from_counts(counts).unwrap()).unwrap()
    }

    #[test]
    fn both_scales_agree_for_small_differences_without_draws() {
        let estimate = estimate(&[49_500, 0, 50_500]);
        assert!((estimate.elo.value - estimate.normalized_elo.value).abs() < 0.01, "{estimate:?}");
        assert!((score_from_elo(estimate.elo.value) - 0.505).abs() < 1e-12);
    }

    #[test]
    fn the_opponent_has_the_opposite_estimate() {
        let (ours, theirs) = (estimate(&[3, 10, 40, 20, 7]), estimate(&[7, 20, 40, 10, 3]));
        assert!((ours.elo.value + theirs.elo.value).abs() < 1e-9);
        assert!((ours.elo.bounds()[0] + theirs.elo.bounds()[1]).abs() < 1e-9);
        assert!((ours.los + theirs.los - 1.0).abs() < 1e-12);
    }

    /// A bound is where the results just have a probability of 5%; the likelihood of superiority is
    /// that of equal players.
    #[test]
    fn bounds_of_equal_scores_are_exact() {
        for (n, results, games) in [(1, 5, 2.0), (6, 5, 2.0), (40, 3, 1.0), (3, 9, 2.0), (1_000_000, 5, 2.0_f64)] {
            for index in 0..results {
                let mut counts = vec![0; results];
                counts[index] = n;
                let estimate = estimate(&counts);
                let scores: Vec<f64> = (0..results).map(|at| at as f64 / (results - 1) as f64).collect();
                let frequencies: Vec<f64> = counts.iter().map(|&count| count as f64 / n as f64).collect();
                let probability = |log_likelihood: f64| (n as f64 * log_likelihood).exp();
                for elo in estimate.elo.bounds() {
                    let found = probability(with_mean(&scores, &frequencies, score_from_elo(elo)));
                    assert!(elo.is_infinite() || (found - 0.05).abs() < 1e-6, "{counts:?}: {found}");
                }
                for elo in estimate.normalized_elo.bounds() {
                    let t_value = elo / NORMALIZED_ELO_PER_SIGMA * games.sqrt();
                    let found = probability(with_t_value(&scores, &frequencies, t_value));
                    assert!(elo.is_infinite() || (found - 0.05).abs() < 1e-6, "{counts:?}: {found}");
                }
                let of_equals = probability(with_mean(&scores, &frequencies, 0.5));
                let tail = if scores[index] > 0.5 { 1.0 - estimate.los } else { estimate.los };
                assert!(
                    (scores[index] - 0.5).abs() < f64::EPSILON || (tail - of_equals).abs() < 1e-9,
                    "{counts:?}: {estimate:?}"
                );
                let one_sided = !estimate.elo.bounds().iter().all(|end| end.is_finite());
                assert_eq!(one_sided, index == 0 || index == results - 1);
            }
        }
        let won = estimate(&[0, 0, 0, 0, 6]);
        assert_eq!(won.elo.with_error(), ">= 75.49");
        assert_eq!(los_text(won.los, won.normalized_elo), ">= 98.44 %");
        assert_eq!(estimate(&[6, 0, 0, 0, 0]).elo.with_error(), "<= -75.49");
        let drawn = estimate(&[0, 0, 6, 0, 0]);
        assert_eq!((drawn.elo.value, drawn.normalized_elo.value, drawn.los), (0.0, 0.0, 0.5));
        assert!(drawn.elo.bounds().iter().sum::<f64>() < 1e-9 && drawn.normalized_elo.bounds()[0] < -100.0);
    }
}

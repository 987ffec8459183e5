//! Elo: the logistic scale, the normalized one, and what a sample says of them.

use statrs::distribution::{ContinuousCDF, Normal};

use super::sample::Sample;

/// The two-sided 95% point of the normal distribution, in standard deviations.
const Z95: f64 = 1.959_963_984_540_054;

/// Normalized Elo of a score that is one standard deviation of a single game above one half: 800 / ln 10. With it a small
/// difference between players who never draw has the same number on both scales.
pub const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;

/// A number with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The best estimate.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Half of the interval's width: the number behind `+/-`.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// What a sample says of the difference between two players, from the first one's view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Logistic Elo. Infinite when nothing but wins, or nothing but losses, was seen.
    pub elo: Interval,
    /// Normalized Elo: the difference in standard deviations of a game, times [`NORMALIZED`]. It tells how many games it
    /// takes to see a difference, whatever the share of draws. Infinite when all observations had the same score.
    pub normalized: Interval,
    /// The likelihood that the first player is the better one, 0 to 1 (normal approximation).
    pub superiority: f64,
}

impl Estimate {
    /// The estimate from a sample; `None` without observations.
    ///
    /// # Panics
    /// Never: the normal distribution's parameters are constants.
    pub fn of(sample: &Sample) -> Option<Estimate> {
        let (mean, variance) = (sample.mean()?, sample.variance()?);
        let observations = sample.observations() as f64;
        let error = (variance / observations).sqrt();
        let elo = Interval {
            value: elo_of_score(mean),
            low: elo_of_score(mean - Z95 * error),
            high: elo_of_score(mean + Z95 * error),
        };
        // The deviation of a single game: a pair's score is the mean of two games'.
        let deviation = (variance * f64::from(sample.games_each())).sqrt();
        // Level results have no distance from one half, also where they do not vary at all.
        let in_deviations = |deviation: f64| {
            if mean.total_cmp(&0.5).is_eq() {
                0.0
            } else {
                (mean - 0.5) / deviation
            }
        };
        let normalized = in_deviations(deviation) * NORMALIZED;
        let half = Z95 * NORMALIZED / (sample.games() as f64).sqrt();
        let normal = Normal::standard();
        let superiority = normal.cdf(in_deviations(error));
        Some(Estimate {
            elo,
            normalized: Interval {
                value: normalized,
                low: normalized - half,
                high: normalized + half,
            },
            superiority,
        })
    }
}

/// The logistic Elo difference at which this score is expected: infinite at and beyond 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        // Written so that one half gives 0, not -0.
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The score, 0 to 1, that is expected at a logistic Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scales_agree_for_small_differences_without_draws() {
        let sample = Sample::from_counts(&[49_500, 0, 50_500]).unwrap();
        let estimate = Estimate::of(&sample).unwrap();
        assert!(
            (estimate.elo.value - estimate.normalized.value).abs() < 0.01,
            "{estimate:?}"
        );
        assert!((score_of_elo(estimate.elo.value) - 0.505).abs() < 1e-12);
    }

    #[test]
    fn the_other_side_sees_the_opposite() {
        let sample = Sample::from_counts(&[3, 10, 40, 20, 7]).unwrap();
        let (ours, theirs) = (Estimate::of(&sample).unwrap(), Estimate::of(&sample.flipped()).unwrap());
        assert!((ours.elo.value + theirs.elo.value).abs() < 1e-9);
        assert!((ours.elo.low + theirs.elo.high).abs() < 1e-9);
        assert!((ours.superiority + theirs.superiority - 1.0).abs() < 1e-12);
    }

    #[test]
    fn one_sided_results_are_infinite_not_wrong() {
        let estimate = Estimate::of(&Sample::from_counts(&[0, 0, 0, 0, 6]).unwrap()).unwrap();
        assert!(estimate.elo.value.is_infinite() && estimate.elo.value > 0.0);
        assert!((estimate.superiority - 1.0).abs() < 1e-12);
        let even = Estimate::of(&Sample::from_counts(&[0, 0, 6, 0, 0]).unwrap()).unwrap();
        assert_eq!(
            (even.elo.value, even.normalized.value, even.superiority),
            (0.0, 0.0, 0.5)
        );
    }
}

//! Claimed numbers, measured effects and verdicts.

use serde::{Deserialize, Serialize};

use crate::values::inference::distributions::{critical_value, f_survival};
use crate::values::inference::fieller::ConfidenceRegion;

/// Scores and shares of games that differ by no more than this count as equal.
pub const TOLERANCE: f64 = 0.02;

/// Claimed number or range.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(tag = "shape", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Claimed {
    /// Exactly this number. Supported by an interval that contains it and is no wider than `max_width`, refuted by an interval that
    /// excludes it.
    Equal {
        /// Claimed number.
        value: f64,
        /// Widest interval that supports the claim.
        max_width: f64,
    },
    /// Approximately this number. Supported by an interval within `value` ± `within` (equivalence test), refuted by an interval that lies
    /// entirely outside of it.
    Near {
        /// Claimed number.
        value: f64,
        /// Largest difference that counts as equal.
        within: f64,
    },
    /// Greater than this number.
    MoreThan {
        /// Claimed number.
        value: f64,
        /// Differences up to this one count as no effect; 0 if every difference matters.
        #[serde(default)]
        margin: f64,
    },
    /// Less than this number.
    LessThan {
        /// Claimed number.
        value: f64,
        /// Differences up to this one count as no effect; 0 if every difference matters.
        #[serde(default)]
        margin: f64,
    },
    /// Several numbers, tested jointly.
    Joint {
        /// Number of values.
        values: usize,
    },
}

/// Verdict of the games on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimVerdict {
    /// The games support the claim.
    Holds,
    /// The games contradict the claim.
    DoesNotHold,
    /// The games show neither direction, and that the effect is at most the claim's margin.
    NoEffect,
    /// The games are inconclusive.
    #[serde(alias = "needs-more-games")]
    NotEnoughGames,
}

impl ClaimVerdict {
    pub const fn text(self) -> &'static str {
        match self {
            ClaimVerdict::Holds => "holds",
            ClaimVerdict::DoesNotHold => "does not hold",
            ClaimVerdict::NoEffect => "no effect",
            ClaimVerdict::NotEnoughGames => "not enough games",
        }
    }
}

impl Claimed {
    /// The claimed number; `None` for a joint claim.
    pub const fn value(self) -> Option<f64> {
        match self {
            Claimed::Equal { value, .. }
            | Claimed::Near { value, .. }
            | Claimed::MoreThan { value, .. }
            | Claimed::LessThan { value, .. } => Some(value),
            Claimed::Joint { .. } => None,
        }
    }

    /// The number whose rejection decides against the claim or, for a claimed direction, for or against it. For a claimed range it is the number
    /// of the range that is nearest to the estimate. `None` for a joint claim.
    pub fn tested_number(self, estimate: f64) -> Option<f64> {
        match self {
            Claimed::Near { value, within } => Some(estimate.max(value - within).min(value + within)),
            other => other.value(),
        }
    }

    /// Returns the verdict for a 95% confidence region. `is_rejected` tells whether a test rejects the [`Claimed::tested_number`]: without a
    /// correction for the number of tests, if the region excludes it.
    pub fn verdict(self, region: ConfidenceRegion, is_rejected: bool) -> ClaimVerdict {
        let (ConfidenceRegion::Bounded { low, high }, Some(value)) = (region, self.value()) else {
            return ClaimVerdict::NotEnoughGames;
        };
        if low.is_nan() || high.is_nan() {
            return ClaimVerdict::NotEnoughGames;
        }
        let is_within = |margin: f64| low >= value - margin && high <= value + margin;
        match self {
            Claimed::Near { within, .. } if is_within(within) => ClaimVerdict::Holds,
            Claimed::MoreThan { .. } if is_rejected && low > value => ClaimVerdict::Holds,
            Claimed::LessThan { .. } if is_rejected && high < value => ClaimVerdict::Holds,
            _ if is_rejected => ClaimVerdict::DoesNotHold,
            Claimed::Equal { max_width, .. } if high - low <= max_width => ClaimVerdict::Holds,
            Claimed::MoreThan { margin, .. } | Claimed::LessThan { margin, .. } if is_within(margin) => {
                ClaimVerdict::NoEffect
            }
            _ => ClaimVerdict::NotEnoughGames,
        }
    }
}

impl Claimed {
    /// Returns the verdict on a number that is known exactly.
    pub fn exact_verdict(self, number: f64) -> ClaimVerdict {
        let holds = match self {
            Claimed::Equal { value, .. } => (number - value).abs() <= f64::EPSILON * value.abs(),
            Claimed::Near { value, within } => (number - value).abs() <= within,
            Claimed::MoreThan { value, .. } => number > value,
            Claimed::LessThan { value, .. } => number < value,
            Claimed::Joint { .. } => return ClaimVerdict::NotEnoughGames,
        };
        if holds {
            ClaimVerdict::Holds
        } else {
            ClaimVerdict::DoesNotHold
        }
    }
}

/// A measured number with its confidence region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Point estimate.
    pub value: f64,
    /// 95% confidence region.
    pub interval: ConfidenceRegion,
    /// The p-value of the claim, if the ends of the interval do not give it as in [`Effect::p_value`].
    pub p: Option<f64>,
    /// Number of opening pairs, of the game with fewer if two are compared: the interval has one degree of freedom less.
    pub clusters: usize,
    /// Number of games.
    pub games: u64,
}

/// Standard errors up to this one come from rounding: the opening pairs do not differ.
const NO_ERROR: f64 = 1e-12;

impl Effect {
    /// Creates an effect from a standard error and the number of clusters, with a t interval.
    ///
    /// # Errors
    /// If the standard error is zero or not a number: games that do not differ do not show how much others would.
    pub fn from_error(value: f64, standard_error: f64, clusters: usize, games: u64) -> Result<Effect, String> {
        if standard_error.is_nan() || standard_error <= NO_ERROR {
            return Err("all openings scored the same, so the error is unknown".to_owned());
        }
        let half_width = critical_value(clusters.max(2)) * standard_error;
        Ok(Effect {
            value,
            interval: ConfidenceRegion::Bounded {
                low: value - half_width,
                high: value + half_width,
            },
            p: None,
            clusters,
            games,
        })
    }

    /// Two-sided p-value of the hypothesis that the number is `value`; `None` if the region is unbounded.
    ///
    /// The side of the interval toward `value` is the critical value of Student's t times the standard error there, so p is below 0.05 exactly if
    /// the interval excludes `value`.
    pub fn p_value(&self, value: f64) -> Option<f64> {
        let ConfidenceRegion::Bounded { low, high } = self.interval else {
            return None;
        };
        let side = if value < self.value {
            self.value - low
        } else {
            high - self.value
        };
        let deviation = (value - self.value).abs();
        if deviation > 0.0 {
            let clusters = self.clusters.max(2);
            let t = critical_value(clusters) * deviation / side;
            // The square of Student's t has an F distribution.
            Some(f_survival(t * t, 1, clusters - 1))
        } else {
            Some(1.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_are_those_of_students_t() {
        // Tail probabilities of t with 9 degrees of freedom, whose 97.5% quantile is 2.262.
        let effect = Effect::from_error(1.0, 1.0, 10, 20).unwrap();
        let ConfidenceRegion::Bounded { low, high } = effect.interval else {
            panic!("{effect:?}");
        };
        assert!((high - 1.0 - 2.262_157).abs() < 1e-5);
        let p = |value: f64| effect.p_value(value).unwrap();
        assert!((p(low) - 0.05).abs() < 1e-6 && (p(high) - 0.05).abs() < 1e-6);
        let twice = p(1.0 + 2.0 * 2.262_157);
        assert!((0.001_3..0.001_5).contains(&twice), "{twice}");
        assert!((p(1.0) - 1.0).abs() < 1e-12);
        // With many clusters, three standard errors have the normal probability.
        let many = Effect::from_error(3.0, 1.0, 1_000_001, 10).unwrap();
        assert!((many.p_value(0.0).unwrap() - 0.002_700).abs() < 1e-5, "{many:?}");
    }

    #[test]
    fn an_effect_needs_an_error() {
        for standard_error in [0.0, 1e-17, f64::NAN] {
            let error = Effect::from_error(0.5, standard_error, 10, 20).unwrap_err();
            assert_eq!(error, "all openings scored the same, so the error is unknown");
        }
    }
}

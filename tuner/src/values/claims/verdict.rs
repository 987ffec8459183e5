//! Claimed numbers and verdicts.

use assay_selfplay::statistics::range;
use serde::{Deserialize, Serialize};

/// Claimed number or range.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(tag = "shape", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Claimed {
    /// Exactly this number. Supported by an interval that contains it and is no wider than
    /// `max_width`, refuted by an interval that excludes it.
    Equal {
        /// Claimed number.
        #[serde(deserialize_with = "range::any")]
        value: f64,
        /// Widest interval that supports the claim.
        #[serde(deserialize_with = "range::any")]
        max_width: f64,
    },
    /// Approximately this number. Supported by an interval within `value` ± `within` (equivalence
    /// test), refuted by an interval that lies entirely outside of it.
    Near {
        /// Claimed number.
        #[serde(deserialize_with = "range::any")]
        value: f64,
        /// Largest difference that counts as equal.
        #[serde(deserialize_with = "range::any")]
        within: f64,
    },
    /// Greater than this number.
    MoreThan {
        /// Claimed number.
        #[serde(deserialize_with = "range::any")]
        value: f64,
        /// Differences up to this one count as no effect; 0 if every difference matters.
        #[serde(deserialize_with = "range::any")]
        margin: f64,
    },
    /// Less than this number.
    LessThan {
        /// Claimed number.
        #[serde(deserialize_with = "range::any")]
        value: f64,
        /// Differences up to this one count as no effect; 0 if every difference matters.
        #[serde(deserialize_with = "range::any")]
        margin: f64,
    },
    /// Several parts, tested together.
    Joint {
        /// Number of parts.
        #[serde(deserialize_with = "range::count")]
        values: usize,
    },
}

impl Default for Claimed {
    fn default() -> Claimed {
        Claimed::Joint { values: 0 }
    }
}

/// Verdict of the games on a claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimVerdict {
    /// The games support the claim.
    Holds,
    /// The games contradict the claim.
    DoesNotHold,
    /// The games show neither direction, and that the effect is at most the claim's margin.
    NoEffect,
    /// The games are inconclusive.
    #[default]
    NotEnoughGames,
    /// The players hardly do what the claim is about.
    NotTested,
}

impl ClaimVerdict {
    pub const fn text(self) -> &'static str {
        match self {
            ClaimVerdict::Holds => "holds",
            ClaimVerdict::DoesNotHold => "does not hold",
            ClaimVerdict::NoEffect => "no effect",
            ClaimVerdict::NotEnoughGames => "not enough games",
            ClaimVerdict::NotTested => "not tested",
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

    /// The number whose rejection decides against the claim or, for a claimed direction, for or
    /// against it. For a claimed range it is the number of the range that is nearest to the
    /// estimate. `None` for a joint claim.
    pub fn tested_number(self, estimate: f64) -> Option<f64> {
        match self {
            Claimed::Near { value, within } => Some(estimate.max(value - within).min(value + within)),
            other => other.value(),
        }
    }

    /// Returns the verdict for a 95% confidence interval. `is_rejected` tells whether a test rejects
    /// the [`Claimed::tested_number`]: without a correction for the number of tests, if the interval
    /// excludes it.
    pub fn verdict(self, [low, high]: [f64; 2], is_rejected: bool) -> ClaimVerdict {
        let Some(value) = self.value() else {
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

    /// Returns the verdict on a number that is known exactly.
    pub fn exact_verdict(self, number: f64) -> ClaimVerdict {
        let holds = match self {
            Claimed::Equal { value, .. } => (number - value).abs() <= f64::EPSILON * value.abs(),
            Claimed::Near { value, within } => (number - value).abs() <= within,
            Claimed::MoreThan { value, .. } => number > value,
            Claimed::LessThan { value, .. } => number < value,
            Claimed::Joint { .. } => return ClaimVerdict::NotEnoughGames,
        };
        if holds { ClaimVerdict::Holds } else { ClaimVerdict::DoesNotHold }
    }
}

//! Claimed numbers, measured effects and verdicts.

use serde::{Deserialize, Serialize};

use crate::values::inference::fieller::ConfidenceRegion;

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
        #[serde(alias = "max-width")]
        max_width: f64,
    },
    /// Approximately this number. Supported by an interval within `value` ± `within` (equivalence test), refuted by any other
    /// interval that excludes `value`.
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
    },
    /// Less than this number.
    LessThan {
        /// Claimed number.
        value: f64,
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
    /// The games are inconclusive.
    NeedsMoreGames,
}

impl ClaimVerdict {
    pub const fn text(self) -> &'static str {
        match self {
            ClaimVerdict::Holds => "holds",
            ClaimVerdict::DoesNotHold => "does not hold",
            ClaimVerdict::NeedsMoreGames => "needs more games",
        }
    }
}

impl Claimed {
    /// Returns the verdict for a 95% confidence region.
    pub fn verdict(self, region: ConfidenceRegion) -> ClaimVerdict {
        let ConfidenceRegion::Bounded { low, high } = region else {
            return ClaimVerdict::NeedsMoreGames;
        };
        let holds = match self {
            Claimed::Equal { value, max_width } => region.contains(value) && high - low <= max_width,
            Claimed::Near { value, within } => low >= value - within && high <= value + within,
            Claimed::MoreThan { value } => low > value,
            Claimed::LessThan { value } => high < value,
            Claimed::Joint { .. } => false,
        };
        let refuted = match self {
            Claimed::Equal { value, .. } | Claimed::Near { value, .. } => !region.contains(value),
            Claimed::MoreThan { value } => high < value,
            Claimed::LessThan { value } => low > value,
            Claimed::Joint { .. } => false,
        };
        match (holds, refuted) {
            (true, _) => ClaimVerdict::Holds,
            (false, true) => ClaimVerdict::DoesNotHold,
            (false, false) => ClaimVerdict::NeedsMoreGames,
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
    /// Number of games.
    pub games: u64,
}

impl Effect {
    /// Creates an effect from a standard error and the number of clusters, with a t interval.
    pub fn from_error(value: f64, standard_error: f64, clusters: usize, games: u64) -> Effect {
        let critical_value = crate::values::inference::distributions::critical_value(clusters.max(2)) * standard_error;
        Effect {
            value,
            interval: ConfidenceRegion::Bounded {
                low: value - critical_value,
                high: value + critical_value,
            },
            games,
        }
    }
}

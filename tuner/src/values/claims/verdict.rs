//! What is claimed of a number, what was measured, and the verdict.

use serde::{Deserialize, Serialize};

use crate::values::inference::fieller::ConfidenceRegion;

/// What a statement says of the number that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(tag = "shape", rename_all = "kebab-case")]
pub enum Claimed {
    /// It is this number. Supported by an interval that holds it and is no wider than `most_width`, refuted by one that does
    /// not hold it.
    Equal {
        /// The number.
        value: f64,
        /// The widest interval that still says something.
        most_width: f64,
    },
    /// It is about this number. Supported by an interval that lies within so much of it, refuted by one that reaches farther
    /// and does not hold it.
    Near {
        /// The number.
        value: f64,
        /// How far off it may be and still be called the same.
        within: f64,
    },
    /// It is more than this.
    MoreThan {
        /// The number.
        value: f64,
    },
    /// It is less than this.
    LessThan {
        /// The number.
        value: f64,
    },
    /// Several numbers are these, tested together.
    Together {
        /// How many.
        values: usize,
    },
}

/// What the games say of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimVerdict {
    /// The games bear it out.
    Holds,
    /// The games contradict it.
    DoesNotHold,
    /// They do not tell.
    NeedsMoreGames,
}

impl ClaimVerdict {
    /// The verdict in words.
    pub const fn text(self) -> &'static str {
        match self {
            ClaimVerdict::Holds => "holds",
            ClaimVerdict::DoesNotHold => "does not hold",
            ClaimVerdict::NeedsMoreGames => "needs more games",
        }
    }
}

impl Claimed {
    /// The verdict on an interval.
    pub fn judge(self, region: ConfidenceRegion) -> ClaimVerdict {
        let ConfidenceRegion::Bounded { low, high } = region else {
            return ClaimVerdict::NeedsMoreGames;
        };
        let holds = match self {
            Claimed::Equal { value, most_width } => region.contains(value) && high - low <= most_width,
            Claimed::Near { value, within } => low >= value - within && high <= value + within,
            Claimed::MoreThan { value } => low > value,
            Claimed::LessThan { value } => high < value,
            Claimed::Together { .. } => false,
        };
        let refuted = match self {
            Claimed::Equal { value, .. } | Claimed::Near { value, .. } => !region.contains(value),
            Claimed::MoreThan { value } => high < value,
            Claimed::LessThan { value } => low > value,
            Claimed::Together { .. } => false,
        };
        match (holds, refuted) {
            (true, _) => ClaimVerdict::Holds,
            (false, true) => ClaimVerdict::DoesNotHold,
            (false, false) => ClaimVerdict::NeedsMoreGames,
        }
    }
}

/// A number with its region, and the games that it rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// The best estimate.
    pub value: f64,
    /// Its 95% region.
    pub interval: ConfidenceRegion,
    /// Games behind it.
    pub games: u64,
}

impl Effect {
    /// An estimate with a standard error, from so many clusters.
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

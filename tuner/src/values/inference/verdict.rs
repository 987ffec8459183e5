//! Verdict on a measured value beside another one.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use super::Estimate;
#[cfg(doc)]
use super::Fit;

/// Verdict on a measured value beside the published one: on the published scale
/// ([`Fit::published_table`]), or without one in pawns ([`ValueVerdict::of`]); or beside the value by
/// a second method. `Above` and `Below` describe the measured value.
///
/// JSON, Python and reports have these words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum ValueVerdict {
    /// The interval lies within the margin around the published value; in pawns, it contains the
    /// value and is no wider than [`max_width`].
    #[serde(rename = "about the same")]
    Agrees,
    /// The published value is rejected, and the whole interval lies above it.
    #[serde(rename = "more")]
    Above,
    /// The published value is rejected, and the whole interval lies below it.
    #[serde(rename = "less")]
    Below,
    /// Anything else: the interval is unbounded or too wide, or contains a value that a joint test
    /// rejects.
    #[serde(rename = "not clear yet")]
    Inconclusive,
    /// There is no published value.
    #[serde(rename = "no value published")]
    Unpublished,
    /// The value is the unit, 1 by definition.
    #[serde(rename = "unit")]
    Unit,
}

/// Widest interval that supports a published value: a quarter of the value to each side.
pub fn max_width(value: f64) -> f64 {
    value.abs() / 2.0
}

impl ValueVerdict {
    /// Compares the interval of a measured value with the published value. Both are in the same
    /// unit, and the published value is positive.
    ///
    /// An interval that excludes the value rejects it, however wide it is. An interval that
    /// contains the value supports it only if it is no wider than `factor` times [`max_width`]: an
    /// interval from 0.2 to 7 contains 3 and is inconclusive.
    pub fn of(measured: Estimate, published: Option<f64>, factor: f64) -> ValueVerdict {
        let Some(published) = published else {
            return ValueVerdict::Unpublished;
        };
        match measured.interval {
            Some([low, _]) if published < low => ValueVerdict::Above,
            Some([_, high]) if published > high => ValueVerdict::Below,
            Some([low, high]) if high - low <= factor * max_width(published) => ValueVerdict::Agrees,
            _ => ValueVerdict::Inconclusive,
        }
    }
}

impl Display for ValueVerdict {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.serialize(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::ValueVerdict;
    use crate::values::inference::Estimate;

    #[test]
    fn verdict_depends_on_position_and_width_of_the_interval() {
        let interval = |low, high| Some([low, high]);
        let cases = [
            (interval(2.9, 3.4), Some(3.0), ValueVerdict::Agrees),
            (interval(3.1, 3.4), Some(3.0), ValueVerdict::Above),
            (interval(2.0, 2.9), Some(3.0), ValueVerdict::Below),
            (interval(2.4, 4.1), Some(3.0), ValueVerdict::Inconclusive),
            (interval(4.0, 14.0), Some(3.0), ValueVerdict::Above),
            (interval(-9.0, 0.3), Some(0.5), ValueVerdict::Below),
            (interval(0.1, 0.9), Some(0.5), ValueVerdict::Inconclusive),
            (None, Some(3.0), ValueVerdict::Inconclusive),
            (interval(2.9, 3.4), None, ValueVerdict::Unpublished),
        ];
        for (interval, published, expected) in cases {
            let measured = Estimate { value: 3.0, interval };
            assert_eq!(ValueVerdict::of(measured, published, 1.0), expected, "{interval:?} {published:?}");
        }
    }
}

//! What a measurement says of an inventor's value.

use serde::{Deserialize, Serialize};

use crate::values::inference::fieller::ConfidenceRegion;

/// The verdict on one value, read as "the measured value is ...".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueVerdict {
    /// The inventor's value lies in the interval, and the interval is narrow enough for this to mean something.
    Inside,
    /// All of the interval lies above the inventor's value.
    Above,
    /// All of the interval lies below the inventor's value.
    Below,
    /// The inventor's value is not rejected, but the interval is unbounded or wider than that value itself.
    TooWide,
    /// The text gives no value.
    Unpublished,
    /// The value is 1 by definition of the unit.
    Unit,
    /// Games cannot measure it.
    Unmeasurable,
}

impl ValueVerdict {
    /// Compares a region with the inventor's value (both in pawns; the value is positive).
    ///
    /// An interval that excludes the value rejects it, however wide it is. One that includes it supports it only when
    /// it is no wider than the value itself: an interval from 0.2 to 7 contains 3 and says nothing.
    pub fn of(region: ConfidenceRegion, inventor: Option<f64>) -> ValueVerdict {
        let Some(inventor) = inventor else {
            return ValueVerdict::Unpublished;
        };
        match region {
            ConfidenceRegion::Bounded { low, .. } if inventor < low => ValueVerdict::Above,
            ConfidenceRegion::Bounded { high, .. } if inventor > high => ValueVerdict::Below,
            ConfidenceRegion::Bounded { low, high } if high - low <= inventor => ValueVerdict::Inside,
            _ => ValueVerdict::TooWide,
        }
    }

    /// The verdict in words.
    pub const fn text(self) -> &'static str {
        match self {
            ValueVerdict::Inside => "agrees",
            ValueVerdict::Above => "above",
            ValueVerdict::Below => "below",
            ValueVerdict::TooWide => "inconclusive",
            ValueVerdict::Unpublished => "no value published",
            ValueVerdict::Unit => "unit",
            ValueVerdict::Unmeasurable => "not measurable: each side always has one",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ValueVerdict;
    use crate::values::inference::fieller::ConfidenceRegion;

    #[test]
    fn verdicts() {
        let interval = |low, high| ConfidenceRegion::Bounded { low, high };
        let cases = [
            (interval(2.9, 3.4), Some(3.0), ValueVerdict::Inside),
            (interval(3.1, 3.4), Some(3.0), ValueVerdict::Above),
            (interval(2.0, 2.9), Some(3.0), ValueVerdict::Below),
            (interval(1.0, 4.1), Some(3.0), ValueVerdict::TooWide),
            (interval(4.0, 14.0), Some(3.0), ValueVerdict::Above),
            (interval(-9.0, 0.3), Some(0.5), ValueVerdict::Below),
            (interval(0.1, 0.9), Some(0.5), ValueVerdict::TooWide),
            (
                ConfidenceRegion::Complement {
                    below: -4.0,
                    above: 2.0,
                },
                Some(3.0),
                ValueVerdict::TooWide,
            ),
            (ConfidenceRegion::WholeLine, Some(3.0), ValueVerdict::TooWide),
            (interval(2.9, 3.4), None, ValueVerdict::Unpublished),
        ];
        for (region, inventor, expected) in cases {
            assert_eq!(ValueVerdict::of(region, inventor), expected, "{region:?} {inventor:?}");
        }
    }
}

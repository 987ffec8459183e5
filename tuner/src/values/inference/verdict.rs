//! What a measurement says of an inventor's value.

use serde::{Deserialize, Serialize};

use crate::values::inference::fieller::Region;

/// The verdict on one value, read as "the measured value is ...".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The inventor's value lies in the interval, and the interval is narrow enough for this to mean something.
    Inside,
    /// All of the interval lies above the inventor's value.
    Above,
    /// All of the interval lies below the inventor's value.
    Below,
    /// The inventor's value is not rejected, but the interval is unbounded or wider than that value itself.
    TooWide,
    /// The text gives no value.
    NoClaim,
    /// The value is 1 by definition of the unit.
    Unit,
    /// Games cannot measure it.
    Unmeasurable,
}

impl Verdict {
    /// Compares a region with the inventor's value (both in pawns; the value is positive).
    ///
    /// An interval that excludes the value rejects it, however wide it is. One that includes it supports it only when
    /// it is no wider than the value itself: an interval from 0.2 to 7 contains 3 and says nothing.
    pub fn of(region: Region, inventor: Option<f64>) -> Verdict {
        let Some(inventor) = inventor else {
            return Verdict::NoClaim;
        };
        match region {
            Region::Bounded { low, .. } if inventor < low => Verdict::Above,
            Region::Bounded { high, .. } if inventor > high => Verdict::Below,
            Region::Bounded { low, high } if high - low <= inventor => Verdict::Inside,
            _ => Verdict::TooWide,
        }
    }

    /// The verdict in words.
    pub const fn text(self) -> &'static str {
        match self {
            Verdict::Inside => "agrees",
            Verdict::Above => "above",
            Verdict::Below => "below",
            Verdict::TooWide => "inconclusive",
            Verdict::NoClaim => "no value published",
            Verdict::Unit => "unit",
            Verdict::Unmeasurable => "not measurable: each side always has one",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict;
    use crate::values::inference::fieller::Region;

    #[test]
    fn verdicts() {
        let interval = |low, high| Region::Bounded { low, high };
        let cases = [
            (interval(2.9, 3.4), Some(3.0), Verdict::Inside),
            (interval(3.1, 3.4), Some(3.0), Verdict::Above),
            (interval(2.0, 2.9), Some(3.0), Verdict::Below),
            (interval(1.0, 4.1), Some(3.0), Verdict::TooWide),
            (interval(4.0, 14.0), Some(3.0), Verdict::Above),
            (interval(-9.0, 0.3), Some(0.5), Verdict::Below),
            (interval(0.1, 0.9), Some(0.5), Verdict::TooWide),
            (
                Region::Outside {
                    below: -4.0,
                    above: 2.0,
                },
                Some(3.0),
                Verdict::TooWide,
            ),
            (Region::Everything, Some(3.0), Verdict::TooWide),
            (interval(2.9, 3.4), None, Verdict::NoClaim),
        ];
        for (region, inventor, expected) in cases {
            assert_eq!(Verdict::of(region, inventor), expected, "{region:?} {inventor:?}");
        }
    }
}

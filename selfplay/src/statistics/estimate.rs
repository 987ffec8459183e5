//! A number with its interval.

use std::fmt::{self, Formatter};

use assay_cli::format::decimals;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::range;

/// A number with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Point estimate; infinite if all games were won or lost.
    pub value: f64,
    /// Lower and upper end of the 95% confidence interval; `None` if it is unbounded. One end of an
    /// infinite number is finite.
    pub interval: Option<[f64; 2]>,
}

impl<'de> Deserialize<'de> for Estimate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Estimate, D::Error> {
        deserializer.deserialize_map(InItsInterval)
    }
}

/// Checks an estimate while it is read: only then does an error have its place.
struct InItsInterval;

impl<'de> Visitor<'de> for InItsInterval {
    type Value = Estimate;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number with its interval")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Estimate, A::Error> {
        #[derive(Deserialize)]
        struct Fields {
            #[serde(deserialize_with = "range::any")]
            value: f64,
            #[serde(deserialize_with = "range::any")]
            interval: Option<[f64; 2]>,
        }

        let Fields { value, interval } = Fields::deserialize(MapAccessDeserializer::new(fields))?;
        match interval {
            Some([low, high]) if !(low..=high).contains(&value) => {
                Err(Error::custom(format_args!("found {value}, expected a number in its interval, {low} to {high}")))
            }
            _ => Ok(Estimate { value, interval }),
        }
    }
}

impl Estimate {
    /// A number with the interval around it of this half-width.
    pub fn around(value: f64, half_width: f64) -> Estimate {
        Estimate { value, interval: Some([value - half_width, value + half_width]) }
    }

    /// Lower and upper end, infinite where there is no bound.
    pub fn bounds(&self) -> [f64; 2] {
        self.interval.unwrap_or([f64::NEG_INFINITY, f64::INFINITY])
    }

    /// Lower end, number, upper end, infinite where there is no bound.
    pub fn all_ends(&self) -> (f64, f64, f64) {
        let [low, high] = self.bounds();
        (low, self.value, high)
    }

    /// Lower end, number, upper end; `None` if the interval is unbounded.
    pub fn ends(&self) -> Option<(f64, f64, f64)> {
        self.interval.map(|[low, high]| (low, self.value, high))
    }

    /// Returns true if the interval contains the number.
    pub fn contains(&self, number: f64) -> bool {
        self.interval.is_none_or(|[low, high]| (low..=high).contains(&number))
    }

    /// Upper end minus lower end; `None` if the interval is unbounded.
    pub fn width(&self) -> Option<f64> {
        self.interval.map(|[low, high]| high - low)
    }

    /// Half of the [`Estimate::width`].
    pub fn half_width(&self) -> Option<f64> {
        self.width().map(|width| width / 2.0)
    }

    /// The estimate of an increasing function of the number; `None` if the interval is unbounded.
    pub fn map(&self, function: impl Fn(f64) -> f64) -> Option<Estimate> {
        let interval = Some(self.interval?.map(&function));
        Some(Estimate { value: function(self.value), interval })
    }

    /// Difference of two independent estimates by the method of variance estimates recovery (MOVER;
    /// Zou and Donner 2008); `None` if an interval is unbounded.
    ///
    /// A limit of the difference is as far from it as the root of the sum of the squared distances
    /// from each estimate to the limit that it comes from. Fieller's intervals are asymmetric and
    /// wide where the denominator is uncertain; standard errors by the delta method, the
    /// alternative, are too small there.
    pub fn minus(&self, other: &Estimate) -> Option<Estimate> {
        let negated = Estimate { value: -other.value, interval: other.interval.map(|[low, high]| [-high, -low]) };
        self.plus(&negated)
    }

    /// Sum of two independent estimates, as [`Estimate::minus`].
    pub fn plus(&self, other: &Estimate) -> Option<Estimate> {
        let ([low, high], [other_low, other_high]) = (self.interval?, other.interval?);
        let value = self.value + other.value;
        let below = (self.value - low).hypot(other.value - other_low);
        let above = (high - self.value).hypot(other_high - other.value);
        Some(Estimate { value, interval: Some([value - below, value + above]) })
    }

    /// The number and half the width of its interval, as in `8.69 +/- 27.04`; `0.00 +/- -` if the
    /// interval is unbounded. If only one end is finite: `190.85 (>= 20.00)`, or `>= 75.49` if the
    /// number is infinite, too.
    pub fn with_error(&self) -> String {
        let value = decimals(self.value, 2);
        let [low, high] = self.bounds();
        let bound = match (low.is_finite(), high.is_finite()) {
            (true, true) => return format!("{value} +/- {}", decimals((high - low) / 2.0, 2)),
            (false, false) => return format!("{value} +/- -"),
            (true, false) => format!(">= {}", decimals(low, 2)),
            (false, true) => format!("<= {}", decimals(high, 2)),
        };
        if self.value.is_finite() { format!("{value} ({bound})") } else { bound }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinite_bounds_are_no_numbers() {
        let text = |value, low, high| Estimate { value, interval: Some([low, high]) }.with_error();
        assert_eq!(text(8.694, -18.346, 35.734), "8.69 +/- 27.04");
        assert_eq!(text(-0.001, -1.0, 1.0), "0.00 +/- 1.00");
        let (below, above) = (f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(text(190.85, 20.0, above), "190.85 (>= 20.00)");
        assert_eq!(text(below, below, -75.49), "<= -75.49");
        assert_eq!(text(0.0, below, above), "0.00 +/- -");
        let bounded_below = Estimate { value: above, interval: Some([75.5, above]) };
        let json = serde_json::to_value(bounded_below).unwrap();
        assert_eq!(json, serde_json::json!({"value": null, "interval": [75.5, null]}));
    }
}

//! Confidence intervals.

use assay_cli::format::decimals;
use serde::Serialize;

/// The two-sided 95% quantile of the standard normal distribution.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// An estimate with its 95% confidence interval. Infinite numbers are `null` in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ConfidenceInterval {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl ConfidenceInterval {
    /// Half the width of the interval: the number after `+/-`.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// The estimate and half the width of its interval, as in `8.69 +/- 27.04`; `0.00 +/- -` if the
    /// interval is unbounded. If only one bound is finite: `190.85 (>= 20.00)`, or `>= 75.49` if
    /// the estimate is infinite, too.
    pub fn with_error(&self) -> String {
        let value = decimals(self.value, 2);
        let bound = match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) => return format!("{value} +/- {}", decimals(self.half_width(), 2)),
            (false, false) => return format!("{value} +/- -"),
            (true, false) => format!(">= {}", decimals(self.low, 2)),
            (false, true) => format!("<= {}", decimals(self.high, 2)),
        };
        if self.value.is_finite() { format!("{value} ({bound})") } else { bound }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinite_bounds_are_no_numbers() {
        let text = |value, low, high| ConfidenceInterval { value, low, high }.with_error();
        assert_eq!(text(8.694, -18.346, 35.734), "8.69 +/- 27.04");
        assert_eq!(text(-0.001, -1.0, 1.0), "0.00 +/- 1.00");
        let (below, above) = (f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(text(190.85, 20.0, above), "190.85 (>= 20.00)");
        assert_eq!(text(below, below, -75.49), "<= -75.49");
        assert_eq!(text(0.0, below, above), "0.00 +/- -");
        let unbounded = ConfidenceInterval { value: 0.0, low: below, high: above };
        let json = serde_json::to_value(unbounded).unwrap();
        assert_eq!(json, serde_json::json!({"value": 0.0, "low": null, "high": null}));
    }
}

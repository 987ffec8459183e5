//! Means and confidence intervals.

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

/// A mean with its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mean {
    pub mean: f64,
    /// `None` with fewer than two clusters.
    pub standard_error: Option<f64>,
}

impl Mean {
    /// The mean with its cluster-robust (sandwich) standard error with the correction CR2 (Bell and
    /// McCaffrey 2002), from the sum and the number of values of each cluster; `None` without
    /// values.
    pub fn clustered(clusters: &[(f64, f64)]) -> Option<Mean> {
        let count: f64 = clusters.iter().map(|(_, values)| values).sum();
        if count == 0.0 {
            return None;
        }
        let mean = clusters.iter().map(|(sum, _)| sum).sum::<f64>() / count;
        let errors = clusters.iter().map(|&(sum, values)| cluster_error(sum, values, mean, count));
        let variance: f64 = errors.map(|error| error.powi(2)).sum();
        let standard_error = (clusters.len() > 1).then(|| variance.sqrt());
        Some(Mean { mean, standard_error })
    }

    /// Half the width of the 95% confidence interval.
    pub fn half_width(&self) -> Option<f64> {
        self.standard_error.map(|error| Z95 * error)
    }
}

/// What a cluster with this sum and number of values adds to the error of the mean of `count`
/// values. The mean follows the cluster's own values, so what is left of them is too small by the
/// root of the others' share; nothing is left if there are no others.
pub fn cluster_error(sum: f64, values: f64, mean: f64, count: f64) -> f64 {
    let others = 1.0 - values / count;
    if others > 0.0 { (sum - mean * values) / (count * others.sqrt()) } else { 0.0 }
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

    #[test]
    fn means_are_clustered() {
        // Two openings; White wins both games of the first and none of the second: two
        // observations, not four.
        let mean = Mean::clustered(&[(2.0, 2.0), (0.0, 2.0)]).unwrap();
        assert!((mean.mean - 0.5).abs() < 1e-12);
        assert!((mean.standard_error.unwrap() - 0.5).abs() < 1e-12);
        assert!((mean.half_width().unwrap() - 0.98).abs() < 1e-4);
        assert!(Mean::clustered(&[]).is_none());
        assert!(Mean::clustered(&[(1.0, 1.0)]).unwrap().standard_error.is_none());
    }
}

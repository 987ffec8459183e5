//! Fieller's confidence region for a ratio of two estimates (Fieller 1954).
//!
//! A piece's value is its coefficient divided by the pawn's. Both are estimates, and the delta method fails if the denominator is
//! not far from zero. Fieller's region contains all ratios `r` for which `numerator - r * denominator` does not differ
//! significantly from zero. If the denominator itself does not differ significantly from zero, the region is unbounded.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

/// Confidence region of a number.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(tag = "shape", rename_all = "kebab-case")]
pub enum ConfidenceRegion {
    /// An interval.
    Bounded {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// All numbers outside an open interval.
    Complement {
        /// Lower end of the excluded interval.
        below: f64,
        /// Upper end of the excluded interval.
        above: f64,
    },
    /// All numbers: the data do not restrict the ratio.
    WholeLine,
}

/// Estimates of a numerator and a denominator with their covariance.
///
/// ```
/// use assay_tuner::values::inference::fieller::{ConfidenceRegion, RatioEstimate};
///
/// let knight = RatioEstimate {
///     numerator: 3.0,
///     denominator: 1.0,
///     numerator_variance: 0.04,
///     denominator_variance: 0.01,
///     covariance: 0.0,
/// };
/// let ConfidenceRegion::Bounded { low, high } = knight.fieller_region(1.96) else {
///     panic!("the denominator differs significantly from zero");
/// };
/// assert!((low - 2.3893).abs() < 1e-4 && (high - 3.8504).abs() < 1e-4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatioEstimate {
    pub numerator: f64,
    pub denominator: f64,
    pub numerator_variance: f64,
    pub denominator_variance: f64,
    /// Covariance of numerator and denominator.
    pub covariance: f64,
}

impl RatioEstimate {
    /// Ratio of two linear combinations (contrasts) of coefficients with this covariance.
    pub fn of_contrasts(
        above: &DVector<f64>,
        below: &DVector<f64>,
        coefficients: &DVector<f64>,
        covariance: &DMatrix<f64>,
    ) -> RatioEstimate {
        let (covariance_above, covariance_below) = (covariance * above, covariance * below);
        RatioEstimate {
            numerator: above.dot(coefficients),
            denominator: below.dot(coefficients),
            numerator_variance: above.dot(&covariance_above),
            denominator_variance: below.dot(&covariance_below),
            covariance: above.dot(&covariance_below),
        }
    }

    /// Numerator over denominator.
    pub fn estimate(&self) -> f64 {
        self.numerator / self.denominator
    }

    /// Standard error of the ratio by the delta method.
    pub fn delta_method_standard_error(&self) -> f64 {
        let ratio = self.estimate();
        let variance =
            self.numerator_variance - 2.0 * ratio * self.covariance + ratio * ratio * self.denominator_variance;
        variance.max(0.0).sqrt() / self.denominator.abs()
    }

    /// Fieller's region, given the critical value of the t statistic.
    pub fn fieller_region(&self, critical_value: f64) -> ConfidenceRegion {
        // (n - r d)^2 <= t^2 (Vn - 2 r C + r^2 Vd) is  a r^2 - 2 b r + c <= 0.
        let square = critical_value * critical_value;
        let a = self.denominator * self.denominator - square * self.denominator_variance;
        let b = self.numerator * self.denominator - square * self.covariance;
        let c = self.numerator * self.numerator - square * self.numerator_variance;
        let discriminant = b * b - a * c;
        if a > 0.0 {
            // The estimate itself always satisfies the inequality, so only rounding makes this negative.
            let root = discriminant.max(0.0).sqrt();
            ConfidenceRegion::Bounded {
                low: (b - root) / a,
                high: (b + root) / a,
            }
        } else if discriminant > 0.0 && a < 0.0 {
            let root = discriminant.sqrt();
            ConfidenceRegion::Complement {
                below: (b + root) / a,
                above: (b - root) / a,
            }
        } else {
            ConfidenceRegion::WholeLine
        }
    }
}

impl ConfidenceRegion {
    /// Returns true if the region contains the ratio.
    pub fn contains(&self, ratio: f64) -> bool {
        match *self {
            ConfidenceRegion::Bounded { low, high } => (low..=high).contains(&ratio),
            ConfidenceRegion::Complement { below, above } => ratio <= below || ratio >= above,
            ConfidenceRegion::WholeLine => true,
        }
    }

    /// Upper end minus lower end; `None` if the region is unbounded.
    pub fn width(&self) -> Option<f64> {
        match *self {
            ConfidenceRegion::Bounded { low, high } => Some(high - low),
            ConfidenceRegion::Complement { .. } | ConfidenceRegion::WholeLine => None,
        }
    }
}

/// A number with its confidence region.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct IntervalEstimate {
    /// Point estimate.
    pub value: f64,
    /// 95% confidence region.
    pub interval: ConfidenceRegion,
}

impl IntervalEstimate {
    /// A ratio with Fieller's region; `critical_value` is that of the t statistic.
    pub fn of_ratio(ratio: RatioEstimate, critical_value: f64) -> IntervalEstimate {
        IntervalEstimate {
            value: ratio.estimate(),
            interval: ratio.fieller_region(critical_value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ConfidenceRegion, RatioEstimate};

    const CRITICAL_VALUE: f64 = 1.96;

    fn ratio(numerator: f64, denominator: f64, variances: (f64, f64), covariance: f64) -> RatioEstimate {
        RatioEstimate {
            numerator,
            denominator,
            numerator_variance: variances.0,
            denominator_variance: variances.1,
            covariance,
        }
    }

    /// Returns true if a t test rejects the ratio.
    fn rejected(ratio: &RatioEstimate, r: f64) -> bool {
        let difference = ratio.numerator - r * ratio.denominator;
        let variance = ratio.numerator_variance - 2.0 * r * ratio.covariance + r * r * ratio.denominator_variance;
        difference * difference > CRITICAL_VALUE * CRITICAL_VALUE * variance
    }

    #[test]
    fn region_contains_exactly_the_ratios_not_rejected() {
        let cases = [
            (ratio(3.0, 1.0, (0.04, 0.01), 0.005), "bounded"),
            (ratio(-3.0, 1.0, (0.04, 0.01), -0.005), "bounded"),
            (ratio(3.0, 0.1, (0.04, 0.01), 0.0), "outside"),
            (ratio(0.1, 0.1, (0.04, 0.01), 0.0), "everything"),
        ];
        for (ratio, expected) in cases {
            let region = ratio.fieller_region(CRITICAL_VALUE);
            let shape = match region {
                ConfidenceRegion::Bounded { .. } => "bounded",
                ConfidenceRegion::Complement { .. } => "outside",
                ConfidenceRegion::WholeLine => "everything",
            };
            assert_eq!(shape, expected, "{ratio:?}");
            for step in -4000..=4000 {
                let r = f64::from(step) * 0.0173;
                assert_eq!(region.contains(r), !rejected(&ratio, r), "{ratio:?} at {r}");
            }
        }
    }

    #[test]
    fn exact_denominator_gives_symmetric_interval() {
        let ConfidenceRegion::Bounded { low, high } = ratio(6.0, 2.0, (0.04, 0.0), 0.0).fieller_region(CRITICAL_VALUE)
        else {
            panic!("bounded");
        };
        assert!(
            (low - (3.0 - CRITICAL_VALUE * 0.1)).abs() < 1e-12 && (high - (3.0 + CRITICAL_VALUE * 0.1)).abs() < 1e-12
        );
    }

    #[test]
    fn proportional_numerator_gives_exact_ratio() {
        // The numerator is a multiple of the denominator, errors included, so the ratio is known exactly.
        let ConfidenceRegion::Bounded { low, high } =
            ratio(3.0, 1.0, (0.09, 0.01), 0.03).fieller_region(CRITICAL_VALUE)
        else {
            panic!("bounded");
        };
        assert!((low - 3.0).abs() < 1e-6 && (high - 3.0).abs() < 1e-6);
    }
}

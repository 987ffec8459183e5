//! Fieller's confidence region for a ratio of two estimates (Fieller 1954).
//!
//! A piece's value is its coefficient divided by the pawn's. Both are estimates, and the delta
//! method fails if the denominator is not far from zero. Fieller's region contains all ratios `r`
//! for which `numerator - r * denominator` does not differ significantly from zero. If the
//! denominator itself does not differ significantly from zero, the region is unbounded.

use nalgebra::{Matrix2, Vector2};
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

/// Fieller's region of a numerator divided by a denominator, from both numbers and their
/// covariance. `critical_value` is that of the t statistic.
///
/// ```
/// use assay_tuner::values::inference::fieller::{ConfidenceRegion, ratio_region};
/// use nalgebra::Matrix2;
///
/// let knight = ratio_region([3.0, 1.0], Matrix2::new(0.04, 0.0, 0.0, 0.01), 1.96);
/// let ConfidenceRegion::Bounded { low, high } = knight else {
///     panic!("the denominator differs significantly from zero");
/// };
/// assert!((low - 2.3893).abs() < 1e-4 && (high - 3.8504).abs() < 1e-4);
/// ```
pub fn ratio_region(numbers: [f64; 2], covariance: Matrix2<f64>, critical_value: f64) -> ConfidenceRegion {
    // (n - r d)^2 <= t^2 (Vn - 2 r C + r^2 Vd) is  a r^2 - 2 b r + c <= 0.
    let numbers = Vector2::from(numbers);
    let form = numbers * numbers.transpose() - critical_value * critical_value * covariance;
    let (a, b, c) = (form[(1, 1)], form[(0, 1)], form[(0, 0)]);
    let discriminant = b * b - a * c;
    if a > 0.0 {
        // The estimate itself always satisfies the inequality, so only rounding makes this
        // negative.
        let root = discriminant.max(0.0).sqrt();
        ConfidenceRegion::between((b - root) / a, (b + root) / a)
    } else if discriminant > 0.0 && a < 0.0 {
        let root = discriminant.sqrt();
        ConfidenceRegion::Complement { below: (b + root) / a, above: (b - root) / a }
    } else {
        ConfidenceRegion::WholeLine
    }
}

impl ConfidenceRegion {
    /// The interval with these ends.
    pub const fn between(low: f64, high: f64) -> ConfidenceRegion {
        ConfidenceRegion::Bounded { low, high }
    }

    /// The interval around a number with this half-width.
    pub fn around(value: f64, half_width: f64) -> ConfidenceRegion {
        ConfidenceRegion::between(value - half_width, value + half_width)
    }

    /// Returns true if the region contains the ratio.
    pub fn contains(&self, ratio: f64) -> bool {
        match *self {
            ConfidenceRegion::Bounded { low, high } => (low..=high).contains(&ratio),
            ConfidenceRegion::Complement { below, above } => ratio <= below || ratio >= above,
            ConfidenceRegion::WholeLine => true,
        }
    }

    /// Lower and upper end; `None` if the region is unbounded.
    pub fn ends(&self) -> Option<[f64; 2]> {
        match *self {
            ConfidenceRegion::Bounded { low, high } => Some([low, high]),
            ConfidenceRegion::Complement { .. } | ConfidenceRegion::WholeLine => None,
        }
    }

    /// Upper end minus lower end; `None` if the region is unbounded.
    pub fn width(&self) -> Option<f64> {
        self.ends().map(|[low, high]| high - low)
    }

    /// Half of the [`ConfidenceRegion::width`].
    pub fn half_width(&self) -> Option<f64> {
        self.width().map(|width| width / 2.0)
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
    /// A number with the interval around it of this half-width.
    pub fn around(value: f64, half_width: f64) -> IntervalEstimate {
        let interval = ConfidenceRegion::around(value, half_width);
        IntervalEstimate { value, interval }
    }

    /// Lower end, number, upper end; `None` if the region is unbounded.
    pub fn ends(&self) -> Option<(f64, f64, f64)> {
        self.interval.ends().map(|[low, high]| (low, self.value, high))
    }

    /// The estimate of an increasing function of the number; `None` if the region is unbounded.
    pub fn map(&self, function: impl Fn(f64) -> f64) -> Option<IntervalEstimate> {
        let [low, high] = self.interval.ends()?.map(&function);
        let interval = ConfidenceRegion::between(low, high);
        Some(IntervalEstimate { value: function(self.value), interval })
    }

    /// Difference of two independent estimates by the method of variance estimates recovery (MOVER;
    /// Zou and Donner 2008); `None` if an interval is unbounded.
    ///
    /// A limit of the difference is as far from it as the root of the sum of the squared distances
    /// from each estimate to the limit that it comes from. Fieller's intervals are asymmetric and
    /// wide where the denominator is uncertain; standard errors by the delta method, the
    /// alternative, are too small there.
    pub fn minus(&self, other: &IntervalEstimate) -> Option<IntervalEstimate> {
        let ([low, high], [other_low, other_high]) = (self.interval.ends()?, other.interval.ends()?);
        let value = self.value - other.value;
        let below = (self.value - low).hypot(other_high - other.value);
        let above = (high - self.value).hypot(other.value - other_low);
        let interval = ConfidenceRegion::between(value - below, value + above);
        Some(IntervalEstimate { value, interval })
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix2, Vector2};

    use super::{ConfidenceRegion, ratio_region};

    const CRITICAL_VALUE: f64 = 1.96;

    type Ratio = ([f64; 2], Matrix2<f64>);

    fn ratio(numerator: f64, denominator: f64, variances: (f64, f64), covariance: f64) -> Ratio {
        let covariance = Matrix2::new(variances.0, covariance, covariance, variances.1);
        ([numerator, denominator], covariance)
    }

    fn region((numbers, covariance): Ratio) -> ConfidenceRegion {
        ratio_region(numbers, covariance, CRITICAL_VALUE)
    }

    /// Returns true if a t test rejects the ratio.
    fn rejected((numbers, covariance): Ratio, r: f64) -> bool {
        let contrast = Vector2::new(1.0, -r);
        let difference = contrast.dot(&Vector2::from(numbers));
        difference * difference > CRITICAL_VALUE * CRITICAL_VALUE * contrast.dot(&(covariance * contrast))
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
            let region = region(ratio);
            let shape = match region {
                ConfidenceRegion::Bounded { .. } => "bounded",
                ConfidenceRegion::Complement { .. } => "outside",
                ConfidenceRegion::WholeLine => "everything",
            };
            assert_eq!(shape, expected, "{ratio:?}");
            for step in -4000..=4000 {
                let r = f64::from(step) * 0.0173;
                assert_eq!(region.contains(r), !rejected(ratio, r), "{ratio:?} at {r}");
            }
        }
    }

    #[test]
    fn exact_denominator_gives_symmetric_interval() {
        let ConfidenceRegion::Bounded { low, high } = region(ratio(6.0, 2.0, (0.04, 0.0), 0.0)) else {
            panic!("bounded");
        };
        assert!(
            (low - (3.0 - CRITICAL_VALUE * 0.1)).abs() < 1e-12 && (high - (3.0 + CRITICAL_VALUE * 0.1)).abs() < 1e-12
        );
    }

    #[test]
    fn proportional_numerator_gives_exact_ratio() {
        // The numerator is a multiple of the denominator, errors included, so the ratio is known
        // exactly.
        let ConfidenceRegion::Bounded { low, high } = region(ratio(3.0, 1.0, (0.09, 0.01), 0.03)) else {
            panic!("bounded");
        };
        assert!((low - 3.0).abs() < 1e-6 && (high - 3.0).abs() < 1e-6);
    }
}

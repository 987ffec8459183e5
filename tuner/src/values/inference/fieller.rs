//! Fieller's interval for a ratio of two estimates.
//!
//! A piece's value is its coefficient divided by the pawn's. Both are uncertain, and where the pawn's own interval
//! comes near zero no symmetric interval is honest. Fieller's region is all ratios `r` for which `numerator - r *
//! denominator` does not differ significantly from zero. When the denominator itself may be zero the region is
//! unbounded, and it is said so.

use serde::{Deserialize, Serialize};

/// All ratios that the data do not reject.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(tag = "shape", rename_all = "kebab-case")]
pub enum ConfidenceRegion {
    /// An interval.
    Bounded {
        /// Its lower end.
        low: f64,
        /// Its upper end.
        high: f64,
    },
    /// Everything but an open interval.
    Complement {
        /// The region goes from minus infinity to here,
        below: f64,
        /// and from here to infinity.
        above: f64,
    },
    /// Every number: the data say nothing about the ratio.
    WholeLine,
}

/// Two estimates and their covariance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatioEstimate {
    /// The estimate above the line.
    pub numerator: f64,
    /// The estimate below the line.
    pub denominator: f64,
    /// The variance of the numerator.
    pub numerator_variance: f64,
    /// The variance of the denominator.
    pub denominator_variance: f64,
    /// The covariance of the two.
    pub covariance: f64,
}

impl RatioEstimate {
    /// The estimated ratio.
    pub fn estimate(&self) -> f64 {
        self.numerator / self.denominator
    }

    /// The region for an interval that reaches `reach` standard errors to each side.
    pub fn region(&self, critical_value: f64) -> ConfidenceRegion {
        // (n - r d)^2 <= reach^2 (Vn - 2 r C + r^2 Vd) is  a r^2 - 2 b r + c <= 0.
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
    /// Is a ratio in the region?
    pub fn contains(&self, ratio: f64) -> bool {
        match *self {
            ConfidenceRegion::Bounded { low, high } => (low..=high).contains(&ratio),
            ConfidenceRegion::Complement { below, above } => ratio <= below || ratio >= above,
            ConfidenceRegion::WholeLine => true,
        }
    }

    /// Upper end minus lower end; `None` when unbounded.
    pub fn width(&self) -> Option<f64> {
        match *self {
            ConfidenceRegion::Bounded { low, high } => Some(high - low),
            ConfidenceRegion::Complement { .. } | ConfidenceRegion::WholeLine => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ConfidenceRegion, RatioEstimate};

    const REACH: f64 = 1.96;

    fn ratio(numerator: f64, denominator: f64, variances: (f64, f64), covariance: f64) -> RatioEstimate {
        RatioEstimate {
            numerator,
            denominator,
            numerator_variance: variances.0,
            denominator_variance: variances.1,
            covariance,
        }
    }

    /// Is the ratio rejected, by the definition of the region?
    fn rejected(ratio: &RatioEstimate, r: f64) -> bool {
        let difference = ratio.numerator - r * ratio.denominator;
        let variance = ratio.numerator_variance - 2.0 * r * ratio.covariance + r * r * ratio.denominator_variance;
        difference * difference > REACH * REACH * variance
    }

    #[test]
    fn regions_are_exactly_the_ratios_that_are_not_rejected() {
        let cases = [
            (ratio(3.0, 1.0, (0.04, 0.01), 0.005), "bounded"),
            (ratio(-3.0, 1.0, (0.04, 0.01), -0.005), "bounded"),
            (ratio(3.0, 0.1, (0.04, 0.01), 0.0), "outside"),
            (ratio(0.1, 0.1, (0.04, 0.01), 0.0), "everything"),
        ];
        for (ratio, expected) in cases {
            let region = ratio.region(REACH);
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
    fn an_exact_denominator_gives_the_ordinary_interval() {
        let ConfidenceRegion::Bounded { low, high } = ratio(6.0, 2.0, (0.04, 0.0), 0.0).region(REACH) else {
            panic!("bounded");
        };
        assert!((low - (3.0 - REACH * 0.1)).abs() < 1e-12 && (high - (3.0 + REACH * 0.1)).abs() < 1e-12);
    }

    #[test]
    fn the_inventor_agrees_with_himself() {
        // A ratio whose numerator is a multiple of its denominator, errors included, is known exactly.
        let ConfidenceRegion::Bounded { low, high } = ratio(3.0, 1.0, (0.09, 0.01), 0.03).region(REACH) else {
            panic!("bounded");
        };
        assert!((low - 3.0).abs() < 1e-6 && (high - 3.0).abs() < 1e-6);
    }
}

//! Fieller's confidence interval for a ratio of two estimates (Fieller 1954).
//!
//! A piece's value is its coefficient divided by the pawn's. Both are estimates, and the delta
//! method fails if the denominator is not far from zero. Fieller's interval contains all ratios `r`
//! for which `numerator - r * denominator` does not differ significantly from zero. If the
//! denominator itself does not differ significantly from zero, it is unbounded.

use nalgebra::{Matrix2, Vector2};

/// Fieller's interval of a numerator divided by a denominator, from both numbers and their
/// covariance; `None` if it is unbounded. `critical_value` belongs to the t statistic.
///
/// ```
/// use assay_tuner::values::inference::fieller::ratio_interval;
/// use nalgebra::Matrix2;
///
/// let knight = ratio_interval([3.0, 1.0], Matrix2::new(0.04, 0.0, 0.0, 0.01), 1.96);
/// let [low, high] = knight.expect("the denominator differs significantly from zero");
/// assert!((low - 2.3893).abs() < 1e-4 && (high - 3.8504).abs() < 1e-4);
/// ```
pub fn ratio_interval(numbers: [f64; 2], covariance: Matrix2<f64>, critical_value: f64) -> Option<[f64; 2]> {
    // (n - r d)^2 <= t^2 (Vn - 2 r C + r^2 Vd) is  a r^2 - 2 b r + c <= 0.
    let numbers = Vector2::from(numbers);
    let form = numbers * numbers.transpose() - critical_value * critical_value * covariance;
    let (a, b, c) = (form[(1, 1)], form[(0, 1)], form[(0, 0)]);
    // The estimate itself always satisfies the inequality, so only rounding makes the discriminant
    // negative.
    let root = (b * b - a * c).max(0.0).sqrt();
    (a > 0.0).then(|| [(b - root) / a, (b + root) / a])
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix2, Vector2};

    use super::ratio_interval;

    const CRITICAL_VALUE: f64 = 1.96;

    type Ratio = ([f64; 2], Matrix2<f64>);

    fn ratio(numerator: f64, denominator: f64, variances: (f64, f64), covariance: f64) -> Ratio {
        let covariance = Matrix2::new(variances.0, covariance, covariance, variances.1);
        ([numerator, denominator], covariance)
    }

    fn interval((numbers, covariance): Ratio) -> Option<[f64; 2]> {
        ratio_interval(numbers, covariance, CRITICAL_VALUE)
    }

    /// Returns true if a t test rejects the ratio.
    fn rejected((numbers, covariance): Ratio, r: f64) -> bool {
        let contrast = Vector2::new(1.0, -r);
        let difference = contrast.dot(&Vector2::from(numbers));
        difference * difference > CRITICAL_VALUE * CRITICAL_VALUE * contrast.dot(&(covariance * contrast))
    }

    #[test]
    fn interval_contains_exactly_the_ratios_not_rejected() {
        let cases = [
            (ratio(3.0, 1.0, (0.04, 0.01), 0.005), true),
            (ratio(-3.0, 1.0, (0.04, 0.01), -0.005), true),
            // All ratios outside of an interval, and all ratios.
            (ratio(3.0, 0.1, (0.04, 0.01), 0.0), false),
            (ratio(0.1, 0.1, (0.04, 0.01), 0.0), false),
        ];
        for (ratio, is_bounded) in cases {
            let interval = interval(ratio);
            assert_eq!(interval.is_some(), is_bounded, "{ratio:?}");
            let Some([low, high]) = interval else {
                assert!(!rejected(ratio, 1e9) && !rejected(ratio, -1e9), "{ratio:?}");
                continue;
            };
            for step in -4000..=4000 {
                let r = f64::from(step) * 0.0173;
                assert_eq!((low..=high).contains(&r), !rejected(ratio, r), "{ratio:?} at {r}");
            }
        }
    }

    #[test]
    fn exact_denominator_gives_symmetric_interval() {
        let [low, high] = interval(ratio(6.0, 2.0, (0.04, 0.0), 0.0)).unwrap();
        assert!(
            (low - (3.0 - CRITICAL_VALUE * 0.1)).abs() < 1e-12 && (high - (3.0 + CRITICAL_VALUE * 0.1)).abs() < 1e-12
        );
    }

    #[test]
    fn proportional_numerator_gives_exact_ratio() {
        // The numerator is a multiple of the denominator, errors included, so the ratio is known
        // exactly.
        let [low, high] = interval(ratio(3.0, 1.0, (0.09, 0.01), 0.03)).unwrap();
        assert!((low - 3.0).abs() < 1e-6 && (high - 3.0).abs() < 1e-6);
    }
}

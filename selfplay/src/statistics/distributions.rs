//! Critical values and tail probabilities of the t and F distributions.

use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor, Normal, StudentsT};

/// Confidence level of all intervals.
pub const CONFIDENCE_LEVEL: f64 = 0.95;

/// The two-sided 95% quantile of the standard normal distribution.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// Degrees of freedom above which the quantile comes from an expansion around the normal
/// distribution, which is then exact to seven digits. The library's search for it is off by 3.5e-5
/// for a million clusters, and does not end for very many.
const LARGE_SAMPLE: f64 = 10_000.0;

/// Half-width of a two-sided interval of [`CONFIDENCE_LEVEL`] in standard errors, if the errors are
/// estimated from `clusters` clusters: a quantile of Student's t with `clusters - 1` degrees of
/// freedom.
///
/// ```
/// use assay_selfplay::statistics::critical_value;
///
/// assert!((critical_value(11) - 2.228).abs() < 1e-3);
/// assert!((critical_value(100_000) - 1.960).abs() < 1e-3);
/// ```
///
/// # Panics
/// If there are fewer than two clusters.
pub fn critical_value(clusters: usize) -> f64 {
    assert!(clusters >= 2, "a standard error needs at least two clusters");
    t_critical_value(clusters as f64 - 1.0, CONFIDENCE_LEVEL)
}

/// Half-width of a two-sided interval in standard errors: a quantile of Student's t with these
/// degrees of freedom.
///
/// # Panics
/// If the degrees of freedom are not positive.
pub fn t_critical_value(degrees_of_freedom: f64, confidence: f64) -> f64 {
    let probability = f64::midpoint(1.0, confidence);
    if degrees_of_freedom > LARGE_SAMPLE {
        // The first terms of the expansion in the degrees of freedom (Fisher and Cornish 1960).
        let z = Normal::standard().inverse_cdf(probability);
        return z + (z.powi(3) + z) / (4.0 * degrees_of_freedom);
    }
    let student = StudentsT::new(0.0, 1.0, degrees_of_freedom).expect("the degrees of freedom are positive");
    student.inverse_cdf(probability)
}

/// Normal quantile of two-sided tests, so that among `tests` true hypotheses one or more is
/// rejected with a probability of 5% (Bonferroni): 1.96 for one test.
pub fn normal_critical_value(tests: usize) -> f64 {
    Normal::standard().inverse_cdf(1.0 - (1.0 - CONFIDENCE_LEVEL) / 2.0 / tests.max(1) as f64)
}

/// Wilson's interval for a proportion (Wilson 1927): `hits` of `trials`, `critical_value` standard
/// errors to each side.
pub fn wilson_interval(hits: f64, trials: f64, critical_value: f64) -> [f64; 2] {
    let square = critical_value * critical_value;
    let share = hits / trials;
    let center = (share + square / (2.0 * trials)) / (1.0 + square / trials);
    let half_width = critical_value / (1.0 + square / trials)
        * (share * (1.0 - share) / trials + square / (4.0 * trials * trials)).sqrt();
    [center - half_width, center + half_width]
}

/// p-values corrected for the number of tests, so that the probability of any false rejection at a
/// level is at most this level, however the tests depend on each other (Holm 1979).
///
/// ```
/// use assay_selfplay::statistics::holm;
///
/// assert_eq!(holm(&[0.01, 0.04, 0.5, 0.03]), [0.04, 0.09, 0.5, 0.09]);
/// ```
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&one, &other| p_values[one].total_cmp(&p_values[other]));
    let mut corrected = vec![1.0; p_values.len()];
    let mut most = 0.0_f64;
    for (rank, &index) in order.iter().enumerate() {
        most = most.max(p_values[index] * (p_values.len() - rank) as f64).min(1.0);
        corrected[index] = most;
    }
    corrected
}

/// Probability that an F statistic with these degrees of freedom exceeds `value`.
///
/// # Panics
/// If a number of degrees of freedom is not positive.
pub fn f_survival(value: f64, numerator: usize, denominator: f64) -> f64 {
    let value = value.max(0.0);
    // The library's F distribution is 0 or 1 for very many degrees of freedom.
    if denominator > 1e6 {
        let limit = ChiSquared::new(numerator as f64).expect("the degrees of freedom are positive");
        return limit.sf(value * numerator as f64);
    }
    let fisher = FisherSnedecor::new(numerator as f64, denominator).expect("the degrees of freedom are positive");
    fisher.sf(value)
}

#[cfg(test)]
mod tests {
    use super::{critical_value, f_survival, wilson_interval};

    #[test]
    fn wilson_interval_is_that_of_the_literature() {
        // Newcombe 1998, table I: 81 of 263 and 0 of 20.
        let [low, high] = wilson_interval(81.0, 263.0, 1.959_964);
        assert!((low - 0.2553).abs() < 1e-4 && (high - 0.3662).abs() < 1e-4);
        let [low, high] = wilson_interval(0.0, 20.0, 1.959_964);
        assert!(low.abs() < 1e-9 && (high - 0.1611).abs() < 1e-4);
    }

    #[test]
    fn critical_values_match_tables() {
        assert!((critical_value(2) - 12.706_205).abs() < 1e-5);
        assert!((critical_value(11) - 2.228_139).abs() < 1e-5);
        assert!((critical_value(10_001) - 1.960_201).abs() < 1e-5);
        let step = critical_value(10_000) - critical_value(10_001);
        assert!(step.abs() < 1e-6, "{step:e}");
        assert!((critical_value(usize::MAX) - 1.959_964).abs() < 1e-6);
    }

    #[test]
    fn f_survival_matches_tables() {
        // F(0.95; 3, 10) = 3.7083.
        assert!((f_survival(3.708_265, 3, 10.0) - 0.05).abs() < 1e-6);
        // A chi-squared distribution in the limit, also where the number of clusters is unknown and
        // taken as infinite.
        for denominator in [1e7, 1e19, f64::INFINITY] {
            assert!((f_survival(2.604_909, 3, denominator) - 0.05).abs() < 1e-5, "{denominator}");
        }
    }
}

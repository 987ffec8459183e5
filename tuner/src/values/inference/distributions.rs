//! Quantiles and tail probabilities.

use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor, StudentsT};

/// The confidence level of all intervals.
pub const LEVEL: f64 = 0.95;

/// How many standard errors a two-sided interval of [`LEVEL`] reaches, for errors estimated from `clusters` clusters
/// (Student's t with one degree of freedom less; 1.96 for many).
///
/// # Panics
/// With fewer than two clusters.
pub fn critical_value(clusters: usize) -> f64 {
    assert!(clusters >= 2, "one cluster says nothing about its own spread");
    let student = StudentsT::new(0.0, 1.0, clusters as f64 - 1.0).expect("the degrees of freedom are positive");
    student.inverse_cdf(f64::midpoint(1.0, LEVEL))
}

/// The probability that an F statistic exceeds `value`.
///
/// # Panics
/// When a number of degrees of freedom is 0.
pub fn f_tail(value: f64, numerator: usize, denominator: usize) -> f64 {
    let fisher =
        FisherSnedecor::new(numerator as f64, denominator as f64).expect("the degrees of freedom are positive");
    fisher.sf(value.max(0.0))
}

/// Below this number a chi-square statistic lies with the given probability.
///
/// # Panics
/// When the number of degrees of freedom is 0.
pub fn chi_square(probability: f64, degrees_of_freedom: usize) -> f64 {
    let distribution = ChiSquared::new(degrees_of_freedom as f64).expect("the degrees of freedom are positive");
    distribution.inverse_cdf(probability)
}

#[cfg(test)]
mod tests {
    use super::{chi_square, critical_value, f_tail};

    #[test]
    fn quantiles_of_chi_square_are_those_of_the_tables() {
        assert!((chi_square(0.95, 23) - 35.172_462).abs() < 1e-4);
        assert!((chi_square(0.025, 3) - 0.215_795).abs() < 1e-4);
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        assert!((critical_value(2) - 12.706_205).abs() < 1e-5);
        assert!((critical_value(11) - 2.228_139).abs() < 1e-5);
        assert!((critical_value(10_001) - 1.960_201).abs() < 1e-5);
    }

    #[test]
    fn tail_of_f_is_that_of_the_tables() {
        // F(0.95; 3, 10) = 3.7083.
        assert!((f_tail(3.708_265, 3, 10) - 0.05).abs() < 1e-6);
    }
}

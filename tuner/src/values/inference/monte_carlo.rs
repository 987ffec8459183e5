//! Monte Carlo error of a measured coverage.

use serde::Serialize;

use super::distributions::normal_critical_value;

/// Coverage that is acceptable for 95% intervals: the asymptotic methods are not exact.
pub const ACCEPTABLE_COVERAGE: [f64; 2] = [0.93, 0.97];

/// Coverage that a check must be able to detect.
const POOR_COVERAGE: f64 = 0.90;

/// Outcome of a check of coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoverageVerdict {
    /// No coverage differs from the acceptable range by more than its Monte Carlo error.
    Passed,
    /// Too few intervals to detect a coverage of 0.90.
    Undecided,
    /// A coverage differs from the acceptable range by more than its Monte Carlo error.
    Failed,
}

/// Wilson's interval for a proportion (Wilson 1927): `hits` of `trials`, `critical_value` standard errors to each side.
pub fn wilson_interval(hits: f64, trials: f64, critical_value: f64) -> [f64; 2] {
    let square = critical_value * critical_value;
    let share = hits / trials;
    let center = (share + square / (2.0 * trials)) / (1.0 + square / trials);
    let half_width = critical_value / (1.0 + square / trials)
        * (share * (1.0 - share) / trials + square / (4.0 * trials * trials)).sqrt();
    [center - half_width, center + half_width]
}

/// Returns true if no share, each of `trials` independent cases, differs from the acceptable range by more than its Monte Carlo error.
pub fn are_acceptable(shares: &[f64], [lowest, highest]: [f64; 2], trials: f64) -> bool {
    let critical_value = normal_critical_value(shares.len());
    shares.iter().all(|share| {
        let [low, high] = wilson_interval(share * trials, trials, critical_value);
        low <= highest && high >= lowest
    })
}

/// Judges coverages, each with the Monte Carlo error of `trials` independent intervals.
pub fn judge(coverages: &[f64], trials: f64) -> CoverageVerdict {
    if !are_acceptable(coverages, ACCEPTABLE_COVERAGE, trials) {
        CoverageVerdict::Failed
    } else if trials < 1.0
        || wilson_interval(0.95 * trials, trials, normal_critical_value(coverages.len()))[0] < POOR_COVERAGE
    {
        CoverageVerdict::Undecided
    } else {
        CoverageVerdict::Passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_interval_is_that_of_the_literature() {
        // Newcombe 1998, table I: 81 of 263 and 0 of 20.
        let [low, high] = wilson_interval(81.0, 263.0, 1.959_964);
        assert!((low - 0.2553).abs() < 1e-4 && (high - 0.3662).abs() < 1e-4);
        let [low, high] = wilson_interval(0.0, 20.0, 1.959_964);
        assert!(low.abs() < 1e-9 && (high - 0.1611).abs() < 1e-4);
    }

    #[test]
    fn verdicts_allow_for_the_number_of_intervals() {
        let judge = |coverage: f64, trials| judge(&[0.95, coverage], trials);
        assert_eq!(judge(0.91, 2_000.0), CoverageVerdict::Failed);
        assert_eq!(judge(0.99, 2_000.0), CoverageVerdict::Failed);
        assert_eq!(judge(0.928, 2_000.0), CoverageVerdict::Passed);
        assert_eq!(judge(0.91, 300.0), CoverageVerdict::Passed);
        assert_eq!(judge(1.0, 4.0), CoverageVerdict::Undecided);
        assert_eq!(judge(0.0, 4.0), CoverageVerdict::Failed);
    }
}

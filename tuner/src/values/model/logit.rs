//! The ordered logit, or proportional odds model (McCullagh 1980): ordered results of a game as
//! intervals of one latent scale.
//!
//! `P(score <= s_j) = logistic(t_j - z)`, where `z` is the linear predictor of the row. Draws, and
//! the advantages of games with five results, are the intervals between thresholds `t_j`, so their
//! frequencies are estimated with the values instead of being assumed.
//!
//! **Thresholds are symmetric**: `t_j = -t_(last - j)`. Every column of `z` changes its sign when the colors are exchanged, except the
//! constant for playing White, so symmetric thresholds say that exchanging the colors exchanges the results and that the advantage of the
//! first move is a shift of `z`. With three results this assumes nothing: the constant and one threshold are equivalent to two free
//! thresholds. With five results it is one assumption that saves one parameter.
//!
//! The log-likelihood of a result between the thresholds `l` and `u` (both less `z`) is
//! `ln(1 - e^(l - u)) + ln logistic(u) + ln logistic(-l)`. The first term does not depend on `z`,
//! and the whole is concave in all parameters (Pratt 1981), so there is one maximum.
//!
//! **The fractional logit** (Papke and Wooldridge 1996) is the same model with the two outcomes 0 and 1: a score between them counts as so
//! much of a win and the rest of a loss. This is a quasi-likelihood: it is consistent if the *mean* score is right, whatever the share of
//! draws and whether the game has three results or five. The variance of a score is not `p (1 - p)`, which invalidates likelihood-based
//! errors but not [`ModelFit::robust_covariance`](super::ModelFit::robust_covariance). Dropping draws, or splitting each into half a win
//! and half a loss in independent rows, would bias the estimate or its error.

use std::collections::BTreeSet;

use nalgebra::DVector;

use super::FitError;
use crate::values::design::{DesignMatrix, DesignRow};

/// Beginning of the name of a threshold.
pub(in crate::values) const THRESHOLD: &str = "threshold to ";

/// Maximum number of thresholds of a model.
pub(super) const MAX_THRESHOLDS: usize = 2;

/// Log-likelihood of one result, and its derivatives with respect to the log-odds `z` and the
/// thresholds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointLikelihood {
    /// Log-likelihood in nats.
    pub log_likelihood: f64,
    /// First derivative with respect to `z`.
    pub slope: f64,
    /// Negative second derivative with respect to `z`.
    pub curvature: f64,
    /// First derivatives with respect to the thresholds.
    pub threshold_slope: [f64; MAX_THRESHOLDS],
    /// Negative mixed second derivatives with respect to `z` and each threshold.
    pub cross_curvature: [f64; MAX_THRESHOLDS],
    /// Negative second derivatives with respect to pairs of thresholds.
    pub threshold_curvature: [[f64; MAX_THRESHOLDS]; MAX_THRESHOLDS],
}

/// A regression of results on the columns of a design matrix: one coefficient for each column, then
/// the thresholds.
#[derive(Clone, Debug, PartialEq)]
pub struct Logit {
    /// White's possible scores, ascending and symmetric about 1/2.
    levels: Vec<f64>,
}

impl Logit {
    /// The model's name in reports.
    pub const NAME: &'static str = "proportional odds regression";

    /// The fractional logit.
    pub fn fractional() -> Logit {
        Logit { levels: vec![0.0, 1.0] }
    }

    /// The model for the results that occur in a design matrix, and for their mirror images.
    pub fn of(design: &DesignMatrix) -> Logit {
        Logit::of_scores(design.rows().map(|row| row.observation.score))
    }

    /// The model for results with these scores of White, and for their mirror images.
    pub fn of_scores(scores: impl IntoIterator<Item = f64>) -> Logit {
        let quarters = scores.into_iter().map(|score| ((score * 4.0).round() as u8).min(4));
        // Fitting rejects data without decisive games; the model always has both ends.
        let both = quarters.flat_map(|quarter| [quarter, 4 - quarter]).chain([0, 4]);
        let both: BTreeSet<u8> = both.collect();
        Logit { levels: both.into_iter().map(|quarter| f64::from(quarter) / 4.0).collect() }
    }

    /// Index of a threshold's parameter, counted from the innermost threshold, and its sign.
    /// Threshold `j` lies above level `j`. With an even number of levels the middle threshold is
    /// zero and has no parameter.
    fn parameter(&self, threshold: usize) -> Option<(usize, f64)> {
        let last = self.levels.len() - 2;
        let (from_middle, sign) =
            if 2 * threshold > last { (2 * threshold - last, 1.0) } else { (last - 2 * threshold, -1.0) };
        // Distances from the middle are 0, 2, 4 for an odd number of thresholds and 1, 3 for an
        // even number.
        match (from_middle, last % 2) {
            (0, _) => None,
            (distance, 0) => Some((distance / 2 - 1, sign)),
            (distance, _) => Some((distance / 2, sign)),
        }
    }

    fn threshold(&self, threshold: usize, thresholds: &[f64]) -> f64 {
        self.parameter(threshold).map_or(0.0, |(index, sign)| sign * thresholds[index])
    }

    fn level(&self, score: f64) -> Option<usize> {
        self.levels.iter().position(|level| (level - score).abs() < 0.1)
    }

    /// The levels above the thresholds that are parameters, at most two.
    fn upper_levels(&self) -> &[f64] {
        &self.levels[self.levels.len() - (self.levels.len() - 1) / 2..]
    }

    /// The thresholds among the parameters, which end with them.
    pub fn thresholds<'p>(&self, parameters: &'p DVector<f64>) -> &'p [f64] {
        &parameters.as_slice()[parameters.len() - self.upper_levels().len()..]
    }

    /// Names of the thresholds that are parameters, at most two.
    pub fn threshold_names(&self) -> Vec<String> {
        let levels = self.upper_levels().iter();
        levels.map(|level| format!("{THRESHOLD}{level}")).collect()
    }

    /// Names of all parameters: the columns, then the thresholds.
    pub fn parameter_names(&self, design: &DesignMatrix) -> Vec<String> {
        [design.columns(), &self.threshold_names()].concat()
    }

    /// Thresholds that fit the distribution of results when all coefficients are zero.
    ///
    /// # Errors
    /// If the results do not determine one of them.
    pub(super) fn initial_thresholds(&self, design: &DesignMatrix) -> Result<Vec<f64>, FitError> {
        let total = design.total_weight();
        let mut start = Vec::new();
        for &level in self.upper_levels() {
            // Share of results closer to 1/2 than the level above this threshold.
            let nearer = design
                .rows()
                .filter(|row| (row.observation.score - 0.5).abs() < level - 0.5 - 0.1)
                .map(|row| row.observation.weight)
                .sum::<f64>();
            let share = nearer / total;
            let before = start.last().copied().unwrap_or(0.0);
            let threshold = ((1.0 + share) / (1.0 - share)).ln();
            if !threshold.is_finite() || threshold <= before {
                return Err(FitError::NoThreshold { level });
            }
            start.push(threshold);
        }
        Ok(start)
    }

    /// Returns true if the thresholds are in order.
    pub(super) fn is_feasible(&self, parameters: &DVector<f64>) -> bool {
        let thresholds = self.thresholds(parameters);
        thresholds.first().is_none_or(|&lowest| lowest > 0.0) && thresholds.is_sorted_by(|one, other| one < other)
    }

    /// The likelihood of the result of a row.
    pub fn at_row(&self, row: &DesignRow, parameters: &DVector<f64>) -> PointLikelihood {
        self.at(row.dot(parameters), self.thresholds(parameters), row.observation.score)
    }

    /// Log-likelihood of White's `score` (0 to 1 point) at the given log-odds.
    pub fn at(&self, log_odds: f64, thresholds: &[f64], score: f64) -> PointLikelihood {
        if let [_, _] = *self.levels {
            return PointLikelihood {
                log_likelihood: score * log_logistic(log_odds) + (1.0 - score) * log_logistic(-log_odds),
                slope: score - logistic(log_odds),
                curvature: logistic_density(log_odds),
                ..PointLikelihood::default()
            };
        }
        let Some(level) = self.level(score) else {
            return PointLikelihood { log_likelihood: f64::NEG_INFINITY, ..PointLikelihood::default() };
        };
        let mut point = PointLikelihood::default();
        let upper = (level + 1 < self.levels.len()).then_some(level);
        let lower = level.checked_sub(1);
        if let Some(threshold) = upper {
            let u = self.threshold(threshold, thresholds) - log_odds;
            point.log_likelihood += log_logistic(u);
            point.add(self.parameter(threshold), logistic(-u), logistic_density(u));
        }
        if let Some(threshold) = lower {
            let l = self.threshold(threshold, thresholds) - log_odds;
            point.log_likelihood += log_logistic(-l);
            point.add(self.parameter(threshold), -logistic(l), logistic_density(l));
        }
        if let (Some(upper), Some(lower)) = (upper, lower) {
            let width = self.threshold(upper, thresholds) - self.threshold(lower, thresholds);
            point.log_likelihood += (-(-width).exp_m1()).ln();
            let grown = width.exp_m1();
            // First and negative second derivative of ln(1 - e^-w).
            let (first, second) = (1.0 / grown, (1.0 + grown) / (grown * grown));
            let mut weights = [0.0; MAX_THRESHOLDS];
            for (threshold, side) in [(upper, 1.0), (lower, -1.0)] {
                if let Some((index, sign)) = self.parameter(threshold) {
                    weights[index] += side * sign;
                }
            }
            for (row, one) in weights.iter().enumerate() {
                point.threshold_slope[row] += first * one;
                for (column, other) in weights.iter().enumerate() {
                    point.threshold_curvature[row][column] += second * one * other;
                }
            }
        }
        point
    }

    /// White's expected score in points, 0 to 1, at the given log-odds.
    pub fn expected(&self, log_odds: f64, thresholds: &[f64]) -> f64 {
        // Sum over thresholds of the step in score times the probability of a result above the
        // threshold.
        (0..self.levels.len() - 1)
            .map(|threshold| {
                let step = self.levels[threshold + 1] - self.levels[threshold];
                step * logistic(log_odds - self.threshold(threshold, thresholds))
            })
            .sum()
    }
}

impl PointLikelihood {
    /// Adds the first and the negative second derivative of a term that depends on
    /// `threshold - log_odds` alone.
    fn add(&mut self, parameter: Option<(usize, f64)>, first: f64, second: f64) {
        self.slope -= first;
        self.curvature += second;
        if let Some((index, sign)) = parameter {
            self.threshold_slope[index] += sign * first;
            self.cross_curvature[index] -= sign * second;
            self.threshold_curvature[index][index] += second;
        }
    }
}

/// Cumulative distribution function of the logistic distribution: the probability with the given
/// log-odds.
///
/// ```
/// use assay_tuner::values::model::logistic;
///
/// assert_eq!(logistic(0.0), 0.5);
/// assert!((logistic(3f64.ln()) - 0.75).abs() < 1e-15);
/// ```
pub fn logistic(log_odds: f64) -> f64 {
    if log_odds >= 0.0 {
        1.0 / (1.0 + (-log_odds).exp())
    } else {
        let odds = log_odds.exp();
        odds / (1.0 + odds)
    }
}

/// Density of the logistic distribution.
fn logistic_density(log_odds: f64) -> f64 {
    let odds = (-log_odds.abs()).exp();
    odds / ((1.0 + odds) * (1.0 + odds))
}

/// Natural logarithm of [`logistic`].
fn log_logistic(log_odds: f64) -> f64 {
    log_odds.min(0.0) - (-log_odds.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::Logit;
    use crate::values::model::PointLikelihood;

    fn models() -> Vec<(Logit, Vec<f64>)> {
        let levels = |levels: &[f64]| Logit { levels: levels.to_vec() };
        vec![
            (levels(&[0.0, 1.0]), vec![]),
            (levels(&[0.0, 0.5, 1.0]), vec![0.7]),
            (levels(&[0.0, 0.25, 0.75, 1.0]), vec![0.7]),
            (levels(&[0.0, 0.25, 0.5, 0.75, 1.0]), vec![0.4, 1.1]),
        ]
    }

    #[test]
    fn probabilities_sum_to_one_and_give_the_expected_score() {
        for (model, thresholds) in models() {
            assert_eq!(model.threshold_names().len(), thresholds.len());
            for z in [-3.0, -0.2, 0.0, 1.7] {
                let shares =
                    model.levels.iter().map(|&level| (level, model.at(z, &thresholds, level).log_likelihood.exp()));
                let (sum, mean) =
                    shares.fold((0.0, 0.0), |(sum, mean), (level, share)| (sum + share, mean + level * share));
                assert!((sum - 1.0).abs() < 1e-12, "{model:?} at {z}: {sum}");
                assert!((mean - model.expected(z, &thresholds)).abs() < 1e-12, "{model:?} at {z}");
            }
            assert!((model.expected(0.0, &thresholds) - 0.5).abs() < 1e-12, "colors are symmetric");
        }
    }

    #[test]
    fn derivatives_match_finite_differences() {
        const STEP: f64 = 1e-6;
        for (model, thresholds) in models() {
            for &level in &model.levels {
                for z in [-1.3, 0.0, 0.6] {
                    let at = |dz: f64, by: Option<usize>, d: f64| -> PointLikelihood {
                        let mut moved = thresholds.clone();
                        if let Some(index) = by {
                            moved[index] += d;
                        }
                        model.at(z + dz, &moved, level)
                    };
                    let here = at(0.0, None, 0.0);
                    let near = |found: f64, expected: f64, what: &str| {
                        assert!(
                            (found - expected).abs() < 1e-6 * (1.0 + expected.abs()),
                            "{model:?} level {level} z {z} {what}: {found}, expected {expected}"
                        );
                    };
                    let (up, down) = (at(STEP, None, 0.0), at(-STEP, None, 0.0));
                    near(here.slope, (up.log_likelihood - down.log_likelihood) / (2.0 * STEP), "slope");
                    near(here.curvature, (down.slope - up.slope) / (2.0 * STEP), "curvature");
                    for index in 0..thresholds.len() {
                        let (up, down) = (at(0.0, Some(index), STEP), at(0.0, Some(index), -STEP));
                        let slope = (up.log_likelihood - down.log_likelihood) / (2.0 * STEP);
                        near(here.threshold_slope[index], slope, "thresholds slope");
                        near(here.cross_curvature[index], (down.slope - up.slope) / (2.0 * STEP), "cross");
                        for other in 0..thresholds.len() {
                            let curvature = (down.threshold_slope[other] - up.threshold_slope[other]) / (2.0 * STEP);
                            near(here.threshold_curvature[index][other], curvature, "thresholds curvature");
                        }
                    }
                }
            }
        }
    }
}

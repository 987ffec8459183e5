//! Proportional odds (McCullagh 1980): ordered results of a game as intervals of one latent scale.
//!
//! `P(score <= s_j) = logistic(t_j - z)`, where `z` is the linear predictor of the row. Draws, and the advantages of games with five
//! results, are the intervals between thresholds `t_j`, so their frequencies are estimated with the values instead of being assumed.
//!
//! **Thresholds are symmetric**: `t_j = -t_(last - j)`. Every column of `z` changes its sign when the colors are exchanged, except the constant
//! for playing White, so symmetric thresholds say that exchanging the colors exchanges the results and that the advantage of the first move
//! is a shift of `z`. With three results this assumes nothing: the constant and one threshold are equivalent to two free thresholds. With
//! five results it is one assumption that saves one parameter.
//!
//! The log-likelihood of a result between the thresholds `l` and `u` (both less `z`) is
//! `ln(1 - e^(l - u)) + ln logistic(u) + ln logistic(-l)`. The first term does not depend on `z`, and the whole is concave in all
//! parameters (Pratt 1981), so there is one maximum.

use super::logistic::{log_logistic, logistic, logistic_density};
use super::{FitError, MAX_NUISANCE, PointLikelihood, RegressionModel};
use crate::values::design::matrix::DesignMatrix;
use crate::values::fit::THRESHOLD;

/// The proportional odds model for a set of results.
#[derive(Clone, Debug, PartialEq)]
pub struct ProportionalOdds {
    /// White's possible scores, ascending and symmetric about 1/2.
    levels: Vec<f64>,
}

impl ProportionalOdds {
    /// The model for the results that occur in a design matrix, and for their mirror images.
    pub fn of(design: &DesignMatrix) -> ProportionalOdds {
        ProportionalOdds::of_scores(design.rows().map(|row| row.observation.score))
    }

    /// The model for results with these scores of White, and for their mirror images.
    pub fn of_scores(scores: impl IntoIterator<Item = f64>) -> ProportionalOdds {
        let mut seen = [false; 5];
        for score in scores {
            let quarter = quarters(score).min(4);
            seen[quarter] = true;
            seen[4 - quarter] = true;
        }
        // Fitting rejects data without decisive games; the model always has both ends.
        seen[0] = true;
        seen[4] = true;
        ProportionalOdds {
            levels: (0_u8..5)
                .filter(|&quarter| seen[usize::from(quarter)])
                .map(|quarter| f64::from(quarter) / 4.0)
                .collect(),
        }
    }

    /// White's possible scores, ascending.
    pub fn levels(&self) -> &[f64] {
        &self.levels
    }

    /// Index of a threshold's nuisance parameter, counted from the innermost threshold, and its sign. Threshold `j` lies above level `j`.
    /// With an even number of levels the middle threshold is zero and has no parameter.
    fn parameter(&self, threshold: usize) -> Option<(usize, f64)> {
        let last = self.levels.len() - 2;
        let (from_middle, sign) = if 2 * threshold > last {
            (2 * threshold - last, 1.0)
        } else {
            (last - 2 * threshold, -1.0)
        };
        // Distances from the middle are 0, 2, 4 for an odd number of thresholds and 1, 3 for an even number.
        match (from_middle, last % 2) {
            (0, _) => None,
            (distance, 0) => Some((distance / 2 - 1, sign)),
            (distance, _) => Some((distance / 2, sign)),
        }
    }

    fn threshold(&self, threshold: usize, nuisance: &[f64]) -> f64 {
        self.parameter(threshold)
            .map_or(0.0, |(index, sign)| sign * nuisance[index])
    }

    fn level(&self, score: f64) -> Option<usize> {
        self.levels.iter().position(|level| (level - score).abs() < 0.1)
    }
}

fn quarters(score: f64) -> usize {
    (score * 4.0).round() as usize
}

impl RegressionModel for ProportionalOdds {
    fn name(&self) -> &'static str {
        "proportional odds regression"
    }

    fn nuisance_names(&self) -> Vec<String> {
        let count = (self.levels.len() - 1) / 2;
        let above: Vec<f64> = self.levels.iter().rev().take(count).rev().copied().collect();
        above.into_iter().map(|level| format!("{THRESHOLD}{level}")).collect()
    }

    fn initial_nuisance(&self, design: &DesignMatrix) -> Result<Vec<f64>, FitError> {
        let total = design.total_weight();
        let count = (self.levels.len() - 1) / 2;
        let mut start = Vec::with_capacity(count);
        for index in 0..count {
            // Share of results closer to 1/2 than the level above this threshold.
            let level = self.levels[self.levels.len() - count + index];
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

    fn is_feasible(&self, nuisance: &[f64]) -> bool {
        let mut before = 0.0;
        nuisance.iter().all(|&threshold| {
            let above = threshold > before;
            before = threshold;
            above
        })
    }

    fn at(&self, log_odds: f64, nuisance: &[f64], score: f64) -> PointLikelihood {
        let Some(level) = self.level(score) else {
            return PointLikelihood {
                log_likelihood: f64::NEG_INFINITY,
                ..PointLikelihood::default()
            };
        };
        let mut point = PointLikelihood::default();
        let upper = (level + 1 < self.levels.len()).then_some(level);
        let lower = level.checked_sub(1);
        if let Some(threshold) = upper {
            let u = self.threshold(threshold, nuisance) - log_odds;
            point.log_likelihood += log_logistic(u);
            point.add(self.parameter(threshold), logistic(-u), logistic_density(u));
        }
        if let Some(threshold) = lower {
            let l = self.threshold(threshold, nuisance) - log_odds;
            point.log_likelihood += log_logistic(-l);
            point.add(self.parameter(threshold), -logistic(l), logistic_density(l));
        }
        if let (Some(upper), Some(lower)) = (upper, lower) {
            let width = self.threshold(upper, nuisance) - self.threshold(lower, nuisance);
            point.log_likelihood += (-(-width).exp_m1()).ln();
            let grown = width.exp_m1();
            // First and negative second derivative of ln(1 - e^-w).
            let (first, second) = (1.0 / grown, (1.0 + grown) / (grown * grown));
            let mut weights = [0.0; MAX_NUISANCE];
            for (threshold, side) in [(upper, 1.0), (lower, -1.0)] {
                if let Some((index, sign)) = self.parameter(threshold) {
                    weights[index] += side * sign;
                }
            }
            for (row, one) in weights.iter().enumerate() {
                point.nuisance_slope[row] += first * one;
                for (column, other) in weights.iter().enumerate() {
                    point.nuisance_curvature[row][column] += second * one * other;
                }
            }
        }
        point
    }

    fn expected(&self, log_odds: f64, nuisance: &[f64]) -> f64 {
        // Sum over thresholds of the step in score times the probability of a result above the threshold.
        (0..self.levels.len() - 1)
            .map(|threshold| {
                let step = self.levels[threshold + 1] - self.levels[threshold];
                step * logistic(log_odds - self.threshold(threshold, nuisance))
            })
            .sum()
    }
}

impl PointLikelihood {
    /// Adds the first and the negative second derivative of a term that depends on `threshold - log_odds` alone.
    fn add(&mut self, parameter: Option<(usize, f64)>, first: f64, second: f64) {
        self.slope -= first;
        self.curvature += second;
        if let Some((index, sign)) = parameter {
            self.nuisance_slope[index] += sign * first;
            self.cross_curvature[index] -= sign * second;
            self.nuisance_curvature[index][index] += second;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ProportionalOdds;
    use crate::values::model::{PointLikelihood, RegressionModel};

    fn models() -> Vec<(ProportionalOdds, Vec<f64>)> {
        let levels = |levels: &[f64]| ProportionalOdds {
            levels: levels.to_vec(),
        };
        vec![
            (levels(&[0.0, 1.0]), vec![]),
            (levels(&[0.0, 0.5, 1.0]), vec![0.7]),
            (levels(&[0.0, 0.25, 0.75, 1.0]), vec![0.7]),
            (levels(&[0.0, 0.25, 0.5, 0.75, 1.0]), vec![0.4, 1.1]),
        ]
    }

    #[test]
    fn probabilities_sum_to_one_and_give_the_expected_score() {
        for (model, nuisance) in models() {
            assert_eq!(model.nuisance_names().len(), nuisance.len());
            for z in [-3.0, -0.2, 0.0, 1.7] {
                let shares = model
                    .levels
                    .iter()
                    .map(|&level| (level, model.at(z, &nuisance, level).log_likelihood.exp()));
                let (sum, mean) = shares.fold((0.0, 0.0), |(sum, mean), (level, share)| {
                    (sum + share, mean + level * share)
                });
                assert!((sum - 1.0).abs() < 1e-12, "{model:?} at {z}: {sum}");
                assert!((mean - model.expected(z, &nuisance)).abs() < 1e-12, "{model:?} at {z}");
            }
            assert!(
                (model.expected(0.0, &nuisance) - 0.5).abs() < 1e-12,
                "colors are symmetric"
            );
        }
    }

    #[test]
    fn derivatives_match_finite_differences() {
        const STEP: f64 = 1e-6;
        for (model, nuisance) in models() {
            for &level in &model.levels {
                for z in [-1.3, 0.0, 0.6] {
                    let at = |dz: f64, by: Option<usize>, d: f64| -> PointLikelihood {
                        let mut moved = nuisance.clone();
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
                    near(
                        here.slope,
                        (up.log_likelihood - down.log_likelihood) / (2.0 * STEP),
                        "slope",
                    );
                    near(here.curvature, (down.slope - up.slope) / (2.0 * STEP), "curvature");
                    for index in 0..nuisance.len() {
                        let (up, down) = (at(0.0, Some(index), STEP), at(0.0, Some(index), -STEP));
                        let slope = (up.log_likelihood - down.log_likelihood) / (2.0 * STEP);
                        near(here.nuisance_slope[index], slope, "nuisance slope");
                        near(
                            here.cross_curvature[index],
                            (down.slope - up.slope) / (2.0 * STEP),
                            "cross",
                        );
                        for other in 0..nuisance.len() {
                            let curvature = (down.nuisance_slope[other] - up.nuisance_slope[other]) / (2.0 * STEP);
                            near(here.nuisance_curvature[index][other], curvature, "nuisance curvature");
                        }
                    }
                }
            }
        }
    }
}

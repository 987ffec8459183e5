//! Maximum-likelihood estimation of a multinomial distribution under a constraint on its Elo.
//!
//! Given scores `a` and observed frequencies `f`, find the probabilities `p` that maximize the log-likelihood, the sum of
//! `f ln p`, subject to a constraint. For a fixed mean, Lagrange's condition gives `p = f / (1 + theta g)` with
//! `g = a - mean`, where the multiplier `theta` makes the sum of `p g` zero. A fixed t-value, the distance of the mean from
//! one half in standard deviations, is not linear in `p`: there the constraint is linearized at the current `p`, which gives
//! another `g`, and the step is repeated until `p` converges.
//!
//! Source: M. Van den Bergh, <http://hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf> (fixed mean) and
//! <http://hardy.uhasselt.be/Fishtest/normalized_elo_practical.pdf> (fixed t-value).

/// Limit on the iterations for a fixed t-value; three or four are usual.
const MAX_ITERATIONS: usize = 50;

/// The iteration stops when no probability changes by more than this.
const TOLERANCE: f64 = 1e-10;

/// The maximum-likelihood estimate among distributions with this mean. Frequencies must be positive and add up to 1; the
/// mean must lie within the range of the scores.
pub fn with_mean(scores: &[f64], frequencies: &[f64], mean: f64) -> Vec<f64> {
    let gradient: Vec<f64> = scores.iter().map(|score| score - mean).collect();
    with_linear_constraint(frequencies, &gradient)
}

/// The maximum-likelihood estimate among distributions whose mean is `t_value` of their own standard deviations above one
/// half. Frequencies must be positive and add up to 1.
pub fn with_t_value(scores: &[f64], frequencies: &[f64], t_value: f64) -> Vec<f64> {
    let mut estimate = frequencies.to_vec();
    for _ in 0..MAX_ITERATIONS {
        let mean: f64 = scores.iter().zip(&estimate).map(|(score, p)| score * p).sum();
        let variance: f64 = scores
            .iter()
            .zip(&estimate)
            .map(|(score, p)| (score - mean).powi(2) * p)
            .sum();
        let sigma = variance.sqrt();
        // Derivative of the constraint `mean - 0.5 - t_value * sigma` with respect to `p`, plus the constant that makes the
        // sum of `p g` equal to the constraint itself.
        let gradient: Vec<f64> = scores
            .iter()
            .map(|score| score - 0.5 - t_value * sigma * (1.0 + ((score - mean) / sigma).powi(2)) / 2.0)
            .collect();
        let next = with_linear_constraint(frequencies, &gradient);
        let change = estimate
            .iter()
            .zip(&next)
            .map(|(p, q)| (p - q).abs())
            .fold(0.0, f64::max);
        estimate = next;
        if change < TOLERANCE {
            break;
        }
    }
    estimate
}

/// Maximizes the sum of `f ln p` subject to `sum of p g = 0`. The gradient `g` must have entries of both signs.
fn with_linear_constraint(frequencies: &[f64], gradient: &[f64]) -> Vec<f64> {
    let theta = lagrange_multiplier(frequencies, gradient);
    frequencies
        .iter()
        .zip(gradient)
        .map(|(f, g)| f / (1.0 + theta * g))
        .collect()
}

/// The root of `sum of f g / (1 + theta g)`, which falls from plus to minus infinity between its two innermost poles:
/// Newton's method, with bisection where a step would leave the bracket.
fn lagrange_multiplier(frequencies: &[f64], gradient: &[f64]) -> f64 {
    let max = gradient.iter().copied().fold(f64::MIN, f64::max);
    let min = gradient.iter().copied().fold(f64::MAX, f64::min);
    let (mut low, mut high) = (-1.0 / max, -1.0 / min);
    let mut theta = 0.0;
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (f, g) in frequencies.iter().zip(gradient) {
            let ratio = g / (1.0 + theta * g);
            value += f * ratio;
            slope -= f * ratio * ratio;
        }
        if value > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta - value / slope;
        let next = if newton > low && newton < high {
            newton
        } else {
            f64::midpoint(low, high)
        };
        let converged = (next - theta).abs() <= 1e-13 * theta.abs().max(1.0);
        theta = next;
        if converged {
            break;
        }
    }
    theta
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    fn moments(estimate: &[f64]) -> (f64, f64, f64) {
        let total = estimate.iter().sum();
        let mean: f64 = SCORES.iter().zip(estimate).map(|(score, p)| score * p).sum();
        let variance: f64 = SCORES
            .iter()
            .zip(estimate)
            .map(|(score, p)| (score - mean).powi(2) * p)
            .sum();
        (total, mean, variance.sqrt())
    }

    fn likelihood(frequencies: &[f64], estimate: &[f64]) -> f64 {
        frequencies.iter().zip(estimate).map(|(f, p)| f * p.ln()).sum()
    }

    proptest! {
        #[test]
        fn estimates_satisfy_their_constraints(counts in prop::array::uniform5(1_u32..2_000), target in -0.3_f64..0.3) {
            let sum: u32 = counts.iter().sum();
            let frequencies = counts.map(|count| f64::from(count) / f64::from(sum));
            let (total, mean, _) = moments(&with_mean(&SCORES, &frequencies, 0.5 + target / 2.0));
            prop_assert!((total - 1.0).abs() < 1e-9 && (mean - 0.5 - target / 2.0).abs() < 1e-9);
            let (total, mean, sigma) = moments(&with_t_value(&SCORES, &frequencies, target));
            prop_assert!((total - 1.0).abs() < 1e-8 && ((mean - 0.5) / sigma - target).abs() < 1e-8);
        }

        /// Any step along the constraint lowers the likelihood.
        #[test]
        fn no_neighbor_is_more_likely(counts in prop::array::uniform5(20_u32..2_000), step in prop::array::uniform5(-1.0_f64..1.0)) {
            let sum: u32 = counts.iter().sum();
            let frequencies = counts.map(|count| f64::from(count) / f64::from(sum));
            let estimate = with_mean(&SCORES, &frequencies, 0.52);
            // Project the step onto the directions that change neither the sum nor the mean.
            let along = |v: &[f64; 5], w: &[f64; 5]| v.iter().zip(w).map(|(a, b)| a * b).sum::<f64>();
            let (one, slope) = ([1.0; 5], SCORES.map(|score| score - 0.5));
            let (of_one, of_slope) = (along(&step, &one) / 5.0, along(&step, &slope) / along(&slope, &slope));
            let neighbor: Vec<f64> =
                (0..5).map(|i| estimate[i] + 1e-4 * (step[i] - of_one - of_slope * slope[i])).collect();
            prop_assume!(neighbor.iter().all(|p| *p > 0.0));
            prop_assert!(likelihood(&frequencies, &neighbor) <= likelihood(&frequencies, &estimate) + 1e-12);
        }
    }
}

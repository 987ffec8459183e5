//! The distribution that fits a sample best while its strength is what a hypothesis says.
//!
//! The probabilities `p` of the scores `a` shall maximize the likelihood of the observed shares `f`, that is the sum of
//! `f ln p`. For a given mean, Lagrange's condition gives `p = f / (1 + theta g)` with `g = a - mean`, and one number theta
//! that is found where the sum of `p g` is zero. A given distance from one half in standard deviations is not linear in `p`;
//! there the constraint is replaced by its tangent at the present `p`, which makes another `g`, until `p` stays the same.

/// Steps of the outer iteration; three or four are usual.
const MOST_STEPS: usize = 50;

/// How close two successive distributions are taken for the same.
const SAME: f64 = 1e-10;

/// The best fit to the shares with that mean score. Shares are positive and sum to 1; the mean lies within the scores.
pub fn with_mean(scores: &[f64], shares: &[f64], mean: f64) -> Vec<f64> {
    let gradient: Vec<f64> = scores.iter().map(|score| score - mean).collect();
    tilted(shares, &gradient)
}

/// The best fit to the shares whose mean is `distance` of its own standard deviations above one half.
pub fn with_distance(scores: &[f64], shares: &[f64], distance: f64) -> Vec<f64> {
    let mut fit = shares.to_vec();
    for _ in 0..MOST_STEPS {
        let mean: f64 = scores.iter().zip(&fit).map(|(score, p)| score * p).sum();
        let variance: f64 = scores
            .iter()
            .zip(&fit)
            .map(|(score, p)| (score - mean).powi(2) * p)
            .sum();
        let deviation = variance.sqrt();
        // What the constraint's tangent adds up: half of the deviation comes from its derivative, half from its value.
        let gradient: Vec<f64> = scores
            .iter()
            .map(|score| score - 0.5 - distance * deviation * (1.0 + ((score - mean) / deviation).powi(2)) / 2.0)
            .collect();
        let next = tilted(shares, &gradient);
        let change = fit.iter().zip(&next).map(|(p, q)| (p - q).abs()).fold(0.0, f64::max);
        fit = next;
        if change < SAME {
            break;
        }
    }
    fit
}

/// The maximum of the sum of `shares ln p` where the sum of `p gradient` is zero. The gradient has both signs.
fn tilted(shares: &[f64], gradient: &[f64]) -> Vec<f64> {
    let theta = root(shares, gradient);
    shares
        .iter()
        .zip(gradient)
        .map(|(f, g)| f / (1.0 + theta * g))
        .collect()
}

/// Where the sum of `f g / (1 + theta g)` is zero: it falls from infinity to minus infinity between its outermost poles.
fn root(shares: &[f64], gradient: &[f64]) -> f64 {
    let most = gradient.iter().copied().fold(f64::MIN, f64::max);
    let least = gradient.iter().copied().fold(f64::MAX, f64::min);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut theta = 0.0;
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (f, g) in shares.iter().zip(gradient) {
            let ratio = g / (1.0 + theta * g);
            value += f * ratio;
            slope -= f * ratio * ratio;
        }
        if value > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        // Newton's step where it stays between the ends, halving where it does not.
        let newton = theta - value / slope;
        let next = if newton > low && newton < high {
            newton
        } else {
            f64::midpoint(low, high)
        };
        let done = (next - theta).abs() <= 1e-13 * theta.abs().max(1.0);
        theta = next;
        if done {
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

    fn moments(fit: &[f64]) -> (f64, f64, f64) {
        let total = fit.iter().sum();
        let mean: f64 = SCORES.iter().zip(fit).map(|(score, p)| score * p).sum();
        let variance: f64 = SCORES
            .iter()
            .zip(fit)
            .map(|(score, p)| (score - mean).powi(2) * p)
            .sum();
        (total, mean, variance.sqrt())
    }

    fn likelihood(shares: &[f64], fit: &[f64]) -> f64 {
        shares.iter().zip(fit).map(|(f, p)| f * p.ln()).sum()
    }

    proptest! {
        #[test]
        fn fits_keep_their_constraints(counts in prop::array::uniform5(1_u32..2_000), target in -0.3_f64..0.3) {
            let sum: u32 = counts.iter().sum();
            let shares = counts.map(|count| f64::from(count) / f64::from(sum));
            let (total, mean, _) = moments(&with_mean(&SCORES, &shares, 0.5 + target / 2.0));
            prop_assert!((total - 1.0).abs() < 1e-9 && (mean - 0.5 - target / 2.0).abs() < 1e-9);
            let (total, mean, deviation) = moments(&with_distance(&SCORES, &shares, target));
            prop_assert!((total - 1.0).abs() < 1e-8 && ((mean - 0.5) / deviation - target).abs() < 1e-8);
        }

        /// Any move along the constraint makes the fit worse.
        #[test]
        fn no_neighbour_fits_better(counts in prop::array::uniform5(20_u32..2_000), step in prop::array::uniform5(-1.0_f64..1.0)) {
            let sum: u32 = counts.iter().sum();
            let shares = counts.map(|count| f64::from(count) / f64::from(sum));
            let fit = with_mean(&SCORES, &shares, 0.52);
            // The part of the step that changes neither the sum nor the mean.
            let along = |v: &[f64; 5], w: &[f64; 5]| v.iter().zip(w).map(|(a, b)| a * b).sum::<f64>();
            let (one, slope) = ([1.0; 5], SCORES.map(|score| score - 0.5));
            let (of_one, of_slope) = (along(&step, &one) / 5.0, along(&step, &slope) / along(&slope, &slope));
            let neighbour: Vec<f64> =
                (0..5).map(|i| fit[i] + 1e-4 * (step[i] - of_one - of_slope * slope[i])).collect();
            prop_assume!(neighbour.iter().all(|p| *p > 0.0));
            prop_assert!(likelihood(&shares, &neighbour) <= likelihood(&shares, &fit) + 1e-12);
        }
    }
}

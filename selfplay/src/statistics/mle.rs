//! Maximum-likelihood estimation of a multinomial distribution under a constraint on its Elo.
//!
//! Given scores `a` and observed frequencies `f`, the probabilities `p` are to maximize the log-likelihood, the sum of
//! `f ln p`, subject to a constraint. For a linear constraint, the sum of `p g` being 0, Lagrange's condition gives
//! `p = f / (1 + theta g)`, and the multiplier `theta` is the root of a monotone function (A. Owen, *Empirical Likelihood*,
//! 2001). A fixed mean is such a constraint: `g = a - mean`. A fixed t-value, the distance of the mean from one half in
//! standard deviations, is not; [`with_t_value`] reduces it to a search along one number (M. Van den Bergh,
//! <http://hardy.uhasselt.be/Fishtest/normalized_elo_practical.pdf>, iterates without a bracket).
//!
//! A frequency may be 0. The estimate gives that result a probability only if the constraint
//! requires it, so a likelihood is never 0.

/// A constrained maximum.
struct Maximum {
    /// The sum of `f ln (p / f)`, at most 0: the log-likelihood per observation below that of the
    /// frequencies themselves.
    log_likelihood: f64,
    /// The mean score under `p`.
    mean: f64,
}

/// The greatest log-likelihood per observation, less that of the frequencies themselves, of the
/// distributions with this mean. Frequencies must add up to 1, and the mean must lie between the
/// lowest and the highest score.
pub fn with_mean(scores: &[f64], frequencies: &[f64], mean: f64) -> f64 {
    let gradient: Vec<f64> = scores.iter().map(|score| score - mean).collect();
    maximize(scores, frequencies, &gradient).map_or(f64::NEG_INFINITY, |maximum| maximum.log_likelihood)
}

/// The greatest log-likelihood per observation, less that of the frequencies themselves, of the
/// distributions whose mean is `t_value` of their own standard deviations above one half. Scores
/// must be equally spaced from 0 to 1, and frequencies must add up to 1.
///
/// A standard deviation is the least value of `(c + E(a - m)^2 / c) / 2` over `m` and `c > 0`,
/// which it takes where `m` is the mean and `c` the deviation itself. With this expression in its
/// place the constraint is linear in `p`, and on the constraint `c = (m - 1/2) / t_value`, so that
/// only `m` is to be found. The maximum for an `m` is the one sought if its mean is `m`.
///
/// If the frequencies have a greater t-value, the distributions with at most `t_value` form a
/// convex set, and every such `m` gives the maximum. If they have a smaller one, there may be
/// several, and the greatest likelihood counts.
pub fn with_t_value(scores: &[f64], frequencies: &[f64], t_value: f64) -> f64 {
    if t_value < 0.0 {
        let reversed: Vec<f64> = frequencies.iter().rev().copied().collect();
        return with_t_value(scores, &reversed, -t_value);
    }
    if t_value == 0.0 {
        return with_mean(scores, frequencies, 0.5);
    }
    let moment = |power: i32, center: f64| -> f64 {
        let terms = scores.iter().zip(frequencies);
        terms.map(|(score, f)| (score - center).powi(power) * f).sum()
    };
    let mean = moment(1, 0.0);
    let variance = moment(2, mean);
    let tangent = |m: f64, c: f64| {
        let gradient = |&score: &f64| score - 0.5 - t_value * (c + (score - m).powi(2) / c) / 2.0;
        let gradient: Vec<f64> = scores.iter().map(gradient).collect();
        maximize(scores, frequencies, &gradient)
    };
    let at = |m: f64| tangent(m, (m - 0.5) / t_value);
    let above_half = mean - 0.5;
    if above_half > 0.0 && above_half >= t_value * variance.sqrt() {
        // At these two the frequencies satisfy the linear constraint: their mean is above the first
        // and below the second.
        let product = (variance + above_half.powi(2)) / (1.0 + t_value.powi(2));
        let middle = above_half / t_value;
        let high = middle + (middle.powi(2) - product).max(0.0).sqrt();
        let bracket = [product / high, high].map(|c| 0.5 + t_value * c);
        return own_mean(&at, bracket, mean, f64::NEG_INFINITY).log_likelihood;
    }
    // The tangent at the frequencies gives a lower bound, and a distribution of another mean is
    // less likely than that if the difference is large: at best -2 times its square (Pinsker's
    // inequality).
    let bound = tangent(mean, variance.sqrt()).map_or(f64::NEG_INFINITY, |maximum| maximum.log_likelihood);
    let radius = (-bound / 2.0).sqrt() + 1e-9;
    let (low, high) = ((mean - radius).max(0.5), (mean + radius).min(1.0));
    let steps = ((high - low) * STEPS_PER_POINT).ceil().max(1.0);
    let excess = |m: f64| at(m).map(|maximum| maximum.mean - m);
    let mut best = bound;
    let (mut left, mut before) = (low, excess(low));
    for step in 1..=steps as u32 {
        let right = low + (high - low) * f64::from(step) / steps;
        let after = excess(right);
        // Where no distribution satisfies the linear constraint, the likelihood falls to 0 on the
        // way there.
        let has_maximum = before.is_none_or(|excess| excess > 0.0) && after.is_none_or(|excess| excess <= 0.0);
        if has_maximum && (before.is_some() || after.is_some()) {
            let beyond = if before.is_none() { f64::INFINITY } else { f64::NEG_INFINITY };
            let maximum = own_mean(&at, [left, right], f64::midpoint(left, right), beyond);
            best = best.max(maximum.log_likelihood);
        }
        (left, before) = (right, after);
    }
    best
}

/// The search for several maxima looks at this many means per point of score. The nearest maxima,
/// at nine scores and a t-value of 4, are 0.1 points apart.
const STEPS_PER_POINT: f64 = 128.0;

/// The maximum whose mean is the `m` that belongs to it; it lies within the bracket. Where there is
/// no maximum, the difference of the two is taken to be `beyond`.
fn own_mean(at: &impl Fn(f64) -> Option<Maximum>, [mut low, mut high]: [f64; 2], start: f64, beyond: f64) -> Maximum {
    let mut best = Maximum { log_likelihood: f64::NEG_INFINITY, mean: start };
    let (mut m, mut last) = (start, f64::INFINITY);
    for _ in 0..100 {
        let maximum = at(m);
        let excess = maximum.as_ref().map_or(beyond, |maximum| maximum.mean - m);
        best = maximum.unwrap_or(best);
        if excess > 0.0 {
            low = m;
        } else {
            high = m;
        }
        // The likelihood is flat at the maximum: an error of 1e-9 in `m` is one of about 1e-18 in
        // it.
        if excess.abs() <= 1e-9 || high - low <= 1e-9 {
            break;
        }
        // Going to the mean is Newton's method for square roots as long as the deviation depends
        // little on `m`.
        let next = m + excess;
        m = if next > low && next < high && excess.abs() < last / 2.0 { next } else { f64::midpoint(low, high) };
        last = excess.abs();
    }
    best
}

/// Maximizes the log-likelihood subject to `sum of p g = 0`; `None` unless the gradient `g` has
/// entries of both signs.
fn maximize(scores: &[f64], frequencies: &[f64], gradient: &[f64]) -> Option<Maximum> {
    let (theta, extreme) = lagrange_multiplier(frequencies, gradient)?;
    let (mut log_likelihood, mut mean, mut total) = (0.0, 0.0, 0.0);
    for ((score, f), g) in scores.iter().zip(frequencies).zip(gradient) {
        if *f > 0.0 {
            let ratio = 1.0 + theta * g;
            log_likelihood -= f * ratio.ln();
            mean += score * f / ratio;
            total += f / ratio;
        }
    }
    if let Some(index) = extreme {
        mean += scores[index] * (1.0 - total);
    }
    Some(Maximum { log_likelihood, mean })
}

/// The root of `sum of f g / (1 + theta g)`, which falls between the poles of the greatest and the
/// least gradient: Newton's method, with bisection where a step would leave the bracket. A pole
/// with frequency 0 is none. If the sum has not changed its sign there, that point is the
/// multiplier, and its result, whose index is returned, has the rest of the probability.
fn lagrange_multiplier(frequencies: &[f64], gradient: &[f64]) -> Option<(f64, Option<usize>)> {
    let indices = 0..gradient.len();
    let max = indices.clone().max_by(|&i, &j| gradient[i].total_cmp(&gradient[j]))?;
    let min = indices.min_by(|&i, &j| gradient[i].total_cmp(&gradient[j]))?;
    // Not a number or infinite, too, if the constraint has no meaning.
    if !(gradient[max] > 0.0 && gradient[min] < 0.0 && gradient[min].is_finite()) {
        return None;
    }
    let sum_and_slope = |theta: f64| {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (f, g) in frequencies.iter().zip(gradient).filter(|(f, _)| **f > 0.0) {
            let ratio = g / (1.0 + theta * g);
            sum += f * ratio;
            slope -= f * ratio * ratio;
        }
        (sum, slope)
    };
    let (mut low, mut high) = (-1.0 / gradient[max], -1.0 / gradient[min]);
    let is_pole = |theta: f64| {
        let mut cells = frequencies.iter().zip(gradient);
        cells.any(|(f, g)| *f > 0.0 && 1.0 + theta * g < 1e-14)
    };
    if !is_pole(low) && sum_and_slope(low).0 <= 0.0 {
        return Some((low, Some(max)));
    }
    if !is_pole(high) && sum_and_slope(high).0 >= 0.0 {
        return Some((high, Some(min)));
    }
    let mut theta = 0.0;
    for _ in 0..200 {
        let (sum, slope) = sum_and_slope(theta);
        if sum > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta - sum / slope;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        // To the last digits: close to a pole they decide the probability of a rare result.
        let has_converged = (next - theta).abs() <= 4.0 * f64::EPSILON * theta.abs();
        theta = next;
        if has_converged {
            break;
        }
    }
    Some((theta, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With two results the constraint alone determines the distribution.
    #[test]
    fn two_results_have_one_distribution() {
        for share in [0.0, 0.001, 0.3, 0.5, 0.9, 1.0] {
            let frequencies = [1.0 - share, share];
            let expected = |p: f64| -> f64 {
                let terms = frequencies.iter().zip([1.0 - p, p]).filter(|(f, _)| **f > 0.0);
                terms.map(|(f, p)| f * (p / f).ln()).sum()
            };
            for p in [0.001, 0.2, 0.5, 0.75, 0.999] {
                let t_value = (p - 0.5) / (p * (1.0_f64 - p)).sqrt();
                let found = [with_mean(&[0.0, 1.0], &frequencies, p), with_t_value(&[0.0, 1.0], &frequencies, t_value)];
                for found in found {
                    assert!((found - expected(p)).abs() < 1e-9, "{share} {p}: {found}");
                }
            }
        }
    }

    /// The t-value does not depend on the size of the differences from one half.
    #[test]
    fn draws_alone_have_the_likelihood_of_a_rare_decision() {
        for t_value in [-2.0, -0.1, 0.0, 0.02, 1.0] {
            let found = with_t_value(&[0.0, 0.5, 1.0], &[0.0, 1.0, 0.0], t_value);
            assert!((found + (1.0 + t_value * t_value).ln()).abs() < 1e-9, "{t_value}: {found}");
        }
    }
}

//! The `BayesElo` model (Coulom 2005): win, draw and loss probabilities of a single game from a
//! strength difference and a draw parameter, `draw_elo`.

use super::counts::ResultCounts;

/// Probabilities of loss, draw and win of a player who is `elo` stronger. Both parameters are in
/// `BayesElo` units.
pub fn loss_draw_win(elo: f64, draw_elo: f64) -> [f64; 3] {
    let win = 1.0 / (1.0 + 10f64.powf((draw_elo - elo) / 400.0));
    let loss = 1.0 / (1.0 + 10f64.powf((draw_elo + elo) / 400.0));
    [loss, 1.0 - win - loss, win]
}

/// Log-likelihood ratio of `elo1` against `elo0` (in `BayesElo` units), each with the `draw_elo`
/// that fits it best.
///
/// `None` unless the counts are of single games with three results. Until each result has occurred,
/// cutechess reports 0 instead, and a player who wins or draws every game is never found to be
/// stronger.
pub fn log_likelihood_ratio(counts: &ResultCounts, elo0: f64, elo1: f64) -> Option<f64> {
    let &[losses, draws, wins] = counts.counts() else {
        return None;
    };
    let counts = [losses, draws, wins].map(|count| count as f64);
    Some(log_likelihood(counts, elo1) - log_likelihood(counts, elo0))
}

/// The largest `draw_elo` that is tried: games that are not drawn then have a probability of 1e-25.
const MAX_DRAW_ELO: f64 = 10_000.0;

/// The log-likelihood with the best `draw_elo`. It is concave: a draw has the probability of a win
/// times that of a loss times `10^(draw_elo / 200) - 1`. Without draws, `draw_elo` is 0.
fn log_likelihood([losses, draws, wins]: [f64; 3], elo: f64) -> f64 {
    let unit = std::f64::consts::LN_10 / 400.0;
    let slope = |draw_elo: f64| {
        let [loss, _, win] = loss_draw_win(elo, draw_elo);
        let of_draws = -2.0 * draws / (-2.0 * unit * draw_elo).exp_m1();
        of_draws - (losses + draws) * (1.0 - loss) - (wins + draws) * (1.0 - win)
    };
    let draw_elo =
        if draws > 0.0 { bisect(0.0, MAX_DRAW_ELO, |draw_elo| -slope(draw_elo)).unwrap_or(MAX_DRAW_ELO) } else { 0.0 };
    // The logarithms of the probabilities in forms that lose no digits.
    let loss = -(unit * (draw_elo + elo)).exp().ln_1p();
    let win = -(unit * (draw_elo - elo)).exp().ln_1p();
    let odds = if draws > 0.0 { draws * (2.0 * unit * draw_elo).exp_m1().ln() } else { 0.0 };
    (losses + draws) * loss + (wins + draws) * win + odds
}

/// The root of an increasing function; `None` if it lies outside of the interval.
fn bisect(mut low: f64, mut high: f64, function: impl Fn(f64) -> f64) -> Option<f64> {
    if function(low) > 0.0 || function(high) < 0.0 {
        return None;
    }
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if function(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(f64::midpoint(low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratio_needs_single_games_with_three_results() {
        let ratio = |counts: &[u64]| log_likelihood_ratio(&ResultCounts::from_counts(counts).unwrap(), 0.0, 5.0);
        assert_eq!(ratio(&[1, 2, 3, 2, 1]), None);
        assert!(ratio(&[1, 2, 3]).is_some());
    }

    #[test]
    fn one_sided_results_favor_one_hypothesis() {
        let ratio = |counts: [u64; 3]| log_likelihood_ratio(&ResultCounts::from_counts(&counts).unwrap(), 0.0, 5.0);
        assert!(ratio([0, 2, 500]).unwrap() > 2.95);
        assert!(ratio([0, 0, 500]).unwrap() > 2.95);
        assert!(ratio([500, 2, 0]).unwrap() < -2.95);
        // Draws alone say little.
        assert!(ratio([0, 500, 0]).unwrap().abs() < 0.5);
        let large = 1_000_000_000_000;
        for counts in [[0, 0, large], [large, 0, 0], [large, 0, large], [0, large, 0]] {
            assert!(ratio(counts).unwrap().is_finite(), "{counts:?}");
        }
    }
}

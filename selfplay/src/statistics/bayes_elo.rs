//! The `BayesElo` model (Coulom 2005): win, draw and loss probabilities of a single game from a strength difference and a
//! draw parameter, `draw_elo`.

use super::counts::ResultCounts;

/// Probabilities of loss, draw and win of a player who is `elo` stronger. Both parameters are in `BayesElo` units.
pub fn loss_draw_win(elo: f64, draw_elo: f64) -> [f64; 3] {
    let win = 1.0 / (1.0 + 10f64.powf((draw_elo - elo) / 400.0));
    let loss = 1.0 / (1.0 + 10f64.powf((draw_elo + elo) / 400.0));
    [loss, 1.0 - win - loss, win]
}

/// The draw parameter that fits these probabilities of loss and win.
pub fn draw_elo(loss: f64, win: f64) -> f64 {
    200.0 * ((1.0 - loss) / loss * (1.0 - win) / win).log10()
}

/// A result that has not occurred counts as half a game, or `draw_elo` could not be estimated. Much smaller numbers, such as the
/// 1/1000 of the other models, give a `draw_elo` so large that a few early games decide a test: with H1 at 200 Elo, a test with
/// alpha 5 % accepts H1 in about 13 % of cases where H0 is true.
const ZERO_COUNT: f64 = 0.5;

/// Log-likelihood ratio of `elo1` against `elo0` (in `BayesElo` units), with `draw_elo` estimated from the counts.
///
/// `None` unless the counts are of single games with three results. Until each result has occurred, cutechess reports 0 instead,
/// and a player who wins or draws every game is never found to be stronger.
pub fn log_likelihood_ratio(counts: &ResultCounts, elo0: f64, elo1: f64) -> Option<f64> {
    let &[losses, draws, wins] = counts.counts() else {
        return None;
    };
    let [losses, draws, wins] = [losses, draws, wins].map(|count| (count as f64).max(ZERO_COUNT));
    let games = losses + draws + wins;
    let draw_elo = draw_elo(losses / games, wins / games);
    let (under_h0, under_h1) = (loss_draw_win(elo0, draw_elo), loss_draw_win(elo1, draw_elo));
    let terms = [losses, draws, wins]
        .into_iter()
        .zip(under_h0.into_iter().zip(under_h1));
    Some(terms.map(|(count, (p0, p1))| count * (p1 / p0).ln()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draw_elo_is_recovered_from_probabilities() {
        for elo in [-80.0, 0.0, 35.0] {
            let [loss, draw, win] = loss_draw_win(elo, 210.0);
            assert!((loss + draw + win - 1.0).abs() < 1e-12);
            assert!((draw_elo(loss, win) - 210.0).abs() < 1e-9);
        }
    }

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

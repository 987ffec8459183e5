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

/// Log-likelihood ratio of `elo1` against `elo0` (in `BayesElo` units), with `draw_elo` estimated from the counts.
///
/// `None` unless the counts are of single games with three results, each of which has occurred.
pub fn log_likelihood_ratio(counts: &ResultCounts, elo0: f64, elo1: f64) -> Option<f64> {
    let &[losses, draws, wins] = counts.counts() else {
        return None;
    };
    if losses == 0 || draws == 0 || wins == 0 {
        return None;
    }
    let games = counts.games() as f64;
    let draw_elo = draw_elo(losses as f64 / games, wins as f64 / games);
    let (under_h0, under_h1) = (loss_draw_win(elo0, draw_elo), loss_draw_win(elo1, draw_elo));
    let terms = [losses, draws, wins]
        .into_iter()
        .zip(under_h0.into_iter().zip(under_h1));
    Some(terms.map(|(count, (p0, p1))| count as f64 * (p1 / p0).ln()).sum())
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
    fn ratio_needs_wins_draws_and_losses_of_single_games() {
        let ratio = |counts: &[u64]| log_likelihood_ratio(&ResultCounts::from_counts(counts).unwrap(), 0.0, 5.0);
        assert_eq!(ratio(&[0, 5, 5]), None);
        assert_eq!(ratio(&[1, 2, 3, 2, 1]), None);
        assert!(ratio(&[1, 2, 3]).is_some());
    }
}

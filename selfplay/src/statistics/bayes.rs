//! The `BayesElo` model: three results whose probabilities follow from a strength and a tendency to draw.

use super::sample::Sample;

/// Probabilities of loss, draw and win.
pub type Probabilities = [f64; 3];

/// The probabilities of a game between players `elo` apart, both in `BayesElo` units, where draws are as likely as
/// `draw_elo` says.
pub fn probabilities(elo: f64, draw_elo: f64) -> Probabilities {
    let win = 1.0 / (1.0 + 10f64.powf((draw_elo - elo) / 400.0));
    let loss = 1.0 / (1.0 + 10f64.powf((draw_elo + elo) / 400.0));
    [loss, 1.0 - win - loss, win]
}

/// The tendency to draw that fits the shares of wins and losses.
pub fn draw_elo(loss: f64, win: f64) -> f64 {
    200.0 * ((1.0 - loss) / loss * (1.0 - win) / win).log10()
}

/// The logarithm of how many times likelier the games are if the players are `elo1` apart than if they are `elo0` apart, in
/// `BayesElo` units, at the tendency to draw that the games show; `None` until wins, losses and draws have all been seen,
/// and for any other than single games with three results.
pub fn log_likelihood_ratio(sample: &Sample, elo0: f64, elo1: f64) -> Option<f64> {
    let &[losses, draws, wins] = sample.counts() else {
        return None;
    };
    if losses == 0 || draws == 0 || wins == 0 {
        return None;
    }
    let games = sample.games() as f64;
    let draw_elo = draw_elo(losses as f64 / games, wins as f64 / games);
    let (under0, under1) = (probabilities(elo0, draw_elo), probabilities(elo1, draw_elo));
    let terms = [losses, draws, wins].into_iter().zip(under0.into_iter().zip(under1));
    Some(terms.map(|(count, (p0, p1))| count as f64 * (p1 / p0).ln()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tendency_to_draw_is_found_again() {
        for elo in [-80.0, 0.0, 35.0] {
            let [loss, draw, win] = probabilities(elo, 210.0);
            assert!((loss + draw + win - 1.0).abs() < 1e-12);
            assert!((draw_elo(loss, win) - 210.0).abs() < 1e-9);
        }
    }

    #[test]
    fn too_few_results_say_nothing() {
        assert_eq!(
            log_likelihood_ratio(&Sample::from_counts(&[0, 5, 5]).unwrap(), 0.0, 5.0),
            None
        );
        assert_eq!(
            log_likelihood_ratio(&Sample::from_counts(&[1, 2, 3, 2, 1]).unwrap(), 0.0, 5.0),
            None
        );
    }
}

//! Simulated players: the distribution of game-pair results.
//!
//! Each opening favors White by its own amount, normally distributed; the players are a fixed
//! strength apart; each game follows the `BayesElo` model. The strength is chosen so that the
//! *pairs* have a given Elo on a given scale.

use statrs::distribution::{ContinuousCDF, Normal};
use thiserror::Error;

use super::bayes_elo::{bisect, draw_elo, loss_draw_win};
use super::elo::{NORMALIZED_ELO_PER_SIGMA, elo_from_score};
use super::sprt::EloModel;

/// The distribution of openings is approximated by this many equally likely ones.
const OPENINGS: usize = 41;

/// Two simulated players and their openings.
///
/// ```
/// use assay_selfplay::statistics::EloModel;
/// use assay_selfplay::statistics::pair_model::PairModel;
///
/// let model = PairModel { draw_ratio: 0.4, opening_bias: 100.0 };
/// let probabilities = model.pair_probabilities(0.0, EloModel::Logistic)?;
/// let rounded = probabilities.map(|p| (p * 10_000.0).round() / 10_000.0);
/// assert_eq!(rounded, [0.0776, 0.2390, 0.3666, 0.2390, 0.0776]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PairModel {
    /// Fraction of single games that equal players draw, 0 to 1.
    pub draw_ratio: f64,
    /// Standard deviation, over all openings, of White's advantage, in `BayesElo`.
    pub opening_bias: f64,
}

/// Why the model has no such players. The text begins with the name of the option.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct PairModelError(String);

impl PairModel {
    /// Probabilities of the pairs worth 0, 0.5, 1, 1.5 and 2 points, for a first player who is
    /// `elo` stronger on the scale of `model`.
    ///
    /// # Errors
    /// If there are no such players.
    pub fn pair_probabilities(&self, elo: f64, model: EloModel) -> Result<[f64; 5], PairModelError> {
        let PairModel { draw_ratio: draws, opening_bias: bias } = self;
        let error = |why: String| Err(PairModelError(why));
        if !(*draws > 0.0 && *draws < 1.0) {
            return error(format!("draw-ratio: found draw ratio {draws}, expected a number above 0 and below 1"));
        }
        if !(0.0..=1000.0).contains(bias) {
            return error(format!("bias: found bias {bias}, expected a number from 0 to 1000"));
        }
        let impossible = || {
            PairModelError(format!(
                "elo: no players draw {draws} of their games and are {elo} Elo apart with openings of bias {bias}"
            ))
        };
        let normal = Normal::standard();
        let biases: Vec<f64> = (0..OPENINGS)
            .map(|index| self.opening_bias * normal.inverse_cdf((index as f64 + 0.5) / OPENINGS as f64))
            .collect();
        let draw_ratio = |draw_elo: f64| {
            let sum: f64 = biases.iter().map(|&bias| loss_draw_win(bias, draw_elo)[1]).sum();
            sum / OPENINGS as f64
        };
        // Biased openings reduce the number of draws, so the draw parameter is at least that of
        // unbiased openings.
        let win = (1.0 - self.draw_ratio) / 2.0;
        let draw_elo = bisect(draw_elo(win, win).min(0.0), 10_000.0, |draw_elo| draw_ratio(draw_elo) - self.draw_ratio)
            .ok_or_else(impossible)?;
        let probabilities = |strength: f64| average_over_openings(&biases, strength, draw_elo);
        let strength =
            bisect(-2_000.0, 2_000.0, |strength| elo_of_pairs(&probabilities(strength), strength, model) - elo)
                .ok_or_else(impossible)?;
        Ok(probabilities(strength))
    }
}

/// Elo of a pair distribution on the scale of a model; `strength` is the difference in `BayesElo`.
fn elo_of_pairs(probabilities: &[f64; 5], strength: f64, model: EloModel) -> f64 {
    let scores = || (0..5).map(|index| f64::from(index) / 4.0);
    let mean: f64 = scores().zip(probabilities).map(|(score, p)| score * p).sum();
    let variance: f64 = scores().zip(probabilities).map(|(score, p)| (score - mean).powi(2) * p).sum();
    match model {
        EloModel::Normalized => (mean - 0.5) / (2.0 * variance).sqrt() * NORMALIZED_ELO_PER_SIGMA,
        EloModel::Logistic => elo_from_score(mean),
        EloModel::Bayesian => strength,
    }
}

fn average_over_openings(biases: &[f64], strength: f64, draw_elo: f64) -> [f64; 5] {
    let mut pair = [0.0; 5];
    for &bias in biases {
        let as_white = loss_draw_win(strength + bias, draw_elo);
        let as_black = loss_draw_win(strength - bias, draw_elo);
        for (first, p) in as_white.iter().enumerate() {
            for (second, q) in as_black.iter().enumerate() {
                pair[first + second] += p * q / biases.len() as f64;
            }
        }
    }
    pair
}

#[cfg(test)]
mod tests {
    use super::*;

    const BIASED: PairModel = PairModel { draw_ratio: 0.5, opening_bias: 120.0 };

    #[test]
    fn pairs_have_the_requested_elo() {
        for (model, elo) in [(EloModel::Normalized, 7.0), (EloModel::Logistic, -12.0)] {
            let pair = BIASED.pair_probabilities(elo, model).unwrap();
            assert!((pair.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!((elo_of_pairs(&pair, 0.0, model) - elo).abs() < 1e-6);
            // Biased openings correlate the games of a pair: one is won, the other lost.
            let unbiased = PairModel { opening_bias: 0.0, ..BIASED };
            let unbiased = unbiased.pair_probabilities(elo, model).unwrap();
            assert!(pair[2] > unbiased[2], "{pair:?} {unbiased:?}");
        }
    }

    #[test]
    fn rejects_impossible_players() {
        let error = |players: PairModel| {
            let result = players.pair_probabilities(0.0, EloModel::Logistic);
            result.unwrap_err().to_string()
        };
        let no_decisive_games = PairModel { draw_ratio: 1.0, ..BIASED };
        assert!(error(no_decisive_games).contains("draw ratio 1,"));
        let negative = PairModel { opening_bias: -1.0, ..BIASED };
        assert!(error(negative).contains("bias -1,"));
    }
}

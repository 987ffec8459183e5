//! The maximum of the quasi-likelihood and its sandwich covariance.

use nalgebra::{DMatrix, DVector};

use super::super::distributions::Z95;
use super::{ERROR, Pairing};

/// The largest step of Newton's method, which keeps it from overshooting.
const MAX_STEP: f64 = 1.0;

/// Between players who have scored against each other, a difference in log-odds that no number of
/// games exceeds.
const MAX_DIFFERENCE: usize = 50;

/// The results of a pairing of the core.
pub(super) struct Observed {
    /// Places of the players in the core.
    places: [usize; 2],
    pub(super) observations: f64,
    games_per_observation: f64,
    /// Points and number of the observations, by result.
    outcomes: Vec<(f64, f64)>,
}

impl Observed {
    /// `None` if a player is outside the core.
    pub(super) fn new(pairing: &Pairing<'_>, place: impl Fn(usize) -> Option<usize>) -> Option<Observed> {
        let counts = pairing.counts;
        let games_per_observation = f64::from(counts.games_per_observation());
        let outcomes = counts.scores().zip(counts.counts());
        Some(Observed {
            places: [place(pairing.players[0])?, place(pairing.players[1])?],
            observations: counts.observations() as f64,
            games_per_observation,
            outcomes: outcomes.map(|(score, &count)| (score * games_per_observation, count as f64)).collect(),
        })
    }

    /// The expected score of a game.
    fn expected(&self, values: &[f64]) -> f64 {
        1.0 / (1.0 + (values[self.places[1]] - values[self.places[0]]).exp())
    }

    /// Points less expected points.
    fn residual(&self, values: &[f64]) -> f64 {
        let expected = self.games_per_observation * self.expected(values);
        self.outcomes.iter().map(|(points, count)| count * (points - expected)).sum()
    }

    /// The information of an observation about the difference.
    fn information(&self, values: &[f64]) -> f64 {
        let expected = self.expected(values);
        self.games_per_observation * expected * (1.0 - expected)
    }
}

/// The matrix of a sum of squares of differences: weights by pairing, without the last player,
/// whose value is fixed.
fn laplacian(players: usize, weights: impl Iterator<Item = ([usize; 2], f64)>) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(players - 1, players - 1);
    for ([first, second], weight) in weights {
        for (row, column, sign) in
            [(first, first, 1.0), (second, second, 1.0), (first, second, -1.0), (second, first, -1.0)]
        {
            if row.max(column) < players - 1 {
                matrix[(row, column)] += sign * weight;
            }
        }
    }
    matrix
}

fn information(values: &[f64], results: &[Observed]) -> DMatrix<f64> {
    let weights = results.iter().map(|result| (result.places, result.observations * result.information(values)));
    laplacian(values.len(), weights)
}

/// Information is positive definite where all players have scored against each other.
fn inverse(information: DMatrix<f64>) -> DMatrix<f64> {
    information.cholesky().expect("the matrix is positive definite").inverse()
}

/// The maximum of the quasi-likelihood by Newton's method, with 0 for the last player. It exists,
/// because all players have scored against each other, and is unique, because the likelihood is
/// concave.
pub(super) fn maximum(players: usize, results: &[Observed]) -> Vec<f64> {
    let mut values = vec![0.0; players];
    let mut last = f64::INFINITY;
    // About ten steps, but as many as the difference between the best and the worst of a chain of
    // players.
    for _ in 0..MAX_DIFFERENCE * players {
        let mut gradient = vec![0.0; players];
        for result in results {
            let residual = result.residual(&values);
            gradient[result.places[0]] += residual;
            gradient[result.places[1]] -= residual;
        }
        let step = inverse(information(&values, results)) * DVector::from_row_slice(&gradient[..players - 1]);
        let largest = step.iter().fold(0.0_f64, |largest, step| largest.max(step.abs()));
        let factor = if largest > MAX_STEP { MAX_STEP / largest } else { 1.0 };
        values.iter_mut().zip(step.iter()).for_each(|(value, step)| *value += factor * step);
        // Steps that no longer shrink are rounding errors.
        if largest < 1e-10 || (largest < 1e-4 && largest > last / 2.0) {
            break;
        }
        last = largest;
    }
    values
}

/// The sandwich covariance of the values, with zeros for the last player.
pub(super) fn covariance(values: &[f64], results: &[Observed]) -> DMatrix<f64> {
    let players = values.len();
    let bread = inverse(information(values, results));
    let bread_at = |row: usize, column: usize| {
        if row.max(column) < players - 1 { bread[(row, column)] } else { 0.0 }
    };
    let weights: Vec<f64> = results.iter().map(|result| result.information(values)).collect();
    let mut scatter: Vec<f64> = results
        .iter()
        .zip(&weights)
        .map(|(result, weight)| {
            let [first, second] = result.places;
            let spread = bread_at(first, first) + bread_at(second, second) - 2.0 * bread_at(first, second);
            let leftover = 1.0 - weight * spread;
            if leftover < 1e-6 {
                // The values follow this only observation, which says nothing about its error: that
                // of independent games.
                return *weight;
            }
            let expected = result.games_per_observation * result.expected(values);
            let squares = result.outcomes.iter().map(|(points, count)| count * (points - expected).powi(2));
            squares.sum::<f64>() / leftover
        })
        .collect();
    // If all observations are as expected, they say nothing about their error. Then it is that of
    // two players whose `n` observations have the same score of one half: the results are less
    // likely than 5% beyond a difference of ln(20) / 2n in the score.
    let games = results.iter().map(|result| result.games_per_observation).fold(0.0, f64::max);
    let least = (games / 2.0 * ERROR.ln() / Z95).powi(2);
    let missing = (least - scatter.iter().sum::<f64>()).max(0.0);
    let of_all: f64 = results.iter().zip(&weights).map(|(result, weight)| result.observations * weight).sum();
    for (scatter, (result, weight)) in scatter.iter_mut().zip(results.iter().zip(&weights)) {
        *scatter += missing * result.observations * weight / of_all;
    }
    let meat = laplacian(players, results.iter().map(|result| result.places).zip(scatter));
    let reduced = &bread * meat * &bread;
    reduced.resize(players, players, 0.0)
}

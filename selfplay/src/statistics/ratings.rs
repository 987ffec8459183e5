//! Ratings of the engines of a tournament: the Bradley-Terry model with simultaneous confidence intervals.
//!
//! A game between players whose ratings differ by `d` Elo has the expected score `1 / (1 + 10^(-d / 400))`, as in
//! [`EloEstimate`]. Only this mean is assumed: draws and results worth 0.25 or 0.75 points count as fractions of a win
//! (a quasi-likelihood, Wedderburn 1974; Papke and Wooldridge 1996). The errors follow from how much the
//! observations (pairs of games) scatter about their expected scores, by the sandwich estimator with the correction CR2 (Bell and
//! McCaffrey 2002). So neither the share of draws nor the correlation of the games of a pair needs a parameter.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use super::counts::ResultCounts;
use super::elo::EloEstimate;
use super::interval::{ConfidenceInterval, Z95};
use super::matrix::Matrix;
use crate::seed::{Purpose, Stream};

/// Elo per unit of the logistic function.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// The share of tournaments in which an interval may miss its rating.
const ERROR: f64 = 0.05;

/// Draws of the simulation of the largest error.
const DRAWS: usize = 20_000;

/// Steps of Newton's method, which needs about ten, and the largest of them, which keeps it from overshooting.
const MAX_STEPS: usize = 200;
const MAX_STEP: f64 = 1.0;

/// The results of two players against each other.
#[derive(Clone, Copy, Debug)]
pub struct Pairing<'c> {
    pub players: [usize; 2],
    /// From the first player's point of view.
    pub counts: &'c ResultCounts,
}

/// A player whose rating is known, to which the others are relative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    pub player: usize,
    /// In Elo.
    pub rating: f64,
}

/// The ratings of the players of a tournament.
///
/// If a group of players scored all points against the others, the difference has no upper bound. The largest group of players who have
/// all scored against each other, directly or through others, has finite ratings, of mean 0. A player above or below it has a
/// bound, as in [`EloEstimate`].
///
/// ```
/// use assay_selfplay::statistics::{EloEstimate, ResultCounts};
/// use assay_selfplay::statistics::ratings::{Pairing, Ratings};
///
/// let counts = ResultCounts::from_counts(&[10, 30, 80, 50, 30])?;
/// let ratings = Ratings::new(2, &[Pairing { players: [0, 1], counts: &counts }], None);
/// let [first, second] = [0, 1].map(|player| ratings.elo(player).unwrap());
/// let elo = EloEstimate::from_counts(&counts).unwrap().elo;
/// assert!((first.value - second.value - elo.value).abs() < 1e-6);
/// assert!((2.0 * first.half_width() - elo.half_width()).abs() < 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ratings {
    elo: Vec<Option<ConfidenceInterval>>,
    los: Vec<Vec<Option<f64>>>,
}

impl Ratings {
    /// Fits the ratings of players with the numbers from 0 to `players` - 1.
    pub fn new(players: usize, pairings: &[Pairing<'_>], anchor: Option<Anchor>) -> Ratings {
        let pairings: Vec<Pairing<'_>> = (pairings.iter().copied())
            .filter(|pairing| pairing.counts.observations() > 0)
            .collect();
        let mut ratings = Ratings {
            elo: vec![None; players],
            los: vec![vec![None; players]; players],
        };
        for pairing in &pairings {
            let [first, second] = pairing.players;
            let los = EloEstimate::from_counts(pairing.counts).map(|estimate| estimate.los);
            ratings.los[first][second] = los;
            ratings.los[second][first] = los.map(|los| 1.0 - los);
        }
        let core = core(players, &pairings, anchor);
        ratings.fit(&core, &pairings, anchor);
        for player in (0..players).filter(|player| !core.contains(player)) {
            ratings.elo[player] = ratings.bound(player, &core, &pairings);
        }
        ratings
    }

    /// The rating of a player, with an interval that holds for all players at once with 95% confidence. `None` if the games
    /// say nothing about it, as before the first one.
    pub fn elo(&self, player: usize) -> Option<ConfidenceInterval> {
        self.elo[player]
    }

    /// Likelihood that a player is stronger than another one, for these two alone. If their ratings have no finite difference, that
    /// of their own games (see [`EloEstimate::los`]); `None` if there are none.
    pub fn los(&self, player: usize, other: usize) -> Option<f64> {
        self.los[player][other]
    }

    /// Fits the ratings of the core.
    fn fit(&mut self, core: &[usize], pairings: &[Pairing<'_>], anchor: Option<Anchor>) {
        let place = |player: usize| core.iter().position(|&member| member == player);
        let results: Vec<Observed> = pairings
            .iter()
            .filter_map(|pairing| Observed::new(pairing, place))
            .collect();
        let anchor = anchor.map(|anchor| (place(anchor.player), anchor.rating));
        let shift = |values: &[f64]| match anchor {
            Some((Some(place), rating)) => rating / SCALE - values[place],
            _ => -values.iter().sum::<f64>() / values.len() as f64,
        };
        if results.is_empty() {
            // An anchor has its rating, and a lone player that others are compared with has 0.
            if anchor.is_some() || !pairings.is_empty() {
                let value = anchor.map_or(0.0, |(_, rating)| rating);
                let exact = ConfidenceInterval {
                    value,
                    low: value,
                    high: value,
                };
                core.iter().for_each(|&player| self.elo[player] = Some(exact));
            }
            return;
        }
        let values = maximum(core.len(), &results);
        let covariance = covariance(&values, &results);
        let error = |from: usize, to: usize| {
            let at = |row, column| covariance.at(row, column);
            (at(from, from) + at(to, to) - 2.0 * at(from, to)).max(0.0).sqrt()
        };
        let normal = Normal::standard();
        for (at, &player) in core.iter().enumerate() {
            for (other_at, &other) in core.iter().enumerate().filter(|(other_at, _)| *other_at != at) {
                self.los[player][other] = Some(normal.cdf((values[at] - values[other_at]) / error(at, other_at)));
            }
        }
        // Rows: each rating as a combination of the fitted values.
        let reference = |row: usize, column: usize| match anchor {
            Some((Some(place), _)) => f64::from(row == column) - f64::from(column == place),
            _ => f64::from(row == column) - 1.0 / core.len() as f64,
        };
        let contrasts = Matrix::from_fn(core.len(), reference);
        let centered = contrasts.times(&covariance).times(&contrasts.transposed());
        let observations: f64 = results.iter().map(|result| result.observations).sum();
        let freedom = (observations - (core.len() - 1) as f64).max(1.0);
        // The players outside the core have their shares of the error.
        let level = ERROR * core.len() as f64 / self.elo.len() as f64;
        let critical = critical_value(&centered, level, freedom);
        let shift = shift(&values);
        for (at, &player) in core.iter().enumerate() {
            let (value, half) = (values[at] + shift, critical * centered.at(at, at).max(0.0).sqrt());
            self.elo[player] = Some(ConfidenceInterval {
                value: SCALE * value,
                low: SCALE * (value - half),
                high: SCALE * (value + half),
            });
        }
    }

    /// The bound of a player outside the core who won, or lost, all games against it; `None` without such games.
    ///
    /// An observation with the expected score `p` is won with a probability of at most `p`. The bound is the rating at which the
    /// product of these probabilities is the player's share of the error.
    fn bound(&self, player: usize, core: &[usize], pairings: &[Pairing<'_>]) -> Option<ConfidenceInterval> {
        let games = pairings.iter().filter_map(|pairing| {
            let side = pairing.players.iter().position(|&member| member == player)?;
            let opponent = pairing.players[1 - side];
            let is_won = (pairing.counts.points() > 0.0) == (side == 0);
            let rating = core.contains(&opponent).then(|| self.elo[opponent])??.value;
            Some((is_won, rating, pairing.counts.observations() as f64))
        });
        let games: Vec<(bool, f64, f64)> = games.collect();
        let &(is_won, ..) = games.first()?;
        let sign = if is_won { 1.0 } else { -1.0 };
        let share = (ERROR / self.elo.len() as f64).ln();
        // The logarithm of the probability of the results at this rating.
        let log_probability = |rating: f64| -> f64 {
            let one = |&(_, opponent, observations): &(bool, f64, f64)| {
                -observations * (-sign * (rating - opponent) / SCALE).exp().ln_1p()
            };
            games.iter().map(one).sum()
        };
        let opponents = games.iter().map(|&(_, opponent, _)| sign * opponent);
        // In terms of `sign * rating`: below the bound the results are less likely than the share.
        let (mut low, mut high) = opponents.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), rating| {
            (low.min(rating - 1e5), high.max(rating + 1e5))
        });
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if log_probability(sign * middle) < share {
                low = middle;
            } else {
                high = middle;
            }
        }
        let (bound, infinity) = (sign * low, sign * f64::INFINITY);
        Some(ConfidenceInterval {
            value: infinity,
            low: bound.min(infinity),
            high: bound.max(infinity),
        })
    }
}

/// The players of the core, in ascending order: those who have scored against each other, directly or through others, that is, a
/// strongly connected component of the graph of scores. With an anchor it is its component, else the largest one.
fn core(players: usize, pairings: &[Pairing<'_>], anchor: Option<Anchor>) -> Vec<usize> {
    let mut has_scored: Vec<Vec<bool>> = (0..players)
        .map(|row| (0..players).map(|column| row == column).collect())
        .collect();
    for Pairing {
        players: [first, second],
        counts,
    } in pairings
    {
        has_scored[*first][*second] |= counts.points() > 0.0;
        has_scored[*second][*first] |= counts.flipped().points() > 0.0;
    }
    // Warshall's transitive closure.
    for through in 0..players {
        let onward = has_scored[through].clone();
        for row in has_scored.iter_mut().filter(|row| row[through]) {
            row.iter_mut()
                .zip(&onward)
                .for_each(|(scored, &onward)| *scored |= onward);
        }
    }
    let component = |player: usize| -> Vec<usize> {
        (0..players)
            .filter(|&other| has_scored[player][other] && has_scored[other][player])
            .collect()
    };
    if let Some(anchor) = anchor {
        return component(anchor.player);
    }
    let games = |component: &[usize]| -> u64 {
        let within = pairings
            .iter()
            .filter(|pairing| pairing.players.iter().all(|player| component.contains(player)));
        within.map(|pairing| pairing.counts.games()).sum()
    };
    let components = (0..players).rev().map(component);
    components
        .max_by_key(|component| (component.len(), games(component)))
        .unwrap_or_default()
}

/// The results of a pairing of the core.
struct Observed {
    /// Places of the players in the core.
    places: [usize; 2],
    observations: f64,
    games_per_observation: f64,
    /// Points and number of the observations, by result.
    outcomes: Vec<(f64, f64)>,
}

impl Observed {
    /// `None` if a player is outside the core.
    fn new(pairing: &Pairing<'_>, place: impl Fn(usize) -> Option<usize>) -> Option<Observed> {
        let counts = pairing.counts;
        let games_per_observation = f64::from(counts.games_per_observation());
        let outcomes = counts.scores().zip(counts.counts());
        Some(Observed {
            places: [place(pairing.players[0])?, place(pairing.players[1])?],
            observations: counts.observations() as f64,
            games_per_observation,
            outcomes: outcomes
                .map(|(score, &count)| (score * games_per_observation, count as f64))
                .collect(),
        })
    }

    /// The expected score of a game.
    fn expected(&self, values: &[f64]) -> f64 {
        1.0 / (1.0 + (values[self.places[1]] - values[self.places[0]]).exp())
    }

    /// Points less expected points.
    fn residual(&self, values: &[f64]) -> f64 {
        let expected = self.games_per_observation * self.expected(values);
        self.outcomes
            .iter()
            .map(|(points, count)| count * (points - expected))
            .sum()
    }

    /// The information of an observation about the difference.
    fn information(&self, values: &[f64]) -> f64 {
        let expected = self.expected(values);
        self.games_per_observation * expected * (1.0 - expected)
    }
}

/// The matrix of a sum of squares of differences: weights by pairing, without the last player, whose value is fixed.
fn laplacian(players: usize, weights: impl Iterator<Item = ([usize; 2], f64)>) -> Matrix {
    let mut matrix = Matrix::from_fn(players - 1, |_, _| 0.0);
    for ([first, second], weight) in weights {
        for (row, column, sign) in [
            (first, first, 1.0),
            (second, second, 1.0),
            (first, second, -1.0),
            (second, first, -1.0),
        ] {
            if row.max(column) < players - 1 {
                *matrix.at_mut(row, column) += sign * weight;
            }
        }
    }
    matrix
}

fn information(values: &[f64], results: &[Observed]) -> Matrix {
    let weights = results
        .iter()
        .map(|result| (result.places, result.observations * result.information(values)));
    laplacian(values.len(), weights)
}

/// The maximum of the quasi-likelihood by Newton's method, with 0 for the last player. It exists, because all players have scored against
/// each other, and is unique, because the likelihood is concave.
fn maximum(players: usize, results: &[Observed]) -> Vec<f64> {
    let mut values = vec![0.0; players];
    for _ in 0..MAX_STEPS {
        let mut gradient = vec![0.0; players];
        for result in results {
            let residual = result.residual(&values);
            gradient[result.places[0]] += residual;
            gradient[result.places[1]] -= residual;
        }
        let step = information(&values, results)
            .inverse()
            .times_vector(&gradient[..players - 1]);
        let largest = step.iter().fold(0.0_f64, |largest, step| largest.max(step.abs()));
        let factor = if largest > MAX_STEP { MAX_STEP / largest } else { 1.0 };
        values
            .iter_mut()
            .zip(&step)
            .for_each(|(value, step)| *value += factor * step);
        if largest < 1e-10 {
            break;
        }
    }
    values
}

/// The sandwich covariance of the values, with zeros for the last player.
fn covariance(values: &[f64], results: &[Observed]) -> Matrix {
    let players = values.len();
    let bread = information(values, results).inverse();
    let bread_at = |row: usize, column: usize| {
        if row.max(column) < players - 1 {
            bread.at(row, column)
        } else {
            0.0
        }
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
                // The values follow this only observation, which says nothing about its error: that of independent games.
                return *weight;
            }
            let expected = result.games_per_observation * result.expected(values);
            let squares = result
                .outcomes
                .iter()
                .map(|(points, count)| count * (points - expected).powi(2));
            squares.sum::<f64>() / leftover
        })
        .collect();
    // If all observations are as expected, they say nothing about their error. Then it is that of two players whose `n` observations have
    // the same score of one half: the results are less likely than 5% beyond a difference of ln(20) / 2n in the score.
    let games = results
        .iter()
        .map(|result| result.games_per_observation)
        .fold(0.0, f64::max);
    let least = (games / 2.0 * ERROR.ln() / Z95).powi(2);
    let missing = (least - scatter.iter().sum::<f64>()).max(0.0);
    let of_all: f64 = results
        .iter()
        .zip(&weights)
        .map(|(result, weight)| result.observations * weight)
        .sum();
    for (scatter, (result, weight)) in scatter.iter_mut().zip(results.iter().zip(&weights)) {
        *scatter += missing * result.observations * weight / of_all;
    }
    let meat = laplacian(players, results.iter().map(|result| result.places).zip(scatter));
    let reduced = bread.times(&meat).times(&bread);
    Matrix::from_fn(players, |row, column| {
        if row.max(column) < players - 1 {
            reduced.at(row, column)
        } else {
            0.0
        }
    })
}

/// The number of standard errors that all ratings are within, but for a probability of `level` (the max-|t| method). The largest error
/// is simulated from normal errors with this covariance; its quantile is carried over to Student's distribution with the degrees of
/// freedom.
fn critical_value(covariance: &Matrix, level: f64, freedom: f64) -> f64 {
    let normal = Normal::standard();
    let root = covariance.cholesky();
    let mut stream = Stream::new(Purpose::Ratings, 0, 0);
    let mut largest: Vec<f64> = (0..DRAWS)
        .map(|_| {
            // In the middle of one of 2^53 steps, never 0 or 1.
            let draws: Vec<f64> = (0..root.rows())
                .map(|_| normal.inverse_cdf(stream.unit() + 0.5_f64.powi(54)))
                .collect();
            let errors = root.times_vector(&draws).into_iter().enumerate();
            let ratios = errors.map(|(at, error)| {
                let variance = covariance.at(at, at);
                if variance > 0.0 {
                    error.abs() / variance.sqrt()
                } else {
                    0.0
                }
            });
            ratios.fold(0.0, f64::max)
        })
        .collect();
    largest.sort_by(f64::total_cmp);
    let quantile = largest[((1.0 - level) * DRAWS as f64) as usize];
    let student = StudentsT::new(0.0, 1.0, freedom).expect("there are degrees of freedom");
    student.inverse_cdf(normal.cdf(quantile))
}

#[cfg(test)]
mod tests {
    use super::super::elo::{elo_from_score, score_from_elo};
    use super::*;

    type Results<'r> = [([usize; 2], &'r [u64])];

    fn fit(players: usize, results: &Results<'_>, anchor: Option<Anchor>) -> Ratings {
        let counts: Vec<ResultCounts> = results
            .iter()
            .map(|(_, counts)| ResultCounts::from_counts(counts).unwrap())
            .collect();
        let pairings = results
            .iter()
            .zip(&counts)
            .map(|(&(players, _), counts)| Pairing { players, counts });
        Ratings::new(players, &pairings.collect::<Vec<_>>(), anchor)
    }

    fn elo(ratings: &Ratings, player: usize) -> ConfidenceInterval {
        ratings.elo(player).unwrap()
    }

    /// Three equal pairings round a circle, and a fourth player who scores 75% against one of them.
    const CIRCLE: &Results<'static> = &[
        ([0, 1], &[4, 12, 20, 12, 4]),
        ([1, 2], &[4, 12, 20, 12, 4]),
        ([2, 0], &[4, 12, 20, 12, 4]),
        ([3, 0], &[0, 4, 12, 16, 20]),
    ];

    #[test]
    fn expected_points_are_the_points() {
        let ratings = fit(4, CIRCLE, None);
        let sum: f64 = (0..4).map(|player| elo(&ratings, player).value).sum();
        assert!(sum.abs() < 1e-6);
        for player in [1, 2] {
            assert!((elo(&ratings, player).value - elo(&ratings, 0).value).abs() < 1e-6);
        }
        let score = ResultCounts::from_counts(CIRCLE[3].1).unwrap().mean().unwrap();
        let difference = elo(&ratings, 3).value - elo(&ratings, 0).value;
        assert!((difference - elo_from_score(score)).abs() < 1e-6, "{difference}");
        assert!((ratings.los(1, 2).unwrap() - 0.5).abs() < 1e-9);
        assert!((ratings.los(3, 0).unwrap() + ratings.los(0, 3).unwrap() - 1.0).abs() < 1e-12);
        assert!(ratings.los(3, 0).unwrap() > 0.999);
    }

    #[test]
    fn an_anchor_moves_all_ratings_and_has_no_error() {
        let (free, anchored) = (
            fit(4, CIRCLE, None),
            fit(
                4,
                CIRCLE,
                Some(Anchor {
                    player: 1,
                    rating: 2_800.0,
                }),
            ),
        );
        let anchor = elo(&anchored, 1);
        assert!((anchor.value - 2_800.0).abs() < 1e-9 && anchor.half_width() < 1e-9);
        for player in 0..4 {
            let differences = [&free, &anchored].map(|ratings| elo(ratings, player).value - elo(ratings, 1).value);
            assert!((differences[0] - differences[1]).abs() < 1e-6);
        }
    }

    /// Two players have the interval of `EloEstimate`, up to the corrections for few observations.
    #[test]
    fn two_players_have_the_interval_of_their_match() {
        for counts in [&[20, 60, 160, 100, 60][..], &[0, 0, 50, 0, 0], &[0, 0, 500, 0, 0]] {
            let ratings = fit(2, &[([0, 1], counts)], None);
            let expected = EloEstimate::from_counts(&ResultCounts::from_counts(counts).unwrap())
                .unwrap()
                .elo;
            let half = 2.0 * elo(&ratings, 0).half_width();
            assert!(
                (half / expected.half_width() - 1.0).abs() < 0.06,
                "{counts:?}: {half} {expected:?}"
            );
        }
    }

    /// A player who wins all games has a bound: with the share of the error that two players have, that of `EloEstimate` at 97.5%.
    #[test]
    fn separated_players_have_bounds() {
        let ratings = fit(2, &[([0, 1], &[0, 0, 0, 0, 6])], None);
        let [first, second] = [0, 1].map(|player| elo(&ratings, player));
        let expected = elo_from_score(0.025_f64.powf(1.0 / 6.0));
        assert!((first.value, first.low, first.high) == (0.0, 0.0, 0.0), "{first:?}");
        assert!(
            (second.high + expected).abs() < 1e-6 && second.value == f64::NEG_INFINITY,
            "{second:?} {expected}"
        );

        // Player 3 loses all games against the circle, and player 4 wins all against two of it.
        let won: [([usize; 2], &[u64]); 3] = [
            ([0, 3], &[0, 0, 0, 0, 9]),
            ([4, 1], &[0, 0, 0, 0, 5]),
            ([2, 4], &[5, 0, 0, 0, 0]),
        ];
        let results = [&CIRCLE[..3], &won[..]].concat();
        let ratings = fit(5, &results, None);
        let alone = fit(3, &CIRCLE[..3], None);
        assert!((elo(&ratings, 0).value - elo(&alone, 0).value).abs() < 1e-9);
        let (low, high) = (elo(&ratings, 4), elo(&ratings, 3));
        assert!(
            (low.low - elo_from_score(0.01_f64.powf(0.1))).abs() < 1e-3 && low.high == f64::INFINITY,
            "{low:?}"
        );
        assert!((high.high + elo_from_score(0.01_f64.powf(1.0 / 9.0))).abs() < 1e-3 && high.low == f64::NEG_INFINITY);
        assert!(ratings.los(4, 1).unwrap() > 0.95 && ratings.los(3, 0).unwrap() < 0.05);
        assert_eq!(ratings.los(3, 4), None, "they have not played");
        // A player without games, and no games at all.
        assert_eq!(fit(4, &CIRCLE[..3], None).elo(3), None);
        assert_eq!(fit(2, &[], None).elo(0), None);
    }

    /// In 95% of simulated tournaments all intervals hold at once. The games of a pair are correlated, and half of them are drawn.
    #[test]
    fn intervals_hold_at_once() {
        const TOURNAMENTS: u64 = 400;
        let truth = [-150.0, -60.0, 0.0, 30.0, 180.0];
        let (mut all, mut single) = (0, 0);
        for number in 0..TOURNAMENTS {
            let mut stream = Stream::new(Purpose::Test, 34, number);
            let mut results: Vec<([usize; 2], Vec<u64>)> = Vec::new();
            for first in 0..truth.len() {
                for second in first + 1..truth.len() {
                    let score = score_from_elo(truth[first] - truth[second]);
                    let mut counts = vec![0; 5];
                    for _ in 0..20 {
                        // A share of the games is decided; the second game of a pair often repeats the first one's result.
                        let game = |stream: &mut Stream| {
                            let decided = 2.0 * score.min(1.0 - score);
                            match stream.unit() {
                                part if part < 0.5 * decided => 1,
                                _ => 2 * usize::from(stream.unit() < (score - 0.25 * decided) / (1.0 - 0.5 * decided)),
                            }
                        };
                        let one = game(&mut stream);
                        let two = if stream.unit() < 0.3 { one } else { game(&mut stream) };
                        counts[one + two] += 1;
                    }
                    results.push(([first, second], counts));
                }
            }
            let results: Vec<([usize; 2], &[u64])> = results
                .iter()
                .map(|(players, counts)| (*players, counts.as_slice()))
                .collect();
            let ratings = fit(truth.len(), &results, None);
            let holds = |player: usize| {
                let interval = elo(&ratings, player);
                (interval.low..=interval.high).contains(&truth[player])
            };
            all += u64::from((0..truth.len()).all(holds));
            single += u64::from(holds(2));
        }
        // The seed is fixed; the limits are 95% plus and minus three standard deviations.
        assert!((367..=393).contains(&all), "{all} of {TOURNAMENTS}");
        assert!(
            single > all,
            "one interval alone holds more often than all at once: {single} and {all}"
        );
    }
}

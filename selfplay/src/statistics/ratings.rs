//! Ratings of the engines of a tournament: the Bradley-Terry model with simultaneous confidence
//! intervals.
//!
//! A game between players whose ratings differ by `d` Elo has the expected score
//! `1 / (1 + 10^(-d / 400))`, as in [`EloEstimate`]. Only this mean is assumed: draws and results
//! worth 0.25 or 0.75 points count as fractions of a win (a quasi-likelihood, Wedderburn 1974;
//! Papke and Wooldridge 1996). The errors follow from how much the observations (pairs of games)
//! scatter about their expected scores, by the sandwich estimator with the correction CR2 (Bell and
//! McCaffrey 2002). So neither the share of draws nor the correlation of the games of a pair needs
//! a parameter.

mod fit;

use nalgebra::{DMatrix, DVector};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use super::counts::ResultCounts;
use super::elo::EloEstimate;
use super::estimate::Estimate;
use crate::seed::{Purpose, Stream};
use fit::{Observed, covariance, maximum};

/// Elo per unit of the logistic function.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// The share of tournaments in which an interval may miss its rating.
const ERROR: f64 = 0.05;

/// Draws of the simulation of the largest error.
const DRAWS: usize = 20_000;

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
/// If a group of players scored all points against the others, the difference has no upper bound.
/// The largest group of players who have all scored against each other, directly or through others,
/// has finite ratings, of mean 0. A player above or below it has a bound, as in [`EloEstimate`].
///
/// ```
/// use assay_selfplay::statistics::{EloEstimate, ResultCounts};
/// use assay_selfplay::statistics::ratings::{Pairing, Ratings};
///
/// let counts = ResultCounts::from_counts(&[10, 30, 80, 50, 30])?;
/// let ratings = Ratings::new(2, &[Pairing { players: [0, 1], counts: &counts }], None);
/// let [first, second] = [0, 1].map(|player| ratings.elo[player].unwrap());
/// let elo = EloEstimate::from_counts(&counts).unwrap().elo;
/// assert!((first.value - second.value - elo.value).abs() < 1e-6);
/// assert!((2.0 * first.half_width().unwrap() - elo.half_width().unwrap()).abs() < 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ratings {
    /// The rating of each player, with an interval that holds for all players at once with 95%
    /// confidence. `None` if the games say nothing about it, as before the first one.
    pub elo: Vec<Option<Estimate>>,
    /// Likelihood that a player (row) is stronger than another one (column), for these two alone.
    /// Without a finite difference of their ratings, by their own games (see
    /// [`EloEstimate::los`]); `None` if there are none.
    pub los: Vec<Vec<Option<f64>>>,
}

impl Ratings {
    /// Fits the ratings of players with the numbers from 0 to `players` - 1.
    pub fn new(players: usize, pairings: &[Pairing<'_>], anchor: Option<Anchor>) -> Ratings {
        let pairings: Vec<Pairing<'_>> =
            (pairings.iter().copied()).filter(|pairing| pairing.counts.observations() > 0).collect();
        let mut ratings = Ratings { elo: vec![None; players], los: vec![vec![None; players]; players] };
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

    /// Fits the ratings of the core.
    fn fit(&mut self, core: &[usize], pairings: &[Pairing<'_>], anchor: Option<Anchor>) {
        let place = |player: usize| core.iter().position(|&member| member == player);
        let results: Vec<Observed> = pairings.iter().filter_map(|pairing| Observed::new(pairing, place)).collect();
        let anchor = anchor.map(|anchor| (place(anchor.player), anchor.rating));
        let shift = |values: &[f64]| match anchor {
            Some((Some(place), rating)) => rating / SCALE - values[place],
            _ => -values.iter().sum::<f64>() / values.len() as f64,
        };
        if results.is_empty() {
            // An anchor has its rating, and a lone player that others are compared with has 0.
            if anchor.is_some() || !pairings.is_empty() {
                let value = anchor.map_or(0.0, |(_, rating)| rating);
                let exact = Estimate::around(value, 0.0);
                for &player in core {
                    self.elo[player] = Some(exact);
                }
            }
            return;
        }
        let values = maximum(core.len(), &results);
        let covariance = covariance(&values, &results);
        let error = |from: usize, to: usize| {
            let at = |row, column| covariance[(row, column)];
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
        let contrasts = DMatrix::from_fn(core.len(), core.len(), reference);
        let centered = &contrasts * &covariance * contrasts.transpose();
        let observations: f64 = results.iter().map(|result| result.observations).sum();
        let freedom = (observations - (core.len() - 1) as f64).max(1.0);
        // The players outside the core have their shares of the error.
        let level = ERROR * core.len() as f64 / self.elo.len() as f64;
        let critical = critical_value(&centered, level, freedom);
        let shift = shift(&values);
        for (at, &player) in core.iter().enumerate() {
            let (value, half) = (values[at] + shift, critical * centered[(at, at)].max(0.0).sqrt());
            let ends = [value - half, value + half].map(|end| SCALE * end);
            self.elo[player] = Some(Estimate { value: SCALE * value, interval: Some(ends) });
        }
    }

    /// The bound of a player outside the core who won, or lost, all games against it; `None`
    /// without such games.
    ///
    /// An observation with the expected score `p` is won with a probability of at most `p`. The
    /// bound is the rating at which the product of these probabilities is the player's share of the
    /// error.
    fn bound(&self, player: usize, core: &[usize], pairings: &[Pairing<'_>]) -> Option<Estimate> {
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
        Some(Estimate { value: infinity, interval: Some([bound.min(infinity), bound.max(infinity)]) })
    }
}

/// The players of the core, in ascending order: those who have scored against each other, directly
/// or through others, that is, a strongly connected component of the graph of scores. With an
/// anchor it is its component, else the largest one.
fn core(players: usize, pairings: &[Pairing<'_>], anchor: Option<Anchor>) -> Vec<usize> {
    let mut has_scored: Vec<Vec<bool>> =
        (0..players).map(|row| (0..players).map(|column| row == column).collect()).collect();
    for Pairing { players: [first, second], counts } in pairings {
        has_scored[*first][*second] |= counts.points() > 0.0;
        has_scored[*second][*first] |= counts.flipped().points() > 0.0;
    }
    // Warshall's transitive closure.
    for through in 0..players {
        let onward = has_scored[through].clone();
        for row in has_scored.iter_mut().filter(|row| row[through]) {
            row.iter_mut().zip(&onward).for_each(|(scored, &onward)| *scored |= onward);
        }
    }
    let component = |player: usize| -> Vec<usize> {
        (0..players).filter(|&other| has_scored[player][other] && has_scored[other][player]).collect()
    };
    if let Some(anchor) = anchor {
        return component(anchor.player);
    }
    let games = |component: &[usize]| -> u64 {
        let within = pairings.iter().filter(|pairing| pairing.players.iter().all(|player| component.contains(player)));
        within.map(|pairing| pairing.counts.games()).sum()
    };
    let components = (0..players).rev().map(component);
    components.max_by_key(|component| (component.len(), games(component))).unwrap_or_default()
}

/// The number of standard errors that all ratings are within, but for a probability of `level` (the
/// max-|t| method). The largest error is simulated from normal errors with this covariance; its
/// quantile is carried over to Student's distribution with the degrees of freedom.
fn critical_value(covariance: &DMatrix<f64>, level: f64, freedom: f64) -> f64 {
    let normal = Normal::standard();
    // A root also where some ratings depend on the others.
    let eigen = covariance.clone().symmetric_eigen();
    let scales = eigen.eigenvalues.map(|variance| variance.max(0.0).sqrt());
    let root = eigen.eigenvectors * DMatrix::from_diagonal(&scales);
    let mut stream = Stream::new(Purpose::Ratings, 0, 0);
    let mut largest: Vec<f64> = (0..DRAWS)
        .map(|_| {
            // In the middle of one of 2^53 steps, never 0 or 1.
            let draws = DVector::from_fn(scales.len(), |_, _| normal.inverse_cdf(stream.unit() + 0.5_f64.powi(54)));
            let errors = &root * draws;
            let ratios = errors.iter().enumerate().map(|(at, error)| {
                let variance = covariance[(at, at)];
                if variance > 0.0 { error.abs() / variance.sqrt() } else { 0.0 }
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
mod tests;

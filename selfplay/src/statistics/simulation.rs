//! Simulated tests: how often an SPRT accepts the wrong hypothesis, and how many games it needs.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::counts::ResultCounts;
use super::pair_model::{PairModel, PairModelError};
use super::sprt::{EloModel, Sprt, SprtDecision};
use crate::seed::{Purpose, Stream};

/// An SPRT, repeated many times with simulated players.
#[derive(Clone, Copy, Debug)]
pub struct SprtSimulation {
    pub sprt: Sprt,
    /// True Elo difference, on the scale of the test.
    pub elo: f64,
    /// The players and their openings.
    pub pair_model: PairModel,
    /// Number of simulated tests.
    pub tests: u32,
    /// A test that is undecided after this many pairs stops.
    pub max_pairs: u64,
    /// Number of pairs between two decisions, at least 1; 1 decides after each pair.
    pub batch: u64,
    /// Seed of all random numbers.
    pub seed: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SimulationResult {
    /// Probabilities of the pairs worth 0, 0.5, 1, 1.5 and 2 points.
    pub pair_probabilities: [f64; 5],
    /// Number of tests that accepted H0.
    pub h0: u64,
    /// Number of tests that accepted H1.
    pub h1: u64,
    /// Number of tests that reached [`SprtSimulation::max_pairs`].
    pub undecided: u64,
    /// Games of all tests.
    pub games: u64,
}

impl SimulationResult {
    pub fn tests(&self) -> u64 {
        self.h0 + self.h1 + self.undecided
    }
}

impl SprtSimulation {
    /// Runs all tests in parallel and calls `progress` after each. The same seed gives the same
    /// result, whatever the number of threads. Returns `None` if `stop` was raised.
    ///
    /// # Errors
    /// If the players do not exist; see [`PairModel::pair_probabilities`].
    pub fn run(
        &self,
        progress: impl Fn() + Sync,
        stop: &AtomicBool,
    ) -> Result<Option<SimulationResult>, PairModelError> {
        let pair_probabilities = self.pair_model.pair_probabilities(self.elo, self.sprt.model)?;
        let ends: Option<Vec<(SprtDecision, u64)>> = (0..u64::from(self.tests))
            .into_par_iter()
            .map(|index| {
                let end = self.run_test(index, &pair_probabilities, stop);
                progress();
                end
            })
            .collect();
        let Some(ends) = ends else { return Ok(None) };
        let count = |decision: SprtDecision| ends.iter().filter(|(end, _)| *end == decision).count() as u64;
        Ok(Some(SimulationResult {
            pair_probabilities,
            h0: count(SprtDecision::AcceptH0),
            h1: count(SprtDecision::AcceptH1),
            undecided: count(SprtDecision::Continue),
            games: ends.iter().map(|(_, games)| games).sum(),
        }))
    }

    /// Runs one test; returns its decision and number of games, or `None` if `stop` was raised.
    fn run_test(&self, index: u64, pair_probabilities: &[f64; 5], stop: &AtomicBool) -> Option<(SprtDecision, u64)> {
        let mut stream = Stream::new(Purpose::Test, self.seed, index);
        let is_trinomial = self.sprt.model == EloModel::Bayesian;
        let mut counts = if is_trinomial { ResultCounts::of_games(3) } else { ResultCounts::of_pairs(3) };
        let mut pairs = 0;
        while pairs < self.max_pairs {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            for _ in 0..self.batch {
                let result = draw(pair_probabilities, &mut stream);
                pairs += 1;
                if is_trinomial {
                    // The Bayesian model counts single games: split the pair into two results.
                    let (first, second) = (result / 2, result - result / 2);
                    counts.add(first);
                    counts.add(second);
                } else {
                    counts.add(result);
                }
            }
            let decision = self.sprt.decide(&counts);
            if decision.is_final() {
                return Some((decision, 2 * pairs));
            }
        }
        Some((SprtDecision::Continue, 2 * pairs))
    }
}

/// Draws an index with these probabilities.
fn draw(probabilities: &[f64; 5], stream: &mut Stream) -> usize {
    let mut left = stream.unit();
    for (index, p) in probabilities.iter().enumerate() {
        if left < *p {
            return index;
        }
        left -= p;
    }
    // Only if rounding makes the sum of the probabilities less than 1.
    4
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simulation(elo: f64, model: EloModel) -> SprtSimulation {
        SprtSimulation {
            sprt: Sprt::new(0.0, 30.0, 0.05, 0.05, model).unwrap(),
            elo,
            pair_model: PairModel { draw_ratio: 0.5, opening_bias: 120.0 },
            tests: 1_000,
            max_pairs: 1_000_000,
            batch: 1,
            seed: 5,
        }
    }

    fn run(elo: f64, model: EloModel) -> SimulationResult {
        let result = simulation(elo, model).run(|| {}, &AtomicBool::new(false));
        result.unwrap().unwrap()
    }

    #[test]
    fn error_rates_stay_within_alpha_and_beta() {
        for model in [EloModel::Normalized, EloModel::Logistic] {
            let (under_h0, under_h1) = (run(0.0, model), run(30.0, model));
            assert_eq!((under_h0.tests(), under_h0.undecided, under_h1.undecided), (1_000, 0, 0));
            // The seed is fixed, so these are fixed numbers; the limits are 5% plus three standard
            // deviations.
            assert!(under_h0.h1 <= 71, "{model:?}: {under_h0:?}");
            assert!(under_h1.h0 <= 71, "{model:?}: {under_h1:?}");
            // A test that hardly ever errs would take too many games.
            assert!(under_h0.h1 >= 15 && under_h1.h0 >= 15, "{model:?}: {under_h0:?} {under_h1:?}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_result() {
        assert_eq!(run(10.0, EloModel::Normalized), run(10.0, EloModel::Normalized));
    }
}

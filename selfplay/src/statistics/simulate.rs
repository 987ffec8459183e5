//! Playing a sequential test many times, to see whether it errs as seldom as it promises.
//!
//! A pair is drawn from a model of two players: every opening favours White by an amount of its own (normally distributed),
//! the players are a fixed strength apart, and the results of each game follow the `BayesElo` model. The strength is chosen
//! so that the *pairs'* Elo, on the scale of the test, is exactly what is asked for.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use statrs::distribution::{Beta, ContinuousCDF, Normal};
use thiserror::Error;

use super::bayes::{draw_elo, probabilities};
use super::elo::{NORMALIZED, elo_of_score};
use super::sample::Sample;
use super::sprt::{Model, Sprt, Verdict};
use crate::seed::Stream;

/// Openings that the model averages over: equally likely slices of the normal distribution.
const SLICES: usize = 41;

/// What is simulated.
#[derive(Clone, Copy, Debug)]
pub struct Simulation {
    /// The test.
    pub sprt: Sprt,
    /// The true difference, on the scale of the test (`BayesElo` for the Bayesian model).
    pub elo: f64,
    /// The share of single games that are drawn between equal players, 0 to 1.
    pub draw_ratio: f64,
    /// The standard deviation of what an opening favours White by, in `BayesElo`.
    pub bias: f64,
    /// How often the test is played.
    pub tests: u32,
    /// A test is given up, undecided, after this many pairs.
    pub most_pairs: u64,
    /// Pairs between two looks at the test: 1 looks after each.
    pub batch: u64,
    /// The number that all random choices follow from.
    pub seed: u64,
}

/// Why nothing can be simulated.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SimulationError {
    /// No share of drawn games.
    #[error("found draw ratio {found}, expected a number above 0 and below 1")]
    DrawRatio {
        /// What was found.
        found: f64,
    },
    /// No standard deviation of openings.
    #[error("found bias {found}, expected a number from 0 to 1000")]
    Bias {
        /// What was found.
        found: f64,
    },
    /// No model of players has that share of draws with such openings, or such a difference.
    #[error("no players draw {draw_ratio} of their games and are {elo} Elo apart with openings of bias {bias}")]
    Impossible {
        /// The share of draws.
        draw_ratio: f64,
        /// The difference.
        elo: f64,
        /// The openings' standard deviation.
        bias: f64,
    },
    /// No number of tests or of pairs.
    #[error("found {name} 0, expected at least 1")]
    Zero {
        /// Of what.
        name: &'static str,
    },
}

/// How the tests ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulated {
    /// The probabilities of a pair worth 0, 0.5, 1, 1.5 and 2 points that were drawn from.
    pub pair: [f64; 5],
    /// Tests that accepted H0.
    pub h0: u64,
    /// Tests that accepted H1.
    pub h1: u64,
    /// Tests that were given up.
    pub undecided: u64,
    /// Games of all tests.
    pub games: u64,
}

/// A share with its 95% interval (Clopper and Pearson's, which never promises too much).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The share.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Share {
    /// So many out of so many.
    ///
    /// # Panics
    /// Never: the parameters of the beta distribution are positive.
    pub fn of(count: u64, all: u64) -> Share {
        let (k, n) = (count as f64, all as f64);
        let quantile = |a: f64, b: f64, p: f64| Beta::new(a, b).expect("both are positive").inverse_cdf(p);
        Share {
            value: k / n,
            low: if count == 0 {
                0.0
            } else {
                quantile(k, n - k + 1.0, 0.025)
            },
            high: if count == all {
                1.0
            } else {
                quantile(k + 1.0, n - k, 0.975)
            },
        }
    }
}

impl Simulated {
    /// All tests.
    pub fn tests(&self) -> u64 {
        self.h0 + self.h1 + self.undecided
    }
}

impl Simulation {
    /// Plays all tests, in parallel; the same seed gives the same numbers. `progress` is called after each test. `None` when
    /// `stop` was raised.
    ///
    /// # Errors
    /// When there are no such players.
    pub fn run(&self, progress: impl Fn() + Sync, stop: &AtomicBool) -> Result<Option<Simulated>, SimulationError> {
        for (name, number) in [
            ("tests", u64::from(self.tests)),
            ("pairs", self.most_pairs),
            ("batch", self.batch),
        ] {
            if number == 0 {
                return Err(SimulationError::Zero { name });
            }
        }
        let pair = self.pair()?;
        let ends: Option<Vec<(Verdict, u64)>> = (0..u64::from(self.tests))
            .into_par_iter()
            .map(|number| {
                let end = self.test(number, &pair, stop);
                progress();
                end
            })
            .collect();
        let Some(ends) = ends else { return Ok(None) };
        let count = |wanted: Verdict| ends.iter().filter(|(verdict, _)| *verdict == wanted).count() as u64;
        Ok(Some(Simulated {
            pair,
            h0: count(Verdict::H0),
            h1: count(Verdict::H1),
            undecided: count(Verdict::Undecided),
            games: ends.iter().map(|(_, games)| games).sum(),
        }))
    }

    fn test(&self, number: u64, pair: &[f64; 5], stop: &AtomicBool) -> Option<(Verdict, u64)> {
        let mut stream = Stream::test(self.seed, number);
        let single = self.sprt.model() == Model::Bayesian;
        // The Bayesian model takes the pair for single games; their split into wins and draws is drawn here.
        let mut sample = if single {
            Sample::of_games(3)
        } else {
            Sample::of_pairs(3)
        };
        let mut pairs = 0;
        while pairs < self.most_pairs {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            for _ in 0..self.batch {
                let score = draw(pair, &mut stream);
                pairs += 1;
                if single {
                    let results: &[usize] = match score {
                        0 => &[0, 0],
                        1 => &[0, 1],
                        3 => &[1, 2],
                        4 => &[2, 2],
                        _ => &[1, 1],
                    };
                    for &result in results {
                        sample.add(result);
                    }
                } else {
                    sample.add(score);
                }
            }
            let verdict = self.sprt.verdict(&sample);
            if verdict != Verdict::Undecided {
                return Some((verdict, 2 * pairs));
            }
        }
        Some((Verdict::Undecided, 2 * pairs))
    }

    /// The distribution of a pair's result.
    ///
    /// # Errors
    /// When there are no such players.
    pub fn pair(&self) -> Result<[f64; 5], SimulationError> {
        if !(self.draw_ratio > 0.0 && self.draw_ratio < 1.0) {
            return Err(SimulationError::DrawRatio { found: self.draw_ratio });
        }
        if !(0.0..=1000.0).contains(&self.bias) {
            return Err(SimulationError::Bias { found: self.bias });
        }
        let impossible = SimulationError::Impossible {
            draw_ratio: self.draw_ratio,
            elo: self.elo,
            bias: self.bias,
        };
        let normal = Normal::standard();
        let biases: Vec<f64> = (0..SLICES)
            .map(|slice| self.bias * normal.inverse_cdf((slice as f64 + 0.5) / SLICES as f64))
            .collect();
        let drawn = |draw_elo: f64| {
            let sum: f64 = biases.iter().map(|&bias| probabilities(bias, draw_elo)[1]).sum();
            sum / SLICES as f64
        };
        let level = (1.0 - self.draw_ratio) / 2.0;
        // Biased openings need a greater tendency to draw than balanced ones for the same share of draws.
        let draw_elo = bisect(draw_elo(level, level).min(0.0), 10_000.0, |draw_elo| {
            drawn(draw_elo) - self.draw_ratio
        })
        .ok_or(impossible)?;
        let of_strength = |strength: f64| distribution(&biases, strength, draw_elo);
        let strength = bisect(-2_000.0, 2_000.0, |strength| {
            self.scale(&of_strength(strength), strength) - self.elo
        })
        .ok_or(impossible)?;
        Ok(of_strength(strength))
    }

    /// The Elo of a distribution on the scale of the test.
    fn scale(&self, pair: &[f64; 5], strength: f64) -> f64 {
        let scores = || (0..5).map(|number| f64::from(number) / 4.0);
        let mean: f64 = scores().zip(pair).map(|(score, p)| score * p).sum();
        let variance: f64 = scores().zip(pair).map(|(score, p)| (score - mean).powi(2) * p).sum();
        match self.sprt.model() {
            Model::Normalized => (mean - 0.5) / (2.0 * variance).sqrt() * NORMALIZED,
            Model::Logistic => elo_of_score(mean),
            Model::Bayesian => strength,
        }
    }
}

/// The distribution of a pair's result, averaged over the openings.
fn distribution(biases: &[f64], strength: f64, draw_elo: f64) -> [f64; 5] {
    let mut pair = [0.0; 5];
    for &bias in biases {
        let as_white = probabilities(strength + bias, draw_elo);
        let as_black = probabilities(strength - bias, draw_elo);
        for (first, p) in as_white.iter().enumerate() {
            for (second, q) in as_black.iter().enumerate() {
                pair[first + second] += p * q / biases.len() as f64;
            }
        }
    }
    pair
}

fn draw(pair: &[f64; 5], stream: &mut Stream) -> usize {
    let mut left = stream.unit();
    for (score, p) in pair.iter().enumerate() {
        if left < *p {
            return score;
        }
        left -= p;
    }
    // The probabilities' sum is a rounding error below 1.
    4
}

/// The zero of a rising function.
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

    fn simulation(elo: f64, model: Model) -> Simulation {
        Simulation {
            sprt: Sprt::new(0.0, 30.0, 0.05, 0.05, model).unwrap(),
            elo,
            draw_ratio: 0.5,
            bias: 120.0,
            tests: 1_000,
            most_pairs: 1_000_000,
            batch: 1,
            seed: 5,
        }
    }

    #[test]
    fn pairs_have_the_elo_that_was_asked_for() {
        for (model, elo) in [(Model::Normalized, 7.0), (Model::Logistic, -12.0)] {
            let simulation = simulation(elo, model);
            let pair = simulation.pair().unwrap();
            assert!((pair.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!((simulation.scale(&pair, 0.0) - elo).abs() < 1e-6);
            // Biased openings make won and lost games of a pair go together, which independent games do not.
            let unbiased = Simulation {
                bias: 0.0,
                ..simulation
            }
            .pair()
            .unwrap();
            assert!(pair[2] > unbiased[2], "{pair:?} {unbiased:?}");
        }
    }

    #[test]
    fn errors_are_as_rare_as_promised() {
        for model in [Model::Normalized, Model::Logistic] {
            let run = |elo| {
                simulation(elo, model)
                    .run(|| {}, &AtomicBool::new(false))
                    .unwrap()
                    .unwrap()
            };
            let (null, other) = (run(0.0), run(30.0));
            assert_eq!((null.tests(), null.undecided, other.undecided), (1_000, 0, 0));
            // The seed is fixed, so these are fixed numbers; the bounds are the promise with three standard deviations.
            assert!(null.h1 <= 71, "{model:?}: {null:?}");
            assert!(other.h0 <= 71, "{model:?}: {other:?}");
            // And a test that never errs would take too many games.
            assert!(null.h1 >= 15 && other.h0 >= 15, "{model:?}: {null:?} {other:?}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let run = || {
            simulation(10.0, Model::Normalized)
                .run(|| {}, &AtomicBool::new(false))
                .unwrap()
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn impossible_players_are_refused() {
        let refused = |simulation: Simulation| simulation.pair().unwrap_err().to_string();
        let usual = simulation(0.0, Model::Logistic);
        assert!(
            refused(Simulation {
                draw_ratio: 1.0,
                ..usual
            })
            .contains("draw ratio 1,")
        );
        assert!(refused(Simulation { bias: -1.0, ..usual }).contains("bias -1,"));
    }

    #[test]
    fn shares_have_exact_intervals() {
        // The textbook example: 81 of 263 is 0.308 with 0.2527 to 0.3676.
        let share = Share::of(81, 263);
        assert!(
            (share.low - 0.2527).abs() < 1e-4 && (share.high - 0.3676).abs() < 1e-4,
            "{share:?}"
        );
        assert!(Share::of(0, 10).low.abs() < 1e-12);
        assert!((Share::of(0, 10).high - 0.3085).abs() < 1e-4);
    }
}

//! Games with known values: data sets in which the right answer is planted.
//!
//! Each opening pair has a random imbalance, played once by White and once by Black. Every position of a game carries
//! its imbalance, so the planted logistic mean holds exactly at each row, while rows of one game share one result and
//! the two games of a pair share an opening that favours one colour: results are as dependent as real ones.

use std::sync::Arc;

use assay_rules::{GameDef, Reason, Score};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use statrs::distribution::{ContinuousCDF, Normal};

use crate::data::{Data, SampledGame};
use crate::design::{Design, Row};
use crate::positions::Sample;
use crate::terms::Term;

/// What is planted.
#[derive(Clone, Debug, PartialEq)]
pub struct Planted {
    /// Columns: each kind's log-odds, the pawn last.
    pub kinds: Vec<(String, f64)>,
    /// White's log-odds for moving first.
    pub white: f64,
    /// How far draws push out decided games: 0 none, 1 as far as the mean allows.
    pub draws: f64,
    /// The correlation of White's fortune in the two games of a pair, 0 to 1.
    pub correlation: f64,
    /// Opening pairs.
    pub pairs: usize,
    /// Positions of each game.
    pub positions: usize,
}

/// One planted game.
struct Round {
    pair: usize,
    /// White's men of each kind minus Black's.
    balance: Vec<f64>,
    /// White's score in points.
    score: f64,
}

impl Planted {
    /// A data set. The last column is the constant for White.
    pub fn design(&self, seed: u64) -> Design {
        let columns = self
            .kinds
            .iter()
            .map(|(name, _)| name.clone())
            .chain(["White".to_owned()])
            .collect();
        let mut design = Design::new(columns);
        for round in self.rounds(seed) {
            let values: Vec<f64> = round.balance.iter().copied().chain([1.0]).collect();
            let row = Row {
                values: &values,
                score: round.score,
                weight: 1.0 / self.positions as f64,
                cluster: round.pair,
            };
            for _ in 0..self.positions {
                design.push(row);
            }
        }
        design
    }

    /// The same as games of `game`, whose kinds are found by name (kinds that are not planted never appear). Pairs are
    /// left out, and both sides are to move in turn.
    ///
    /// # Panics
    /// Never: a score is one of the five.
    pub fn data(&self, game: &Arc<GameDef>, seed: u64) -> Data {
        let mut terms = Term::all(game);
        terms.retain(|term| !matches!(term, Term::Pair(_)));
        let planted = |term: Term| self.kinds.iter().position(|(name, _)| *name == term.name(game));
        let games = self.rounds(seed).map(|round| {
            let sample = |ply: usize| {
                let to_move = if ply.is_multiple_of(2) { 1.0 } else { -1.0 };
                let values = terms.iter().map(|&term| match term {
                    Term::SideToMove => to_move,
                    Term::White => 1.0,
                    _ => planted(term).map_or(0.0, |kind| round.balance[kind]),
                });
                Sample {
                    ply,
                    values: values.collect(),
                }
            };
            let white = Score::from_points(round.score).expect("planted games are won, drawn or lost");
            let reason = if white == Score::DRAW {
                Reason::Repetition
            } else {
                Reason::Checkmate
            };
            let samples: Vec<Sample> = (0..self.positions).map(sample).collect();
            SampledGame {
                cluster: round.pair,
                white,
                reason,
                plies: 100,
                samples,
            }
        });
        let games = games.collect();
        Data {
            game: Arc::clone(game),
            terms,
            files: Vec::new(),
            games,
        }
    }

    fn rounds(&self, seed: u64) -> impl Iterator<Item = Round> + '_ {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let normal = Normal::standard();
        (0..self.pairs).flat_map(move |pair| {
            let imbalance = self.imbalance(pair, &mut random);
            let opening = normal.inverse_cdf(open_unit(&mut random));
            [1.0, -1.0].map(|side| {
                let balance: Vec<f64> = imbalance.iter().map(|count| side * count).collect();
                let material: f64 = balance
                    .iter()
                    .zip(&self.kinds)
                    .map(|(count, (_, value))| count * value)
                    .sum();
                let expected = 1.0 / (1.0 + (-material - self.white).exp());
                let own = normal.inverse_cdf(open_unit(&mut random));
                let (shared, alone) = (self.correlation.sqrt(), (1.0 - self.correlation).sqrt());
                let luck = normal.cdf(shared * opening + alone * own);
                Round {
                    pair,
                    balance,
                    score: self.score(expected, luck),
                }
            })
        })
    }

    /// One kind against another, against two pawns more, or a pawn alone, in turn.
    fn imbalance(&self, pair: usize, random: &mut Xoshiro256PlusPlus) -> Vec<f64> {
        let pawn = self.kinds.len() - 1;
        let mut counts = vec![0.0; self.kinds.len()];
        counts[pair % self.kinds.len()] += 1.0;
        counts[random.random_range(0..self.kinds.len())] -= 1.0;
        counts[pawn] += f64::from(random.random_range(-2..=2_i8));
        counts
    }

    /// A score of that mean; `luck` is uniform on 0 to 1, high for White's good luck.
    fn score(&self, expected: f64, luck: f64) -> f64 {
        let draw = self.draws * 2.0 * expected.min(1.0 - expected);
        let loss = 1.0 - expected - draw / 2.0;
        if luck < loss {
            0.0
        } else if luck < loss + draw {
            0.5
        } else {
            1.0
        }
    }
}

/// Uniform strictly between 0 and 1.
fn open_unit(random: &mut Xoshiro256PlusPlus) -> f64 {
    (random.random::<f64>() + f64::EPSILON / 2.0).min(1.0 - f64::EPSILON / 2.0)
}

//! Games with known values: data sets in which the right answer is planted.
//!
//! Each opening is played twice with the armies swapped. A game has one result, drawn from proportional odds at its own
//! material and its own share of pieces left, and many positions that all carry it; the two games of a pair share an opening
//! that favours one colour (a Gaussian copula, which leaves each game's distribution as it is). So the planted model holds
//! exactly at every position, while results are as dependent as real ones: wholly within a game, partly within a pair.

pub mod coverage;

use std::sync::Arc;

use assay_rules::{GameDef, Points, Termination};
use assay_selfplay::material;
use nalgebra::DVector;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use statrs::distribution::{ContinuousCDF, Normal};

use crate::values::data::positions::MaterialSample;
use crate::values::data::regressor::Regressor;
use crate::values::data::{Dataset, SampledGame};
use crate::values::design::phase::{FEW, FULL, PhaseModel};
use crate::values::design::spec::DesignSpec;
use crate::values::model::logistic;

/// The least share of an opening's pieces that a planted game is played with.
const LEAST_LEFT: f64 = 0.05;

/// What one term is worth, in log-odds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrueValue {
    /// On a full board.
    pub full: f64,
    /// On a bare board.
    pub bare: f64,
}

impl TrueValue {
    /// With this share of the pieces left: the same while the board is full, then on a straight line to the bare board.
    pub fn at(&self, left: f64) -> f64 {
        let share = (left / FULL).min(1.0);
        share * self.full + (1.0 - share) * self.bare
    }

    /// The same all the time.
    pub const fn flat(log_odds: f64) -> TrueValue {
        TrueValue {
            full: log_odds,
            bare: log_odds,
        }
    }
}

/// The material that a planted pair begins with, White's minus Black's in its first game.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedStart {
    /// A number for each of the game's terms; who moves does not matter.
    pub values: Box<[f32]>,
    /// Pieces of both sides, kings apart.
    pub pieces: u16,
}

/// What is planted.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The game.
    pub game: Arc<GameDef>,
    /// The truth for each of the game's terms ([`Regressor::all`]); who moves and a joker's power are the same all the time.
    pub truth: Vec<TrueValue>,
    /// Thresholds of the results above 1/2, ascending: one with three results, two with five.
    pub thresholds: Vec<f64>,
    /// The correlation of White's fortune in the two games of a pair, 0 to 1.
    pub correlation: f64,
    /// The openings, used in turn.
    pub starts: Vec<SimulatedStart>,
    /// Opening pairs.
    pub pairs: usize,
    /// Quiet positions of a game, on average.
    pub positions: u32,
}

impl Simulation {
    /// The terms that the truth speaks of.
    pub fn regressors(&self) -> Vec<Regressor> {
        Regressor::all(&self.game)
    }

    /// The planted parameters in the order of these columns.
    ///
    /// # Panics
    /// When a column is none of this game's.
    pub fn parameters(&self, columns: &DesignSpec) -> DVector<f64> {
        use crate::values::design::spec::Column::{BareBoard, Constant, FewPieces, FullBoard};
        let regressors = self.regressors();
        let truth = |term: Regressor| {
            let place = regressors.iter().position(|&other| other == term);
            self.truth[place.expect("the columns are this game's")]
        };
        let coefficients = columns.columns.iter().map(|&column| match column {
            FullBoard(term) | Constant(term) => truth(term).full,
            FewPieces(term) => truth(term).at(FEW),
            BareBoard(term) => truth(term).bare,
        });
        let parameters: Vec<f64> = coefficients.chain(self.thresholds.iter().copied()).collect();
        DVector::from_vec(parameters)
    }

    /// A data set; the same for the same seed.
    ///
    /// # Panics
    /// When there is no opening.
    pub fn data(&self, seed: u64) -> Dataset {
        let regressors = self.regressors();
        let columns = DesignSpec::all(&self.game, &regressors, PhaseModel::Linear);
        let parameters = self.parameters(&columns);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let normal = Normal::standard();
        let mut games = Vec::with_capacity(2 * self.pairs);
        for pair in 0..self.pairs {
            let start = &self.starts[pair % self.starts.len()];
            let opening = normal.inverse_cdf(open_unit(&mut random));
            // The pair's stage of the game: the fewer pieces, the barer the board.
            let share = LEAST_LEFT + (1.0 - LEAST_LEFT) * random.random::<f64>();
            let pieces = (f64::from(start.pieces) * share).round().max(1.0) as u16;
            for side in [1.0, -1.0] {
                let own = normal.inverse_cdf(open_unit(&mut random));
                let (shared, alone) = (self.correlation.sqrt(), (1.0 - self.correlation).sqrt());
                let luck = normal.cdf(shared * opening + alone * own);
                let positions = 2 + random.random_range(0..2 * self.positions.max(2) - 3);
                let sample = |to_move: f32, positions: u32| {
                    let values = regressors.iter().zip(&start.values).map(|(&term, &value)| match term {
                        Regressor::SideToMove => to_move,
                        Regressor::White => 1.0,
                        _ => side * value,
                    });
                    MaterialSample {
                        positions,
                        pieces,
                        values: values.collect(),
                    }
                };
                let samples = vec![sample(1.0, positions.div_ceil(2)), sample(-1.0, positions / 2)];
                // Being to move is worth nothing here: a game has one result, and positions with either side to move.
                let row = columns.row(pieces, &samples[0].values);
                let to_move = regressors.iter().position(|&term| term == Regressor::SideToMove);
                debug_assert!(to_move.is_none_or(|place| self.truth[place] == TrueValue::flat(0.0)));
                let log_odds: f64 = row.iter().zip(&parameters).map(|(value, weight)| value * weight).sum();
                let white = self.score(log_odds, luck);
                let is_draw = white == Points::DRAW;
                games.push(SampledGame {
                    cluster: pair,
                    white,
                    reason: if is_draw {
                        Termination::Repetition
                    } else {
                        Termination::Checkmate
                    },
                    plies: 100,
                    samples,
                });
            }
        }
        Dataset {
            game: Arc::clone(&self.game),
            regressors,
            files: Vec::new(),
            games,
        }
    }

    /// The result at a log-odds; `luck` is uniform on 0 to 1, high for White's good luck.
    fn score(&self, log_odds: f64, luck: f64) -> Points {
        let cuts: Vec<f64> = self
            .thresholds
            .iter()
            .rev()
            .map(|threshold| -threshold)
            .chain(self.thresholds.iter().copied())
            .collect();
        let level = cuts
            .iter()
            .filter(|&&threshold| luck > logistic(threshold - log_odds))
            .count();
        match (self.thresholds.len(), level) {
            (1 | 2, 0) => Points::LOSS,
            (2, 1) => Points::DISADVANTAGE,
            (1, 1) | (2, 2) => Points::DRAW,
            (2, 3) => Points::ADVANTAGE,
            _ => Points::WIN,
        }
    }
}

/// The starts of a synthetic design: one kind against another, against two pawns more, or pawns alone, in turn, singly and
/// doubled.
///
/// # Panics
/// Never: there is a pawn.
pub fn synthetic(game: &Arc<GameDef>, count: usize, seed: u64) -> Vec<SimulatedStart> {
    let regressors = Regressor::all(game);
    let army = material::largest(game);
    let kinds: Vec<assay_rules::Kind> = game.all_kinds().filter(|&kind| kind != game.king).collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..count)
        .map(|number| {
            let mut armies = [army.clone(), army.clone()];
            let ours = kinds[number % kinds.len()];
            let theirs = kinds[random.random_range(0..kinds.len())];
            let times = 1 + usize::from(random.random_range(0..3_u8) == 0);
            let pawns = random.random_range(0..3_usize);
            for (side, kind) in [(1, ours), (0, theirs)] {
                let left = &mut armies[side][kind.index()];
                *left = left.saturating_sub(times);
            }
            let side = random.random_range(0..2_usize);
            let left = &mut armies[side][game.pawn.index()];
            *left = left.saturating_sub(pawns);
            start_of(game, &regressors, &armies)
        })
        .collect()
}

/// The start with these armies by kind, White's first; pieces of a colour-bound kind stand on both colours when there are two.
pub fn start_of(game: &Arc<GameDef>, regressors: &[Regressor], armies: &[Vec<usize>; 2]) -> SimulatedStart {
    let strong = |side: usize| -> f32 {
        let majors = game
            .all_kinds()
            .filter(|&kind| game.kind(kind).class == assay_rules::def::PieceClass::Major);
        majors.map(|kind| armies[side][kind.index()] as f32).sum()
    };
    let difference = |number: &dyn Fn(usize) -> f32| number(0) - number(1);
    let values = regressors
        .iter()
        .map(|&term| match term {
            Regressor::Kind(kind) => difference(&|side| armies[side][kind.index()] as f32),
            Regressor::Pair(kind) => difference(&|side| f32::from(u8::from(armies[side][kind.index()] >= 2))),
            Regressor::SecondPiece(kind) => {
                difference(&|side| f32::from(u8::from(armies[side][kind.index()] == 1)) / -2.0)
            }
            Regressor::JokerAgainstMajors(kind) => {
                difference(&|side| armies[side][kind.index()] as f32 * strong(1 - side))
            }
            Regressor::SideToMove | Regressor::White => 1.0,
        })
        .collect();
    let pieces: usize = armies.iter().flatten().sum();
    SimulatedStart {
        values,
        pieces: (pieces - 2) as u16,
    }
}

/// Planted values near what the game's inventor says (4 pawns where nothing is said): the log-odds of a pawn grow from
/// `pawn` on a full board to 1.4 times as much on a bare one, and kinds gain or lose a tenth against it over the game.
pub fn near_published_values(game: &Arc<GameDef>, pawn: f64) -> Vec<TrueValue> {
    let mut turn = 0;
    Regressor::all(game)
        .iter()
        .map(|&term| match term {
            Regressor::Kind(kind) => {
                let value = if kind == game.pawn {
                    1.0
                } else {
                    game.value_in_pawns(kind).unwrap_or(4.0)
                };
                turn += 1;
                let drift = match (kind == game.pawn, turn % 3) {
                    (true, _) | (_, 0) => 1.0,
                    (_, 1) => 1.1,
                    _ => 0.9,
                };
                TrueValue {
                    full: pawn * value,
                    bare: 1.4 * pawn * value * drift,
                }
            }
            Regressor::Pair(_) => TrueValue::flat(0.5 * pawn),
            Regressor::SecondPiece(_) => TrueValue::flat(-0.2 * pawn),
            Regressor::JokerAgainstMajors(_) => TrueValue::flat(0.3 * pawn),
            Regressor::SideToMove => TrueValue::flat(0.0),
            Regressor::White => TrueValue::flat(0.1),
        })
        .collect()
}

/// Uniform strictly between 0 and 1.
fn open_unit(random: &mut Xoshiro256PlusPlus) -> f64 {
    (random.random::<f64>() + f64::EPSILON / 2.0).min(1.0 - f64::EPSILON / 2.0)
}

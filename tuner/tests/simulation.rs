//! Simulated data sets with known values.
//!
//! Each opening is played twice with the armies swapped, if the game allows that. The result of a
//! game is drawn from the proportional odds model at the game's material and share of pieces left,
//! and all positions of the game carry it. The results of a pair are correlated by a Gaussian
//! copula, which leaves the distribution of each game unchanged. So the model holds exactly at
//! every position, while results depend on each other as in real games: fully within a game, partly
//! within a pair.

use std::sync::Arc;

use assay_rules::{Color, GameDef, Kind, Points, Position, Termination};
use assay_selfplay::game::GameEnd;
use assay_selfplay::material::{self, MaterialCount};
use assay_selfplay::swap_armies;
use nalgebra::DVector;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use statrs::distribution::{ContinuousCDF, Normal};

use assay_tuner::values::data::material::full_board;
use assay_tuner::values::data::{Conditions, Dataset, MaterialSample, OwnValues, Regressor, SampledGame};
use assay_tuner::values::design::{Column, DesignSpec, FEW, PhaseModel};
use assay_tuner::values::model::logistic;

/// True value of a regressor in log-odds, linear in the game phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrueValue {
    /// Value on a full board.
    pub full: f64,
    /// Value with [`FEW`] of the pieces left.
    pub few: f64,
}

impl TrueValue {
    /// A value that does not depend on the game phase.
    pub const fn constant(log_odds: f64) -> TrueValue {
        TrueValue { full: log_odds, few: log_odds }
    }
}

/// Material of a simulated pair: White's minus Black's in its first game.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedOpening {
    /// Value of each regressor of the game in the positions of the pair; side to move and White
    /// are ignored.
    pub values: Arc<[f32]>,
    /// The same at the start. What differs was won in play.
    pub start: Arc<[f32]>,
    /// Pieces of both sides, without kings.
    pub pieces: u16,
}

/// Specification of a simulation.
#[derive(Clone, Debug)]
pub struct Simulation {
    pub game: Arc<GameDef>,
    /// True value of each regressor ([`Regressor::all`]). Side to move, White and the joker's
    /// majors must be constant.
    pub truth: Vec<TrueValue>,
    /// True value, in log-odds, of a piece given by the opening minus that of one won in play,
    /// with the kind; all others are 0.
    pub given: Vec<(Kind, f64)>,
    /// Thresholds of the results above 1/2, ascending: one for three results, two for five.
    pub thresholds: Vec<f64>,
    /// Correlation of the latent results of a pair from White's point of view, 0 to 1.
    pub correlation: f64,
    /// Openings, used in rotation.
    pub openings: Vec<SimulatedOpening>,
    pub pairs: usize,
    /// Mean number of quiet positions of a game.
    pub positions: u32,
    /// What the players believe, changed at random by up to [`JITTER`] in each pair. The truth of
    /// [`Regressor::OwnValues`] says how much of that comes back.
    pub own_values: Option<OwnValues>,
}

/// Largest random change of what the players believe.
const JITTER: f64 = 0.2;

impl Simulation {
    /// A simulation with synthetic openings, three results, and pairs that are nearly independent.
    pub fn synthetic(game: &Arc<GameDef>, truth: Vec<TrueValue>, pairs: usize) -> Simulation {
        Simulation {
            game: Arc::clone(game),
            truth,
            given: Vec::new(),
            thresholds: vec![0.7],
            correlation: 0.1,
            openings: synthetic_openings(game),
            pairs,
            positions: 10,
            own_values: None,
        }
    }

    /// True value of a regressor in log-odds.
    ///
    /// # Panics
    /// If the regressor belongs to another game.
    pub fn truth_of(&self, regressor: Regressor) -> TrueValue {
        let regressors = Regressor::all(&self.game);
        let place = regressors.iter().position(|&other| other == regressor);
        self.truth[place.expect("the regressor belongs to this game")]
    }

    /// True parameters in the order of these columns.
    ///
    /// # Panics
    /// If a column belongs to another game.
    pub fn parameters(&self, columns: impl IntoIterator<Item = Column>) -> DVector<f64> {
        let coefficient = |column: Column| {
            let truth = self.truth_of(column.regressor);
            match column.knot {
                None | Some(0) => truth.full,
                Some(_) => truth.few,
            }
        };
        let coefficients = columns.into_iter().map(coefficient);
        let parameters: Vec<f64> = coefficients.chain(self.thresholds.iter().copied()).collect();
        DVector::from_vec(parameters)
    }

    /// Simulates a data set, which depends only on the seed.
    ///
    /// # Panics
    /// If there are no openings.
    pub fn data(&self, seed: u64) -> Dataset {
        // A game has one result but positions with either side to move.
        assert_eq!(self.truth_of(Regressor::SideToMove), TrueValue::constant(0.0), "the side to move has no effect");
        let regressors = Regressor::all(&self.game);
        let spec = DesignSpec::all(&self.game, &regressors, PhaseModel::Piecewise);
        let spec = spec.with_own_values(self.own_values.as_ref());
        let parameters = self.parameters(spec.columns.iter().copied());
        let full_board = full_board(&self.game) as f64;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let normal = Normal::standard();
        let mut games = Vec::with_capacity(2 * self.pairs);
        let can_exchange = swap_armies(&Position::start(&self.game)).is_ok();
        let second = if can_exchange { -1.0 } else { 1.0 };
        for pair in 0..self.pairs {
            let opening = &self.openings[pair % self.openings.len()];
            let shared_luck = normal.inverse_cdf(open_unit(&mut random));
            let jitter = self.own_values.iter().flat_map(|_| self.game.kinds.all());
            let jitter = jitter.map(|_| (JITTER * (2.0 * random.random::<f64>() - 1.0)).ln_1p() as f32);
            let conditions = Conditions { rating: 0.0, jitter: jitter.collect() };
            // The pair's game phase.
            let share = FEW + (1.0 - FEW) * random.random::<f64>();
            let pieces = (full_board * share).ceil().min(f64::from(opening.pieces)) as u16;
            for side in [1.0, second] {
                let own = normal.inverse_cdf(open_unit(&mut random));
                let (shared, alone) = (self.correlation.sqrt(), (1.0 - self.correlation).sqrt());
                let uniform = normal.cdf(shared * shared_luck + alone * own);
                let positions = 2 + random.random_range(0..2 * self.positions.max(2) - 3);
                let values = |of: &[f32], to_move: f32| -> Arc<[f32]> {
                    let values = regressors.iter().zip(of).map(|(&regressor, &value)| match regressor {
                        Regressor::SideToMove => to_move,
                        Regressor::White => 1.0,
                        _ => side * value,
                    });
                    values.collect()
                };
                let sample = |to_move: f32, positions: u32| MaterialSample {
                    positions,
                    pieces,
                    values: values(&opening.values, to_move),
                };
                let start = values(&opening.start, 1.0);
                let samples = vec![sample(1.0, positions.div_ceil(2)), sample(-1.0, positions / 2)];
                let row = spec.row(&conditions, pieces, &samples[0].values);
                let of_balance: f64 = row.iter().zip(&parameters).map(|(value, weight)| value * weight).sum();
                let given =
                    self.given.iter().map(|&(kind, worth)| worth * spec.value_of(Regressor::Kind(kind), &start));
                let log_odds = of_balance + given.sum::<f64>();
                let white = self.score(log_odds, uniform);
                let is_draw = white == Points::DRAW;
                games.push(SampledGame {
                    cluster: pair,
                    white,
                    end: GameEnd::Rules(if is_draw { Termination::Repetition } else { Termination::Checkmate }),
                    decided: None,
                    conditions: conditions.clone(),
                    plies: 100,
                    start,
                    samples,
                });
            }
        }
        Dataset {
            game: Arc::clone(&self.game),
            files: Vec::new(),
            games,
            definition: None,
            sample_games: Vec::new(),
            own_values: self.own_values.clone(),
        }
    }

    /// Result at the given log-odds, drawn by inversion; `uniform` lies between 0 and 1.
    fn score(&self, log_odds: f64, uniform: f64) -> Points {
        let cuts: Vec<f64> =
            self.thresholds.iter().rev().map(|threshold| -threshold).chain(self.thresholds.iter().copied()).collect();
        let level = cuts.iter().filter(|&&threshold| uniform > logistic(threshold - log_odds)).count();
        Points::from_quarters((4 * level / cuts.len()) as u8).expect("there is a level more than cuts")
    }
}

/// Openings of a synthetic design: one or two pieces of one kind against as many of another, with
/// up to two extra pawns for one side.
fn synthetic_openings(game: &Arc<GameDef>) -> Vec<SimulatedOpening> {
    const COUNT: usize = 499;
    let regressors = Regressor::all(game);
    let army = material::largest(game);
    let kinds: Vec<Kind> = game.kinds.all().filter(|&kind| Some(kind) != game.kinds.king()).collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let opening = |number: usize| {
        let mut armies = [army.clone(), army.clone()];
        let ours = kinds[number % kinds.len()];
        let theirs = kinds[random.random_range(0..kinds.len())];
        let times = 1 + usize::from(random.random_range(0..3_u8) == 0);
        let pawns = random.random_range(0..3_usize);
        let mut take = |side: usize, kind: Kind, count: usize| {
            let left = &mut armies[side][kind.index()];
            *left = left.saturating_sub(count);
        };
        take(1, ours, times);
        take(0, theirs, times);
        take(random.random_range(0..2_usize), game.first_pawn(), pawns);
        opening_from_armies(game, &regressors, &armies)
    };
    (0..COUNT).map(opening).collect()
}

/// Opening with these armies (White's first, by kind). Two pieces of a color-bound kind stand on
/// both colors of squares.
pub fn opening_from_armies(
    game: &Arc<GameDef>,
    regressors: &[Regressor],
    armies: &[Vec<usize>; 2],
) -> SimulatedOpening {
    let material = MaterialCount::of_armies(game, armies);
    let values = regressors.iter().map(|regressor| regressor.value(&material, Color::White) as f32);
    let values: Arc<[f32]> = values.collect();
    SimulatedOpening { start: values.clone(), values, pieces: material.pieces() as u16 }
}

/// Lets play change the material of every second opening, to that of the opening after it.
pub fn change_material_in_play(openings: &mut [SimulatedOpening]) {
    let starts: Vec<Arc<[f32]>> = openings.iter().map(|opening| opening.start.clone()).collect();
    for (number, opening) in openings.iter_mut().enumerate().step_by(2) {
        opening.values.clone_from(&starts[(number + 1) % starts.len()]);
    }
}

/// Lets a side win a piece in every second opening, as play does: the planned comparisons alone are
/// nearly even, so that they tell little about the log-odds of a pawn.
pub fn win_pieces_in_play(openings: &mut [SimulatedOpening], regressors: &[Regressor]) {
    let kinds = regressors.iter().enumerate();
    let kinds = kinds.filter(|(_, regressor)| matches!(regressor, Regressor::Kind(_)));
    let wins = kinds.flat_map(|(index, _)| [(index, 1.0), (index, -1.0)]);
    for (opening, (index, won)) in openings.iter_mut().step_by(2).zip(wins.cycle()) {
        let mut values = opening.values.to_vec();
        values[index] += won;
        opening.values = values.into();
    }
}

/// True values near the published ones (4 pawns for pieces without one). A pawn's log-odds grow
/// from `pawn` on a full board to 1.3 times as much with a quarter of the pieces left, and other
/// pieces gain or lose up to a tenth against it.
pub fn near_published_values(game: &Arc<GameDef>, pawn: f64) -> Vec<TrueValue> {
    let mut turn = 0;
    Regressor::all(game)
        .iter()
        .map(|&regressor| match regressor {
            Regressor::Kind(kind) => {
                let value = if kind == game.first_pawn() { 1.0 } else { game.value_in_pawns(kind).unwrap_or(4.0) };
                turn += 1;
                let drift = match (kind == game.first_pawn(), turn % 3) {
                    (true, _) | (_, 0) => 1.0,
                    (_, 1) => 1.1,
                    _ => 0.9,
                };
                TrueValue { full: pawn * value, few: 1.3 * pawn * value * drift }
            }
            Regressor::Pair(_) => TrueValue::constant(0.5 * pawn),
            Regressor::SecondPiece(_) => TrueValue::constant(-0.2 * pawn),
            Regressor::InHand(_) => TrueValue::constant(0.2 * pawn),
            Regressor::JokerAgainstMajors(_) => TrueValue::constant(0.3 * pawn),
            Regressor::SideToMove | Regressor::Rating | Regressor::OwnValues => TrueValue::constant(0.0),
            Regressor::White => TrueValue::constant(0.1),
        })
        .collect()
}

/// Uniform on the open interval from 0 to 1.
fn open_unit(random: &mut Xoshiro256PlusPlus) -> f64 {
    (random.random::<f64>() + f64::EPSILON / 2.0).min(1.0 - f64::EPSILON / 2.0)
}

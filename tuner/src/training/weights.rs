//! Tuning of the linear evaluation (Texel's method): its weights minimize the log-loss of the
//! labels of training positions.
//!
//! Weights are fitted by mini-batch gradient descent, stopped early by cross-validation. Opening
//! pairs are assigned to folds. One model for each fold trains on the other folds, and one more
//! trains on everything; all train in parallel, epoch by epoch. After each epoch every position is
//! predicted by the model that did not train on its opening. The epoch with the lowest held-out
//! log-loss gives the weights of the model trained on everything.

mod anchor;
pub mod linear;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use assay_engine::Weights;
use assay_engine::eval::Weight;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use self::anchor::anchor;
use self::linear::{PhaseWeights, TermExamples, TuningData, gradient, pairs, predict};
use super::adam::Adam;
use super::{Epoch, HeldOutLoss, TrainingError, TrainingProgress};

/// Seed of folds and batch order.
const SHUFFLE_SEED: u64 = 0x0A55_A7E7_A1E0_0002;

/// Number of folds.
pub const FOLDS: usize = 5;

/// Epochs without lower held-out loss after which the fit stops.
const PATIENCE: usize = 8;

/// Maximum batch size in positions.
const MAX_BATCH: usize = 16_384;

/// Minimum number of batches in an epoch, so that small data sets take enough steps.
const MIN_BATCHES: usize = 32;

/// Factor of the learning rate from epoch to epoch.
const LEARNING_RATE_DECAY: f32 = 0.85;

/// Largest absolute weight that a weights file may have.
const MAX_WEIGHT: f32 = 10_000.0;

/// Epsilon of Adam, in nats per centipawn.
const ADAM_EPSILON: f32 = 1e-10;

/// Settings of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TuningSettings {
    /// Weight of the game result in the label, 0 to 1; the search score has the rest.
    pub lambda: f32,
    /// Maximum number of epochs.
    pub epochs: usize,
    /// Learning rate of the first epoch: step of a weight for one batch, in centipawns.
    pub learning_rate: f32,
    /// Standard deviation in centipawns of the normal prior around the initial weight, with each
    /// game counting as one observation. It keeps rare terms near their initial weights.
    pub prior: f64,
}

impl Default for TuningSettings {
    fn default() -> TuningSettings {
        TuningSettings {
            lambda: 0.1,
            epochs: 40,
            learning_rate: 2.0,
            prior: 200.0,
        }
    }
}

/// Result of tuning.
#[derive(Clone, Debug)]
pub struct TunedWeights {
    /// Weights fitted to all games.
    pub weights: Weights,
    /// Loss of the initial weights.
    pub before: HeldOutLoss,
    /// The epoch with the lowest held-out loss; epoch 0 if none was better than the initial
    /// weights.
    pub best: Epoch,
    /// The last epoch that was finished.
    pub last: Epoch,
}

/// Fits weights, starting from `before`. When `stop` becomes true, fitting ends after the epoch.
///
/// # Errors
/// If there are fewer opening pairs than folds.
pub fn fit(
    data: &TuningData,
    before: &Weights,
    settings: &TuningSettings,
    stop: &AtomicBool,
    mut report: impl FnMut(TrainingProgress),
) -> Result<TunedWeights, TrainingError> {
    if data.pairs < FOLDS {
        return Err(data.too_few(FOLDS));
    }
    let start = Instant::now();
    let examples = &data.examples;
    // A pair has two games, or one if the other has not been played yet.
    let games: usize = data.files.iter().map(|file| file.games).sum::<usize>().max(data.pairs);
    let fold_of = assign_folds(data.pairs);
    let mut batches = batches(examples.len());
    let mut order = Xoshiro256PlusPlus::seed_from_u64(SHUFFLE_SEED);
    let initial_weights = pairs(before.values());
    // The last model trains on everything.
    let mut models: Vec<Model> = (0..=FOLDS).map(|fold| Model::new(&initial_weights, fold)).collect();
    // Model `f` did not train on fold `f`.
    let epoch = |models: &[Model], number: usize| {
        let points = predict(examples, |pair| &models[fold_of[pair as usize]].weights);
        Epoch {
            number,
            held_out: HeldOutLoss::of(&points, examples.targets(), settings.lambda),
            elapsed: start.elapsed(),
        }
    };
    let initial = epoch(&models, 0);
    let (mut last, mut best, mut fitted) = (initial, initial, models[FOLDS].weights.clone());
    while last.number < settings.epochs.min(best.number + PATIENCE) && !stop.load(Ordering::Relaxed) {
        let learning_rate = settings.learning_rate * LEARNING_RATE_DECAY.powi(last.number as i32);
        batches.shuffle(&mut order);
        models.par_iter_mut().for_each(|model| {
            for &(from, to) in &batches {
                model.train_batch(examples, from..to, &fold_of, settings, games, learning_rate);
            }
        });
        last = epoch(&models, last.number + 1);
        report(TrainingProgress::Positions((last.number * examples.len()) as u64));
        report(TrainingProgress::Epoch(last));
        if last.held_out.labels < best.held_out.labels {
            (best, fitted) = (last, models[FOLDS].weights.clone());
        }
    }
    let in_range = |weight: &PhaseWeights| weight.map(|value| f64::from(value.clamp(-MAX_WEIGHT, MAX_WEIGHT)));
    let mut fitted: Vec<[f64; 2]> = fitted.iter().map(in_range).collect();
    anchor(before, &mut fitted, &examples.occurrences);
    let mut weights = before.clone();
    for (term, [middlegame, endgame]) in before.terms().all().zip(fitted) {
        weights.set(term, Weight { middlegame, endgame });
    }
    Ok(TunedWeights {
        weights,
        before: initial.held_out,
        best,
        last,
    })
}

/// Assigns opening pairs to folds.
fn assign_folds(pairs: usize) -> Vec<usize> {
    let mut dealt: Vec<usize> = (0..pairs).map(|pair| pair % FOLDS).collect();
    dealt.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(SHUFFLE_SEED));
    dealt
}

/// Batches as ranges of positions.
fn batches(positions: usize) -> Vec<(usize, usize)> {
    let size = MAX_BATCH.min(positions.div_ceil(MIN_BATCHES)).max(1);
    (0..positions)
        .step_by(size)
        .map(|from| (from, positions.min(from + size)))
        .collect()
}

/// A model in training.
struct Model<'b> {
    /// By term, in centipawns.
    weights: Vec<PhaseWeights>,
    before: &'b [PhaseWeights],
    adam: Adam,
    /// Held-out fold.
    held_out: usize,
}

impl<'b> Model<'b> {
    fn new(before: &'b [PhaseWeights], held_out: usize) -> Model<'b> {
        Model {
            adam: Adam::new(2 * before.len(), ADAM_EPSILON, 0.0),
            weights: before.to_vec(),
            before,
            held_out,
        }
    }

    /// Takes one step on a batch.
    fn train_batch(
        &mut self,
        examples: &TermExamples,
        batch: Range<usize>,
        fold_of: &[usize],
        settings: &TuningSettings,
        games: usize,
        learning_rate: f32,
    ) {
        let is_training = |pair: u32| fold_of[pair as usize] != self.held_out;
        let (sums, positions) = gradient(examples, batch, &self.weights, settings.lambda, is_training);
        let positions = positions.max(1) as f64;
        let pull = 1.0 / (settings.prior * settings.prior * games as f64);
        let weights = self.weights.as_flattened().iter().zip(self.before.as_flattened());
        let slope =
            |(sum, (now, before)): (&f64, (&f32, &f32))| (sum / positions + pull * f64::from(now - before)) as f32;
        let slopes: Vec<f32> = sums.as_flattened().iter().zip(weights).map(slope).collect();
        self.adam.step(self.weights.as_flattened_mut(), &slopes, learning_rate);
    }
}

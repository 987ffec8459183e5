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
    /// Epochs without lower held-out loss after which the fit stops.
    pub patience: usize,
    /// Number of folds, at least 2.
    pub folds: usize,
    /// Maximum batch size in positions.
    pub batch: usize,
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
            patience: 8,
            folds: 5,
            batch: 16_384,
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
    if data.pairs < settings.folds {
        return Err(data.too_few(settings.folds));
    }
    let start = Instant::now();
    let examples = &data.examples;
    // A pair has two games, or one if the other has not been played yet.
    let games: usize = data.files.iter().map(|file| file.games).sum::<usize>().max(data.pairs);
    let fold_of = assign_folds(data.pairs, settings.folds);
    let mut batches = batches(examples.len(), settings.batch);
    let mut order = Xoshiro256PlusPlus::seed_from_u64(SHUFFLE_SEED);
    // The last model trains on everything.
    let mut models: Vec<Model> = (0..=settings.folds).map(|fold| Model::new(before, fold)).collect();
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
    let (mut last, mut best, mut fitted) = (initial, initial, models[settings.folds].weights.clone());
    while last.number < settings.epochs.min(best.number + settings.patience) && !stop.load(Ordering::Relaxed) {
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
            (best, fitted) = (last, models[settings.folds].weights.clone());
        }
    }
    let mut weights = before.clone();
    for (term, weight) in weights.terms().clone().all().zip(&fitted) {
        let [middlegame, endgame] = weight.map(|value| f64::from(value.clamp(-MAX_WEIGHT, MAX_WEIGHT)));
        weights.set(term, Weight { middlegame, endgame });
    }
    anchor(before, &mut weights, &examples.occurrences);
    Ok(TunedWeights {
        weights,
        before: initial.held_out,
        best,
        last,
    })
}

/// Assigns opening pairs to folds.
fn assign_folds(pairs: usize, folds: usize) -> Vec<usize> {
    let mut dealt: Vec<usize> = (0..pairs).map(|pair| pair % folds).collect();
    dealt.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(SHUFFLE_SEED));
    dealt
}

/// Batches as ranges of positions.
fn batches(positions: usize, most: usize) -> Vec<(usize, usize)> {
    let size = most.min(positions.div_ceil(MIN_BATCHES)).max(1);
    (0..positions)
        .step_by(size)
        .map(|from| (from, positions.min(from + size)))
        .collect()
}

/// A model in training.
struct Model {
    /// By term, in centipawns.
    weights: Vec<PhaseWeights>,
    before: Vec<PhaseWeights>,
    adam: Adam,
    /// Held-out fold.
    held_out: usize,
}

impl Model {
    fn new(before: &Weights, held_out: usize) -> Model {
        let weights = pairs(before.values());
        Model {
            adam: Adam::new(2 * weights.len(), ADAM_EPSILON, 0.0),
            before: weights.clone(),
            weights,
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

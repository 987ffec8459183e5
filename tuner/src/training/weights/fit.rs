//! Fits weights by mini-batch gradient descent, stopped early by cross-validation.
//!
//! Opening pairs are assigned to folds. One model for each fold trains on the other folds, and one more trains on everything; all train in parallel,
//! epoch by epoch. After each epoch every position is predicted by the model that did not train on its opening. The epoch with the lowest held-out
//! log-loss gives the weights of the model trained on everything.

use std::ops::Range;
use std::time::{Duration, Instant};

use assay_engine::Weights;
use assay_engine::eval::Weight;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::adam::Adam;
use super::anchor::anchor;
use super::examples::{Examples, Label, PhaseWeights, pairs};
use super::objective::{LossSums, gradient, losses};
use super::{TrainingError, TuningData};

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
    /// Target of the prediction.
    pub label: Label,
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
    /// Standard deviation in centipawns of the normal prior around the initial weight, with each game counting as one observation. It keeps
    /// rare terms near their initial weights.
    pub prior: f64,
}

impl Default for TuningSettings {
    fn default() -> TuningSettings {
        TuningSettings {
            label: Label { lambda: 0.1 },
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
    pub before: LossSums,
    /// Held-out loss of the fitted weights.
    pub after: LossSums,
    /// Epoch with the lowest held-out loss; 0 if none was better than the initial weights.
    pub epoch: usize,
    /// Epochs run.
    pub epochs: usize,
    /// Positions used in gradients, counted with repetition.
    pub visits: u64,
    /// Terms used in gradients, counted with repetition.
    pub entries: u64,
    /// Seconds for gradients and losses.
    pub seconds: f64,
    /// Seconds for gradients and steps alone.
    pub learning_seconds: f64,
}

/// Losses after a finished epoch.
#[derive(Clone, Copy, Debug)]
pub struct EpochReport {
    /// Epoch number, from 1.
    pub epoch: usize,
    /// Held-out losses.
    pub losses: LossSums,
}

/// Fits weights, starting from `before`; calls `tell` after each epoch.
///
/// # Errors
/// If there are fewer opening pairs than folds.
pub fn fit(
    collected: &TuningData,
    before: &Weights,
    settings: &TuningSettings,
    mut tell: impl FnMut(EpochReport),
) -> Result<TunedWeights, TrainingError> {
    if collected.clusters < settings.folds {
        return Err(TrainingError::Few {
            files: collected.files.iter().map(|file| file.path.clone()).collect(),
            found: collected.clusters,
            expected: settings.folds,
        });
    }
    let begun = Instant::now();
    let examples = &collected.examples;
    // A pair has two games, or one if the other has not been played yet.
    let games: usize = collected
        .files
        .iter()
        .map(|file| file.games)
        .sum::<usize>()
        .max(collected.clusters);
    let fold_of = assign_folds(collected.clusters, settings.folds);
    let mut batches = batches(examples.len(), settings.batch);
    let mut order = Xoshiro256PlusPlus::seed_from_u64(SHUFFLE_SEED);
    // The last model trains on everything.
    let mut models: Vec<Model> = (0..=settings.folds).map(|fold| Model::new(before, fold)).collect();
    // Model `f` did not train on fold `f`.
    let held_out_losses = |models: &[Model]| {
        losses(examples, settings.label, |cluster| {
            Some(&models[fold_of[cluster as usize]].weights[..])
        })
    };

    let start = held_out_losses(&models);
    let mut best = (0, start, models[settings.folds].weights.clone());
    let mut done = 0;
    let mut learning = Duration::ZERO;
    while done < settings.epochs && done < best.0 + settings.patience {
        let learning_rate = settings.learning_rate * LEARNING_RATE_DECAY.powi(done as i32);
        batches.shuffle(&mut order);
        let epoch_begun = Instant::now();
        models.par_iter_mut().for_each(|model| {
            for &(from, to) in &batches {
                model.train_batch(examples, from..to, &fold_of, settings, games, learning_rate);
            }
        });
        learning += epoch_begun.elapsed();
        done += 1;
        let losses = held_out_losses(&models);
        tell(EpochReport { epoch: done, losses });
        if losses.labels < best.1.labels {
            best = (done, losses, models[settings.folds].weights.clone());
        }
    }
    let (epoch, after, fitted) = best;
    let mut weights = before.clone();
    for (term, weight) in weights.terms().clone().all().zip(&fitted) {
        let [middle, end] = weight.map(|value| f64::from(value.clamp(-MAX_WEIGHT, MAX_WEIGHT)));
        weights.set(
            term,
            Weight {
                middlegame: middle,
                endgame: end,
            },
        );
    }
    anchor(before, &mut weights, &collected.occurrences);
    let passes = (done * settings.folds) as u64;
    Ok(TunedWeights {
        weights,
        before: start,
        after,
        epoch,
        epochs: done,
        // Each epoch all models but one leave out a fold: together they see every position as often as there are folds.
        visits: passes * examples.len() as u64,
        entries: passes * examples.entry_count() as u64,
        seconds: begun.elapsed().as_secs_f64(),
        learning_seconds: learning.as_secs_f64(),
    })
}

/// Assigns opening pairs to folds.
fn assign_folds(clusters: usize, folds: usize) -> Vec<usize> {
    let mut dealt: Vec<usize> = (0..clusters).map(|cluster| cluster % folds).collect();
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
            adam: Adam::new(2 * weights.len(), ADAM_EPSILON),
            before: weights.clone(),
            weights,
            held_out,
        }
    }

    /// Takes one step on a batch.
    fn train_batch(
        &mut self,
        examples: &Examples,
        batch: Range<usize>,
        fold_of: &[usize],
        settings: &TuningSettings,
        games: usize,
        learning_rate: f32,
    ) {
        let is_training = |cluster: u32| fold_of[cluster as usize] != self.held_out;
        let found = gradient(examples, batch, &self.weights, settings.label, is_training);
        let positions = found.positions.max(1) as f64;
        let pull = 1.0 / (settings.prior * settings.prior * games as f64);
        let slopes: Vec<f32> = found
            .sum
            .as_flattened()
            .iter()
            .zip(self.weights.as_flattened().iter().zip(self.before.as_flattened()))
            .map(|(sum, (now, before))| (sum / positions + pull * f64::from(now - before)) as f32)
            .collect();
        self.adam.step(self.weights.as_flattened_mut(), &slopes, learning_rate);
    }
}

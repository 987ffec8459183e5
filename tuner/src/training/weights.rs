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

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use assay_cli::args;
use assay_engine::Weights;
use assay_engine::eval::Weight;
use clap::builder::ArgPredicate;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use self::anchor::anchor;
use self::linear::{PhaseWeights, TermExample, TuningData, gradient, pairs, predict};
use super::adam::Adam;
use super::examples::Target;
use super::{Epoch, HeldOutLoss, TrainingProgress};

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
#[derive(Clone, Copy, Debug, PartialEq, clap::Args)]
pub struct TuningSettings {
    /// Weight of the game's result in the label, 0 to 1; the rest is the search's score. With --material 1 unless given
    #[arg(long, value_name = "SHARE", default_value = "0.1", default_value_if("material", ArgPredicate::IsPresent, "1"), value_parser = args::share, allow_negative_numbers = true, display_order = 1)]
    pub lambda: f64,
    /// Standard deviation of the prior that keeps rarely seen weights near their start, in
    /// centipawns
    // A normal prior around the initial weight, with each game counting as one observation.
    #[arg(long, value_name = "CP", default_value_t = 200.0, value_parser = centipawns, allow_negative_numbers = true)]
    pub prior: f64,
    /// Learning rate in the first epoch, in centipawns per batch; it decays afterwards
    #[arg(long = "rate", value_name = "CP", default_value_t = 2.0, value_parser = centipawns, allow_negative_numbers = true)]
    pub learning_rate: f64,
    /// Maximum number of passes over the games
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = args::whole_number(1..=65_535_usize), allow_negative_numbers = true)]
    pub epochs: usize,
}

fn centipawns(text: &str) -> Result<f64, String> {
    let expected = "expected a number of centipawns from 0.000001 to 1000000";
    args::number(text, |number| (1e-6..=1e6).contains(number), expected)
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
) -> anyhow::Result<TunedWeights> {
    if data.pairs < FOLDS {
        return Err(data.too_few(FOLDS));
    }
    let start = Instant::now();
    let examples = &data.examples;
    let pull = 1.0 / (settings.prior * settings.prior * data.observations() as f64);
    let lambda = settings.lambda as f32;
    let fold_of = assign_folds(data.pairs);
    let targets: Vec<Target> = examples.iter().map(|example| example.target).collect();
    let batch = MAX_BATCH.min(examples.len().div_ceil(MIN_BATCHES)).max(1);
    let mut batches: Vec<&[TermExample]> = examples.chunks(batch).collect();
    let mut order = Xoshiro256PlusPlus::seed_from_u64(SHUFFLE_SEED);
    let initial_weights = pairs(before.values());
    // Model `f` does not train on fold `f`; the last model trains on everything.
    let adam = Adam::new(2 * initial_weights.len(), ADAM_EPSILON, 0.0);
    let mut models: Vec<(Vec<PhaseWeights>, Adam)> = vec![(initial_weights.clone(), adam); FOLDS + 1];
    let epoch = |models: &[(Vec<PhaseWeights>, Adam)], number: usize| {
        let points = predict(examples, |pair| &models[fold_of[pair as usize]].0);
        Epoch { number, held_out: HeldOutLoss::of(&points, &targets, lambda), elapsed: start.elapsed() }
    };
    let initial = epoch(&models, 0);
    let (mut last, mut best, mut fitted) = (initial, initial, models[FOLDS].0.clone());
    while last.number < settings.epochs.min(best.number + PATIENCE) && !stop.load(Ordering::Relaxed) {
        let learning_rate = settings.learning_rate as f32 * LEARNING_RATE_DECAY.powi(last.number as i32);
        batches.shuffle(&mut order);
        models.par_iter_mut().enumerate().for_each(|(fold, (weights, adam))| {
            for batch in &batches {
                let (sums, positions) = gradient(batch, weights, lambda, |pair| fold_of[pair as usize] != fold);
                let positions = positions.max(1) as f64;
                let weights = weights.as_flattened_mut();
                let changes = weights.iter().zip(initial_weights.as_flattened());
                let pulls = changes.map(|(now, before)| pull * f64::from(now - before));
                let slopes = sums.as_flattened().iter().zip(pulls);
                let slopes: Vec<f32> = slopes.map(|(sum, pull)| (sum / positions + pull) as f32).collect();
                adam.step(weights, &slopes, learning_rate);
            }
        });
        last = epoch(&models, last.number + 1);
        report(TrainingProgress::Positions((last.number * examples.len()) as u64));
        report(TrainingProgress::Epoch(last));
        if last.held_out.labels < best.held_out.labels {
            (best, fitted) = (last, models[FOLDS].0.clone());
        }
    }
    let in_range = |weight: &PhaseWeights| weight.map(|value| f64::from(value.clamp(-MAX_WEIGHT, MAX_WEIGHT)));
    let mut fitted: Vec<[f64; 2]> = fitted.iter().map(in_range).collect();
    anchor(before, &mut fitted, &data.occurrences);
    let mut weights = before.clone();
    for (term, [middlegame, endgame]) in before.terms().all().zip(fitted) {
        weights.set(term, Weight { middlegame, endgame });
    }
    Ok(TunedWeights { weights, before: initial.held_out, best, last })
}

/// Assigns opening pairs to folds.
fn assign_folds(pairs: usize) -> Vec<usize> {
    let mut dealt: Vec<usize> = (0..pairs).map(|pair| pair % FOLDS).collect();
    dealt.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(SHUFFLE_SEED));
    dealt
}

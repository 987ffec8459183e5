//! Weights fitted to examples, as far as unseen games get better by it.
//!
//! Opening pairs are dealt into folds. Each fold has a model of its own that learns from all the others, and one more
//! learns from everything; all descend alike, epoch by epoch. After each epoch every position is foretold by the model that
//! has not seen its opening. The epoch in which that went best decides when the model of everything stops.

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
use super::examples::{Examples, Label, Pair, pairs};
use super::objective::{Losses, gradient, losses};
use super::{Collected, TuneError};

/// The seed by which openings are dealt into folds and batches take turns.
const DEAL_SEED: u64 = 0x0A55_A7E7_A1E0_0002;

/// Batches of an epoch at least: with fewer, few games would teach nothing.
const LEAST_BATCHES: usize = 32;

/// What is left of the step from epoch to epoch: small in the end, so that the last batches leave no mark.
const RATE_KEPT: f32 = 0.85;

/// No weight may be further from zero, as weights files have it.
const LARGEST: f32 = 10_000.0;

/// Slopes (nats a centipawn) far below this are taken for none.
const LEAST_SLOPE: f32 = 1e-10;

/// How to fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// What is to be foretold.
    pub label: Label,
    /// Epochs at most.
    pub epochs: usize,
    /// Epochs without progress on unseen games that end the fit.
    pub patience: usize,
    /// Folds, at least 2.
    pub folds: usize,
    /// Positions of a batch at most.
    pub batch: usize,
    /// The step that a weight takes for a batch of the first epoch, in centipawns.
    pub rate: f32,
    /// How far from its weight before a term is likely to belong, in centipawns: a normal prior's standard deviation, with
    /// each game counting as one observation. It keeps terms where they are of which the games say little.
    pub prior: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            label: Label { lambda: 0.1 },
            epochs: 40,
            patience: 8,
            folds: 5,
            batch: 16_384,
            rate: 2.0,
            prior: 200.0,
        }
    }
}

/// Weights before and after, and what is to be said of them.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The weights fitted to all games.
    pub weights: Weights,
    /// What the weights before lose, over all positions.
    pub before: Losses,
    /// What fitted weights lose, each position foretold by a model that has not seen its opening.
    pub after: Losses,
    /// The epoch that was best on unseen games; 0 when none was better than the weights before.
    pub epoch: usize,
    /// How many epochs were tried.
    pub epochs: usize,
    /// Positions looked at for gradients, each time counted.
    pub visits: u64,
    /// Terms looked at for gradients, each time counted.
    pub entries: u64,
    /// Seconds that all gradients and losses took.
    pub seconds: f64,
    /// Seconds of these that gradients and steps took.
    pub learning_seconds: f64,
}

/// What is told after each epoch.
#[derive(Clone, Copy, Debug)]
pub struct EpochEnd {
    /// Its number, from 1.
    pub epoch: usize,
    /// The losses on unseen games.
    pub losses: Losses,
}

/// Fits weights, starting from `before`.
///
/// # Errors
/// When there are fewer opening pairs than folds.
pub fn fit(
    collected: &Collected,
    before: &Weights,
    settings: &Settings,
    mut tell: impl FnMut(EpochEnd),
) -> Result<Fit, TuneError> {
    if collected.clusters < settings.folds {
        return Err(TuneError::Few {
            files: collected.files.iter().map(|file| file.path.clone()).collect(),
            found: collected.clusters,
            expected: settings.folds,
        });
    }
    let begun = Instant::now();
    let examples = &collected.examples;
    // A pair has two games, or one when the other is still to come.
    let games: usize = collected
        .files
        .iter()
        .map(|file| file.games)
        .sum::<usize>()
        .max(collected.clusters);
    let fold_of = deal(collected.clusters, settings.folds);
    let mut batches = batches(examples.len(), settings.batch);
    let mut order = Xoshiro256PlusPlus::seed_from_u64(DEAL_SEED);
    // The last model has no fold held back.
    let mut models: Vec<Model> = (0..=settings.folds).map(|fold| Model::new(before, fold)).collect();
    // The model that has not learnt from an opening has its fold's number.
    let out_of_fold = |models: &[Model]| {
        losses(examples, settings.label, |cluster| {
            Some(&models[fold_of[cluster as usize]].weights[..])
        })
    };

    let start = out_of_fold(&models);
    let mut best = (0, start, models[settings.folds].weights.clone());
    let mut done = 0;
    let mut learning = Duration::ZERO;
    while done < settings.epochs && done < best.0 + settings.patience {
        let rate = settings.rate * RATE_KEPT.powi(done as i32);
        batches.shuffle(&mut order);
        let epoch_begun = Instant::now();
        models.par_iter_mut().for_each(|model| {
            for &(from, to) in &batches {
                model.learn(examples, from..to, &fold_of, settings, games, rate);
            }
        });
        learning += epoch_begun.elapsed();
        done += 1;
        let losses = out_of_fold(&models);
        tell(EpochEnd { epoch: done, losses });
        if losses.labels < best.1.labels {
            best = (done, losses, models[settings.folds].weights.clone());
        }
    }
    let (epoch, after, fitted) = best;
    let mut weights = before.clone();
    for (term, weight) in weights.terms().clone().all().zip(&fitted) {
        let [middle, end] = weight.map(|value| f64::from(value.clamp(-LARGEST, LARGEST)));
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
    Ok(Fit {
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

/// The fold of each opening pair.
fn deal(clusters: usize, folds: usize) -> Vec<usize> {
    let mut dealt: Vec<usize> = (0..clusters).map(|cluster| cluster % folds).collect();
    dealt.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(DEAL_SEED));
    dealt
}

/// Ranges of positions.
fn batches(positions: usize, most: usize) -> Vec<(usize, usize)> {
    let size = most.min(positions.div_ceil(LEAST_BATCHES)).max(1);
    (0..positions)
        .step_by(size)
        .map(|from| (from, positions.min(from + size)))
        .collect()
}

/// Weights on their way.
struct Model {
    /// By term, in centipawns.
    weights: Vec<Pair>,
    before: Vec<Pair>,
    adam: Adam,
    /// The fold that it does not learn from.
    held_back: usize,
}

impl Model {
    fn new(before: &Weights, held_back: usize) -> Model {
        let weights = pairs(before.values());
        Model {
            adam: Adam::new(2 * weights.len(), LEAST_SLOPE),
            before: weights.clone(),
            weights,
            held_back,
        }
    }

    /// Takes one step by the positions of a batch.
    fn learn(
        &mut self,
        examples: &Examples,
        batch: Range<usize>,
        fold_of: &[usize],
        settings: &Settings,
        games: usize,
        rate: f32,
    ) {
        let wanted = |cluster: u32| fold_of[cluster as usize] != self.held_back;
        let found = gradient(examples, batch, &self.weights, settings.label, wanted);
        let positions = found.positions.max(1) as f64;
        let pull = 1.0 / (settings.prior * settings.prior * games as f64);
        let slopes: Vec<f32> = found
            .sum
            .as_flattened()
            .iter()
            .zip(self.weights.as_flattened().iter().zip(self.before.as_flattened()))
            .map(|(sum, (now, before))| (sum / positions + pull * f64::from(now - before)) as f32)
            .collect();
        self.adam.step(self.weights.as_flattened_mut(), &slopes, rate);
    }
}

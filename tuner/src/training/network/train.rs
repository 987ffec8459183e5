//! Mini-batch training. The result does not depend on the number of threads.

use assay_engine::nnue::FeatureSet;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::examples::{NetworkData, NetworkExamples};
use super::gradient::{NetworkParameters, gradient, log_loss, predict};
use crate::training::weights::TrainingError;
use crate::training::weights::adam::Adam;

/// Parallel parts of a batch, whatever the number of threads: floating-point sums depend on their order.
const PARTS: usize = 8;
/// Positions predicted by one task.
const CHUNK: usize = 1 << 14;
/// One in this many opening pairs is held out.
const HELD_OUT: usize = 20;
const ADAM_EPSILON: f32 = 1e-8;
/// Largest absolute weight that survives quantization.
const MAX_WEIGHT: f32 = 1.98;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkSettings {
    /// Hidden neurons for each perspective.
    pub hidden: usize,
    /// Number of epochs.
    pub epochs: usize,
    /// Weight of the game result in the label, 0 to 1; the search score has the rest.
    pub lambda: f32,
    /// Batch size in positions.
    pub batch: usize,
    /// Learning rate of the first epoch; it decays exponentially to a hundredth in the last.
    pub learning_rate: f32,
    /// Seed of initialization, held-out pairs and shuffling.
    pub seed: u64,
}

/// Mean log-loss of held-out positions, in nats.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct HeldOutLoss {
    /// Against the labels.
    pub labels: f64,
    /// Against the game results.
    pub results: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct EpochResult {
    /// Epoch number, from 1; 0 before training.
    pub epoch: usize,
    /// Held-out loss of the network.
    pub held_out: HeldOutLoss,
}

#[derive(Clone, Debug)]
pub struct TrainedNetwork {
    /// Parameters after the best epoch.
    pub parameters: NetworkParameters,
    pub best: EpochResult,
    /// Held-out loss of the linear evaluation.
    pub linear: HeldOutLoss,
    /// Held-out loss of predicting half a point.
    pub constant: HeldOutLoss,
    /// Number of training positions.
    pub training_positions: usize,
    /// Number of held-out positions.
    pub held_out: usize,
}

/// Trains a network; calls `on_epoch` after each epoch.
///
/// # Errors
/// If there are too few opening pairs to hold some out.
pub fn train(
    collected: &NetworkData,
    settings: &NetworkSettings,
    mut on_epoch: impl FnMut(EpochResult),
) -> Result<TrainedNetwork, TrainingError> {
    let examples = &collected.examples;
    let (mut training_positions, held_out) = split(collected, settings.seed);
    if training_positions.is_empty() || held_out.is_empty() {
        return Err(TrainingError::Few {
            files: collected.files.iter().map(|file| file.path.clone()).collect(),
            found: collected.clusters,
            expected: HELD_OUT,
        });
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
    let inputs = FeatureSet::new(&collected.game).inputs();
    let mut parameters = initialize(inputs, settings.hidden, &mut random);
    let mut transformer = Adam::new(parameters.transformer.len(), ADAM_EPSILON);
    let mut output = Adam::new(parameters.output.len(), ADAM_EPSILON);
    let held_out_loss = |parameters: &NetworkParameters| {
        let points = network_points(parameters, examples, &held_out);
        losses(&points, examples, &held_out, settings.lambda)
    };
    let start = EpochResult {
        epoch: 0,
        held_out: held_out_loss(&parameters),
    };
    let mut best = (start, parameters.clone());
    let mut gradients: Vec<NetworkParameters> = (0..PARTS)
        .map(|_| NetworkParameters::zero(inputs, settings.hidden))
        .collect();
    for epoch in 1..=settings.epochs {
        let done = (epoch - 1) as f32 / (settings.epochs.max(2) - 1) as f32;
        let learning_rate = settings.learning_rate * 0.01f32.powf(done);
        training_positions.shuffle(&mut random);
        for batch in training_positions.chunks(settings.batch) {
            let size = batch.len().div_ceil(PARTS);
            let used = batch.len().div_ceil(size);
            gradients[..used]
                .par_iter_mut()
                .zip(batch.par_chunks(size))
                .for_each(|(gradients, part)| gradient(&parameters, examples, part, settings.lambda, gradients));
            let [sum, others @ ..] = gradients.as_mut_slice() else {
                continue;
            };
            others[..used - 1].iter().for_each(|other| sum.add(other));
            sum.scale(1.0 / batch.len() as f32);
            transformer.step(&mut parameters.transformer, &sum.transformer, learning_rate);
            output.step(&mut parameters.output, &sum.output, learning_rate);
            parameters.clamp(MAX_WEIGHT);
        }
        let end = EpochResult {
            epoch,
            held_out: held_out_loss(&parameters),
        };
        on_epoch(end);
        if end.held_out.labels < best.0.held_out.labels {
            best = (end, parameters.clone());
        }
    }
    let (best, parameters) = best;
    let points = |of: &dyn Fn(u32) -> f32| -> Vec<f32> { held_out.iter().map(|&index| of(index)).collect() };
    let linear = points(&|index| examples.get(index as usize).head.linear);
    Ok(TrainedNetwork {
        parameters,
        best,
        linear: losses(&linear, examples, &held_out, settings.lambda),
        constant: losses(&points(&|_| 0.5), examples, &held_out, settings.lambda),
        training_positions: training_positions.len(),
        held_out: held_out.len(),
    })
}

/// Splits positions into training and held-out positions, by opening pair.
fn split(collected: &NetworkData, seed: u64) -> (Vec<u32>, Vec<u32>) {
    let mut clusters: Vec<usize> = (0..collected.clusters).collect();
    clusters.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    let mut is_held_out = vec![false; collected.clusters];
    for &cluster in &clusters[..collected.clusters / HELD_OUT] {
        is_held_out[cluster] = true;
    }
    let examples = &collected.examples;
    (0..examples.len() as u32).partition(|&index| !is_held_out[examples.get(index as usize).head.cluster as usize])
}

/// Random initial parameters, scaled so that most accumulators lie between 0 and 1.
fn initialize(inputs: usize, hidden: usize, random: &mut Xoshiro256PlusPlus) -> NetworkParameters {
    let mut parameters = NetworkParameters::zero(inputs, hidden);
    let (weights, bias) = parameters.transformer.split_at_mut(inputs * hidden);
    weights.fill_with(|| random.random_range(-0.1..0.1));
    bias.fill(0.3);
    let limit = (1.0 / hidden as f32).sqrt();
    let width = 2 * hidden + 1;
    for bucket in parameters.output.chunks_mut(width) {
        bucket[..width - 1].fill_with(|| random.random_range(-limit..limit));
    }
    parameters
}

fn network_points(parameters: &NetworkParameters, examples: &NetworkExamples, indices: &[u32]) -> Vec<f32> {
    let parts = indices.par_chunks(CHUNK);
    parts
        .flat_map_iter(|part| predict(parameters, examples, part))
        .collect()
}

fn losses(points: &[f32], examples: &NetworkExamples, indices: &[u32], lambda: f32) -> HeldOutLoss {
    let (mut labels, mut results) = (0.0, 0.0);
    for (&points, &index) in points.iter().zip(indices) {
        let head = examples.get(index as usize).head;
        labels += log_loss(points, head.label(lambda));
        results += log_loss(points, head.result);
    }
    let positions = indices.len() as f64;
    HeldOutLoss {
        labels: labels / positions,
        results: results / positions,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use assay_rules::GameDef;

    use super::*;
    use crate::training::network::examples::NetworkExampleHeader;

    /// Positions whose expected points depend on the number of features in the lower half.
    fn simulated() -> NetworkData {
        let game = GameDef::builtin("chess").unwrap();
        let inputs = FeatureSet::new(&game).inputs() as u32;
        let mut examples = NetworkExamples::default();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        for index in 0..20_000u32 {
            let mut list = || -> Vec<u16> { (0..6).map(|_| random.random_range(0..inputs) as u16).collect() };
            let (own, other) = (list(), list());
            let count = |list: &[u16]| list.iter().filter(|&&feature| u32::from(feature) < inputs / 2).count() as f32;
            let points = super::super::gradient::logistic(0.8 * (count(&own) - count(&other)));
            let head = NetworkExampleHeader {
                result: if random.random::<f32>() < points { 1.0 } else { 0.0 },
                expected: points,
                linear: 0.5,
                bucket: (index % 8) as u8,
                cluster: index / 20,
            };
            examples.push(head, &own, &other);
        }
        NetworkData {
            game: Arc::clone(&game),
            files: Vec::new(),
            examples,
            clusters: 1000,
        }
    }

    const SETTINGS: NetworkSettings = NetworkSettings {
        hidden: 16,
        epochs: 8,
        lambda: 0.2,
        batch: 500,
        learning_rate: 0.01,
        seed: 3,
    };

    #[test]
    fn learns_known_function_independent_of_threads() {
        let collected = simulated();
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| train(&collected, &SETTINGS, |_| {}).unwrap())
        };
        let (one, two) = (with(1), with(3));
        assert_eq!(one.parameters, two.parameters);
        assert!(one.training_positions > 18_000 && one.held_out > 900);
        // The true expected points have the lowest possible loss.
        let examples = &collected.examples;
        let (_, held_out) = split(&collected, SETTINGS.seed);
        let truth: Vec<f32> = held_out
            .iter()
            .map(|&index| examples.get(index as usize).head.expected)
            .collect();
        let floor = losses(&truth, examples, &held_out, SETTINGS.lambda).labels;
        let gap = |losses: HeldOutLoss| losses.labels - floor;
        assert!(
            gap(one.best.held_out) < 0.1 * gap(one.constant),
            "{floor} {:?} {:?}",
            one.best,
            one.constant
        );
    }
}

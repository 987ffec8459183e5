//! Mini-batch training. The result does not depend on the number of threads.

use std::f64::consts::PI;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use assay_engine::Network;
use assay_engine::nnue::{FeatureSet, KING_BUCKETS};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use thiserror::Error;

use super::examples::{NetworkData, NetworkExamples, Perspectives};
use super::gradient::{NetworkParameters, add, gradient, log_loss, predict};
use crate::training::weights::adam::Adam;

/// Parallel parts of a batch, whatever the number of threads: floating-point sums depend on their order.
const PARTS: usize = 8;
/// Positions predicted by one task.
const CHUNK: usize = 1 << 14;
/// Parameters whose gradients are summed by one task.
const PARAMETERS_PER_TASK: usize = 8_192;
const ADAM_EPSILON: f32 = 1e-8;
const WEIGHT_DECAY: f32 = 0.01;
/// Largest absolute weight that survives quantization.
const MAX_WEIGHT: f32 = 1.98;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkSettings {
    /// Hidden neurons for each perspective.
    pub hidden: usize,
    /// Number of king buckets: 1 or [`KING_BUCKETS`].
    pub king_buckets: usize,
    /// Number of epochs.
    pub epochs: usize,
    /// Weight of the game result in the label, 0 to 1; the search score has the rest.
    pub lambda: f32,
    /// Batch size in positions.
    pub batch: usize,
    /// Learning rate of the first batch. It falls to almost 0 over all epochs, along half a cosine wave.
    pub learning_rate: f32,
    /// Seed of initialization and shuffling.
    pub seed: u64,
}

impl Default for NetworkSettings {
    fn default() -> NetworkSettings {
        NetworkSettings {
            hidden: 64,
            king_buckets: KING_BUCKETS,
            epochs: 20,
            lambda: 0.1,
            batch: 16_384,
            learning_rate: 0.001,
            seed: 1,
        }
    }
}

/// Mean log-loss of held-out positions, in nats.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct HeldOutLoss {
    /// Against the labels.
    pub labels: f64,
    /// Against the game results.
    pub results: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpochResult {
    /// Epoch number, from 1; 0 before training.
    pub epoch: usize,
    /// Held-out loss of the network.
    pub held_out: HeldOutLoss,
    /// Time since the start of training.
    pub elapsed: Duration,
}

/// Progress of training.
#[derive(Clone, Copy, Debug)]
pub enum TrainingProgress {
    /// Positions used so far, counted once for each epoch.
    Positions(u64),
    /// An epoch has ended.
    Epoch(EpochResult),
}

#[derive(Clone, Debug)]
pub struct TrainedNetwork {
    /// Parameters after the last epoch that was finished.
    pub parameters: NetworkParameters,
    /// The last epoch that was finished.
    pub last: EpochResult,
    /// Held-out loss of the linear evaluation.
    pub linear: HeldOutLoss,
    /// Held-out loss of predicting half a point.
    pub constant: HeldOutLoss,
}

/// Trains a network, from random parameters or from those of `initial`. When `stop` becomes true, the network of the last finished epoch
/// is returned.
///
/// # Errors
/// If `initial` has another hidden size, or king buckets where the settings have one.
pub fn train(
    data: &NetworkData,
    settings: &NetworkSettings,
    initial: Option<&Network>,
    stop: &AtomicBool,
    mut report: impl FnMut(TrainingProgress),
) -> Result<TrainedNetwork, InitialNetworkError> {
    let start = Instant::now();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
    let perspectives = Perspectives::new(&FeatureSet::new(&data.game, settings.king_buckets));
    let initial = initial
        .map(|network| initial_parameters(network, settings))
        .transpose()?;
    let mut trainer = Trainer::new(&data.training, &perspectives, settings, initial.as_ref(), &mut random);
    let held_out_loss = |parameters: &NetworkParameters, epoch: usize| EpochResult {
        epoch,
        held_out: losses(
            &network_points(parameters, &perspectives, &data.held_out),
            &data.held_out,
            settings.lambda,
        ),
        elapsed: start.elapsed(),
    };
    let mut last = held_out_loss(&trainer.parameters, 0);
    let mut finished = trainer.parameters.clone();
    let mut order: Vec<u32> = (0..data.training.len() as u32).collect();
    let batches = settings.epochs * order.len().div_ceil(settings.batch);
    let (mut step, mut positions) = (0u32, 0);
    'epochs: for epoch in 1..=settings.epochs {
        order.shuffle(&mut random);
        for batch in order.chunks(settings.batch) {
            if stop.load(Ordering::Relaxed) {
                break 'epochs;
            }
            let wave = 0.5 * (1.0 + (PI * f64::from(step) / batches as f64).cos());
            trainer.step(batch, settings.learning_rate * wave as f32);
            step += 1;
            positions += batch.len() as u64;
            report(TrainingProgress::Positions(positions));
        }
        last = held_out_loss(&trainer.parameters, epoch);
        finished.clone_from(&trainer.parameters);
        report(TrainingProgress::Epoch(last));
    }
    let constant = vec![0.5; data.held_out.len()];
    Ok(TrainedNetwork {
        parameters: finished,
        last,
        linear: losses(&data.linear, &data.held_out, settings.lambda),
        constant: losses(&constant, &data.held_out, settings.lambda),
    })
}

/// A network that training with these settings cannot start from.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InitialNetworkError {
    #[error("found {found} hidden neurons, expected {expected}, as --hidden says")]
    Hidden { found: usize, expected: usize },
    #[error("found {found} king buckets, expected 1, as --king-buckets says")]
    KingBuckets { found: usize },
}

/// Parameters of a network with the king buckets of the settings.
fn initial_parameters(network: &Network, settings: &NetworkSettings) -> Result<NetworkParameters, InitialNetworkError> {
    if network.hidden() != settings.hidden {
        return Err(InitialNetworkError::Hidden {
            found: network.hidden(),
            expected: settings.hidden,
        });
    }
    let found = network.features().king_buckets();
    if found > settings.king_buckets {
        return Err(InitialNetworkError::KingBuckets { found });
    }
    let mut float = network.to_float();
    let copies = settings.king_buckets / found;
    float.inputs *= copies;
    float.feature_weights = float.feature_weights.repeat(copies);
    Ok(NetworkParameters::of_network(&float))
}

/// Parameters and optimizer.
///
/// With several king buckets, a weight of the feature transformer is the sum of one that all buckets share and one of its own
/// (factorization), so that features are learned from all games before the buckets differ.
struct Trainer<'d> {
    examples: &'d NetworkExamples,
    perspectives: &'d Perspectives,
    lambda: f32,
    /// The sums, as the network uses them.
    parameters: NetworkParameters,
    /// The terms that the optimizer changes: `shared` weights of all king buckets, then terms of all parameters.
    terms: Vec<f32>,
    /// Number of shared weights; 0 with one king bucket.
    shared: usize,
    adam: Adam,
    /// One for each part of a batch.
    gradients: Vec<NetworkParameters>,
    /// Gradient with respect to the terms.
    slopes: Vec<f32>,
}

impl<'d> Trainer<'d> {
    fn new(
        examples: &'d NetworkExamples,
        perspectives: &'d Perspectives,
        settings: &NetworkSettings,
        initial: Option<&NetworkParameters>,
        random: &mut Xoshiro256PlusPlus,
    ) -> Trainer<'d> {
        let (inputs, hidden) = (perspectives.inputs(), settings.hidden);
        let zero = NetworkParameters::zero(inputs, hidden);
        let shared = if settings.king_buckets > 1 {
            perspectives.bucket_inputs() * hidden
        } else {
            0
        };
        let mut terms;
        if let Some(initial) = initial {
            terms = vec![0.0; shared];
            terms.extend(&initial.numbers);
        } else {
            // The random weights are shared; those of the buckets start at 0.
            terms = initialize(perspectives.bucket_inputs(), hidden, random).numbers;
            if shared > 0 {
                terms.splice(shared..shared, vec![0.0; inputs * hidden]);
            }
        }
        let mut trainer = Trainer {
            examples,
            perspectives,
            lambda: settings.lambda,
            adam: Adam::new(terms.len(), ADAM_EPSILON).with_weight_decay(WEIGHT_DECAY),
            parameters: zero.clone(),
            slopes: vec![0.0; terms.len()],
            terms,
            shared,
            gradients: vec![zero; PARTS],
        };
        trainer.sum_terms();
        trainer
    }

    /// Computes the parameters from their terms.
    fn sum_terms(&mut self) {
        let (shared, own) = self.terms.split_at(self.shared);
        self.parameters.numbers.copy_from_slice(own);
        if self.shared > 0 {
            let weights = self.perspectives.inputs() * self.parameters.hidden();
            let buckets = self.parameters.numbers[..weights].par_chunks_mut(self.shared);
            buckets.for_each(|bucket| add(bucket, shared));
        }
    }

    /// One step against the mean gradient of a batch.
    fn step(&mut self, batch: &[u32], learning_rate: f32) {
        let size = batch.len().div_ceil(PARTS);
        let used = batch.len().div_ceil(size);
        let (examples, perspectives, lambda) = (self.examples, self.perspectives, self.lambda);
        let parameters = &self.parameters;
        let gradients = &mut self.gradients[..used];
        gradients
            .par_iter_mut()
            .zip(batch.par_chunks(size))
            .for_each(|(gradients, part)| gradient(parameters, perspectives, examples, part, lambda, gradients));
        let Some((sum, others)) = gradients.split_first_mut() else {
            return;
        };
        let share = 1.0 / batch.len() as f32;
        let tasks = sum.numbers.par_chunks_mut(PARAMETERS_PER_TASK).enumerate();
        tasks.for_each(|(task, sums)| {
            for other in &*others {
                add(sums, &other.numbers[task * PARAMETERS_PER_TASK..][..sums.len()]);
            }
            for sum in sums {
                *sum *= share;
            }
        });
        let (shared, own) = self.slopes.split_at_mut(self.shared);
        own.copy_from_slice(&sum.numbers);
        if self.shared > 0 {
            let weights = self.perspectives.inputs() * self.parameters.hidden();
            shared.fill(0.0);
            for bucket in own[..weights].chunks(self.shared) {
                add(shared, bucket);
            }
        }
        self.adam.step(&mut self.terms, &self.slopes, learning_rate);
        for term in &mut self.terms {
            *term = term.clamp(-MAX_WEIGHT, MAX_WEIGHT);
        }
        self.sum_terms();
    }
}

/// Random initial parameters, scaled so that most accumulators lie between 0 and 1.
fn initialize(inputs: usize, hidden: usize, random: &mut Xoshiro256PlusPlus) -> NetworkParameters {
    let mut parameters = NetworkParameters::zero(inputs, hidden);
    let (transformer, output) = parameters.layers_mut();
    let (weights, bias) = transformer.split_at_mut(inputs * hidden);
    weights.fill_with(|| random.random_range(-0.1..0.1));
    bias.fill(0.3);
    let limit = (1.0 / hidden as f32).sqrt();
    let width = 2 * hidden + 1;
    for bucket in output.chunks_mut(width) {
        bucket[..width - 1].fill_with(|| random.random_range(-limit..limit));
    }
    parameters
}

fn network_points(parameters: &NetworkParameters, perspectives: &Perspectives, examples: &NetworkExamples) -> Vec<f32> {
    let parts = (0..examples.len().div_ceil(CHUNK)).into_par_iter();
    parts
        .flat_map_iter(|part| {
            let end = ((part + 1) * CHUNK).min(examples.len());
            predict(parameters, perspectives, examples, part * CHUNK..end)
        })
        .collect()
}

fn losses(points: &[f32], examples: &NetworkExamples, lambda: f32) -> HeldOutLoss {
    let (mut labels, mut results) = (0.0, 0.0);
    for (&points, head) in points.iter().zip(examples.heads()) {
        labels += log_loss(points, head.label(lambda));
        results += log_loss(points, head.result());
    }
    let positions = examples.len() as f64;
    HeldOutLoss {
        labels: labels / positions,
        results: results / positions,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use assay_rules::{GameDef, Points};

    use super::*;
    use crate::training::network::examples::NetworkExampleHeader;

    /// Positions whose expected points depend on the number of features in the lower half.
    fn simulated() -> NetworkData {
        let game = GameDef::builtin("chess").unwrap();
        let inputs = FeatureSet::new(&game, KING_BUCKETS).bucket_inputs() as u32;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut examples = |number: usize| {
            let mut examples = NetworkExamples::default();
            for index in 0..number {
                let own: Vec<u16> = (0..6).map(|_| random.random_range(0..inputs) as u16).collect();
                let lower = own.iter().filter(|&&feature| u32::from(feature) < inputs / 2).count();
                let points = super::super::gradient::logistic(0.8 * (lower as f32 - 3.0));
                let head = NetworkExampleHeader {
                    result: if random.random::<f32>() < points {
                        Points::WIN
                    } else {
                        Points::LOSS
                    },
                    expected: points,
                    bucket: (index % 8) as u8,
                    opposite_mirrored: index % 3 == 0,
                    king_buckets: [(index % 4) as u8, (index / 2 % 4) as u8],
                };
                examples.push(head, own);
            }
            examples
        };
        let (training, held_out) = (examples(19_000), examples(1_000));
        NetworkData {
            game: Arc::clone(&game),
            files: Vec::new(),
            training,
            linear: vec![0.5; held_out.len()],
            held_out,
            clusters: 1000,
        }
    }

    const SETTINGS: NetworkSettings = NetworkSettings {
        hidden: 16,
        king_buckets: KING_BUCKETS,
        epochs: 8,
        lambda: 0.2,
        batch: 500,
        learning_rate: 0.01,
        seed: 3,
    };

    static RUN: AtomicBool = AtomicBool::new(false);

    #[test]
    fn learns_known_function_independent_of_threads() {
        learns_known_function(1, 0.1);
        learns_known_function(KING_BUCKETS, 0.15);
    }

    /// Trains on simulated data with one and three threads. The loss must come closer to the lowest possible than this part of the
    /// distance of a constant.
    fn learns_known_function(king_buckets: usize, part: f64) {
        let data = simulated();
        let settings = NetworkSettings {
            king_buckets,
            ..SETTINGS
        };
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| train(&data, &settings, None, &RUN, |_| {}).unwrap())
        };
        let (one, two) = (with(1), with(3));
        assert_eq!(one.parameters, two.parameters);
        // The true expected points have the lowest possible loss.
        let truth: Vec<f32> = data.held_out.heads().iter().map(|head| head.expected).collect();
        let floor = losses(&truth, &data.held_out, SETTINGS.lambda).labels;
        let gap = |losses: HeldOutLoss| losses.labels - floor;
        assert!(
            gap(one.last.held_out) < part * gap(one.constant),
            "{floor} {:?} {:?}",
            one.last,
            one.constant
        );
        assert_eq!(one.linear, one.constant);
        let largest = one
            .parameters
            .numbers
            .iter()
            .fold(0f32, |largest, number| largest.max(number.abs()));
        assert!(largest <= MAX_WEIGHT);
    }

    #[test]
    fn stopping_keeps_the_last_finished_epoch() {
        let data = simulated();
        let stop = AtomicBool::new(false);
        let mut after_three = None;
        let stopped = train(&data, &SETTINGS, None, &stop, |progress| match progress {
            TrainingProgress::Epoch(end) => after_three = Some(end).filter(|end| end.epoch == 3).or(after_three),
            TrainingProgress::Positions(positions) => stop.store(positions > 3 * 19_000 + 5_000, Ordering::Relaxed),
        })
        .unwrap();
        assert_eq!(Some(stopped.last), after_three);
        let points = network_points(
            &stopped.parameters,
            &Perspectives::new(&FeatureSet::new(&data.game, SETTINGS.king_buckets)),
            &data.held_out,
        );
        assert_eq!(losses(&points, &data.held_out, SETTINGS.lambda), stopped.last.held_out);
    }

    #[test]
    fn training_continues_a_network() {
        let data = simulated();
        let one = NetworkSettings {
            king_buckets: 1,
            ..SETTINGS
        };
        let trained = train(&data, &one, None, &RUN, |_| {}).unwrap();
        let network = trained.parameters.to_network(String::new()).quantize(&data.game);
        // The first epoch starts where the network is, but for rounding, also with more king buckets.
        for settings in [one, SETTINGS] {
            let perspectives = Perspectives::new(&FeatureSet::new(&data.game, settings.king_buckets));
            let parameters = initial_parameters(&network, &settings).unwrap();
            let points = network_points(&parameters, &perspectives, &data.held_out);
            let loss = losses(&points, &data.held_out, settings.lambda).labels;
            assert!((loss - trained.last.held_out.labels).abs() < 0.002, "{loss}");
            let more = train(&data, &settings, Some(&network), &RUN, |_| {}).unwrap();
            assert!(more.last.held_out.labels < trained.constant.labels);
        }
        let wide = NetworkSettings { hidden: 32, ..SETTINGS };
        assert_eq!(
            train(&data, &wide, Some(&network), &RUN, |_| {}).unwrap_err(),
            InitialNetworkError::Hidden {
                found: 16,
                expected: 32
            }
        );
        let buckets = trained_with_buckets(&data);
        assert_eq!(
            train(&data, &one, Some(&buckets), &RUN, |_| {}).unwrap_err(),
            InitialNetworkError::KingBuckets { found: KING_BUCKETS }
        );
    }

    fn trained_with_buckets(data: &NetworkData) -> Network {
        let trained = train(data, &SETTINGS, None, &RUN, |_| {}).unwrap();
        trained.parameters.to_network(String::new()).quantize(&data.game)
    }
}

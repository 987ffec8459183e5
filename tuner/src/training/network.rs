//! Training of efficiently updatable networks (NNUE) by mini-batch gradient descent with `AdamW`,
//! for a fixed number of epochs. The result does not depend on the number of threads.

pub mod features;
pub mod gradient;

use std::f64::consts::PI;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::ensure;
use assay_cli::args::{self, SeedArg};
use assay_engine::nnue::{FeatureSet, HIDDEN_MULTIPLE, KING_BUCKETS, MAX_HIDDEN, is_valid_hidden};
use assay_engine::{FloatNetwork, Network};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use self::features::{NetworkData, NetworkExample, Split};
use self::gradient::{add, gradient, predict};
use super::adam::Adam;
use super::examples::Target;
use super::{Epoch, HeldOutLoss, TrainingProgress};

/// Parallel parts of a batch, whatever the number of threads: floating-point sums depend on their
/// order.
const PARTS: usize = 8;
/// Parameters whose gradients are summed by one task.
const PARAMETERS_PER_TASK: usize = 8_192;
const ADAM_EPSILON: f32 = 1e-8;
const WEIGHT_DECAY: f32 = 0.01;
/// Largest absolute weight that survives quantization.
const MAX_WEIGHT: f32 = 1.98;

/// Settings of the training of a network, which are options of `assay-tuner network`.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct NetworkSettings {
    /// Weight of the game's result in the label, 0 to 1; the rest are scores of searches
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = args::share, allow_negative_numbers = true, display_order = 1)]
    pub lambda: f64,
    /// Factor by which the weight of later scores of the game falls with each ply; 0 takes the
    /// position's own score alone
    #[arg(long, value_name = "D", default_value_t = 0.8, value_parser = decay, allow_negative_numbers = true, display_order = 1)]
    pub decay: f64,
    /// Hidden neurons per side: a multiple of 16 from 16 to 512
    #[arg(long, value_name = "H", default_value_t = 64, value_parser = hidden, allow_negative_numbers = true)]
    pub hidden: usize,
    /// Sets of feature weights, selected by the square of the own king: 1 or 4
    #[arg(long, value_name = "N", default_value_t = KING_BUCKETS, value_parser = king_buckets, allow_negative_numbers = true)]
    pub king_buckets: usize,
    /// Passes over the positions
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = args::whole_number(1..=65_535_usize), allow_negative_numbers = true)]
    pub epochs: usize,
    /// Positions per batch
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = args::whole_number(1..=u32::MAX as usize), allow_negative_numbers = true)]
    pub batch: usize,
    /// Learning rate at the start; it falls to 0 over all epochs
    #[arg(long, value_name = "R", default_value_t = 0.001, value_parser = rate, allow_negative_numbers = true)]
    pub rate: f32,
    #[command(flatten)]
    pub seed: SeedArg,
}

fn hidden(text: &str) -> Result<usize, String> {
    let expected = format!("expected a multiple of {HIDDEN_MULTIPLE} from {HIDDEN_MULTIPLE} to {MAX_HIDDEN}");
    args::number(text, |&hidden| is_valid_hidden(hidden), &expected)
}

fn king_buckets(text: &str) -> Result<usize, String> {
    let expected = format!("expected 1 or {KING_BUCKETS}");
    args::number(text, |number| [1, KING_BUCKETS].contains(number), &expected)
}

fn decay(text: &str) -> Result<f64, String> {
    args::number(text, |decay| (0.0..1.0).contains(decay), "expected a number from 0, below 1")
}

fn rate(text: &str) -> Result<f32, String> {
    args::number(text, |&rate| rate > 0.0 && rate <= 1.0, "expected a number above 0, at most 1")
}

#[derive(Clone, Debug)]
pub struct TrainedNetwork {
    /// Parameters after the last epoch that was finished.
    pub parameters: FloatNetwork,
    /// The last epoch that was finished.
    pub last: Epoch,
    /// Held-out loss of the linear evaluation.
    pub linear: HeldOutLoss,
    /// Held-out loss of predicting half a point.
    pub constant: HeldOutLoss,
}

/// Trains a network, from random parameters or from those of `initial`. When `stop` becomes true,
/// the network of the last finished epoch is returned.
///
/// # Errors
/// If `initial` has more hidden neurons than the settings, or king buckets where the settings have one.
pub fn train(
    data: &NetworkData,
    split: &Split,
    settings: &NetworkSettings,
    initial: Option<&Network>,
    stop: &AtomicBool,
    mut report: impl FnMut(TrainingProgress),
) -> anyhow::Result<TrainedNetwork> {
    let start = Instant::now();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed.seed);
    let features = FeatureSet::new(&data.game, settings.king_buckets);
    let initial = initial.map(|network| initial_parameters(network, settings, &mut random)).transpose()?;
    let examples = &data.examples;
    let held_out = split.held_out.iter().map(|&index| &examples[index as usize]);
    let targets: Vec<Target> = held_out.clone().map(|example| example.target).collect();
    let loss = |points: &[f32]| HeldOutLoss::of(points, &targets, settings.lambda as f32);
    let mut trainer = Trainer::new(examples, &features, settings, initial.as_ref(), &mut random);
    let epoch = |parameters: &FloatNetwork, number: usize| Epoch {
        number,
        held_out: loss(&predict(parameters, examples, &split.held_out)),
        elapsed: start.elapsed(),
    };
    let mut last = epoch(&trainer.parameters, 0);
    let mut finished = trainer.parameters.clone();
    let mut order = split.training.clone();
    let batches = settings.epochs * order.len().div_ceil(settings.batch);
    let (mut step, mut positions) = (0u32, 0);
    'epochs: for number in 1..=settings.epochs {
        order.shuffle(&mut random);
        for batch in order.chunks(settings.batch) {
            if stop.load(Ordering::Relaxed) {
                break 'epochs;
            }
            let wave = 0.5 * (1.0 + (PI * f64::from(step) / batches as f64).cos());
            trainer.step(batch, settings.rate * wave as f32);
            step += 1;
            positions += batch.len() as u64;
            report(TrainingProgress::Positions(positions));
        }
        last = epoch(&trainer.parameters, number);
        finished.clone_from(&trainer.parameters);
        report(TrainingProgress::Epoch(last));
    }
    let linear: Vec<f32> = held_out.map(|example| example.head.linear).collect();
    Ok(TrainedNetwork { parameters: finished, last, linear: loss(&linear), constant: loss(&vec![0.5; targets.len()]) })
}

/// Parameters of a network with the king buckets and hidden size of the settings.
fn initial_parameters(
    network: &Network,
    settings: &NetworkSettings,
    random: &mut Xoshiro256PlusPlus,
) -> anyhow::Result<FloatNetwork> {
    let (hidden, found) = (network.hidden(), network.features().king_buckets());
    ensure!(
        hidden <= settings.hidden,
        "--init: found {hidden} hidden neurons, expected at most {}, as --hidden says",
        settings.hidden
    );
    ensure!(found <= settings.king_buckets, "--init: found {found} king buckets, expected 1, as --king-buckets says");
    let mut float = network.to_float();
    if hidden < settings.hidden {
        float = widen(&float, network.features().bucket_inputs(), settings.hidden, random);
    }
    let copies = settings.king_buckets / found;
    let [weights, ..] = float.layers();
    let bucket: Vec<f32> = float.numbers.drain(..weights).collect();
    float.numbers.splice(..0, bucket.repeat(copies));
    float.inputs *= copies;
    Ok(float)
}

/// The same function with more hidden neurons: the new ones have random input weights, which are
/// the same in all king buckets, and no output weights.
fn widen(narrow: &FloatNetwork, bucket_inputs: usize, hidden: usize, random: &mut Xoshiro256PlusPlus) -> FloatNetwork {
    let mut wide = FloatNetwork::zero(narrow.inputs, hidden);
    let (old, [bias, output, output_bias], [_, old_output, old_output_bias]) =
        (narrow.hidden, wide.layers(), narrow.layers());
    let new = initialize(bucket_inputs, hidden, random);
    let rows = wide.numbers[..output].chunks_mut(hidden).enumerate();
    for ((index, row), known) in rows.zip(narrow.numbers[..old_output].chunks(old)) {
        let source = if index * hidden < bias { index % bucket_inputs } else { bucket_inputs };
        row.copy_from_slice(&new.numbers[source * hidden..][..hidden]);
        row[..old].copy_from_slice(known);
    }
    let rows = wide.numbers[output..output_bias].chunks_mut(hidden);
    for (row, known) in rows.zip(narrow.numbers[old_output..old_output_bias].chunks(old)) {
        row[..old].copy_from_slice(known);
    }
    wide.numbers[output_bias..].copy_from_slice(&narrow.numbers[old_output_bias..]);
    wide
}

/// Parameters and optimizer.
///
/// With several king buckets, a weight of the feature transformer is the sum of one that all
/// buckets share and one of its own (factorization), so that features are learned from all games
/// before the buckets differ.
struct Trainer<'d> {
    examples: &'d [NetworkExample],
    lambda: f32,
    /// The sums, as the network uses them.
    parameters: FloatNetwork,
    /// The terms that the optimizer changes: `shared` weights of all king buckets, then terms of
    /// all parameters.
    terms: Vec<f32>,
    /// Number of shared weights; 0 with one king bucket.
    shared: usize,
    adam: Adam,
    /// One for each part of a batch.
    gradients: Vec<FloatNetwork>,
    /// Gradient with respect to the terms.
    slopes: Vec<f32>,
}

impl<'d> Trainer<'d> {
    fn new(
        examples: &'d [NetworkExample],
        features: &FeatureSet,
        settings: &NetworkSettings,
        initial: Option<&FloatNetwork>,
        random: &mut Xoshiro256PlusPlus,
    ) -> Trainer<'d> {
        let (inputs, hidden) = (features.inputs(), settings.hidden);
        let zero = FloatNetwork::zero(inputs, hidden);
        let shared = if settings.king_buckets > 1 { features.bucket_inputs() * hidden } else { 0 };
        let mut terms;
        if let Some(initial) = initial {
            terms = vec![0.0; shared];
            terms.extend(&initial.numbers);
        } else {
            // The random weights are shared; those of the buckets start at 0.
            terms = initialize(features.bucket_inputs(), hidden, random).numbers;
            if shared > 0 {
                terms.splice(shared..shared, vec![0.0; inputs * hidden]);
            }
        }
        let mut trainer = Trainer {
            examples,
            lambda: settings.lambda as f32,
            adam: Adam::new(terms.len(), ADAM_EPSILON, WEIGHT_DECAY),
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
            let [weights, ..] = self.parameters.layers();
            let buckets = self.parameters.numbers[..weights].par_chunks_mut(self.shared);
            buckets.for_each(|bucket| add(bucket, shared));
        }
    }

    /// One step against the mean gradient of a batch.
    fn step(&mut self, batch: &[u32], learning_rate: f32) {
        let size = batch.len().div_ceil(PARTS);
        let used = batch.len().div_ceil(size);
        let (examples, parameters, lambda) = (self.examples, &self.parameters, self.lambda);
        let gradients = &mut self.gradients[..used];
        gradients
            .par_iter_mut()
            .zip(batch.par_chunks(size))
            .for_each(|(gradients, part)| gradient(parameters, examples, part, lambda, gradients));
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
            let [weights, ..] = self.parameters.layers();
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
fn initialize(inputs: usize, hidden: usize, random: &mut Xoshiro256PlusPlus) -> FloatNetwork {
    let mut parameters = FloatNetwork::zero(inputs, hidden);
    let [bias, output, output_bias] = parameters.layers();
    let numbers = &mut parameters.numbers;
    numbers[..bias].fill_with(|| random.random_range(-0.1..0.1));
    numbers[bias..output].fill(0.3);
    let limit = (1.0 / hidden as f32).sqrt();
    numbers[output..output_bias].fill_with(|| random.random_range(-limit..limit));
    parameters
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use assay_engine::nnue::KING_BUCKETS;
    use assay_rules::GameDef;

    use super::features::{NetworkHead, narrow};
    use super::*;
    use crate::training::logistic;

    /// Positions whose expected points depend on the number of features in the lower half.
    fn simulated() -> (NetworkData, Split) {
        let game = GameDef::builtin("chess").unwrap();
        let features = FeatureSet::new(&game, KING_BUCKETS);
        let inputs = features.bucket_inputs() as u32;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut examples = Vec::new();
        // The indices count within both sets of examples.
        for index in (0..19_000).chain(0..1_000) {
            let own: Vec<u32> = (0..6).map(|_| random.random_range(0..inputs)).collect();
            let lower = own.iter().filter(|&&feature| feature < inputs / 2).count();
            let points = logistic(0.8 * (lower as f32 - 3.0));
            let target =
                Target { result: if random.random::<f32>() < points { 1.0 } else { 0.0 }, expected: points, pair: 0 };
            let head = NetworkHead { linear: 0.5, bucket: (index % 8) as u8 };
            let [ours, theirs] = [index % 4, index / 2 % 4].map(|king_bucket| king_bucket * inputs);
            let other = own.iter().map(|&feature| theirs + features.opposite(feature, index % 3 == 0));
            let both = own.iter().map(|&feature| ours + feature).chain(other);
            examples.push(NetworkExample { target, head, entries: both.map(narrow).collect() });
        }
        let data = NetworkData {
            game: Arc::clone(&game),
            files: Vec::new(),
            position_files: Vec::new(),
            occurrences: Vec::new(),
            pairs: 1000,
            examples,
        };
        let split = Split { training: (0..19_000).collect(), held_out: (19_000..20_000).collect() };
        (data, split)
    }

    /// The targets of the held-out examples.
    fn targets(data: &NetworkData) -> Vec<Target> {
        let held_out = data.examples[19_000..].iter();
        held_out.map(|example| example.target).collect()
    }

    fn held_out_loss(parameters: &FloatNetwork, data: &NetworkData, split: &Split) -> HeldOutLoss {
        let points = predict(parameters, &data.examples, &split.held_out);
        HeldOutLoss::of(&points, &targets(data), SETTINGS.lambda as f32)
    }

    const SETTINGS: NetworkSettings = NetworkSettings {
        hidden: 16,
        king_buckets: KING_BUCKETS,
        epochs: 8,
        lambda: 0.2,
        decay: 0.0,
        batch: 500,
        rate: 0.01,
        seed: SeedArg { seed: 3 },
    };

    static RUN: AtomicBool = AtomicBool::new(false);

    #[test]
    fn learns_known_function_independent_of_threads() {
        learns_known_function(1, 0.1);
        learns_known_function(KING_BUCKETS, 0.15);
    }

    /// Trains on simulated data with one and three threads. The loss must come closer to the
    /// lowest possible than this part of the distance of a constant.
    fn learns_known_function(king_buckets: usize, part: f64) {
        let (data, split) = simulated();
        let settings = NetworkSettings { king_buckets, ..SETTINGS };
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| train(&data, &split, &settings, None, &RUN, |_| {}).unwrap())
        };
        let (one, two) = (with(1), with(3));
        assert_eq!(one.parameters, two.parameters);
        // The true expected points have the lowest possible loss.
        let targets = targets(&data);
        let truth: Vec<f32> = targets.iter().map(|target| target.expected).collect();
        let floor = HeldOutLoss::of(&truth, &targets, SETTINGS.lambda as f32).labels;
        let gap = |losses: HeldOutLoss| losses.labels - floor;
        assert!(gap(one.last.held_out) < part * gap(one.constant), "{floor} {:?} {:?}", one.last, one.constant);
        assert_eq!(one.linear, one.constant);
        let largest = one.parameters.numbers.iter().fold(0f32, |largest, number| largest.max(number.abs()));
        assert!(largest <= MAX_WEIGHT);
    }

    #[test]
    fn stopping_keeps_the_last_finished_epoch() {
        let (data, split) = simulated();
        let stop = AtomicBool::new(false);
        let mut after_three = None;
        let stopped = train(&data, &split, &SETTINGS, None, &stop, |progress| match progress {
            TrainingProgress::Epoch(end) => after_three = Some(end).filter(|end| end.number == 3).or(after_three),
            TrainingProgress::Positions(positions) => stop.store(positions > 3 * 19_000 + 5_000, Ordering::Relaxed),
        })
        .unwrap();
        assert_eq!(Some(stopped.last), after_three);
        assert_eq!(held_out_loss(&stopped.parameters, &data, &split), stopped.last.held_out);
    }

    #[test]
    fn training_continues_a_network() {
        let (data, split) = simulated();
        let one = NetworkSettings { king_buckets: 1, ..SETTINGS };
        let trained = train(&data, &split, &one, None, &RUN, |_| {}).unwrap();
        let network = trained.parameters.quantize(&data.game);
        // The first epoch starts where the network is, but for rounding, also with more king
        // buckets or hidden neurons.
        let wide = NetworkSettings { hidden: 32, ..SETTINGS };
        for settings in [one, SETTINGS, wide] {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
            let parameters = initial_parameters(&network, &settings, &mut random).unwrap();
            let loss = held_out_loss(&parameters, &data, &split).labels;
            assert!((loss - trained.last.held_out.labels).abs() < 0.002, "{loss}");
            let more = train(&data, &split, &settings, Some(&network), &RUN, |_| {}).unwrap();
            let output = more.parameters.output_weights(0)[0].last();
            assert!(output.is_some_and(|&weight| weight != 0.0), "new neurons are trained");
            assert!(more.last.held_out.labels < trained.constant.labels);
        }
        let network = train(&data, &split, &wide, None, &RUN, |_| {}).unwrap().parameters.quantize(&data.game);
        let error = train(&data, &split, &SETTINGS, Some(&network), &RUN, |_| {}).unwrap_err();
        assert_eq!(error.to_string(), "--init: found 32 hidden neurons, expected at most 16, as --hidden says");
        let buckets = train(&data, &split, &SETTINGS, None, &RUN, |_| {}).unwrap();
        let buckets = buckets.parameters.quantize(&data.game);
        let error = train(&data, &split, &one, Some(&buckets), &RUN, |_| {}).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("--init: found {KING_BUCKETS} king buckets, expected 1, as --king-buckets says")
        );
    }
}

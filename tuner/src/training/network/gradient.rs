//! Forward pass and gradient of the network. A gradient has the form of the network: a slope for
//! each parameter.
//!
//! The loops over hidden neurons have no branches and a fixed order of summation, so the compiler
//! vectorizes them and results do not depend on the number of threads. (The exponential function
//! of another platform may round differently.)

use assay_engine::FloatNetwork;
use assay_engine::nnue::HIDDEN_MULTIPLE;
use rayon::prelude::*;

use super::features::NetworkExample;
use crate::training::logistic;

/// Neurons whose sums stay in registers.
const TILE: usize = 64;

/// Accumulators of one position before activation, for the side to move's and the other
/// perspective.
struct Accumulators<'p> {
    parameters: &'p FloatNetwork,
    /// Active features.
    features: [Vec<usize>; 2],
    sums: [Vec<f32>; 2],
}

impl<'p> Accumulators<'p> {
    fn new(parameters: &'p FloatNetwork) -> Accumulators<'p> {
        Accumulators {
            parameters,
            features: [Vec::new(), Vec::new()],
            sums: [vec![0.0; parameters.hidden], vec![0.0; parameters.hidden]],
        }
    }

    /// Computes the accumulators of an example with these features. Returns the expected points of
    /// the side to move, 0 to 1.
    fn points(&mut self, features: &[u16], bucket: u8) -> f32 {
        let parameters = self.parameters;
        let (own, other) = features.split_at(features.len() / 2);
        let halves = self.features.iter_mut().zip(&mut self.sums).zip([own, other]);
        for ((active, sums), features) in halves {
            active.clear();
            active.extend(features.iter().map(|&feature| usize::from(feature) % parameters.inputs));
            add_rows(parameters, active, sums);
        }
        let [own, other] = parameters.output_weights(bucket.into());
        let [_, _, bias] = parameters.layers();
        let bias = parameters.numbers[bias + usize::from(bucket)];
        logistic(screlu_dot(&self.sums[0], own) + screlu_dot(&self.sums[1], other) + bias)
    }
}

/// Sets `sums` to the bias and the rows of these features.
fn add_rows(parameters: &FloatNetwork, features: &[usize], sums: &mut [f32]) {
    let hidden = parameters.hidden;
    let [bias, ..] = parameters.layers();
    sums.copy_from_slice(&parameters.numbers[bias..][..hidden]);
    let rest = add_tiles::<TILE>(sums, hidden, &parameters.numbers, features);
    add_tiles::<HIDDEN_MULTIPLE>(rest, hidden, &parameters.numbers, features);
}

/// Adds rows to the remaining sums in tiles, and returns the part that is too short for a tile.
#[inline(always)]
fn add_tiles<'s, const N: usize>(
    sums: &'s mut [f32],
    hidden: usize,
    rows: &[f32],
    features: &[usize],
) -> &'s mut [f32] {
    let done = hidden - sums.len();
    let (tiles, rest) = sums.as_chunks_mut::<N>();
    for (number, tile) in tiles.iter_mut().enumerate() {
        let mut registers = *tile;
        for &feature in features {
            let row = &rows[feature * hidden + done + number * N..];
            let row: &[f32; N] = row.first_chunk().expect("a row for each feature");
            add(&mut registers, row);
        }
        *tile = registers;
    }
    rest
}

/// Dot product of weights and the squared clipped `ReLU` of an accumulator.
fn screlu_dot(sums: &[f32], weights: &[f32]) -> f32 {
    let mut lanes = [0.0f32; HIDDEN_MULTIPLE];
    let parts = sums.as_chunks::<HIDDEN_MULTIPLE>().0.iter();
    for (sums, weights) in parts.zip(weights.as_chunks::<HIDDEN_MULTIPLE>().0) {
        for ((lane, &sum), &weight) in lanes.iter_mut().zip(sums).zip(weights) {
            let clipped = sum.clamp(0.0, 1.0);
            *lane += clipped * clipped * weight;
        }
    }
    lanes.iter().sum()
}

/// Predicted points of the side to move, 0 to 1, for these examples.
pub fn predict(parameters: &FloatNetwork, examples: &[NetworkExample], indices: &[u32]) -> Vec<f32> {
    let predict = |hidden: &mut Accumulators<'_>, &index: &u32| {
        let example = &examples[index as usize];
        hidden.points(&example.entries, example.head.bucket)
    };
    let points = indices.par_iter().map_init(|| Accumulators::new(parameters), predict);
    points.collect()
}

/// Writes the gradient of the log-loss, summed over these examples, to `gradients`. `lambda` is
/// the weight of the game result in the label; the search score has the rest.
pub fn gradient(
    parameters: &FloatNetwork,
    examples: &[NetworkExample],
    indices: &[u32],
    lambda: f32,
    gradients: &mut FloatNetwork,
) {
    gradients.numbers.fill(0.0);
    let slopes = &mut gradients.numbers;
    let size = parameters.hidden;
    let [bias, output, output_bias] = parameters.layers();
    let mut hidden = Accumulators::new(parameters);
    let mut back = vec![0.0; size];
    for &index in indices {
        let example = &examples[index as usize];
        let bucket = usize::from(example.head.bucket);
        let error = hidden.points(&example.entries, example.head.bucket) - example.target.label(lambda);
        slopes[output_bias + bucket] += error;
        let weights = parameters.output_weights(bucket);
        for (half, features) in hidden.features.iter().enumerate() {
            let output_slopes = &mut slopes[output + (2 * bucket + half) * size..][..size];
            activation_gradient(error, &hidden.sums[half], weights[half], output_slopes, &mut back);
            for &feature in features {
                add(&mut slopes[feature * size..][..size], &back);
            }
            add(&mut slopes[bias..][..size], &back);
        }
    }
}

/// Adds the gradient with respect to the output weights to `slopes` and writes the gradient with
/// respect to the sums to `back`.
fn activation_gradient(error: f32, sums: &[f32], weights: &[f32], slopes: &mut [f32], back: &mut [f32]) {
    for (((&sum, &weight), slope), back) in sums.iter().zip(weights).zip(slopes).zip(back) {
        let clipped = sum.clamp(0.0, 1.0);
        *slope += error * (clipped * clipped);
        // The derivative of the square is 0 at the lower limit anyway.
        let inside = if sum < 1.0 { 2.0 * clipped } else { 0.0 };
        *back = error * weight * inside;
    }
}

/// Adds numbers to sums.
#[inline]
pub(super) fn add(sums: &mut [f32], numbers: &[f32]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += number;
    }
}

#[cfg(test)]
mod tests {
    use assay_engine::nnue::{FeatureSet, KING_BUCKETS};
    use assay_rules::GameDef;

    use super::*;
    use crate::training::examples::Target;
    use crate::training::log_loss;
    use crate::training::network::features::NetworkHead;

    /// Examples with three features of each perspective, and arbitrary parameters.
    fn some(hidden: usize) -> (FloatNetwork, Vec<NetworkExample>) {
        let inputs = FeatureSet::new(&GameDef::builtin("chess").unwrap(), KING_BUCKETS).inputs();
        let mut parameters = FloatNetwork::zero(inputs, hidden);
        let mut state = 12_345u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1u32 << 24) as f32
        };
        let [_, output, _] = parameters.layers();
        parameters.numbers[..output].fill_with(|| next() * 0.6 - 0.15);
        parameters.numbers[output..].fill_with(|| next() - 0.5);
        let example = |index: u32| {
            let features = [0; 6].map(|_| (next() * inputs as f32) as u16);
            let target = Target { result: (index % 3) as f32 / 2.0, expected: next(), pair: 0 };
            let head = NetworkHead { linear: 0.5, bucket: (index % 8) as u8 };
            NetworkExample { target, head, entries: features.into() }
        };
        (parameters, (0..40).map(example).collect())
    }

    fn all(examples: &[NetworkExample]) -> Vec<u32> {
        (0..examples.len() as u32).collect()
    }

    fn loss(parameters: &FloatNetwork, examples: &[NetworkExample], lambda: f32) -> f64 {
        let predicted = predict(parameters, examples, &all(examples));
        let losses = predicted.iter().zip(examples);
        losses.map(|(&points, example)| log_loss(points, example.target.label(lambda))).sum()
    }

    #[test]
    fn gradient_matches_finite_differences() {
        // Tiles of both sizes.
        for hidden in [16, 80] {
            let (parameters, examples) = some(hidden);
            let indices = all(&examples);
            let gradient_of = |parameters: &FloatNetwork| {
                let mut gradients = FloatNetwork::zero(parameters.inputs, hidden);
                gradient(parameters, &examples, &indices, 0.3, &mut gradients);
                gradients
            };
            let gradients = gradient_of(&parameters);
            let step = 1e-3;
            let check = |index: usize| {
                let at = |by: f32| {
                    let mut changed = parameters.clone();
                    changed.numbers[index] += by;
                    let slope = f64::from(gradient_of(&changed).numbers[index]);
                    (loss(&changed, &examples, 0.3), slope)
                };
                let ((below, first), (above, last)) = (at(-step), at(step));
                let found = (above - below) / (2.0 * f64::from(step));
                // The slopes differ if a sum passes the upper limit of the clipped ReLU within the
                // step.
                let slopes = first.min(last) - 0.005..first.max(last) + 0.005;
                assert!(slopes.contains(&found), "{index}: {found} not in {slopes:?}");
            };
            let [_, transformer, _] = parameters.layers();
            let active = (0..transformer).filter(|&index| gradients.numbers[index] != 0.0);
            active.step_by(37).for_each(check);
            (0..transformer).step_by(4_001).for_each(check);
            (transformer - hidden..parameters.numbers.len()).step_by(3).for_each(check);
            assert!(gradients.numbers[..transformer].iter().any(|slope| slope.abs() > 0.1));
        }
    }

    #[test]
    fn engine_network_computes_the_same_function() {
        let (parameters, examples) = some(80);
        let predicted = predict(&parameters, &examples, &all(&examples));
        for (index, predicted) in predicted.into_iter().enumerate() {
            let example = &examples[index];
            let features: Vec<u32> = example.entries.iter().map(|&feature| feature.into()).collect();
            let found = parameters.evaluate(&features[..3], &features[3..], example.head.bucket.into());
            assert!((logistic(found) - predicted).abs() < 1e-6);
        }
    }
}

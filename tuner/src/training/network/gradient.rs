//! Forward pass and gradient of the network.
//!
//! The loops over hidden neurons have no branches and a fixed order of summation, so the compiler
//! vectorizes them and results do not depend on the number of threads. (The exponential function
//! of another platform may round differently.)

use assay_engine::FloatNetwork;
use assay_engine::nnue::{HIDDEN_MULTIPLE, OUTPUT_BUCKETS};

use super::features::{NetworkExamples, NetworkHead, Perspectives};

/// Neurons whose sums stay in registers.
const TILE: usize = 64;

/// Parameters of a network, or the gradient of a loss with respect to them.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkParameters {
    inputs: usize,
    hidden: usize,
    /// Feature transformer: a row of `hidden` weights for each feature, then a row of biases. Then
    /// output weights by bucket: `hidden` for the side to move, `hidden` for the other side, one
    /// bias.
    pub numbers: Vec<f32>,
}

impl NetworkParameters {
    /// Zeros for a network of this size.
    ///
    /// # Panics
    /// If `hidden` is not a multiple of [`HIDDEN_MULTIPLE`].
    pub fn zero(inputs: usize, hidden: usize) -> NetworkParameters {
        assert!(hidden.is_multiple_of(HIDDEN_MULTIPLE), "a hidden size of the engine");
        NetworkParameters {
            inputs,
            hidden,
            numbers: vec![0.0; (inputs + 1) * hidden + OUTPUT_BUCKETS * (2 * hidden + 1)],
        }
    }

    /// Number of input features.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Hidden neurons for each perspective.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// The feature transformer and the output layer.
    pub fn layers(&self) -> (&[f32], &[f32]) {
        self.numbers.split_at((self.inputs + 1) * self.hidden)
    }

    /// The feature transformer and the output layer.
    pub fn layers_mut(&mut self) -> (&mut [f32], &mut [f32]) {
        self.numbers.split_at_mut((self.inputs + 1) * self.hidden)
    }

    fn bucket(&self, bucket: u8) -> OutputWeights<'_> {
        let width = 2 * self.hidden + 1;
        let weights = &self.layers().1[usize::from(bucket) * width..][..width];
        let (own, rest) = weights.split_at(self.hidden);
        let (other, bias) = rest.split_at(self.hidden);
        OutputWeights {
            halves: [own, other],
            bias: bias[0],
        }
    }

    /// The parameters of a network in the engine's floating-point format.
    pub fn of_network(network: &FloatNetwork) -> NetworkParameters {
        let mut parameters = NetworkParameters::zero(network.inputs, network.hidden);
        let (transformer, output) = parameters.layers_mut();
        let (weights, bias) = transformer.split_at_mut(network.inputs * network.hidden);
        weights.copy_from_slice(&network.feature_weights);
        bias.copy_from_slice(&network.feature_bias);
        let width = 2 * network.hidden;
        for (bucket, numbers) in output.chunks_mut(width + 1).enumerate() {
            numbers[..width].copy_from_slice(&network.output_weights[bucket * width..][..width]);
            numbers[width] = network.output_bias[bucket];
        }
        parameters
    }

    /// The network in the engine's floating-point format, ready for quantization.
    pub fn to_network(&self, source: String) -> FloatNetwork {
        let (transformer, output) = self.layers();
        let (weights, bias) = transformer.split_at(self.inputs * self.hidden);
        let width = 2 * self.hidden + 1;
        let mut output_bias = [0.0; OUTPUT_BUCKETS];
        let mut output_weights = Vec::with_capacity(OUTPUT_BUCKETS * 2 * self.hidden);
        for (bias, bucket) in output_bias.iter_mut().zip(output.chunks(width)) {
            output_weights.extend_from_slice(&bucket[..width - 1]);
            *bias = bucket[width - 1];
        }
        FloatNetwork {
            hidden: self.hidden,
            inputs: self.inputs,
            feature_weights: weights.to_vec(),
            feature_bias: bias.to_vec(),
            output_weights,
            output_bias,
            source,
        }
    }
}

/// Weights of an output bucket.
#[derive(Clone, Copy)]
struct OutputWeights<'p> {
    /// Side to move, other side.
    halves: [&'p [f32]; 2],
    bias: f32,
}

/// Accumulators of one position before activation, for the side to move's and the other
/// perspective.
struct Accumulators<'o> {
    perspectives: &'o Perspectives,
    /// Active features.
    features: [Vec<u16>; 2],
    sums: [Vec<f32>; 2],
}

impl<'o> Accumulators<'o> {
    fn new(perspectives: &'o Perspectives, hidden: usize) -> Accumulators<'o> {
        Accumulators {
            perspectives,
            features: [Vec::new(), Vec::new()],
            sums: [vec![0.0; hidden], vec![0.0; hidden]],
        }
    }

    fn fill(&mut self, parameters: &NetworkParameters, head: NetworkHead, own: &[u16]) {
        self.perspectives.fill(head, own, &mut self.features);
        let rows = &parameters.layers().0;
        let bias = &rows[parameters.inputs * parameters.hidden..];
        for (sums, features) in self.sums.iter_mut().zip(&self.features) {
            add_rows(sums, bias, rows, features);
        }
    }

    /// Output: log-odds of the expected points of the side to move.
    fn output(&self, weights: OutputWeights<'_>) -> f32 {
        let [own, other] = &self.sums;
        screlu_dot(own, weights.halves[0]) + screlu_dot(other, weights.halves[1]) + weights.bias
    }
}

/// Sets `sums` to the bias and the rows of these features.
fn add_rows(sums: &mut [f32], bias: &[f32], rows: &[f32], features: &[u16]) {
    sums.copy_from_slice(bias);
    let hidden = sums.len();
    let rest = add_tiles::<TILE>(sums, hidden, rows, features);
    add_tiles::<HIDDEN_MULTIPLE>(rest, hidden, rows, features);
}

/// Adds rows to the remaining sums in tiles, and returns the part that is too short for a tile.
#[inline(always)]
fn add_tiles<'s, const N: usize>(sums: &'s mut [f32], hidden: usize, rows: &[f32], features: &[u16]) -> &'s mut [f32] {
    let done = hidden - sums.len();
    let (tiles, rest) = sums.as_chunks_mut::<N>();
    for (number, tile) in tiles.iter_mut().enumerate() {
        let mut registers = *tile;
        for &feature in features {
            let row = &rows[usize::from(feature) * hidden + done + number * N..];
            let row: &[f32; N] = row.first_chunk().expect("a row for each feature");
            for (sum, weight) in registers.iter_mut().zip(row) {
                *sum += weight;
            }
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

/// Logistic function.
pub fn logistic(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// Log-loss (cross-entropy) of predicted points, in nats.
pub fn log_loss(predicted: f32, label: f32) -> f64 {
    let probability = f64::from(predicted).clamp(1e-7, 1.0 - 1e-7);
    let label = f64::from(label);
    -(label * probability.ln() + (1.0 - label) * (1.0 - probability).ln())
}

/// Predicted points of the side to move, 0 to 1, for these examples.
pub fn predict(
    parameters: &NetworkParameters,
    perspectives: &Perspectives,
    examples: &NetworkExamples,
    indices: &[u32],
) -> Vec<f32> {
    let mut hidden = Accumulators::new(perspectives, parameters.hidden);
    let points = indices.iter().map(|&index| {
        let example = examples.get(index as usize);
        hidden.fill(parameters, *example.head, example.entries);
        logistic(hidden.output(parameters.bucket(example.head.bucket)))
    });
    points.collect()
}

/// Writes the gradient of the log-loss, summed over these examples, to `gradients`. `lambda` is
/// the weight of the game result in the label; the search score has the rest.
pub fn gradient(
    parameters: &NetworkParameters,
    perspectives: &Perspectives,
    examples: &NetworkExamples,
    indices: &[u32],
    lambda: f32,
    gradients: &mut NetworkParameters,
) {
    gradients.numbers.fill(0.0);
    let size = parameters.hidden;
    let bias = parameters.inputs * size;
    let (rows, output) = gradients.layers_mut();
    let mut hidden = Accumulators::new(perspectives, size);
    let mut back = vec![0.0; size];
    for &index in indices {
        let example = examples.get(index as usize);
        hidden.fill(parameters, *example.head, example.entries);
        let weights = parameters.bucket(example.head.bucket);
        let error = logistic(hidden.output(weights)) - example.target.label(lambda);
        let width = 2 * size + 1;
        let slopes = &mut output[usize::from(example.head.bucket) * width..][..width];
        slopes[2 * size] += error;
        for (half, features) in hidden.features.iter().enumerate() {
            let slopes = &mut slopes[half * size..][..size];
            activation_gradient(error, &hidden.sums[half], weights.halves[half], slopes, &mut back);
            for &feature in features {
                add(&mut rows[usize::from(feature) * size..][..size], &back);
            }
            add(&mut rows[bias..], &back);
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
    use crate::training::positions::Target;

    /// Examples with three features each, and arbitrary parameters.
    fn some(hidden: usize) -> (NetworkParameters, Perspectives, NetworkExamples) {
        let perspectives = Perspectives::new(&FeatureSet::new(&GameDef::builtin("chess").unwrap(), KING_BUCKETS));
        let inputs = perspectives.inputs();
        let bucket_inputs = perspectives.bucket_inputs();
        let mut parameters = NetworkParameters::zero(inputs, hidden);
        let mut state = 12_345u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1u32 << 24) as f32
        };
        let (transformer, output) = parameters.layers_mut();
        transformer.fill_with(|| next() * 0.6 - 0.15);
        output.fill_with(|| next() - 0.5);
        let mut examples = NetworkExamples::default();
        for index in 0..40 {
            let mut pick = || (next() * bucket_inputs as f32) as u16;
            let own = [pick(), pick(), pick()];
            let target = Target {
                result: (index % 3) as f32 / 2.0,
                expected: next(),
                pair: 0,
            };
            let head = NetworkHead {
                linear: 0.5,
                bucket: (index % 8) as u8,
                opposite_mirrored: index % 5 < 2,
                king_buckets: [(index % 4) as u8, (index / 4 % 4) as u8],
            };
            examples.push(target, head, own);
        }
        (parameters, perspectives, examples)
    }

    fn all(examples: &NetworkExamples) -> Vec<u32> {
        (0..examples.len() as u32).collect()
    }

    fn loss(
        parameters: &NetworkParameters,
        perspectives: &Perspectives,
        examples: &NetworkExamples,
        lambda: f32,
    ) -> f64 {
        let predicted = predict(parameters, perspectives, examples, &all(examples));
        let losses = predicted.iter().zip(examples.heads());
        losses
            .map(|(&points, (target, _))| log_loss(points, target.label(lambda)))
            .sum()
    }

    #[test]
    fn gradient_matches_finite_differences() {
        // Tiles of both sizes.
        for hidden in [16, 80] {
            let (parameters, perspectives, examples) = some(hidden);
            let indices = all(&examples);
            let gradient_of = |parameters: &NetworkParameters| {
                let mut gradients = NetworkParameters::zero(parameters.inputs(), hidden);
                gradient(parameters, &perspectives, &examples, &indices, 0.3, &mut gradients);
                gradients
            };
            let gradients = gradient_of(&parameters);
            let step = 1e-3;
            let check = |index: usize| {
                let at = |by: f32| {
                    let mut changed = parameters.clone();
                    changed.numbers[index] += by;
                    let slope = f64::from(gradient_of(&changed).numbers[index]);
                    (loss(&changed, &perspectives, &examples, 0.3), slope)
                };
                let ((below, first), (above, last)) = (at(-step), at(step));
                let found = (above - below) / (2.0 * f64::from(step));
                // The slopes differ if a sum passes the upper limit of the clipped ReLU within the
                // step.
                let slopes = first.min(last) - 0.005..first.max(last) + 0.005;
                assert!(slopes.contains(&found), "{index}: {found} not in {slopes:?}");
            };
            let transformer = parameters.layers().0.len();
            let active = (0..transformer).filter(|&index| gradients.numbers[index] != 0.0);
            active.step_by(37).for_each(check);
            (0..transformer).step_by(4_001).for_each(check);
            (transformer - hidden..parameters.numbers.len())
                .step_by(3)
                .for_each(check);
            assert!(gradients.layers().0.iter().any(|slope| slope.abs() > 0.1));
        }
    }

    #[test]
    fn engine_network_computes_the_same_function() {
        let (parameters, perspectives, examples) = some(80);
        let network = parameters.to_network(String::new());
        assert_eq!(NetworkParameters::of_network(&network), parameters);
        let predicted = predict(&parameters, &perspectives, &examples, &all(&examples));
        for (index, predicted) in predicted.into_iter().enumerate() {
            let example = examples.get(index);
            let mut features = [Vec::new(), Vec::new()];
            perspectives.fill(*example.head, example.entries, &mut features);
            let wide = |features: &[u16]| -> Vec<u32> { features.iter().map(|&feature| feature.into()).collect() };
            let found = network.evaluate(&wide(&features[0]), &wide(&features[1]), example.head.bucket.into());
            assert!((logistic(found) - predicted).abs() < 1e-6);
        }
    }
}

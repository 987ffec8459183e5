//! Forward pass and gradient of the network.

use assay_engine::FloatNetwork;
use assay_engine::nnue::OUTPUT_BUCKETS;

use super::examples::{NetworkExample, NetworkExamples};

/// Parameters of a network, or the gradient of a loss with respect to them.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkParameters {
    hidden: usize,
    /// Feature transformer: a row of `hidden` weights for each feature, then a row of biases.
    pub transformer: Vec<f32>,
    /// Output weights by bucket: `hidden` for the side to move, `hidden` for the other side, one bias.
    pub output: Vec<f32>,
}

impl NetworkParameters {
    /// Zeros for a network of this size.
    pub fn zero(inputs: usize, hidden: usize) -> NetworkParameters {
        NetworkParameters {
            hidden,
            transformer: vec![0.0; (inputs + 1) * hidden],
            output: vec![0.0; OUTPUT_BUCKETS * (2 * hidden + 1)],
        }
    }

    /// Number of input features.
    pub fn inputs(&self) -> usize {
        self.transformer.len() / self.hidden - 1
    }

    /// Hidden neurons for each perspective.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    fn row(&self, feature: usize) -> &[f32] {
        &self.transformer[feature * self.hidden..][..self.hidden]
    }

    fn bucket(&self, bucket: u8) -> &[f32] {
        let width = 2 * self.hidden + 1;
        &self.output[usize::from(bucket) * width..][..width]
    }

    fn clear(&mut self) {
        self.transformer.fill(0.0);
        self.output.fill(0.0);
    }

    fn all(&mut self) -> impl Iterator<Item = &mut f32> {
        self.transformer.iter_mut().chain(&mut self.output)
    }

    /// Multiplies all parameters by a factor.
    pub fn scale(&mut self, factor: f32) {
        self.all().for_each(|number| *number *= factor);
    }

    pub fn clamp(&mut self, limit: f32) {
        self.all().for_each(|number| *number = number.clamp(-limit, limit));
    }

    /// Adds another gradient.
    pub fn add(&mut self, other: &NetworkParameters) {
        let add = |sums: &mut [f32], more: &[f32]| sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        add(&mut self.transformer, &other.transformer);
        add(&mut self.output, &other.output);
    }

    /// The network in the engine's floating-point format, ready for quantization.
    pub fn to_network(&self, source: String) -> FloatNetwork {
        let (transformer, bias) = self.transformer.split_at(self.inputs() * self.hidden);
        let width = 2 * self.hidden + 1;
        let mut output_bias = [0.0; OUTPUT_BUCKETS];
        let mut output = Vec::with_capacity(OUTPUT_BUCKETS * 2 * self.hidden);
        for (bias, bucket) in output_bias.iter_mut().zip(self.output.chunks(width)) {
            output.extend_from_slice(&bucket[..width - 1]);
            *bias = bucket[width - 1];
        }
        FloatNetwork {
            hidden: self.hidden,
            inputs: self.inputs(),
            feature_weights: transformer.to_vec(),
            feature_bias: bias.to_vec(),
            output_weights: output,
            output_bias,
            source,
        }
    }
}

/// Accumulators of one position, from both perspectives, before activation.
struct Accumulators {
    own: Vec<f32>,
    other: Vec<f32>,
}

impl Accumulators {
    fn new(hidden: usize) -> Accumulators {
        Accumulators {
            own: vec![0.0; hidden],
            other: vec![0.0; hidden],
        }
    }

    fn fill(&mut self, parameters: &NetworkParameters, example: NetworkExample<'_>) {
        for (sums, features) in [(&mut self.own, example.own), (&mut self.other, example.other)] {
            sums.copy_from_slice(parameters.row(parameters.inputs()));
            for &feature in features {
                let row = parameters.row(usize::from(feature));
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
        }
    }

    /// Output: log-odds of the expected points of the side to move.
    fn output(&self, parameters: &NetworkParameters, bucket: u8) -> f32 {
        let weights = parameters.bucket(bucket);
        let (own, rest) = weights.split_at(parameters.hidden);
        let (other, bias) = rest.split_at(parameters.hidden);
        let dot = |sums: &[f32], weights: &[f32]| -> f32 {
            let products = sums.iter().zip(weights).map(|(&sum, &weight)| {
                let clipped = sum.clamp(0.0, 1.0);
                clipped * clipped * weight
            });
            products.sum()
        };
        dot(&self.own, own) + dot(&self.other, other) + bias[0]
    }
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

/// Predicted points of the side to move, 0 to 1, for these positions.
pub fn predict(parameters: &NetworkParameters, examples: &NetworkExamples, indices: &[u32]) -> Vec<f32> {
    let mut hidden = Accumulators::new(parameters.hidden);
    let points = indices.iter().map(|&index| {
        let example = examples.get(index as usize);
        hidden.fill(parameters, example);
        logistic(hidden.output(parameters, example.head.bucket))
    });
    points.collect()
}

/// Writes the gradient of the log-loss, summed over these positions, to `gradients`. `lambda` is the weight of the game result in the label; the
/// search score has the rest.
pub fn gradient(
    parameters: &NetworkParameters,
    examples: &NetworkExamples,
    indices: &[u32],
    lambda: f32,
    gradients: &mut NetworkParameters,
) {
    gradients.clear();
    let size = parameters.hidden;
    let mut hidden = Accumulators::new(size);
    let mut back = vec![0.0; size];
    for &index in indices {
        let example = examples.get(index as usize);
        let head = example.head;
        hidden.fill(parameters, example);
        let label = head.label(lambda);
        let error = logistic(hidden.output(parameters, head.bucket)) - label;
        let weights = parameters.bucket(head.bucket);
        let width = weights.len();
        let start = usize::from(head.bucket) * width;
        gradients.output[start + width - 1] += error;
        for (half, (sums, features)) in [(&hidden.own, example.own), (&hidden.other, example.other)]
            .into_iter()
            .enumerate()
        {
            let weights = &weights[half * size..][..size];
            let slope = &mut gradients.output[start + half * size..][..size];
            for (((&sum, &weight), slope), back) in sums.iter().zip(weights).zip(slope).zip(&mut back) {
                let clipped = sum.clamp(0.0, 1.0);
                let inside = if sum > 0.0 && sum < 1.0 { 2.0 } else { 0.0 };
                *slope += error * clipped * clipped;
                *back = error * weight * inside * clipped;
            }
            let rows = features.iter().map(|&feature| usize::from(feature));
            for row in rows.chain([parameters.inputs()]) {
                let slope = &mut gradients.transformer[row * size..][..size];
                slope.iter_mut().zip(&back).for_each(|(slope, back)| *slope += back);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::network::examples::NetworkExampleHeader;

    /// Examples with three features each, and arbitrary parameters.
    fn some(inputs: usize, hidden: usize) -> (NetworkParameters, NetworkExamples) {
        let mut parameters = NetworkParameters::zero(inputs, hidden);
        let mut state = 12_345u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1u32 << 24) as f32
        };
        parameters
            .transformer
            .iter_mut()
            .for_each(|number| *number = next() * 0.6 - 0.15);
        parameters.output.iter_mut().for_each(|number| *number = next() - 0.5);
        let mut examples = NetworkExamples::default();
        for index in 0..40 {
            let mut pick = || (next() * inputs as f32) as u16;
            let (own, other) = ([pick(), pick(), pick()], [pick(), pick(), pick()]);
            let head = NetworkExampleHeader {
                result: (index % 3) as f32 / 2.0,
                expected: next(),
                linear: 0.5,
                bucket: (index % 8) as u8,
                cluster: index,
            };
            examples.push(head, &own, &other);
        }
        (parameters, examples)
    }

    fn loss(parameters: &NetworkParameters, examples: &NetworkExamples, indices: &[u32], lambda: f32) -> f64 {
        let predicted = predict(parameters, examples, indices);
        let losses = predicted.iter().zip(indices).map(|(&points, &index)| {
            let head = examples.get(index as usize).head;
            log_loss(points, head.label(lambda))
        });
        losses.sum()
    }

    #[test]
    fn gradient_matches_finite_differences() {
        let (parameters, examples) = some(11, 16);
        let indices: Vec<u32> = (0..examples.len() as u32).collect();
        let mut gradients = NetworkParameters::zero(11, 16);
        gradient(&parameters, &examples, &indices, 0.3, &mut gradients);
        let step = 1e-3;
        let check = |change: &dyn Fn(&mut NetworkParameters, f32), slope: f32| {
            let at = |by: f32| {
                let mut changed = parameters.clone();
                change(&mut changed, by);
                loss(&changed, &examples, &indices, 0.3)
            };
            let found = (at(step) - at(-step)) / (2.0 * f64::from(step));
            assert!((found - f64::from(slope)).abs() < 0.02, "{found} {slope}");
        };
        for index in (0..parameters.transformer.len()).step_by(7) {
            check(
                &|parameters, by| parameters.transformer[index] += by,
                gradients.transformer[index],
            );
        }
        for index in 0..parameters.output.len() {
            check(
                &|parameters, by| parameters.output[index] += by,
                gradients.output[index],
            );
        }
        assert!(gradients.transformer.iter().any(|slope| slope.abs() > 0.1));
    }

    #[test]
    fn engine_network_computes_the_same_function() {
        let (parameters, examples) = some(11, 16);
        let network = parameters.to_network(String::new());
        for index in 0..examples.len() {
            let example = examples.get(index);
            let wide = |features: &[u16]| -> Vec<u32> { features.iter().map(|&feature| feature.into()).collect() };
            let found = network.evaluate(&wide(example.own), &wide(example.other), example.head.bucket.into());
            let predicted = predict(&parameters, &examples, &[index as u32])[0];
            assert!((logistic(found) - predicted).abs() < 1e-6);
        }
    }
}

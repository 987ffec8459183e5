//! What a network says of positions, and how that changes with each of its numbers.

use assay_engine::FloatNetwork;
use assay_engine::nnue::BUCKETS;

use super::views::{View, Views};

/// The network's numbers, or slopes of a loss by each of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    hidden: usize,
    /// Rows of `hidden`, one a feature, then the biases as one row more.
    pub transformer: Vec<f32>,
    /// By bucket: `hidden` for the side to move, `hidden` for the other, one bias.
    pub output: Vec<f32>,
}

impl Numbers {
    /// Zeros for a network of that size.
    pub fn zero(inputs: usize, hidden: usize) -> Numbers {
        Numbers {
            hidden,
            transformer: vec![0.0; (inputs + 1) * hidden],
            output: vec![0.0; BUCKETS * (2 * hidden + 1)],
        }
    }

    /// Features of the game.
    pub fn inputs(&self) -> usize {
        self.transformer.len() / self.hidden - 1
    }

    /// Hidden numbers a side.
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

    /// Sets all to zero.
    fn clear(&mut self) {
        self.transformer.fill(0.0);
        self.output.fill(0.0);
    }

    fn all(&mut self) -> impl Iterator<Item = &mut f32> {
        self.transformer.iter_mut().chain(&mut self.output)
    }

    /// Multiplies all by a factor.
    pub fn scale(&mut self, factor: f32) {
        self.all().for_each(|number| *number *= factor);
    }

    /// Cuts all off at `most`, on either side of zero.
    pub fn clamp(&mut self, most: f32) {
        self.all().for_each(|number| *number = number.clamp(-most, most));
    }

    /// Adds other slopes.
    pub fn add(&mut self, other: &Numbers) {
        let add = |sums: &mut [f32], more: &[f32]| sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        add(&mut self.transformer, &other.transformer);
        add(&mut self.output, &other.output);
    }

    /// The network that the engine makes integers of.
    pub fn to_network(&self, source: String) -> FloatNetwork {
        let (transformer, bias) = self.transformer.split_at(self.inputs() * self.hidden);
        let width = 2 * self.hidden + 1;
        let mut output_bias = [0.0; BUCKETS];
        let mut output = Vec::with_capacity(BUCKETS * 2 * self.hidden);
        for (bias, bucket) in output_bias.iter_mut().zip(self.output.chunks(width)) {
            output.extend_from_slice(&bucket[..width - 1]);
            *bias = bucket[width - 1];
        }
        FloatNetwork {
            hidden: self.hidden,
            inputs: self.inputs(),
            transformer: transformer.to_vec(),
            transformer_bias: bias.to_vec(),
            output,
            output_bias,
            source,
        }
    }
}

/// Room for the hidden numbers of one position, both views.
struct Hidden {
    own: Vec<f32>,
    other: Vec<f32>,
}

impl Hidden {
    fn new(hidden: usize) -> Hidden {
        Hidden {
            own: vec![0.0; hidden],
            other: vec![0.0; hidden],
        }
    }

    fn fill(&mut self, numbers: &Numbers, view: View<'_>) {
        for (sums, features) in [(&mut self.own, view.own), (&mut self.other, view.other)] {
            sums.copy_from_slice(numbers.row(numbers.inputs()));
            for &feature in features {
                let row = numbers.row(usize::from(feature));
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
        }
    }

    /// The output: log-odds of the side to move's points.
    fn output(&self, numbers: &Numbers, bucket: u8) -> f32 {
        let weights = numbers.bucket(bucket);
        let (own, rest) = weights.split_at(numbers.hidden);
        let (other, bias) = rest.split_at(numbers.hidden);
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

/// Points by log-odds.
pub fn logistic(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// Cross-entropy of points foretold, in nats; `label` is what they should have been.
pub fn log_loss(foretold: f32, label: f32) -> f64 {
    let sure = f64::from(foretold).clamp(1e-7, 1.0 - 1e-7);
    let label = f64::from(label);
    -(label * sure.ln() + (1.0 - label) * (1.0 - sure).ln())
}

/// What the network expects of each of these positions for the side to move, 0 to 1.
pub fn foretell(numbers: &Numbers, views: &Views, indices: &[u32]) -> Vec<f32> {
    let mut hidden = Hidden::new(numbers.hidden);
    let points = indices.iter().map(|&index| {
        let view = views.get(index as usize);
        hidden.fill(numbers, view);
        logistic(hidden.output(numbers, view.head.bucket))
    });
    points.collect()
}

/// Writes to `slopes` those of the cross-entropy of these positions, summed. `lambda` is the share of the game's result in
/// what is to be foretold.
pub fn gradient(numbers: &Numbers, views: &Views, indices: &[u32], lambda: f32, slopes: &mut Numbers) {
    slopes.clear();
    let size = numbers.hidden;
    let mut hidden = Hidden::new(size);
    let mut back = vec![0.0; size];
    for &index in indices {
        let view = views.get(index as usize);
        let head = view.head;
        hidden.fill(numbers, view);
        let label = lambda * head.result + (1.0 - lambda) * head.expected;
        let error = logistic(hidden.output(numbers, head.bucket)) - label;
        let weights = numbers.bucket(head.bucket);
        let width = weights.len();
        let start = usize::from(head.bucket) * width;
        slopes.output[start + width - 1] += error;
        for (half, (sums, features)) in [(&hidden.own, view.own), (&hidden.other, view.other)]
            .into_iter()
            .enumerate()
        {
            let weights = &weights[half * size..][..size];
            let slope = &mut slopes.output[start + half * size..][..size];
            for (((&sum, &weight), slope), back) in sums.iter().zip(weights).zip(slope).zip(&mut back) {
                let clipped = sum.clamp(0.0, 1.0);
                let inside = if sum > 0.0 && sum < 1.0 { 2.0 } else { 0.0 };
                *slope += error * clipped * clipped;
                *back = error * weight * inside * clipped;
            }
            let rows = features.iter().map(|&feature| usize::from(feature));
            for row in rows.chain([numbers.inputs()]) {
                let slope = &mut slopes.transformer[row * size..][..size];
                slope.iter_mut().zip(&back).for_each(|(slope, back)| *slope += back);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::network::views::Head;

    /// Views of three features each, and numbers that are no round ones.
    fn some(inputs: usize, hidden: usize) -> (Numbers, Views) {
        let mut numbers = Numbers::zero(inputs, hidden);
        let mut state = 12_345u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1u32 << 24) as f32
        };
        numbers
            .transformer
            .iter_mut()
            .for_each(|number| *number = next() * 0.6 - 0.15);
        numbers.output.iter_mut().for_each(|number| *number = next() - 0.5);
        let mut views = Views::default();
        for index in 0..40 {
            let mut pick = || (next() * inputs as f32) as u16;
            let (own, other) = ([pick(), pick(), pick()], [pick(), pick(), pick()]);
            let head = Head {
                result: (index % 3) as f32 / 2.0,
                expected: next(),
                linear: 0.5,
                bucket: (index % 8) as u8,
                cluster: index,
            };
            views.push(head, &own, &other);
        }
        (numbers, views)
    }

    fn loss(numbers: &Numbers, views: &Views, indices: &[u32], lambda: f32) -> f64 {
        let foretold = foretell(numbers, views, indices);
        let losses = foretold.iter().zip(indices).map(|(&points, &index)| {
            let head = views.get(index as usize).head;
            log_loss(points, lambda * head.result + (1.0 - lambda) * head.expected)
        });
        losses.sum()
    }

    #[test]
    fn slopes_are_those_of_the_loss() {
        let (numbers, views) = some(11, 16);
        let indices: Vec<u32> = (0..views.len() as u32).collect();
        let mut slopes = Numbers::zero(11, 16);
        gradient(&numbers, &views, &indices, 0.3, &mut slopes);
        let step = 1e-3;
        let check = |change: &dyn Fn(&mut Numbers, f32), slope: f32| {
            let at = |by: f32| {
                let mut changed = numbers.clone();
                change(&mut changed, by);
                loss(&changed, &views, &indices, 0.3)
            };
            let found = (at(step) - at(-step)) / (2.0 * f64::from(step));
            assert!((found - f64::from(slope)).abs() < 0.02, "{found} {slope}");
        };
        for index in (0..numbers.transformer.len()).step_by(7) {
            check(
                &|numbers, by| numbers.transformer[index] += by,
                slopes.transformer[index],
            );
        }
        for index in 0..numbers.output.len() {
            check(&|numbers, by| numbers.output[index] += by, slopes.output[index]);
        }
        assert!(slopes.transformer.iter().any(|slope| slope.abs() > 0.1));
    }

    #[test]
    fn the_engine_is_given_the_same_function() {
        let (numbers, views) = some(11, 16);
        let network = numbers.to_network(String::new());
        for index in 0..views.len() {
            let view = views.get(index);
            let wide = |features: &[u16]| -> Vec<u32> { features.iter().map(|&feature| feature.into()).collect() };
            let found = network.evaluate(&wide(view.own), &wide(view.other), view.head.bucket.into());
            let foretold = foretell(&numbers, &views, &[index as u32])[0];
            assert!((logistic(found) - foretold).abs() < 1e-6);
        }
    }
}

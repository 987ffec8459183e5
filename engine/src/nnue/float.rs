//! Networks in floating point, as they are trained, and their quantization.

use assay_rules::GameDef;

use super::architecture::{KING_BUCKETS, OUTPUT_BUCKETS, QA, QB, is_valid_hidden};
use super::features::FeatureSet;
use super::kernels::{Lanes, to_lanes};
use super::network::Network;

/// Maximum feature bias, quantized by [`QA`]: 64.2 units, half of the range of an accumulator.
const MAX_FEATURE_BIAS: i32 = i16::MAX as i32 / 2;
/// Maximum output weight, quantized by [`QB`]: 1.98 units.
const MAX_OUTPUT_WEIGHT: i32 = i8::MAX as i32;
/// Maximum output bias, quantized by [`QA`] * [`QB`]: 65,793 units.
const MAX_OUTPUT_BIAS: i32 = 1 << 30;

/// A network in floating point.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatNetwork {
    /// Hidden size of a perspective: a multiple of 16, from 16 to 512.
    pub hidden: usize,
    /// Number of features of the game ([`FeatureSet::inputs`]) with one or [`KING_BUCKETS`] king
    /// buckets.
    pub inputs: usize,
    /// All parameters. Feature transformer: a row of `hidden` weights for each feature, then a row
    /// of biases. Output layer: weights by bucket, `hidden` for the side to move and `hidden` for
    /// the opponent, then biases by bucket.
    pub numbers: Vec<f32>,
    /// How the network was trained: command and data.
    pub source: String,
}

impl FloatNetwork {
    /// Zeros for a network of this size.
    ///
    /// # Panics
    /// Panics if `hidden` is not a valid hidden size.
    pub fn zero(inputs: usize, hidden: usize) -> FloatNetwork {
        assert!(is_valid_hidden(hidden), "hidden size: a multiple of 16, from 16 to 512");
        FloatNetwork {
            hidden,
            inputs,
            numbers: vec![0.0; (inputs + 1) * hidden + OUTPUT_BUCKETS * (2 * hidden + 1)],
            source: String::new(),
        }
    }

    /// Indices of the first bias of the feature transformer, weight of the output layer and bias of
    /// the output layer.
    pub fn layers(&self) -> [usize; 3] {
        let bias = self.inputs * self.hidden;
        [bias, bias + self.hidden, self.numbers.len() - OUTPUT_BUCKETS]
    }

    /// Output weights of a bucket, for the side to move and the opponent.
    ///
    /// # Panics
    /// Panics if the bucket is out of range.
    pub fn output_weights(&self, bucket: usize) -> [&[f32]; 2] {
        let [_, output, _] = self.layers();
        let start = output + 2 * self.hidden * bucket;
        let (own, other) = self.numbers[start..][..2 * self.hidden].split_at(self.hidden);
        [own, other]
    }

    /// Returns the output for the active features of the side to move (`us`) and the opponent
    /// (`them`): the log-odds of the side to move's expected points. A simple and slow reference.
    ///
    /// # Panics
    /// Panics if a feature, the bucket or a length is out of range.
    pub fn evaluate(&self, us: &[u32], them: &[u32], bucket: usize) -> f32 {
        let [bias, output, output_bias] = self.layers();
        let mut sum = self.numbers[output_bias + bucket];
        for (active, weights) in [us, them].into_iter().zip(self.output_weights(bucket)) {
            let mut accumulator = self.numbers[bias..output].to_vec();
            for &feature in active {
                let row = &self.numbers[feature as usize * self.hidden..][..self.hidden];
                accumulator.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
            for (number, weight) in accumulator.iter().zip(weights) {
                let clipped = number.clamp(0.0, 1.0);
                sum += clipped * clipped * weight;
            }
        }
        sum
    }

    /// Quantizes the network, rounding each number to the nearest integer.
    ///
    /// Parameters that could make a sum overflow are clamped: feature biases to 64.2, output
    /// weights to 1.98 and output biases to 65,793 in absolute value. If the accumulator of a
    /// hidden unit could overflow 16 bits in some position (with the piece of the largest weight on
    /// every square and all pockets full), the unit's weights are clamped to the highest limit that
    /// prevents it. NaN becomes zero.
    ///
    /// # Panics
    /// Panics if the lengths do not match each other or the game.
    pub fn quantize(&self, game: &GameDef) -> Network {
        let hidden = self.hidden;
        let features = [1, KING_BUCKETS]
            .map(|king_buckets| FeatureSet::new(game, king_buckets))
            .into_iter()
            .find(|features| features.inputs() == self.inputs)
            .expect("features of the game");
        let zero = FloatNetwork::zero(self.inputs, hidden);
        assert_eq!(self.numbers.len(), zero.numbers.len(), "number of parameters");
        let (numbers, [bias, output, output_bias]) = (&self.numbers, self.layers());
        let quantized = |numbers: &[f32], scale: i32, max: i32| -> Vec<i16> {
            numbers.iter().map(|&number| quantize(number, scale, max) as i16).collect()
        };
        let feature_bias = quantized(&numbers[bias..output], QA, MAX_FEATURE_BIAS);
        let mut feature_weights = quantized(&numbers[..bias], QA, i16::MAX.into());
        for (unit, &bias) in feature_bias.iter().enumerate() {
            clamp_hidden_unit(&features, &mut feature_weights, hidden, unit, bias);
        }
        Network {
            game: game.name.clone(),
            features,
            feature_weights: to_lanes(&feature_weights),
            feature_bias: to_lanes(&feature_bias),
            output_weights: to_lanes(&quantized(&numbers[output..output_bias], QB, MAX_OUTPUT_WEIGHT)),
            output_bias: std::array::from_fn(|bucket| {
                quantize(numbers[output_bias + bucket], QA * QB, MAX_OUTPUT_BIAS)
            }),
            source: self.source.clone(),
        }
    }
}

impl Network {
    /// The network in floating point, as training continues it. Quantizing the result gives the
    /// same network.
    pub fn to_float(&self) -> FloatNetwork {
        let scaled = |rows: &[Lanes], scale: i32| -> Vec<f32> {
            let numbers = rows.iter().flat_map(|row| row.0);
            numbers.map(|number| f32::from(number) / scale as f32).collect()
        };
        let output_bias = self.output_bias.map(|bias| f64::from(bias) / f64::from(QA * QB));
        let layers = [
            scaled(&self.feature_weights, QA),
            scaled(&self.feature_bias, QA),
            scaled(&self.output_weights, QB),
            output_bias.map(|bias| bias as f32).to_vec(),
        ];
        FloatNetwork {
            hidden: self.hidden(),
            inputs: self.features.inputs(),
            numbers: layers.concat(),
            source: self.source.clone(),
        }
    }
}

/// Rounds `number * scale` and clamps it to `-max..=max`. NaN becomes zero.
fn quantize(number: f32, scale: i32, max: i32) -> i32 {
    (f64::from(number) * f64::from(scale)).round().clamp(f64::from(-max), f64::from(max)) as i32
}

/// Clamps the weights of one hidden unit to the highest limit that keeps its sum within 16 bits.
fn clamp_hidden_unit(features: &FeatureSet, weights: &mut [i16], hidden: usize, unit: usize, bias: i16) {
    let sizes: Vec<i64> =
        weights[unit..].iter().step_by(hidden).map(|weight| i64::from(weight.unsigned_abs())).collect();
    let max_sum = |limit| {
        let buckets = sizes.chunks(features.bucket_inputs());
        buckets.map(|sizes| max_sum(features, sizes, limit)).max().unwrap_or(0)
    };
    let fits = |limit| i64::from(bias.unsigned_abs()) + max_sum(limit) <= i64::from(i16::MAX);
    let no_limit = i64::from(i16::MAX);
    if fits(no_limit) {
        return;
    }
    // Binary search: `low` fits, as a bias is at most half of the range, and `high` does not.
    let (mut low, mut high) = (0, no_limit);
    while high - low > 1 {
        let middle = i64::midpoint(low, high);
        if fits(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    for weight in weights[unit..].iter_mut().step_by(hidden) {
        *weight = (*weight).clamp(-low as i16, low as i16);
    }
}

/// Maximum sum of a king bucket's weights of these sizes, clamped to `limit`, in any position.
fn max_sum(features: &FeatureSet, sizes: &[i64], limit: i64) -> i64 {
    let (box_size, kinds) = (features.box_size(), features.kinds().count());
    let (pieces, extras) = sizes.split_at(2 * kinds * box_size);
    let (pockets, imitated) = extras.split_at(2 * kinds);
    let max = |sizes: &mut dyn Iterator<Item = &i64>| sizes.copied().max().unwrap_or(0).min(limit);
    let pieces: i64 = (0..box_size).map(|place| max(&mut pieces[place..].iter().step_by(box_size))).sum();
    let pockets: i64 = pockets.iter().map(|&size| size.min(limit)).sum();
    let imitated: i64 = imitated.chunks(kinds).map(|side| max(&mut side.iter())).sum();
    pieces + pockets + imitated
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::tests::random_network;

    #[test]
    fn quantization_prevents_overflow() {
        let game = GameDef::builtin("apothecary2").unwrap();
        let features = FeatureSet::new(&game, KING_BUCKETS);
        let (kinds, box_size) = (features.kinds().count(), features.box_size());
        let mut float = random_network(&game, 16, 3);
        let [_, output, output_bias] = float.layers();
        float.numbers[..output].iter_mut().for_each(|number| *number *= 1e6);
        float.numbers[output..output_bias].fill(f32::INFINITY);
        float.numbers[output_bias..].fill(f32::NAN);
        let network = float.quantize(&game);
        assert_eq!(network.output_bias, [0; OUTPUT_BUCKETS]);
        assert!(network.output_weights.iter().all(|row| row.0.iter().all(|&weight| weight == 127)));
        for (unit, sign) in (0..16).flat_map(|unit| [(unit, 1), (unit, -1)]) {
            let bucket = features.bucket_inputs() * (KING_BUCKETS - 1);
            let weight = |feature: usize| sign * i32::from(network.feature_weights[bucket + feature].0[unit]);
            let largest = |features: &mut dyn Iterator<Item = usize>| features.map(weight).max().unwrap().max(0);
            // Worst case: the largest weight on every square, all pockets full, and the largest
            // weights of imitated kinds.
            let pieces: i32 =
                (0..box_size).map(|place| largest(&mut (0..2 * kinds).map(|row| row * box_size + place))).sum();
            let pockets: i32 = (0..2 * kinds).map(|row| weight(2 * kinds * box_size + row).max(0)).sum();
            let imitated: i32 = (0..2)
                .map(|side| largest(&mut (0..kinds).map(|row| 2 * kinds * (box_size + 1) + side * kinds + row)))
                .sum();
            let sum = pieces + pockets + imitated;
            let bias = sign * i32::from(network.feature_bias[0].0[unit]);
            assert!(sum + bias <= i32::from(i16::MAX), "{sum} {bias}");
            // Weights are clamped no more than necessary.
            assert!(sum > 12_000, "{sum} {bias}");
        }
    }

    #[test]
    fn small_weights_are_only_rounded() {
        let game = GameDef::builtin("chess").unwrap();
        let float = random_network(&game, 16, 3);
        let network = float.quantize(&game);
        for (row, weights) in network.feature_weights.iter().zip(float.numbers.chunks(16)) {
            for (&found, &weight) in row.0.iter().zip(weights) {
                assert!((f32::from(found) - weight * QA as f32).abs() <= 0.501);
            }
        }
        assert_eq!((network.hidden(), network.source()), (16, "random numbers, seed 3"));
        assert_eq!(network.to_float().quantize(&game), network);
    }
}

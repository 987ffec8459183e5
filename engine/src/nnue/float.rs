//! Networks as they are trained, in floating point, and how they become integers.

use assay_rules::GameDef;

use super::kernels::{Lanes, in_lanes};
use super::{BUCKETS, Layout, Network, QA, QB, is_size};
use crate::platform::CpuFeatures;

/// The largest bias of the transformer, in parts of [`QA`]: 64.2 units, half of what a sum may reach.
const MOST_BIAS: i32 = i16::MAX as i32 / 2;
/// The largest output weight, in parts of [`QB`]: 1.98 units.
const MOST_OUTPUT: i32 = i8::MAX as i32;
/// The largest bias of the output, in parts of [`QA`] times [`QB`]: 65 793 units.
const MOST_OUTPUT_BIAS: i32 = 1 << 30;

/// A network in floating point.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatNetwork {
    /// Hidden numbers a side: a multiple of 16, 16 to 256.
    pub hidden: usize,
    /// Features of the game ([`Layout::inputs`]).
    pub inputs: usize,
    /// Weights of the transformer: `hidden` for each feature, feature after feature.
    pub transformer: Vec<f32>,
    /// `hidden` biases of the transformer.
    pub transformer_bias: Vec<f32>,
    /// Output weights, by bucket: `hidden` for the side to move's half, then `hidden` for the other's.
    pub output: Vec<f32>,
    /// Biases of the output, by bucket.
    pub output_bias: [f32; BUCKETS],
    /// How it was made, in words: the command, the data.
    pub source: String,
}

impl FloatNetwork {
    /// The output for a position with these features, seen by the side to move and by the other side: the logarithm of the
    /// odds that the side to move expects. Plain and slow.
    ///
    /// # Panics
    /// When a feature, the bucket or a length is out of range.
    pub fn evaluate(&self, own: &[u32], other: &[u32], bucket: usize) -> f32 {
        let output = &self.output[bucket * 2 * self.hidden..][..2 * self.hidden];
        let mut sum = self.output_bias[bucket];
        for (features, weights) in [own, other].into_iter().zip(output.chunks(self.hidden)) {
            let mut hidden = self.transformer_bias.clone();
            for &feature in features {
                let row = &self.transformer[feature as usize * self.hidden..][..self.hidden];
                hidden.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
            for (number, weight) in hidden.iter().zip(weights) {
                let clipped = number.clamp(0.0, 1.0);
                sum += clipped * clipped * weight;
            }
        }
        sum
    }

    /// The network in integers, each number rounded to the nearest.
    ///
    /// Numbers that could make a sum overflow are cut off: biases of the transformer at 64.2, output weights at 1.98, biases
    /// of the output at 65 793 in size; and where a hidden number could leave 16 bits in any position whatever (a piece on every
    /// square, the one that counts most; all pockets full), its weights at the highest limit that rules it out. No number is
    /// a zero.
    ///
    /// # Panics
    /// When a length does not fit the others or the game.
    pub fn quantize(&self, game: &GameDef) -> Network {
        let layout = Layout::of(game);
        let hidden = self.hidden;
        assert!(is_size(hidden), "hidden numbers: a multiple of 16, 16 to 256");
        assert_eq!(self.inputs, layout.inputs(), "features of the game");
        assert_eq!(self.transformer.len(), self.inputs * hidden, "transformer weights");
        assert_eq!(self.transformer_bias.len(), hidden, "transformer biases");
        assert_eq!(self.output.len(), BUCKETS * 2 * hidden, "output weights");
        let rounded = |numbers: &[f32], scale: i32, most: i32| -> Vec<i16> {
            numbers
                .iter()
                .map(|&number| round(number, scale, most) as i16)
                .collect()
        };
        let bias = rounded(&self.transformer_bias, QA, MOST_BIAS);
        let mut transformer = rounded(&self.transformer, QA, i16::MAX.into());
        for (unit, &bias) in bias.iter().enumerate() {
            limit_unit(&layout, &mut transformer, hidden, unit, bias);
        }
        let rows = |numbers: &[i16]| -> Vec<Lanes> { in_lanes(numbers) };
        Network {
            game: game.name.clone(),
            layout,
            transformer: rows(&transformer),
            transformer_bias: rows(&bias),
            output: rows(&rounded(&self.output, QB, MOST_OUTPUT)),
            output_bias: self.output_bias.map(|bias| round(bias, QA * QB, MOST_OUTPUT_BIAS)),
            source: self.source.clone(),
            processor: CpuFeatures::detect(),
        }
    }
}

/// A number in parts of `scale`, at most `most` in size.
fn round(number: f32, scale: i32, most: i32) -> i32 {
    // A cast of what is no number is 0.
    (f64::from(number) * f64::from(scale))
        .round()
        .clamp(f64::from(-most), f64::from(most)) as i32
}

/// Cuts off the weights of one hidden number at the highest limit that keeps its sums within 16 bits.
fn limit_unit(layout: &Layout, transformer: &mut [i16], hidden: usize, unit: usize, bias: i16) {
    let sizes: Vec<i64> = transformer[unit..]
        .iter()
        .step_by(hidden)
        .map(|weight| i64::from(weight.unsigned_abs()))
        .collect();
    let fits = |limit: i64| i64::from(bias.unsigned_abs()) + most_of(layout, &sizes, limit) <= i64::from(i16::MAX);
    let all = i64::from(i16::MAX);
    if fits(all) {
        return;
    }
    // The highest limit that fits is in `low..high`; 0 does, as a bias is at most half.
    let (mut low, mut high) = (0, all);
    while high - low > 1 {
        let middle = i64::midpoint(low, high);
        if fits(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    for weight in transformer[unit..].iter_mut().step_by(hidden) {
        *weight = (*weight).clamp(-low as i16, low as i16);
    }
}

/// The most that the weights of these sizes can add up to in a position, each cut off at `limit`.
fn most_of(layout: &Layout, sizes: &[i64], limit: i64) -> i64 {
    let (places, kinds) = (layout.places(), layout.kinds().count());
    let (pieces, extras) = sizes.split_at(2 * kinds * places);
    let (pockets, powers) = extras.split_at(2 * kinds);
    let largest = |sizes: &mut dyn Iterator<Item = &i64>| sizes.copied().max().unwrap_or(0).min(limit);
    let pieces: i64 = (0..places)
        .map(|place| largest(&mut pieces[place..].iter().step_by(places)))
        .sum();
    let pockets: i64 = pockets.iter().map(|&size| size.min(limit)).sum();
    let powers: i64 = powers.chunks(kinds).map(|side| largest(&mut side.iter())).sum();
    pieces + pockets + powers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::tests::random;

    #[test]
    fn no_sum_overflows_however_large_the_weights() {
        let game = GameDef::builtin("apothecary2").unwrap();
        let layout = Layout::of(&game);
        let (kinds, places) = (layout.kinds().count(), layout.places());
        let mut float = random(&game, 16, 3);
        float.transformer.iter_mut().for_each(|weight| *weight *= 1e6);
        float.transformer_bias.iter_mut().for_each(|bias| *bias *= 1e6);
        float.output.fill(f32::INFINITY);
        float.output_bias = [f32::NAN; BUCKETS];
        let network = float.quantize(&game);
        assert_eq!(network.output_bias, [0; BUCKETS]);
        assert!(
            network
                .output
                .iter()
                .all(|row| row.0.iter().all(|&weight| weight == 127))
        );
        for (unit, sign) in (0..16).flat_map(|unit| [(unit, 1), (unit, -1)]) {
            let weight = |feature: usize| sign * i32::from(network.transformer[feature].0[unit]);
            let largest = |features: &mut dyn Iterator<Item = usize>| features.map(weight).max().unwrap().max(0);
            // The worst that can be: the weightiest piece on every square, every pocket full, the weightiest powers.
            let pieces: i32 = (0..places)
                .map(|place| largest(&mut (0..2 * kinds).map(|row| row * places + place)))
                .sum();
            let pockets: i32 = (0..2 * kinds).map(|row| weight(2 * kinds * places + row).max(0)).sum();
            let powers: i32 = (0..2)
                .map(|side| largest(&mut (0..kinds).map(|row| 2 * kinds * (places + 1) + side * kinds + row)))
                .sum();
            let sum = pieces + pockets + powers;
            let bias = sign * i32::from(network.transformer_bias[0].0[unit]);
            assert!(sum + bias <= i32::from(i16::MAX), "{sum} {bias}");
            // Nothing is cut off more than it has to be.
            assert!(sum > 12_000, "{sum} {bias}");
        }
    }

    #[test]
    fn what_fits_is_only_rounded() {
        let game = GameDef::builtin("chess").unwrap();
        let float = random(&game, 16, 3);
        let network = float.quantize(&game);
        for (row, weights) in network.transformer.iter().zip(float.transformer.chunks(16)) {
            for (&found, &weight) in row.0.iter().zip(weights) {
                assert!((f32::from(found) - weight * QA as f32).abs() <= 0.501);
            }
        }
        assert_eq!((network.hidden(), network.source()), (16, "random numbers, seed 3"));
    }
}

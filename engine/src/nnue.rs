//! A small efficiently updated neural network (NNUE), which judges positions in place of the linear evaluation.
//!
//! What stands where ([`Layout`]) goes through one *transformer* twice, once as each side sees it, to `hidden` numbers a side.
//! Both halves, the side to move's first, pass a squared clipped `ReLU` and are weighed into one number by one of
//! [`BUCKETS`] sets of output weights, chosen by how many pieces are on the board. That number `o` stands for the points that
//! the side to move expects by the logistic curve 1 / (1 + e^-o), which is 300 / ln 3 centipawns a unit
//! ([`Score::expected_points`]).
//!
//! Networks are trained in floating point ([`FloatNetwork`]) and played in integers ([`Network`]): transformer weights and
//! biases in parts of [`QA`], output weights in parts of [`QB`], the output's bias in parts of both together. The first
//! half, which is most of the work, is kept up to date from position to position by [`Accumulators`].

mod accumulators;
mod builtin;
mod error;
mod file;
mod float;
mod kernels;
mod layout;

use assay_rules::GameDef;

use crate::eval::Score;
use crate::platform::CpuFeatures;
use crate::position::CompiledPosition;
use crate::position::Position;
use kernels::{LANES, Lanes};

pub use accumulators::Accumulators;
pub use error::NetworkError;
pub use float::FloatNetwork;
pub use layout::{Layout, bucket, features};

/// Parts that one unit of a transformer weight is kept in, and the upper end of the clipped `ReLU`.
pub const QA: i32 = 255;
/// Parts that one unit of an output weight is kept in.
pub const QB: i32 = 64;
/// Sets of output weights.
pub const BUCKETS: usize = 8;
/// Centipawns of one unit of the output: 300 / ln 3.
pub const CENTIPAWNS: f64 = 273.071_767_988_122_5;
/// Hidden numbers are a multiple of this.
pub const HIDDEN_STEP: usize = LANES;
/// The most hidden numbers a side: with more, an output sum might not fit 32 bits.
pub const MOST_HIDDEN: usize = 256;

/// May a network have that many hidden numbers a side?
pub(crate) fn is_size(hidden: usize) -> bool {
    (HIDDEN_STEP..=MOST_HIDDEN).contains(&hidden) && hidden.is_multiple_of(HIDDEN_STEP)
}

/// A network for one game, ready to be played with.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// The game's name.
    game: String,
    layout: Layout,
    /// Rows of `hidden` numbers, one a feature.
    transformer: Vec<Lanes>,
    transformer_bias: Vec<Lanes>,
    /// By bucket: `hidden` weights for the side to move, then as many for the other.
    output: Vec<Lanes>,
    output_bias: [i32; BUCKETS],
    source: String,
    processor: CpuFeatures,
}

impl Network {
    /// The name of the game that it is for.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Hidden numbers a side.
    pub fn hidden(&self) -> usize {
        self.width() * LANES
    }

    /// How it was made, in words.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What its features are.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Is it made for this game, its board and its kinds?
    pub fn is_for(&self, game: &GameDef) -> bool {
        self.game == game.name && self.layout == Layout::of(game)
    }

    /// What the side to move may think of the position, from nothing. In a search [`Accumulators`] find the same faster.
    ///
    /// # Panics
    /// When the network is another game's.
    pub fn evaluate<R: CompiledPosition>(&self, position: &Position<R>) -> Score {
        assert!(self.is_for(position.game()), "networks are for one game");
        let halves = self.layout.features(position).map(|features| {
            let mut half = self.transformer_bias.clone();
            kernels::update(self.processor, &mut half, &self.transformer, &features, &[]);
            half
        });
        let own = position.side_to_move().index();
        self.output(&halves[own], &halves[1 - own], self.layout.bucket(position))
    }

    /// Lanes that the hidden numbers of one side fill.
    fn width(&self) -> usize {
        self.transformer_bias.len()
    }

    /// The output layer: `own` is the side to move's half.
    fn output(&self, own: &[Lanes], other: &[Lanes], bucket: usize) -> Score {
        let width = self.width();
        let weights = &self.output[2 * width * bucket..][..2 * width];
        let (for_own, for_other) = weights.split_at(width);
        let sum = i64::from(kernels::dot(self.processor, own, for_own))
            + i64::from(kernels::dot(self.processor, other, for_other));
        Score::from_centipawns(centipawns(sum + i64::from(self.output_bias[bucket]) * i64::from(QA)))
    }
}

/// Centipawns of an output in parts of QA * QA * QB. The largest sum that fits (biases of 2^31) times the factor is far from
/// the end of 64 bits.
fn centipawns(output: i64) -> i32 {
    const PARTS: i64 = 10_000;
    const FACTOR: i64 = (CENTIPAWNS * PARTS as f64) as i64;
    const UNIT: i64 = QA as i64 * QA as i64 * QB as i64 * PARTS;
    (output * FACTOR / UNIT).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

#[cfg(test)]
pub(crate) mod tests;

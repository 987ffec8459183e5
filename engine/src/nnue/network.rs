//! Quantized networks.

use std::sync::{Arc, OnceLock};

use assay_rules::GameDef;
use assay_rules::def::BUILTIN_NAMES;

use super::architecture::{EVAL_SCALE, OUTPUT_BUCKETS, QA, QB};
use super::features::FeatureSet;
use super::kernels::{self, LANES, Lanes};
use crate::eval::Score;
use crate::position::{CompiledPosition, Position};
use crate::ruleset::EvaluationFiles;

/// A quantized network for one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Name of the game.
    pub(super) game: String,
    pub(super) features: FeatureSet,
    /// Rows of `hidden` weights, one for each feature.
    pub(super) feature_weights: Vec<Lanes>,
    pub(super) feature_bias: Vec<Lanes>,
    /// By bucket: `hidden` weights for the side to move, then as many for the opponent.
    pub(super) output_weights: Vec<Lanes>,
    pub(super) output_bias: [i32; OUTPUT_BUCKETS],
    pub(super) source: String,
}

/// Networks of the built-in games, read on first use.
static NETWORKS: [OnceLock<Option<Arc<Network>>>; BUILTIN_NAMES.len()] =
    [const { OnceLock::new() }; BUILTIN_NAMES.len()];

impl Network {
    /// Returns the network that the game is played with, if it has one. A user's game never has.
    pub fn builtin(game: &GameDef) -> Option<Arc<Network>> {
        let bytes = EvaluationFiles::of(game).network?;
        let index = BUILTIN_NAMES.iter().position(|&name| name == game.name)?;
        let read = || Network::read(game, bytes).ok().map(Arc::new);
        NETWORKS[index].get_or_init(read).clone()
    }

    /// Name of the game that the network is for.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Hidden size of a perspective.
    pub fn hidden(&self) -> usize {
        self.width() * LANES
    }

    /// How the network was trained: command and data. May contain control characters if the file
    /// does.
    pub fn source(&self) -> &str {
        &self.source
    }

    pub fn features(&self) -> &FeatureSet {
        &self.features
    }

    /// Returns true if the network was trained for this game, with the same board and kinds.
    pub fn is_for(&self, game: &GameDef) -> bool {
        self.game == game.name && self.features == FeatureSet::new(game, self.features.king_buckets())
    }

    /// Evaluates a position from the point of view of the side to move, without incremental
    /// updates. In a search an [`AccumulatorStack`](super::AccumulatorStack) gives the same result
    /// faster.
    ///
    /// # Panics
    /// Panics if the network belongs to another game.
    pub fn evaluate<R: CompiledPosition>(&self, position: &Position<R>) -> Score {
        assert!(self.is_for(position.game()), "the network belongs to another game");
        let accumulators = self.features.active(position).map(|active| {
            let mut accumulator = self.feature_bias.clone();
            kernels::update(&mut accumulator, &self.feature_weights, &active, &[]);
            accumulator
        });
        let us = position.side_to_move().index();
        self.output(&accumulators[us], &accumulators[1 - us], self.features.output_bucket(position))
    }

    /// Hidden size of a perspective in lanes.
    fn width(&self) -> usize {
        self.feature_bias.len()
    }

    /// Output layer, from the accumulators of the side to move and the opponent.
    pub(super) fn output(&self, us: &[Lanes], them: &[Lanes], bucket: usize) -> Score {
        let width = self.width();
        let weights = &self.output_weights[2 * width * bucket..][..2 * width];
        let (us_weights, them_weights) = weights.split_at(width);
        let sum = kernels::screlu_dot(us, us_weights) + kernels::screlu_dot(them, them_weights);
        Score::from_centipawns(to_centipawns(sum + i64::from(self.output_bias[bucket]) * i64::from(QA)))
    }
}

/// Converts an output quantized by QA * QA * QB to centipawns. The product of the largest sum (with
/// biases of 2^31) and the factor is far below 2^63.
fn to_centipawns(output: i64) -> i32 {
    const PARTS: i64 = 10_000;
    const FACTOR: i64 = (EVAL_SCALE * PARTS as f64) as i64;
    const UNIT: i64 = QA as i64 * QA as i64 * QB as i64 * PARTS;
    (output * FACTOR / UNIT).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_network_is_read() {
        for name in BUILTIN_NAMES {
            let game = GameDef::builtin(name).unwrap();
            let bytes = EvaluationFiles::of(&game).network;
            let read = bytes.map(|bytes| Network::read(&game, bytes).unwrap_or_else(|error| panic!("{name}: {error}")));
            assert_eq!(Network::builtin(&game).as_deref(), read.as_ref(), "{name}");
            assert!(read.is_none_or(|network| !network.source().is_empty()), "{name}");
            // Another game of that name has neither weights nor a network.
            let other = GameDef { title: "another".to_owned(), ..(*game).clone() };
            assert_eq!(Network::builtin(&other), None);
            assert_eq!(EvaluationFiles::of(&other).weights, None);
        }
    }
}

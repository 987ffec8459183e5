//! Weaker play: fewer nodes, and noise in the static evaluation.
//!
//! A player who searches few nodes overlooks long tactics, and one whose evaluation is noisy
//! misjudges positions. Neither chooses moves at random, so short tactics and mates are still seen.

use std::ops::RangeInclusive;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::eval::Score;

/// A row of the scale.
struct Level {
    elo: u32,
    /// Nodes of a search.
    nodes: u64,
    /// Standard deviation of the noise in centipawns.
    noise: u32,
}

const fn level(elo: u32, nodes: u64, noise: u32) -> Level {
    Level { elo, nodes, noise }
}

/// The scale of chess, measured by `engine/tuning/strength.py` (docs/strength.md). Levels between
/// two rows are interpolated.
const SCALE: [Level; 15] = [
    level(460, 150, 400),
    level(530, 150, 363),
    level(640, 150, 325),
    level(740, 150, 288),
    level(850, 150, 250),
    level(1000, 164, 223),
    level(1130, 178, 196),
    level(1330, 200, 160),
    level(1550, 245, 135),
    level(1700, 300, 110),
    level(1870, 387, 93),
    level(2040, 500, 75),
    level(2370, 900, 50),
    level(2640, 1600, 32),
    level(2840, 3000, 20),
];

/// Nodes for each legal move that every search may visit, so that it compares all moves in
/// positions and games with many.
const NODES_PER_MOVE: u64 = 4;

/// A limit of the strength of play, by the nodes of each search and by noise in the static
/// evaluation.
///
/// The noise is a function of the position and the seed: a search that would be reproducible
/// without the limit is so with it. The Elo scale is for chess. Other games use the same nodes and
/// noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    nodes: u64,
    pub(crate) noise: EvalNoise,
}

impl Strength {
    /// The range of Elo ratings.
    pub const ELO: RangeInclusive<u32> = SCALE[0].elo..=SCALE[SCALE.len() - 1].elo;

    /// Limits the strength to an Elo rating, clamped to [`Strength::ELO`]. The seed selects the
    /// errors of the evaluation.
    pub fn from_elo(elo: u32, seed: u64) -> Strength {
        let elo = elo.clamp(*Strength::ELO.start(), *Strength::ELO.end());
        let upper = SCALE.partition_point(|level| level.elo < elo);
        let (low, high) = (&SCALE[upper.saturating_sub(1)], &SCALE[upper]);
        let share = f64::from(elo - low.elo) / f64::from((high.elo - low.elo).max(1));
        // Strength grows with the logarithm of the nodes.
        let nodes = low.nodes as f64 * (high.nodes as f64 / low.nodes as f64).powf(share);
        let noise = f64::from(low.noise) + share * (f64::from(high.noise) - f64::from(low.noise));
        Strength {
            nodes: nodes.round() as u64,
            noise: EvalNoise { seed: SplitMix64::seed_from_u64(seed).next_u64(), centipawns: noise.round() as i64 },
        }
    }

    /// Node limit of a search for `lines` principal variations in a position with this many legal
    /// moves.
    pub(crate) fn nodes(self, legal_moves: usize, lines: usize) -> u64 {
        let lines = lines.min(legal_moves).max(1) as u64;
        self.nodes.max(NODES_PER_MOVE * legal_moves as u64) * lines
    }
}

/// Noise in the evaluation of a position, always the same for the same position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EvalNoise {
    seed: u64,
    /// Standard deviation.
    centipawns: i64,
}

/// Standard deviation of the sum of four uniform 16-bit numbers, which is nearly normally
/// distributed: 2^16 / √3.
const SUM_DEVIATION: i64 = 37_837;
/// Mean of the sum.
const SUM_MEAN: i64 = 2 * 65_535;

impl EvalNoise {
    /// Adds the noise to the score of the position with this hash. Mates are exact.
    pub(crate) fn add_to(self, score: Score, hash: u64) -> Score {
        let Some(centipawns) = score.centipawns() else {
            return score;
        };
        let random = SplitMix64::seed_from_u64(hash ^ self.seed).next_u64();
        let sum: i64 = (0..4).map(|part| (random >> (16 * part) & 0xffff) as i64).sum();
        let noise = (sum - SUM_MEAN) * self.centipawns / SUM_DEVIATION;
        Score::from_centipawns(centipawns + noise as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_rating_has_more_nodes_and_less_noise() {
        for level in &SCALE {
            let strength = Strength::from_elo(level.elo, 1);
            assert_eq!((strength.nodes, strength.noise.centipawns), (level.nodes, i64::from(level.noise)));
        }
        let mut last = Strength::from_elo(0, 1);
        for elo in Strength::ELO {
            let next = Strength::from_elo(elo, 1);
            assert!(next.nodes >= last.nodes && next.noise.centipawns <= last.noise.centipawns, "{elo}");
            last = next;
        }
        assert_eq!(Strength::from_elo(u32::MAX, 1), last);
    }

    #[test]
    fn noise_has_its_standard_deviation_and_no_bias() {
        let noise = Strength::from_elo(0, 7).noise;
        let samples: Vec<f64> = (0..20_000u64)
            .map(|position| f64::from(noise.add_to(Score::DRAW, position).centipawns().unwrap()))
            .collect();
        let mean = samples.iter().sum::<f64>() / samples.len() as f64;
        let deviation = (samples.iter().map(|sample| sample * sample).sum::<f64>() / samples.len() as f64).sqrt();
        let expected = noise.centipawns as f64;
        assert!(mean.abs() < 0.03 * expected, "{mean}");
        assert!((deviation - expected).abs() < 0.03 * expected, "{deviation}");
        assert_eq!(noise.add_to(Score::mating(3), 5), Score::mating(3));
    }
}

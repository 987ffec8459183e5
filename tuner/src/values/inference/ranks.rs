//! Ranks of pieces with confidence sets (Mogstad, Romano, Shaikh and Wilhelm 2024): a piece ranks
//! below all pieces that are certainly worth more, and above all that are certainly worth less.
//! Differences are tested in log-odds, so ranks depend on no unit.

use serde::{Deserialize, Serialize};

use super::{CONFIDENCE_LEVEL, Fit, Quantity};
use crate::values::data::Regressor;

/// A piece and the ranks that it may have.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct RankedPiece {
    pub piece: String,
    /// The highest and the lowest rank, 1 for the piece that is worth most. Those of all pieces
    /// hold together in 95% of measurements.
    pub ranks: [usize; 2],
}

impl Fit {
    /// The measured pieces by descending value, averaged over the game; `None` if all have a
    /// published value, which they are compared with instead, or cannot have one (jokers).
    pub fn ranking(&self) -> Option<Vec<RankedPiece>> {
        let game = &self.game;
        let mut kinds = self.kinds();
        let is_unknown = |kind| game.kind(kind).value.is_none() && Some(kind) != game.kinds.joker();
        if !kinds.iter().any(|&kind| is_unknown(kind)) {
            return None;
        }
        let worth = |kind| Some(self.quantity(self.worth(Regressor::Kind(kind), self.mean_left)?));
        let average = |kind: &_| worth(*kind).map_or(0.0, |worth| worth.value);
        kinds.sort_by(|one, other| average(other).total_cmp(&average(one)));
        let values: Vec<Quantity> = kinds.iter().copied().filter_map(worth).collect();
        let pieces = kinds.iter().zip(rank_sets(&values, CONFIDENCE_LEVEL));
        let pieces = pieces.map(|(&kind, ranks)| RankedPiece { piece: game.kind(kind).name.clone(), ranks });
        Some(pieces.collect())
    }
}

/// The highest and the lowest rank of each of these values. All hold together with this confidence:
/// the intervals of the differences of all pairs are Bonferroni's.
fn rank_sets(values: &[Quantity], confidence: f64) -> Vec<[usize; 2]> {
    let count = values.len();
    let pairs = (count * count.saturating_sub(1) / 2).max(1);
    let confidence = 1.0 - (1.0 - confidence) / pairs as f64;
    let exceeds = |one: &Quantity, other: &Quantity| {
        let difference = (one - other).estimate_at(confidence);
        difference.interval.is_some_and(|[low, _]| low > 0.0)
    };
    let ranks = |value: &Quantity| {
        let above = values.iter().filter(|other| exceeds(other, value)).count();
        let below = values.iter().filter(|other| exceeds(value, other)).count();
        [1 + above, count - below]
    };
    values.iter().map(ranks).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nalgebra::{DMatrix, DVector};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::super::liars::deviates;
    use super::*;
    use crate::values::inference::Sample;

    /// The share of measurements in which every set contains the true rank.
    fn coverage(truth: &[f64], confidence: f64) -> f64 {
        const SETS: u64 = 2_000;
        let size = truth.len();
        // Correlated errors, as values that share a unit have.
        let root = DMatrix::from_fn(size, size, |row, column| if row == column { 0.3 } else { 0.05 });
        let sample = Sample::new(&root * root.transpose(), 2_000, 4_000);
        let holds = |seed: &u64| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(*seed);
            let estimates = DVector::from_column_slice(truth) + &root * deviates(&mut random, size);
            let values = Quantity::all(&Arc::clone(&sample), &estimates);
            let sets = rank_sets(&values, confidence);
            sets.iter().zip(truth).all(|([highest, lowest], value)| {
                let above = truth.iter().filter(|&other| other > value).count();
                let below = truth.iter().filter(|&other| other < value).count();
                // Equal values share all ranks between them.
                *highest <= 1 + above && *lowest >= size - below
            })
        };
        (0..SETS).filter(holds).count() as f64 / SETS as f64
    }

    #[test]
    fn rank_sets_hold_together() {
        for truth in [&[3.0; 8][..], &[9.0, 5.0, 3.1, 3.0, 3.0, 1.0]] {
            let found = coverage(truth, CONFIDENCE_LEVEL);
            assert!(found > 0.94, "{truth:?}: {found}");
        }
        // Tests of each pair at 95% (here: Bonferroni's undone) accuse one of the 28 pairs too
        // often.
        let each = coverage(&[3.0; 8], 1.0 - 28.0 * (1.0 - CONFIDENCE_LEVEL));
        assert!(each < 0.7, "{each}");
    }

    #[test]
    fn values_that_differ_have_one_rank_each() {
        let sample = Sample::new(DMatrix::identity(3, 3) * 1e-4, 500, 1_000);
        let values = Quantity::all(&sample, &DVector::from_vec(vec![1.0, 9.0, 9.001]));
        assert_eq!(rank_sets(&values, CONFIDENCE_LEVEL), [[3, 3], [1, 2], [1, 2]]);
    }
}

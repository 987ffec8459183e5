//! The inputs of networks in training positions.

use std::sync::Arc;

use assay_engine::nnue::{FeatureSet, KING_BUCKETS};
use assay_engine::{CompiledRuleset, Evaluator, Position, Score, Tables, Weights};

use crate::training::TrainingError;
use crate::training::positions::{Examples, Extract, Outcome, TrainingData};

/// One in this many opening pairs is held out.
const HELD_OUT: u32 = 20;

/// Positions with a higher score for either side, in centipawns, are left out: the game is
/// decided, and its labels say little.
const MAX_SCORE: i32 = 1_500;

/// Data of a position besides its features, from the side to move's point of view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkHead {
    /// Expected points by the linear evaluation, 0 to 1.
    pub linear: f32,
    pub bucket: u8,
    /// True if exactly one perspective sees the files mirrored.
    pub opposite_mirrored: bool,
    /// King buckets of the side to move's perspective and of the other one.
    pub king_buckets: [u8; 2],
}

/// An example has the active features of the side to move's perspective, counted in the first king
/// bucket; the features in both perspectives' king buckets follow from these ([`Perspectives`]).
pub type NetworkExamples = Examples<NetworkHead, u16>;
pub type NetworkData = TrainingData<NetworkHead, u16>;

/// Keeps the active features of a position, unless the game is decided.
pub struct Features;

impl Extract for Features {
    type Head = NetworkHead;
    type Entry = u16;

    fn extractor<R: CompiledRuleset>(
        tables: &Arc<Tables<R>>,
    ) -> impl Fn(&Position<R>, Outcome, &mut NetworkExamples) + Sync {
        let features = FeatureSet::new(tables.game(), KING_BUCKETS);
        let evaluator = Evaluator::new(tables, &Weights::for_game(tables.game()));
        let highest = Score::from_centipawns(MAX_SCORE).expected_points();
        move |position, outcome, examples| {
            if outcome.expected.max(1.0 - outcome.expected) > highest {
                return;
            }
            let side = position.side_to_move().index();
            let views = features.views(position);
            let (own, other) = (views[side], views[1 - side]);
            let head = NetworkHead {
                linear: evaluator.evaluate(position).expected_points() as f32,
                bucket: features.output_bucket(position) as u8,
                opposite_mirrored: own.mirrored != other.mirrored,
                king_buckets: [own.king_bucket, other.king_bucket],
            };
            let first = features.bucket_inputs() as u32 * u32::from(own.king_bucket);
            let active = &features.active(position)[side];
            let active = active.iter().map(|&feature| narrow(feature - first));
            examples.push(outcome.target(position.side_to_move()), head, active);
        }
    }
}

/// Examples to train on and examples of held-out opening pairs, by index.
#[derive(Clone, Debug)]
pub struct Split {
    pub training: Vec<u32>,
    pub held_out: Vec<u32>,
}

impl Split {
    /// Holds out all positions of one in `HELD_OUT` opening pairs. Which pairs does not depend
    /// on any seed.
    ///
    /// # Errors
    /// If no pair is held out, or all are.
    pub fn of(data: &NetworkData) -> Result<Split, TrainingError> {
        let (held_out, training): (Vec<u32>, Vec<u32>) = (0..data.examples.len() as u32)
            .partition(|&index| is_held_out(data.examples.get(index as usize).target.pair));
        if training.is_empty() || held_out.is_empty() {
            return Err(data.too_few(HELD_OUT as usize));
        }
        Ok(Split { training, held_out })
    }
}

/// Neighboring pairs may have related openings, so pairs are hashed.
fn is_held_out(pair: u32) -> bool {
    let hash = u64::from(pair + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash >> 32) % u64::from(HELD_OUT) == 0
}

/// The features of both perspectives of an example.
#[derive(Clone, Debug)]
pub struct Perspectives {
    king_buckets: usize,
    /// By [`NetworkHead::opposite_mirrored`] and feature: what the other perspective sees in its
    /// place ([`FeatureSet::opposite`]).
    opposite: [Vec<u16>; 2],
}

impl Perspectives {
    pub fn new(features: &FeatureSet) -> Perspectives {
        let all = 0..features.bucket_inputs() as u32;
        let table = |mirrored| {
            all.clone()
                .map(|feature| narrow(features.opposite(feature, mirrored)))
                .collect()
        };
        Perspectives {
            king_buckets: features.king_buckets(),
            opposite: [table(false), table(true)],
        }
    }

    /// Number of features of a king bucket.
    pub fn bucket_inputs(&self) -> usize {
        self.opposite[0].len()
    }

    /// Number of features of a perspective.
    pub fn inputs(&self) -> usize {
        self.king_buckets * self.bucket_inputs()
    }

    /// Replaces the contents of both lists by the features of the side to move's and the other
    /// perspective. `own` are those of an example.
    #[inline]
    pub fn fill(&self, head: NetworkHead, own: &[u16], [ours, theirs]: &mut [Vec<u16>; 2]) {
        let opposite = &self.opposite[usize::from(head.opposite_mirrored)];
        let first = head.king_buckets.map(|bucket| {
            let bucket = if self.king_buckets == 1 { 0 } else { u16::from(bucket) };
            bucket * self.bucket_inputs() as u16
        });
        ours.clear();
        ours.extend(own.iter().map(|&feature| first[0] + feature));
        theirs.clear();
        theirs.extend(own.iter().map(|&feature| first[1] + opposite[usize::from(feature)]));
    }
}

/// A feature as a 16-bit number, which suffices for boards of 128 squares and 26 kinds in four
/// king buckets.
fn narrow(feature: u32) -> u16 {
    u16::try_from(feature).expect("a game has fewer than 65536 features")
}

//! The inputs of networks in training positions.

use std::sync::Arc;

use assay_engine::nnue::{FeatureSet, KING_BUCKETS};
use assay_engine::{CompiledRuleset, Evaluator, Position, Score, Tables, Weights};
use assay_rules::Color;

use crate::training::examples::{Contents, Example, Extract, Occurrences, TrainingData, seen_by};

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
    /// Output bucket.
    pub bucket: u8,
}

/// An example has the active features of the side to move's perspective, then the corresponding
/// ones of the other perspective, with [`KING_BUCKETS`] king buckets. The remainder by the number
/// of inputs is the feature of a network with one king bucket.
pub type NetworkExample = Example<NetworkHead, u16>;
pub type NetworkData = TrainingData<NetworkHead, u16>;

/// Keeps the active features of a position, unless the game is decided.
#[derive(Clone, Copy)]
pub struct Features;

impl Extract for Features {
    type Head = NetworkHead;
    type Entry = u16;

    fn view(side_to_move: Color) -> Color {
        side_to_move
    }

    fn extractor<R: CompiledRuleset>(
        self,
        tables: &Arc<Tables<R>>,
    ) -> impl Fn(&Position<R>, f64, &mut Occurrences) -> Option<Contents<NetworkHead, u16>> + Send + Sync + use<R> {
        let features = FeatureSet::new(tables.game(), KING_BUCKETS);
        let evaluator = Evaluator::new(tables, &Weights::for_game(tables.game()));
        let highest = Score::from_centipawns(MAX_SCORE).expected_points() as f32;
        move |position, white, _| {
            if Color::ALL.iter().any(|&side| seen_by(side, white) as f32 > highest) {
                return None;
            }
            let side = position.side_to_move().index();
            let views = features.views(position);
            let head = NetworkHead {
                linear: evaluator.evaluate(position).expected_points() as f32,
                bucket: features.output_bucket(position) as u8,
            };
            let first = |side: usize| features.bucket_inputs() as u32 * u32::from(views[side].king_bucket);
            let mirrored = views[0].mirrored != views[1].mirrored;
            let own = &features.active(position)[side];
            let opposite = |&feature: &u32| first(1 - side) + features.opposite(feature - first(side), mirrored);
            let both = own.iter().copied().chain(own.iter().map(opposite));
            Some((head, both.map(narrow).collect()))
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
    pub fn of(data: &NetworkData) -> anyhow::Result<Split> {
        let (held_out, training): (Vec<u32>, Vec<u32>) =
            (0..data.examples.len() as u32).partition(|&index| is_held_out(data.examples[index as usize].target.pair));
        if training.is_empty() || held_out.is_empty() {
            if data.pairs < HELD_OUT as usize {
                return Err(data.too_few(HELD_OUT as usize));
            }
            let (pairs, positions) = (data.pairs, data.examples.len());
            anyhow::bail!(
                "found {positions} training positions in {pairs} opening pairs, expected some in and some outside the held-out 1 in 20"
            );
        }
        Ok(Split { training, held_out })
    }
}

/// Neighboring pairs may have related openings, so pairs are hashed.
fn is_held_out(pair: u32) -> bool {
    let hash = u64::from(pair + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash >> 32) % u64::from(HELD_OUT) == 0
}

/// A feature as a 16-bit number, which suffices for boards of 128 squares and 26 kinds in four
/// king buckets.
pub(super) fn narrow(feature: u32) -> u16 {
    u16::try_from(feature).expect("a game has fewer than 65536 features")
}

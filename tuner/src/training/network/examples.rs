//! Network training examples from files of games.

use std::path::PathBuf;
use std::sync::Arc;

use assay_engine::nnue::{FeatureSet, KING_BUCKETS};
use assay_engine::{CompiledRuleset, Evaluator, Score, Tables, Visitor, Weights, dispatch};
use assay_rules::{Color, GameDef, Points};
use assay_selfplay::GameRecord;
use assay_selfplay::game::ReplayError;

use crate::training::weights::TrainingError;
use crate::training::weights::collect::{FileGames, load_games, quiet};
use crate::values::data::DataFile;

/// One in this many opening pairs is held out.
pub const HELD_OUT: u32 = 20;

/// Positions with a higher score for either side, in centipawns, are left out: the game is decided, and its labels say little.
pub const MAX_SCORE: i32 = 1_500;

/// Labels and output bucket of an example. Points are from the side to move's point of view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkExampleHeader {
    /// Expected points by the search, 0 to 1.
    pub expected: f32,
    /// Points by the game result.
    pub result: Points,
    pub bucket: u8,
    /// True if exactly one perspective sees the files mirrored.
    pub opposite_mirrored: bool,
    /// King buckets of the side to move's perspective and of the other one.
    pub king_buckets: [u8; 2],
}

impl NetworkExampleHeader {
    /// Points by the game result, 0 to 1.
    #[inline]
    pub fn result(&self) -> f32 {
        f32::from(self.result.quarters()) / 4.0
    }

    /// The target: points of the side to move, 0 to 1. `lambda` is the weight of the game result; the search score has the rest.
    #[inline]
    pub fn label(&self, lambda: f32) -> f32 {
        lambda * self.result() + (1.0 - lambda) * self.expected
    }
}

/// Training examples. An example takes 20 bytes and 2 for each active feature of the side to move's perspective, counted in the
/// first king bucket; the features in both perspectives' king buckets follow from these ([`Perspectives`]).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NetworkExamples {
    heads: Vec<NetworkExampleHeader>,
    /// End of each example's features.
    ends: Vec<u64>,
    features: Vec<u16>,
}

impl NetworkExamples {
    /// Number of examples.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Returns true if there are no examples.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Labels and output buckets.
    pub fn heads(&self) -> &[NetworkExampleHeader] {
        &self.heads
    }

    /// Labels and features of an example.
    ///
    /// # Panics
    /// If the index is out of range.
    #[inline]
    pub fn get(&self, index: usize) -> (&NetworkExampleHeader, &[u16]) {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        (
            &self.heads[index],
            &self.features[start as usize..self.ends[index] as usize],
        )
    }

    /// Appends an example with its active features from the side to move's perspective.
    pub fn push(&mut self, head: NetworkExampleHeader, own: impl IntoIterator<Item = u16>) {
        self.features.extend(own);
        self.ends.push(self.features.len() as u64);
        self.heads.push(head);
    }

    fn append(&mut self, more: &NetworkExamples) {
        let base = self.features.len() as u64;
        self.features.extend_from_slice(&more.features);
        self.ends.extend(more.ends.iter().map(|end| base + end));
        self.heads.extend_from_slice(&more.heads);
    }

    fn shrink_to_fit(&mut self) {
        self.heads.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.features.shrink_to_fit();
    }
}

/// The features of both perspectives of an example.
#[derive(Clone, Debug)]
pub struct Perspectives {
    king_buckets: usize,
    /// By [`NetworkExampleHeader::opposite_mirrored`] and feature: what the other perspective sees in its place
    /// ([`FeatureSet::opposite`]).
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

    /// Replaces the contents of both lists by the features of the side to move's and the other perspective. `own` are those of an
    /// example.
    #[inline]
    pub fn fill(&self, head: &NetworkExampleHeader, own: &[u16], [ours, theirs]: &mut [Vec<u16>; 2]) {
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

/// Examples of all games.
#[derive(Clone, Debug)]
pub struct NetworkData {
    pub game: Arc<GameDef>,
    pub files: Vec<DataFile>,
    /// Examples in the order of the games.
    pub training: NetworkExamples,
    /// Examples of held-out opening pairs, in the order of the games.
    pub held_out: NetworkExamples,
    /// By held-out example: expected points of the side to move by the linear evaluation, 0 to 1.
    pub linear: Vec<f32>,
    /// Number of opening pairs.
    pub clusters: usize,
}

/// Reads files of games and extracts the same quiet positions as [`crate::training::weights::collect()`], except those with a score
/// above [`MAX_SCORE`]. Every position of one in [`HELD_OUT`] opening pairs is held out; which pairs does not depend on any seed.
///
/// # Errors
/// As [`crate::training::weights::collect()`], and if no pair is held out.
pub fn collect(paths: &[PathBuf]) -> Result<NetworkData, TrainingError> {
    let loaded = load_games(paths, |game, games| dispatch(game, Look(games)))?;
    let mut data = NetworkData {
        game: loaded.game,
        files: loaded.files,
        training: NetworkExamples::default(),
        held_out: NetworkExamples::default(),
        linear: Vec::new(),
        clusters: loaded.clusters,
    };
    for part in loaded.parts {
        match part {
            GameExamples::Training(examples) => data.training.append(&examples),
            GameExamples::HeldOut { examples, linear } => {
                data.held_out.append(&examples);
                data.linear.extend(linear);
            }
        }
    }
    if data.training.is_empty() && data.held_out.is_empty() {
        return Err(TrainingError::Empty { files: paths.to_vec() });
    }
    if data.training.is_empty() || data.held_out.is_empty() {
        return Err(TrainingError::Few {
            files: paths.to_vec(),
            found: data.clusters,
            expected: HELD_OUT as usize,
        });
    }
    Ok(data)
}

/// Returns true if an opening pair is held out. Neighboring pairs may have related openings, so pairs are hashed.
fn is_held_out(cluster: u32) -> bool {
    let hash = u64::from(cluster + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash >> 32) % u64::from(HELD_OUT) == 0
}

/// Examples of one game.
enum GameExamples {
    Training(NetworkExamples),
    HeldOut {
        examples: NetworkExamples,
        linear: Vec<f32>,
    },
}

struct Look<'r>(FileGames<'r>);

impl Visitor for Look<'_> {
    type Output = Result<Vec<GameExamples>, ReplayError>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
        let features = FeatureSet::new(tables.game(), KING_BUCKETS);
        let evaluator = Evaluator::new(&tables, &Weights::for_game(tables.game()));
        self.0
            .each(|record, cluster| game_examples(&tables, &features, &evaluator, record, cluster))
    }
}

fn game_examples<R: CompiledRuleset>(
    tables: &Arc<Tables<R>>,
    features: &FeatureSet,
    evaluator: &Evaluator<R>,
    record: &GameRecord,
    cluster: u32,
) -> Result<GameExamples, ReplayError> {
    let mut examples = NetworkExamples::default();
    let mut linear = Vec::new();
    let held_out = is_held_out(cluster);
    let highest = Score::from_centipawns(MAX_SCORE).expected_points();
    quiet(tables, record, |position, expected| {
        if expected.max(1.0 - expected) > highest {
            return;
        }
        let (result, expected) = match position.side_to_move() {
            Color::White => (record.result, expected),
            Color::Black => (record.result.flipped(), 1.0 - expected),
        };
        let side = position.side_to_move().index();
        let views = features.views(position);
        let (own, other) = (views[side], views[1 - side]);
        let head = NetworkExampleHeader {
            expected: expected as f32,
            result,
            bucket: features.output_bucket(position) as u8,
            opposite_mirrored: own.mirrored != other.mirrored,
            king_buckets: [own.king_bucket, other.king_bucket],
        };
        let first = features.bucket_inputs() as u32 * u32::from(own.king_bucket);
        let active = &features.active(position)[side];
        examples.push(head, active.iter().map(|&feature| narrow(feature - first)));
        if held_out {
            linear.push(evaluator.evaluate(position).expected_points() as f32);
        }
    })?;
    examples.shrink_to_fit();
    Ok(if held_out {
        GameExamples::HeldOut { examples, linear }
    } else {
        GameExamples::Training(examples)
    })
}

/// A feature as a 16-bit number, which suffices for boards of 128 squares and 26 kinds in four king buckets.
fn narrow(feature: u32) -> u16 {
    u16::try_from(feature).expect("a game has fewer than 65536 features")
}

//! Network training examples from files of games.

use std::path::PathBuf;
use std::sync::Arc;

use assay_engine::nnue::FeatureSet;
use assay_engine::{CompiledRuleset, Evaluator, Tables, Visitor, Weights, dispatch};
use assay_rules::{Color, GameDef};
use assay_selfplay::GameRecord;
use assay_selfplay::game::ReplayError;

use crate::training::weights::TrainingError;
use crate::training::weights::collect::{FileGames, load_games, quiet};
use crate::values::data::DataFile;

/// Labels, output bucket and cluster of an example. Points are from the side to move's point of view, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkExampleHeader {
    /// Points by the game result.
    pub result: f32,
    /// Expected points by the search.
    pub expected: f32,
    /// Expected points by the linear evaluation.
    pub linear: f32,
    pub bucket: u8,
    /// Opening pair, numbered without gaps from 0.
    pub cluster: u32,
}

impl NetworkExampleHeader {
    /// The target: points of the side to move, 0 to 1. `lambda` is the weight of the game result; the search score has the rest.
    pub fn label(&self, lambda: f32) -> f32 {
        lambda * self.result + (1.0 - lambda) * self.expected
    }
}

/// A training example.
#[derive(Clone, Copy, Debug)]
pub struct NetworkExample<'v> {
    /// Labels, bucket and cluster.
    pub head: &'v NetworkExampleHeader,
    /// Active features from the side to move's perspective.
    pub own: &'v [u16],
    /// Active features from the other side's perspective.
    pub other: &'v [u16],
}

/// Training examples with their features in one list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NetworkExamples {
    heads: Vec<NetworkExampleHeader>,
    /// End of each example's features.
    ends: Vec<usize>,
    /// Features from the side to move's perspective, then as many from the other's.
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

    /// Example by index.
    ///
    /// # Panics
    /// If the index is out of range.
    #[inline]
    pub fn get(&self, index: usize) -> NetworkExample<'_> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        let features = &self.features[start..self.ends[index]];
        let (own, other) = features.split_at(features.len() / 2);
        NetworkExample {
            head: &self.heads[index],
            own,
            other,
        }
    }

    /// Appends an example.
    ///
    /// # Panics
    /// If the perspectives have different numbers of features.
    pub fn push(&mut self, head: NetworkExampleHeader, own: &[u16], other: &[u16]) {
        assert_eq!(own.len(), other.len(), "both sides see the same pieces");
        self.features.extend_from_slice(own);
        self.features.extend_from_slice(other);
        self.ends.push(self.features.len());
        self.heads.push(head);
    }

    fn append(&mut self, more: &NetworkExamples) {
        let base = self.features.len();
        self.features.extend_from_slice(&more.features);
        self.ends.extend(more.ends.iter().map(|end| base + end));
        self.heads.extend_from_slice(&more.heads);
    }
}

/// Examples of all games.
#[derive(Clone, Debug)]
pub struct NetworkData {
    pub game: Arc<GameDef>,
    pub files: Vec<DataFile>,
    /// Examples in the order of the games.
    pub examples: NetworkExamples,
    pub clusters: usize,
}

/// Reads files of games and extracts the same quiet positions as [`crate::training::weights::collect()`].
///
/// # Errors
/// As [`crate::training::weights::collect()`].
pub fn collect(paths: &[PathBuf]) -> Result<NetworkData, TrainingError> {
    let loaded = load_games(paths, |game, games| dispatch(game, Look(games)))?;
    let mut examples = NetworkExamples::default();
    loaded.parts.iter().for_each(|part| examples.append(part));
    if examples.is_empty() {
        return Err(TrainingError::Empty { files: paths.to_vec() });
    }
    Ok(NetworkData {
        game: loaded.game,
        files: loaded.files,
        examples,
        clusters: loaded.clusters,
    })
}

struct Look<'r>(FileGames<'r>);

impl Visitor for Look<'_> {
    type Output = Result<Vec<NetworkExamples>, ReplayError>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
        let layout = FeatureSet::new(tables.game());
        let evaluator = Evaluator::new(&tables, &Weights::for_game(tables.game()));
        self.0
            .each(|record, cluster| game_examples(&tables, &layout, &evaluator, record, cluster))
    }
}

fn game_examples<R: CompiledRuleset>(
    tables: &Arc<Tables<R>>,
    layout: &FeatureSet,
    evaluator: &Evaluator<R>,
    record: &GameRecord,
    cluster: u32,
) -> Result<NetworkExamples, ReplayError> {
    let mut examples = NetworkExamples::default();
    let result = record.result.as_f64();
    quiet(tables, record, |position, expected| {
        let black = position.side_to_move() == Color::Black;
        let from_side_to_move = |white: f64| (if black { 1.0 - white } else { white }) as f32;
        let features = layout.active(position).map(narrow);
        let head = NetworkExampleHeader {
            result: from_side_to_move(result),
            expected: from_side_to_move(expected),
            linear: evaluator.evaluate(position).expected_points() as f32,
            bucket: layout.output_bucket(position) as u8,
            cluster,
        };
        let own = usize::from(black);
        examples.push(head, &features[own], &features[1 - own]);
    })?;
    Ok(examples)
}

/// Features as 16-bit numbers, which suffice for boards of 128 squares and 26 kinds.
fn narrow(features: Vec<u32>) -> Vec<u16> {
    let narrow = |feature: u32| u16::try_from(feature).expect("a game has fewer than 65536 features");
    features.into_iter().map(narrow).collect()
}

//! Training positions: what evaluations are trained on, read from run files.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use assay_engine::{CompiledRuleset, Move, Position, Score, Tables, Visitor, dispatch};
use assay_rules::{Color, GameDef};
use assay_selfplay::game::{Eval, ReplayError};
use assay_selfplay::{GameRecord, PlayedMove};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::TrainingError;
use crate::values::data::{DataError, DataFile, ReadWatch, join_paths, read_runs};

/// Seed of [`Examples::shuffled`].
const SHUFFLE_SEED: u64 = 0x0A55_A7E7_A1E0_0001;

/// The label that an evaluation is trained to predict: points, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Target {
    /// By the game's result.
    pub result: f32,
    /// Expected by the search.
    pub expected: f32,
    /// Opening pair, numbered without gaps from 0 over all files.
    pub pair: u32,
}

impl Target {
    /// The targets from White's and Black's point of view. The points are White's.
    fn of_both_sides(result: f64, expected: f64, pair: u32) -> [Target; 2] {
        [(result, expected), (1.0 - result, 1.0 - expected)].map(|(result, expected)| Target {
            result: result as f32,
            expected: expected as f32,
            pair,
        })
    }

    /// The mixture of both: `lambda` is the weight of the result, 0 to 1.
    #[inline]
    pub fn label(&self, lambda: f32) -> f32 {
        lambda * self.result + (1.0 - lambda) * self.expected
    }
}

/// The features of a training position for one kind of evaluation: a head and any number of entries.
pub trait Extract {
    type Head: Copy + Send;
    type Entry: Copy + Send;

    /// A function that adds a position to examples, or leaves it out. The targets are those of White and Black.
    fn extractor<R: CompiledRuleset>(
        tables: &Arc<Tables<R>>,
    ) -> impl Fn(&Position<R>, &[Target; 2], &mut Examples<Self::Head, Self::Entry>) + Sync;
}

/// A training example.
#[derive(Clone, Copy, Debug)]
pub struct Example<'e, H, E> {
    pub target: &'e Target,
    pub head: &'e H,
    pub entries: &'e [E],
}

/// Training examples as compressed sparse rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Examples<H, E> {
    targets: Vec<Target>,
    heads: Vec<H>,
    /// End of each example's entries.
    ends: Vec<usize>,
    entries: Vec<E>,
    /// By term of the linear evaluation: number of occurrences, weighted by the middlegame share
    /// and by the endgame share of the position. Empty for networks.
    pub occurrences: Vec<[f64; 2]>,
}

impl<H, E> Default for Examples<H, E> {
    fn default() -> Examples<H, E> {
        Examples {
            targets: Vec::new(),
            heads: Vec::new(),
            ends: Vec::new(),
            entries: Vec::new(),
            occurrences: Vec::new(),
        }
    }
}

impl<H: Copy, E: Copy> Examples<H, E> {
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Total number of entries.
    pub fn entry_count(&self) -> usize {
        self.entries.len()
    }

    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// # Panics
    /// If the index is out of range.
    #[inline]
    pub fn get(&self, index: usize) -> Example<'_, H, E> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        Example {
            target: &self.targets[index],
            head: &self.heads[index],
            entries: &self.entries[start..self.ends[index]],
        }
    }

    pub fn push(&mut self, target: Target, head: H, entries: impl IntoIterator<Item = E>) {
        self.entries.extend(entries);
        self.ends.push(self.entries.len());
        self.targets.push(target);
        self.heads.push(head);
    }

    fn append(&mut self, more: &Examples<H, E>) {
        let base = self.entries.len();
        self.entries.extend_from_slice(&more.entries);
        self.ends.extend(more.ends.iter().map(|end| base + end));
        self.targets.extend_from_slice(&more.targets);
        self.heads.extend_from_slice(&more.heads);
        self.occurrences
            .resize(more.occurrences.len().max(self.occurrences.len()), [0.0; 2]);
        for (sum, more) in self.occurrences.iter_mut().zip(&more.occurrences) {
            sum[0] += more[0];
            sum[1] += more[1];
        }
    }

    /// The examples in a fixed random order: neighboring positions share a game and its result.
    #[must_use]
    pub fn shuffled(self) -> Examples<H, E> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(SHUFFLE_SEED));
        let mut shuffled = Examples::default();
        for index in order {
            let example = self.get(index as usize);
            shuffled.push(*example.target, *example.head, example.entries.iter().copied());
        }
        shuffled.occurrences = self.occurrences;
        shuffled
    }
}

/// The training positions of run files.
#[derive(Clone, Debug)]
pub struct TrainingData<H, E> {
    pub game: Arc<GameDef>,
    pub files: Vec<DataFile>,
    /// Number of opening pairs.
    pub pairs: usize,
    /// In the order of files and games.
    pub examples: Examples<H, E>,
}

impl<H: Copy + Send, E: Copy + Send> TrainingData<H, E> {
    /// Reads the training positions of run files, all with the same weight.
    ///
    /// # Errors
    /// If a file is unreadable, holds another game than the first one or a run for the second
    /// time, or contains illegal games; if no position is left, or `watch` ends the reading.
    pub fn read<X: Extract<Head = H, Entry = E>>(
        paths: &[PathBuf],
        watch: ReadWatch<'_>,
    ) -> Result<TrainingData<H, E>, TrainingError> {
        let mut examples = Examples::default();
        let read = read_runs(paths, watch, |run, records, pairs| -> Result<(), DataError> {
            let pairs = records.iter().map(|record| pairs(record.pair) as u32).collect();
            let extraction = Extraction::<X> {
                records,
                pairs,
                kind: std::marker::PhantomData,
            };
            let of_games = dispatch(&run.game, extraction).map_err(|error| run.replay_error(error))?;
            for of_game in &of_games {
                examples.append(of_game);
            }
            Ok(())
        })?;
        if examples.is_empty() {
            return Err(TrainingError::Empty {
                files: join_paths(paths),
            });
        }
        Ok(TrainingData {
            game: read.game,
            files: read.files,
            pairs: read.pairs,
            examples,
        })
    }

    /// The error for fewer opening pairs than are needed to hold some out.
    pub(super) fn too_few(&self, expected: usize) -> TrainingError {
        let paths: Vec<PathBuf> = self.files.iter().map(|file| file.path.clone()).collect();
        TrainingError::Few {
            files: join_paths(&paths),
            found: self.pairs,
            expected,
        }
    }
}

/// Extracts the examples of each game in parallel.
struct Extraction<'r, X> {
    records: &'r [GameRecord],
    /// Opening pair of each game.
    pairs: Vec<u32>,
    kind: std::marker::PhantomData<X>,
}

impl<X: Extract> Visitor for Extraction<'_, X> {
    type Output = Result<Vec<Examples<X::Head, X::Entry>>, ReplayError>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
        let extract = X::extractor(&tables);
        let of_game = |(record, &pair): (&GameRecord, &u32)| {
            let mut examples = Examples::default();
            let result = record.result.as_f64();
            record.visit_positions(&tables, |position, next| {
                if let Some((played, mv)) = next
                    && let Some(expected) = white_expects(position, played, mv)
                {
                    extract(position, &Target::of_both_sides(result, expected, pair), &mut examples);
                }
                ControlFlow::Continue(())
            })?;
            Ok(examples)
        };
        let of_games: Vec<Result<_, ReplayError>> = self.records.par_iter().zip(&self.pairs).map(of_game).collect();
        of_games.into_iter().collect()
    }
}

/// White's expected points by the search, 0 to 1; `None` if this is no training position.
///
/// In a training position the side to move is not in check, the move played neither captures nor
/// promotes, and the search found a score and no mate: the engine evaluates only such positions,
/// at the leaves of quiescence search.
fn white_expects<R: CompiledRuleset>(position: &Position<R>, played: &PlayedMove, mv: Move) -> Option<f64> {
    let Some(Eval::Centipawns(centipawns)) = played.eval else {
        return None;
    };
    if position.in_check() || mv.promotion().is_some() || position.is_capture(mv) {
        return None;
    }
    let points = Score::from_centipawns(centipawns).expected_points();
    Some(match position.side_to_move() {
        Color::White => points,
        Color::Black => 1.0 - points,
    })
}

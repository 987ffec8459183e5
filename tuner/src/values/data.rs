//! Files of games, read and made ready for a fit.

pub mod positions;
pub mod regressor;
pub mod replay;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_rules::GameDef;
use assay_rules::{Points, Termination};
use assay_selfplay::players::player::Eval;
use assay_selfplay::settings::RunSettings;
use assay_selfplay::store::ReplayError;
use assay_selfplay::{GameRecord, Store, StoreError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::values::data::positions::{MaterialSample, Ply, quiet, samples};
use crate::values::data::regressor::Regressor;
use crate::values::data::replay::replay;

/// Why games cannot be used.
#[derive(Debug, Error)]
pub enum DataError {
    /// A file of games cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No file was given.
    #[error("found no file, expected at least one file of games")]
    NoFile,
    /// A stored game cannot be played.
    #[error("{}: {why}", .path.display())]
    Replay {
        /// The file.
        path: PathBuf,
        /// Which game and why.
        why: ReplayError,
    },
    /// Files of different games.
    #[error(
        "{}: found games of {found}, expected {expected} as in {}; all files must hold the same game",
        .path.display(),
        .first.display()
    )]
    MixedGames {
        /// The file.
        path: PathBuf,
        /// Its game.
        found: String,
        /// The game of the first file.
        expected: String,
        /// The first file.
        first: PathBuf,
    },
    /// The same games twice, which would halve the intervals for nothing.
    #[error(
        "{}: found the same run as in {} (same settings and seed), expected every game once",
        .path.display(),
        .first.display()
    )]
    Twice {
        /// The file.
        path: PathBuf,
        /// The file that has it already.
        first: PathBuf,
    },
    /// A result that the game does not have.
    #[error(
        "{}: game {index}: found White's score {found}, which {game} does not know; expected one of {expected}",
        .path.display()
    )]
    ImpossibleResult {
        /// The file.
        path: PathBuf,
        /// The game's number.
        index: u64,
        /// The stored score.
        found: Points,
        /// The name of the game.
        game: String,
        /// The scores that it has.
        expected: String,
    },
}

/// A file of games that was read.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct DataFile {
    /// Where it is.
    pub path: PathBuf,
    /// How many games it holds.
    pub games: usize,
    /// BLAKE3, in hexadecimal, of its games in the order of their numbers: starts, moves, results. The same games have
    /// the same hash, however they came into the file.
    pub hash: String,
    /// The seed of its run.
    pub seed: u64,
    /// Nodes for each move.
    pub nodes: u64,
    /// Megabytes of the search's table.
    pub hash_mb: usize,
    /// The start before the random moves.
    pub setup: String,
    /// Random plies of the openings.
    pub opening_plies: u32,
    /// The most centipawns between the sides before the odds; none when it was not looked at.
    pub balance: Option<u32>,
    /// What was done to the armies: `values`, `odds` or `none`.
    pub material: String,
    /// How far the engine's own piece values were off, in percent.
    pub jitter: String,
    /// Who played.
    pub player: String,
    /// The program that began the run.
    pub program: String,
}

/// A game with its quiet positions.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledGame {
    /// Its opening pair, numbered without gaps in the order of files and games.
    pub cluster: usize,
    /// White's score.
    pub white: Points,
    /// How it ended.
    pub reason: Termination,
    /// Its length in plies.
    pub plies: usize,
    /// Its quiet positions; none in a game that had no quiet moment.
    pub samples: Vec<MaterialSample>,
}

impl SampledGame {
    /// How many quiet positions it had.
    pub fn positions(&self) -> u32 {
        self.samples.iter().map(|sample| sample.positions).sum()
    }
}

/// All games for one fit.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// The game that they are games of.
    pub game: Arc<GameDef>,
    /// The columns of the samples.
    pub regressors: Vec<Regressor>,
    /// Where they come from.
    pub files: Vec<DataFile>,
    /// The games, in the order of files and numbers.
    pub games: Vec<SampledGame>,
}

impl Dataset {
    /// Reads files of games.
    ///
    /// # Errors
    /// When a file is unreadable, holds another game than the first one or the same run, or games that cannot be.
    pub fn read(paths: &[PathBuf]) -> Result<Dataset, DataError> {
        let mut data: Option<Dataset> = None;
        for run in load_runs(paths) {
            let run = run?;
            let data = data.get_or_insert_with(|| Dataset {
                game: Arc::clone(&run.game),
                regressors: Regressor::all(&run.game),
                files: Vec::new(),
                games: Vec::new(),
            });
            data.add(run)?;
        }
        data.ok_or(DataError::NoFile)
    }

    fn add(&mut self, LoadedRun { file, records, .. }: LoadedRun) -> Result<(), DataError> {
        let regressors = &self.regressors;
        let look = |record: &GameRecord, plies: &[Ply]| {
            let sees_mate = |ply: usize| matches!(record.moves[ply].eval, Some(Eval::Mate(_)));
            samples(plies, &quiet(plies, sees_mate), regressors)
        };
        let samples = replay(&self.game, &records, look).map_err(|why| DataError::Replay {
            path: file.path.clone(),
            why,
        })?;

        let mut clusters = BTreeMap::new();
        let first = self.games.iter().map(|game| game.cluster + 1).max().unwrap_or(0);
        for (record, samples) in records.iter().zip(samples) {
            let next = first + clusters.len();
            self.games.push(SampledGame {
                cluster: *clusters.entry(record.pair).or_insert(next),
                white: record.result,
                reason: record.reason,
                plies: record.moves.len(),
                samples,
            });
        }
        self.files.push(file);
        Ok(())
    }
}

/// A file of games that was read, with its games.
pub(crate) struct LoadedRun {
    /// The game that they are games of.
    pub(crate) game: Arc<GameDef>,
    /// What is known of the file.
    pub(crate) file: DataFile,
    /// Everything that decided its games.
    pub(crate) settings: RunSettings,
    /// The games, in the order of their numbers, each with a result that the game knows.
    pub(crate) records: Vec<GameRecord>,
}

/// Reads files of games one by one. The errors: a file that is unreadable, holds another game than the first one, the same
/// run as one before it, or results that cannot be.
pub(crate) fn load_runs(paths: &[PathBuf]) -> impl Iterator<Item = Result<LoadedRun, DataError>> + '_ {
    let mut before: Vec<(String, &PathBuf, Arc<GameDef>)> = Vec::new();
    paths.iter().map(move |path| {
        let store = Store::open_read(path)?;
        let run = store.settings();
        let game = &run.settings.source.game;
        if let Some((_, first, expected)) = before.first()
            && game != expected
        {
            return Err(DataError::MixedGames {
                path: path.clone(),
                found: describe(game, expected),
                expected: expected.name.clone(),
                first: PathBuf::clone(first),
            });
        }
        let identity = identity(&run.settings, &run.player);
        if let Some((_, first, _)) = before.iter().find(|(known, ..)| *known == identity) {
            return Err(DataError::Twice {
                path: path.clone(),
                first: PathBuf::clone(first),
            });
        }
        before.push((identity, path, Arc::clone(game)));
        read_run(path, &store)
    })
}

fn read_run(path: &Path, store: &Store) -> Result<LoadedRun, DataError> {
    let run = store.settings();
    let game = &run.settings.source.game;
    let records: Vec<GameRecord> = store.games().collect::<Result<_, _>>()?;
    let known = scores(game);
    if let Some(record) = records.iter().find(|record| !known.contains(&record.result)) {
        let expected: Vec<String> = known.iter().map(Points::to_string).collect();
        return Err(DataError::ImpossibleResult {
            path: path.to_owned(),
            index: record.index,
            found: record.result,
            game: game.name.clone(),
            expected: expected.join(", "),
        });
    }
    let opening = &run.settings.opening;
    let file = DataFile {
        path: path.to_owned(),
        games: records.len(),
        hash: hash(game, &records),
        seed: run.settings.seed,
        nodes: run.settings.nodes,
        hash_mb: run.settings.hash_mb,
        setup: opening.start.to_string(),
        opening_plies: opening.plies,
        balance: opening.balance,
        material: opening.material.name().to_owned(),
        jitter: run.settings.eval_jitter.to_string(),
        player: run.player.clone(),
        program: run.program.clone(),
    };
    Ok(LoadedRun {
        game: Arc::clone(game),
        file,
        settings: run.settings.clone(),
        records,
    })
}

/// What is said of a file of another game.
fn describe(found: &GameDef, expected: &GameDef) -> String {
    if found.name == expected.name {
        format!("another game named {}", found.name)
    } else {
        found.name.clone()
    }
}

/// Two runs with the same text here play the same games.
fn identity(settings: &RunSettings, player: &str) -> String {
    let opening = (&settings.opening, settings.source.fingerprint());
    format!(
        "{:?}",
        (
            settings.seed,
            settings.nodes,
            settings.hash_mb,
            opening,
            &settings.eval_jitter,
            player
        )
    )
}

/// White's scores that a game can end with.
fn scores(game: &GameDef) -> BTreeSet<Points> {
    let mut scores = BTreeSet::from([Points::WIN, Points::DRAW, Points::LOSS]);
    let points = game.endings.material_count.as_ref().map(|points| points.score);
    for score in [Some(game.endings.stalemate), points].into_iter().flatten() {
        scores.extend([score, score.flipped()]);
    }
    scores
}

fn hash(game: &GameDef, records: &[GameRecord]) -> String {
    let mut hasher = blake3::Hasher::new();
    for record in records {
        let mut line = format!("{} {} {}", record.index, record.pair, record.start_fen);
        for played in &record.moves {
            line.push(' ');
            line.push_str(&played.mv.uci(game));
        }
        line.push_str(&format!(" {} {}\n", record.result, record.reason));
        hasher.update(line.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

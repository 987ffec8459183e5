//! Files of games: reading, checks and content hash.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_rules::GameDef;
use assay_rules::Points;
use assay_selfplay::game::ReplayError;
use assay_selfplay::settings::RunSettings;
use assay_selfplay::store::StoredRun;
use assay_selfplay::{GameRecord, Store, StoreError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Error of reading files of games.
#[derive(Debug, Error)]
pub enum DataError {
    /// A file of games cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No file was given.
    #[error("found no file, expected at least one file of games")]
    NoFile,
    /// A stored game has an illegal move.
    #[error("{}: {error}", .path.display())]
    Replay {
        path: PathBuf,
        /// Game and cause.
        error: ReplayError,
    },
    /// The files hold different games.
    #[error(
        "{}: found games of {found}, expected {expected} as in {}; all files must hold the same game",
        .path.display(),
        .first.display()
    )]
    MixedGames {
        path: PathBuf,
        /// Its game.
        found: String,
        /// The game of the first file.
        expected: String,
        first: PathBuf,
    },
    /// Two files hold the same run; counting games twice would make intervals too narrow.
    #[error(
        "{}: found the same run as in {} (same settings and seed), expected every game once",
        .path.display(),
        .first.display()
    )]
    Duplicate {
        path: PathBuf,
        /// The file with the same run.
        first: PathBuf,
    },
    /// A result is impossible in this game.
    #[error(
        "{}: game {index}: found White's score {found}, which is impossible in {game}; expected one of {expected}",
        .path.display()
    )]
    ImpossibleResult {
        path: PathBuf,
        /// The game's number.
        index: u64,
        found: Points,
        /// The name of the game.
        game: String,
        /// The scores that are possible in it.
        expected: String,
    },
}

/// Description of a file of games.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct DataFile {
    pub path: PathBuf,
    pub games: usize,
    /// BLAKE3 hash, in hexadecimal, of starts, moves and results in the order of game numbers. It does not depend on the order in which
    /// the games were written.
    pub hash: String,
    /// Seed of the run.
    pub seed: u64,
    /// Search nodes per move.
    pub nodes: u64,
    /// Transposition table size in megabytes.
    pub hash_mb: usize,
    /// Start position before the random moves.
    pub setup: String,
    /// Number of random opening plies.
    pub opening_plies: u32,
    /// Maximum evaluation difference of the opening in centipawns, before material is removed; `None` if unlimited.
    pub balance: Option<u32>,
    /// Modification of the armies: `values`, `playtest`, `odds` or `none`.
    pub material: String,
    /// Jitter of the players' piece values, in percent.
    pub jitter: String,
    pub player: String,
    /// The program that started the run.
    pub program: String,
}

/// A file of games with its contents.
pub(crate) struct LoadedRun {
    /// Identifier of the run: a hash of the settings that determine its games.
    pub(crate) id: String,
    pub(crate) game: Arc<GameDef>,
    /// Description of the file.
    pub(crate) file: DataFile,
    /// Settings that determine the games.
    pub(crate) settings: RunSettings,
    /// The games in order of their numbers, each with a possible result.
    pub(crate) records: Vec<GameRecord>,
}

/// Reads files of games one by one. Yields an error for a file that is unreadable, holds another variant than the first one or the same run as an
/// earlier one, or contains impossible results.
pub(crate) fn load_runs(paths: &[PathBuf]) -> impl Iterator<Item = Result<LoadedRun, DataError>> + '_ {
    let mut before: Vec<(String, &PathBuf, Arc<GameDef>)> = Vec::new();
    paths.iter().map(move |path| {
        let store = Store::open_read(path)?;
        let game = &store.source()?.game;
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
        let id = run_id(store.run());
        if let Some((_, first, _)) = before.iter().find(|(known, ..)| *known == id) {
            return Err(DataError::Duplicate {
                path: path.clone(),
                first: PathBuf::clone(first),
            });
        }
        before.push((id.clone(), path, Arc::clone(game)));
        read_run(path, &store, id)
    })
}

fn read_run(path: &Path, store: &Store, id: String) -> Result<LoadedRun, DataError> {
    let run = store.run();
    let source = store.source()?;
    let game = &source.game;
    let mut records: Vec<GameRecord> = store.games().collect::<Result<_, _>>()?;
    // A game lost through an engine fault says nothing about the position.
    records.retain(|record| record.fault.is_none());
    let possible = possible_scores(game);
    if let Some(record) = records.iter().find(|record| !possible.contains(&record.result)) {
        let expected: Vec<String> = possible.iter().map(Points::to_string).collect();
        return Err(DataError::ImpossibleResult {
            path: path.to_owned(),
            index: record.index,
            found: record.result,
            game: game.name.clone(),
            expected: expected.join(", "),
        });
    }
    let settings = &run.settings;
    let openings = settings.random_openings();
    let file = DataFile {
        path: path.to_owned(),
        games: records.len(),
        hash: hash(game, &records),
        seed: settings.seed,
        nodes: settings.nodes(),
        hash_mb: settings.hash_mb(),
        setup: openings.map_or_else(|| settings.openings.to_string(), |openings| openings.start.to_string()),
        opening_plies: openings.map_or(0, |openings| openings.plies),
        balance: openings.and_then(|openings| openings.balance),
        material: openings.map_or("none", |openings| openings.material.name()).to_owned(),
        jitter: settings.eval_jitter.to_string(),
        player: run.identities.join(", "),
        program: run.program.clone(),
    };
    Ok(LoadedRun {
        id,
        game: Arc::clone(game),
        file,
        settings: run.settings.clone(),
        records,
    })
}

/// Name of a file's game in an error message.
fn describe(found: &GameDef, expected: &GameDef) -> String {
    if found.name == expected.name {
        format!("another game named {}", found.name)
    } else {
        found.name.clone()
    }
}

/// Identifier of a run, 12 hexadecimal digits. Runs with equal identifiers play the same games.
fn run_id(run: &StoredRun) -> String {
    let settings = &run.settings;
    let rules_hash = settings.rules.source().map(assay_selfplay::GameSource::rules_hash);
    // Games with a clock cannot be played again, so two runs with the same settings differ.
    let mut limits = settings.players.all().iter().map(|player| &player.limits);
    let is_timed = limits.any(|limits| limits.clock.is_some() || limits.movetime.is_some());
    let decisive = (
        settings.seed,
        settings.repeat,
        is_timed.then_some(&run.created),
        rules_hash,
        (&settings.players, &run.identities),
        &settings.openings,
        &settings.eval_jitter,
        settings.adjudication,
    );
    let hash = blake3::hash(format!("{decisive:?}").as_bytes());
    hash.to_hex()[..12].to_owned()
}

/// White's possible scores in a game.
fn possible_scores(game: &GameDef) -> BTreeSet<Points> {
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
        line.push_str(&format!(" {} {}\n", record.result, record.end));
        hasher.update(line.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

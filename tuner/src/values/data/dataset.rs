//! Samples of all games for one fit.

use std::path::PathBuf;
use std::sync::Arc;

use assay_rules::{GameDef, Points};
use assay_selfplay::GameRecord;
use assay_selfplay::game::{Eval, GameEnd};

use super::files::{DataError, DataFile, LoadedRun, PairNumbers, load_runs};
use super::positions::{self, MaterialSample, Ply, quiet, samples};
use super::regressor::Regressor;
use super::replay::replay;
use super::sample_games::{SampleGame, SampleGames};

/// A game with its quiet positions.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledGame {
    /// Opening pair, numbered without gaps in the order of files and games.
    pub cluster: usize,
    /// White's score.
    pub white: Points,
    /// Termination of the game.
    pub end: GameEnd,
    /// Length in plies.
    pub plies: usize,
    /// Value of each regressor at the start.
    pub start: Box<[f32]>,
    /// Quiet positions; empty if the game has none.
    pub samples: Vec<MaterialSample>,
}

impl SampledGame {
    /// Number of quiet positions.
    pub fn positions(&self) -> u32 {
        self.samples.iter().map(|sample| sample.positions).sum()
    }
}

/// Games for one fit.
#[derive(Clone, Debug)]
pub struct Dataset {
    pub game: Arc<GameDef>,
    /// The regressors of the samples.
    pub regressors: Vec<Regressor>,
    /// The files that the games come from.
    pub files: Vec<DataFile>,
    /// The games, in the order of files and numbers.
    pub games: Vec<SampledGame>,
    /// The text of a user's definition; `None` for a built-in game.
    pub definition: Option<String>,
    /// Instructive games.
    pub sample_games: Vec<SampleGame>,
}

impl Dataset {
    /// Other games of the same files.
    #[must_use]
    pub fn with_games(&self, games: Vec<SampledGame>) -> Dataset {
        Dataset {
            definition: self.definition.clone(),
            sample_games: Vec::new(),
            game: Arc::clone(&self.game),
            regressors: self.regressors.clone(),
            files: self.files.clone(),
            games,
        }
    }

    /// Reads files of games.
    ///
    /// # Errors
    /// If a file is unreadable, holds another variant than the first one or a run for the second time, or contains illegal games.
    pub fn read(paths: &[PathBuf]) -> Result<Dataset, DataError> {
        Dataset::read_counting(paths, || {})
    }

    /// As [`Dataset::read`]; `count` is called for every game, by several threads.
    ///
    /// # Errors
    /// As [`Dataset::read`].
    pub fn read_counting(paths: &[PathBuf], count: impl Fn() + Sync) -> Result<Dataset, DataError> {
        let (mut data, mut pairs) = (None::<Dataset>, PairNumbers::default());
        let mut sample_games = SampleGames::default();
        for run in load_runs(paths) {
            let run = run?;
            let data = data.get_or_insert_with(|| Dataset {
                game: Arc::clone(&run.game),
                regressors: Regressor::all(&run.game),
                files: Vec::new(),
                games: Vec::new(),
                definition: run.definition.clone(),
                sample_games: Vec::new(),
            });
            sample_games.add(&data.game, data.files.len(), &run.records);
            data.add(run, &mut pairs, &count)?;
        }
        let mut data = data.ok_or(DataError::NoFile)?;
        data.sample_games = sample_games.finish();
        Ok(data)
    }

    fn add(
        &mut self,
        LoadedRun { file, records, .. }: LoadedRun,
        pairs: &mut PairNumbers,
        count: &(impl Fn() + Sync),
    ) -> Result<(), DataError> {
        let regressors = &self.regressors;
        let look = |record: &GameRecord, plies: &[Ply]| {
            count();
            let sees_mate = |ply: usize| matches!(record.moves[ply].eval, Some(Eval::Mate(_)));
            let start = positions::values(&plies[0], regressors);
            (start, samples(plies, &quiet(plies, sees_mate), regressors))
        };
        let samples = replay(&self.game, &records, look).map_err(|error| DataError::Replay {
            path: file.path.clone(),
            error,
        })?;

        pairs.next_file();
        for (record, (start, samples)) in records.iter().zip(samples) {
            self.games.push(SampledGame {
                cluster: pairs.number(record.pair),
                white: record.result,
                end: record.end,
                plies: record.moves.len(),
                start,
                samples,
            });
        }
        self.files.push(file);
        Ok(())
    }
}

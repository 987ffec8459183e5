//! Samples of all games for one fit.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use assay_rules::{GameDef, Points};
use assay_selfplay::GameRecord;
use assay_selfplay::game::{Eval, GameEnd};

use super::files::{DataError, DataFile, PairNumbers, ReadWatch, RunFile, open_runs, unwatched};
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
    pub start: Arc<[f32]>,
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
        Dataset::read_watched(paths, &mut unwatched)
    }

    /// As [`Dataset::read`], with progress.
    ///
    /// # Errors
    /// As [`Dataset::read`], and [`DataError::Stopped`] if `watch` ends the reading.
    pub fn read_watched(paths: &[PathBuf], watch: ReadWatch<'_>) -> Result<Dataset, DataError> {
        let (mut data, mut pairs) = (None::<Dataset>, PairNumbers::default());
        let (mut sample_games, mut shared) = (SampleGames::default(), SharedValues::default());
        for run in open_runs(paths) {
            let run = run?;
            let data = data.get_or_insert_with(|| Dataset {
                game: Arc::clone(&run.game),
                regressors: Regressor::all(&run.game),
                files: Vec::new(),
                games: Vec::new(),
                definition: run.definition.clone(),
                sample_games: Vec::new(),
            });
            pairs.next_file();
            let file = run.read(watch, |records| {
                sample_games.add(&data.game, data.files.len(), records);
                data.add(&run, records, &mut pairs, &mut shared)
            })?;
            data.files.push(file);
        }
        let mut data = data.ok_or(DataError::NoFile)?;
        data.games.shrink_to_fit();
        data.sample_games = sample_games.finish();
        Ok(data)
    }

    /// Adds some games of a file.
    fn add(
        &mut self,
        run: &RunFile,
        records: &[GameRecord],
        pairs: &mut PairNumbers,
        shared: &mut SharedValues,
    ) -> Result<(), DataError> {
        let regressors = &self.regressors;
        let look = |record: &GameRecord, plies: &[Ply]| {
            let sees_mate = |ply: usize| matches!(record.moves[ply].eval, Some(Eval::Mate(_)));
            let start = positions::values(&plies[0], regressors);
            (start, samples(plies, &quiet(plies, sees_mate), regressors))
        };
        let samples = replay(&self.game, records, look).map_err(|error| run.replay_error(error))?;
        for (record, (mut start, mut samples)) in records.iter().zip(samples) {
            shared.share(&mut start);
            for sample in &mut samples {
                shared.share(&mut sample.values);
            }
            samples.shrink_to_fit();
            self.games.push(SampledGame {
                cluster: pairs.number(record.pair),
                white: record.result,
                end: record.end,
                plies: record.moves.len(),
                start,
                samples,
            });
        }
        Ok(())
    }
}

/// Values of regressors that occurred before. Most positions share theirs with positions of other games, so all of them together
/// take little memory.
#[derive(Default)]
struct SharedValues {
    /// By the bits of the numbers.
    known: HashMap<Box<[u32]>, Arc<[f32]>>,
    /// The bits of the values in question.
    bits: Vec<u32>,
}

impl SharedValues {
    /// Replaces values by equal ones that occurred before.
    fn share(&mut self, values: &mut Arc<[f32]>) {
        self.bits.clear();
        self.bits.extend(values.iter().map(|value| value.to_bits()));
        match self.known.get(self.bits.as_slice()) {
            Some(known) => *values = Arc::clone(known),
            None => {
                self.known.insert(self.bits.as_slice().into(), Arc::clone(values));
            }
        }
    }
}

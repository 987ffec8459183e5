//! Samples of all games for one fit.

use std::collections::HashMap;
use std::sync::Arc;

use assay_rules::{GameDef, Points};
use assay_selfplay::RecordedRun;
use assay_selfplay::game::GameEnd;
use assay_selfplay::positions::{Ply, quiet};

use super::Regressor;
use super::description::DataFile;
use super::own_values::{Jitter, OwnValues};
use super::runs::{DataError, ReadWatch, read_runs, unwatched};
use super::sample_games::{SampleGame, SampleGames};

/// A game with its quiet positions.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledGame {
    /// Opening pair, numbered without gaps in the order of runs and games.
    pub cluster: usize,
    /// White's score.
    pub white: Points,
    /// Termination of the game.
    pub end: GameEnd,
    /// White's points by the rule that ends decided games, if it applied; some games are played on
    /// then.
    pub decided: Option<Points>,
    /// Length in plies.
    pub plies: usize,
    /// Value of each regressor ([`Regressor::all`]) at the start.
    pub start: Arc<[f32]>,
    pub conditions: Conditions,
    /// Quiet positions; empty if the game has none.
    pub samples: Vec<MaterialSample>,
}

/// Ratings and piece values of the players of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conditions {
    /// White's rating minus Black's in units of 400 points; 0 if a rating is unknown.
    pub rating: f32,
    /// By kind, the logarithm of the random factor of the value that both players believe in; empty
    /// if there is none.
    pub jitter: Arc<[f32]>,
}

/// Quiet positions of one game with the same material and side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialSample {
    /// Number of positions.
    pub positions: u32,
    /// Pieces on the board and in pockets, without kings.
    pub pieces: u16,
    /// Value of each regressor, a multiple of 1/2.
    pub values: Arc<[f32]>,
}

/// Games for one fit.
#[derive(Clone, Debug)]
pub struct Dataset {
    pub game: Arc<GameDef>,
    /// The runs that the games come from.
    pub files: Vec<DataFile>,
    /// The games, in the order of runs and numbers.
    pub games: Vec<SampledGame>,
    /// The text of a user's definition; `None` for a built-in game.
    pub definition: Option<String>,
    /// Instructive games.
    pub sample_games: Vec<SampleGame>,
    /// What the players of all games believe pieces to be worth; `None` if they differ or are not
    /// Assay's own.
    pub own_values: Option<OwnValues>,
}

impl Dataset {
    /// Other games of the same runs.
    #[must_use]
    pub fn with_games(&self, games: Vec<SampledGame>) -> Dataset {
        Dataset {
            definition: self.definition.clone(),
            sample_games: Vec::new(),
            game: Arc::clone(&self.game),
            files: self.files.clone(),
            games,
            own_values: self.own_values.clone(),
        }
    }

    /// Reads the games of runs.
    ///
    /// # Errors
    /// If a run cannot be read, is of another game than the first one, is given for the second
    /// time, or contains illegal games; or if no run is given.
    pub fn read(runs: &[&dyn RecordedRun]) -> Result<Dataset, DataError> {
        Dataset::read_watched(runs, &mut unwatched)
    }

    /// As [`Dataset::read`], with progress.
    ///
    /// # Errors
    /// As [`Dataset::read`], and [`DataError::Stopped`] if `watch` ends the reading.
    pub fn read_watched(runs: &[&dyn RecordedRun], watch: ReadWatch<'_>) -> Result<Dataset, DataError> {
        let mut games = Vec::new();
        let mut sample_games = SampleGames::default();
        let own_values: Vec<Option<OwnValues>> = match runs.first().map(|run| run.header().settings.game()) {
            Some(game) => runs.iter().map(|run| OwnValues::of(&run.header().settings, game)).collect(),
            None => Vec::new(),
        };
        // Most positions have the same values as positions of other games, so shared ones take
        // little memory. The key is the bits of the values.
        let mut known: HashMap<Vec<u32>, Arc<[f32]>> = HashMap::new();
        let mut shared = |values: &Arc<[f32]>| {
            let bits = values.iter().map(|value| value.to_bits()).collect();
            Arc::clone(known.entry(bits).or_insert_with(|| Arc::clone(values)))
        };
        let read = read_runs(runs, watch, |run, records, pairs| -> Result<(), DataError> {
            sample_games.add(&run.game, run.number, records);
            let regressors = Regressor::all(&run.game);
            let resign = run.settings().adjudication.resign;
            let samples = run.replay(records, |record, plies| {
                let start = values(&plies[0], &regressors);
                let decided = resign.and_then(|rule| rule.end_of(record));
                // Games that are played on count as the others do.
                let plies = &plies[..=decided.map_or(record.moves.len(), |(plies, _)| plies)];
                (start, samples(plies, &quiet(record, plies), &regressors), decided.map(|(_, points)| points))
            })?;
            let ratings = run.rating_differences(records)?;
            let mut jitter = Jitter::of(run.settings(), &run.game, own_values[run.number].as_ref());
            for ((record, rating), (start, mut samples, decided)) in records.iter().zip(ratings).zip(samples) {
                for sample in &mut samples {
                    sample.values = shared(&sample.values);
                }
                samples.shrink_to_fit();
                games.push(SampledGame {
                    cluster: pairs(record.pair),
                    white: record.result,
                    end: record.end,
                    decided,
                    plies: record.moves.len(),
                    start: shared(&start),
                    conditions: Conditions { rating, jitter: jitter.of_pair(record.pair) },
                    samples,
                });
            }
            Ok(())
        })?;
        games.shrink_to_fit();
        Ok(Dataset {
            game: read.game,
            files: read.files,
            games,
            definition: read.definition,
            sample_games: sample_games.finish(),
            own_values: own_values.windows(2).all(|two| two[0] == two[1]).then(|| own_values[0].clone()).flatten(),
        })
    }
}

/// Value of each regressor in a position.
fn values(ply: &Ply, regressors: &[Regressor]) -> Arc<[f32]> {
    let values = regressors.iter().map(|regressor| regressor.value(&ply.material, ply.side) as f32);
    values.collect()
}

/// Samples of the quiet positions, in order of first occurrence. Equal positions close to each
/// other are merged.
fn samples(plies: &[Ply], quiet: &[usize], regressors: &[Regressor]) -> Vec<MaterialSample> {
    let mut samples: Vec<MaterialSample> = Vec::new();
    for ply in quiet.iter().map(|&ply| &plies[ply]) {
        let values = values(ply, regressors);
        let pieces = ply.material.pieces() as u16;
        let known = samples.iter_mut().rev().take(4).find(|sample| sample.pieces == pieces && sample.values == values);
        match known {
            Some(sample) => sample.positions += 1,
            None => samples.push(MaterialSample { positions: 1, pieces, values }),
        }
    }
    samples
}

#[cfg(test)]
mod tests {
    use assay_rules::{GameDef, Position, uci};

    use super::*;

    #[test]
    fn equal_positions_are_merged() {
        let chess = GameDef::builtin("chess").unwrap();
        let mut position = Position::start(&chess);
        let mut plies = vec![Ply::from(&position)];
        for text in ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "d2d3"] {
            position = position.play(uci::parse(&position, text).unwrap());
            plies.push(Ply::from(&position));
        }
        let found = samples(&plies, &[2, 3, 4, 5, 6], &Regressor::all(&chess));
        let counts: Vec<(u32, u16)> = found.iter().map(|sample| (sample.positions, sample.pieces)).collect();
        // White to move three times, Black twice.
        assert_eq!(counts, [(3, 30), (2, 30)]);
    }
}

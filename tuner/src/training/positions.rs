//! Training positions: what evaluations are trained on, read from run files and from files of
//! labelled positions.

use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{anyhow, ensure};
use assay_rules::GameDef;
use assay_selfplay::game::ReplayError;
use assay_selfplay::{GameRecord, RecordedRun};
use rayon::prelude::*;

use super::examples::{
    Example, Extract, Occurrences, PositionFile, ReadOptions, Target, TrainingData, add_occurrences, extractor,
};
use super::labelled;
use crate::values::data::{DataError, ReadWatch, read_runs};

impl<H: Send, E: Send> TrainingData<H, E> {
    /// Reads the training positions of runs and of files of labelled positions, all with the same
    /// weight. `watch` gets the numbers of games, and of labelled positions.
    ///
    /// # Errors
    /// If a run or file is unreadable, holds another game or a run for the second time, or contains illegal games or faulty records; if no
    /// position is left, or `watch` ends the reading.
    pub fn read(
        runs: &[&dyn RecordedRun],
        labelled: &[PathBuf],
        options: &ReadOptions,
        extract: impl Extract<Head = H, Entry = E>,
        watch: ReadWatch<'_>,
    ) -> anyhow::Result<TrainingData<H, E>> {
        let mut data = TrainingData {
            game: options.game.clone().unwrap_or_else(chess),
            files: Vec::new(),
            position_files: Vec::new(),
            pairs: 0,
            examples: Vec::new(),
            occurrences: Occurrences::new(),
        };
        if !runs.is_empty() {
            data.read_runs(runs, options, extract, watch)?;
        }
        for path in labelled {
            labelled::read(path, &mut data, extract, options, watch)?;
        }
        let expected = if labelled.is_empty() {
            "no quiet positions with a searched score, expected games of `assay-selfplay generate`"
        } else {
            "no quiet positions, expected positions whose side to move is not in check"
        };
        ensure!(!data.examples.is_empty(), data.fault(format_args!("found {expected}")));
        Ok(data)
    }

    fn read_runs<X: Extract<Head = H, Entry = E>>(
        &mut self,
        runs: &[&dyn RecordedRun],
        options: &ReadOptions,
        extract: X,
        watch: ReadWatch<'_>,
    ) -> anyhow::Result<()> {
        let read = read_runs(runs, watch, |run, records, pairs| -> Result<(), DataError> {
            if let Some(game) = options.game.as_ref().filter(|game| **game != run.game) {
                return Err(run.fault(format_args!("found games of {}, expected {}", run.game.name, game.name)));
            }
            let extractor = extractor(&run.game, extract);
            let pairs: Vec<u32> = records.iter().map(|record| pairs(record.pair) as u32).collect();
            let of_game = |(record, &pair): (&GameRecord, &u32)| {
                let result = record.result.as_f64();
                let mut occurrences = Occurrences::new();
                let seen = extractor.of_game(record, &mut occurrences)?;
                let scores: Vec<Option<f64>> = seen.iter().map(|seen| seen.expected).collect();
                let means = later_means(&scores, result, options.decay);
                let examples = seen.into_iter().zip(means).filter_map(|(seen, mean)| {
                    let (head, entries) = seen.contents?;
                    Some(Example { target: Target::of(X::view(seen.side), result, mean, pair), head, entries })
                });
                Ok((examples.collect::<Vec<_>>(), occurrences))
            };
            let of_games: Vec<Result<_, ReplayError>> = records.par_iter().zip(&pairs).map(of_game).collect();
            for of_game in of_games {
                let (examples, occurrences) = of_game.map_err(|error| run.fault(error))?;
                self.examples.extend(examples);
                add_occurrences(&mut self.occurrences, &occurrences);
            }
            Ok(())
        })?;
        (self.game, self.files, self.pairs) = (read.game, read.files, read.pairs);
        Ok(())
    }

    /// Games, and labelled positions whose game is not named. There are at least as many as pairs.
    pub(super) fn observations(&self) -> usize {
        let games: usize = self.files.iter().map(|file| file.games).sum();
        let labelled: usize = self.position_files.iter().map(PositionFile::observations).sum();
        (games + labelled).max(self.pairs)
    }

    /// The error for fewer opening pairs than are needed to hold some out.
    pub(super) fn too_few(&self, expected: usize) -> anyhow::Error {
        let pairs = if self.position_files.is_empty() { "opening pairs" } else { "openings or blocks of positions" };
        self.fault(format_args!(
            "found {} {pairs}, expected at least {expected}, so that some can be held out",
            self.pairs
        ))
    }

    /// An error in what all files say together.
    pub(crate) fn fault(&self, fault: impl Display) -> anyhow::Error {
        let runs = self.files.iter().map(|file| file.path.clone());
        let labelled = self.position_files.iter().map(|file| file.path.display().to_string());
        anyhow!("{}: {fault}", runs.chain(labelled).collect::<Vec<_>>().join(", "))
    }
}

fn chess() -> Arc<GameDef> {
    GameDef::builtin("chess").expect("chess is built in")
}

/// For each ply the mean of the scores from it to the end, with weights that fall by the factor
/// `decay`; the result has the weight of all plies after the last. With temporal differences this
/// is the lambda-return. A ply without a score counts as the next.
fn later_means(scores: &[Option<f64>], result: f64, decay: f64) -> Vec<f64> {
    let mut later = result;
    let mut means: Vec<f64> = scores
        .iter()
        .rev()
        .map(|score| {
            later = score.map_or(later, |score| (1.0 - decay) * score + decay * later);
            later
        })
        .collect();
    means.reverse();
    means
}

#[cfg(test)]
mod tests {
    use assay_rules::Color;
    use assay_selfplay::game::Eval;

    use super::*;
    use crate::training::examples::white_expects;

    #[test]
    fn later_scores_count_less() {
        let scores = [Some(0.5), None, Some(0.7), Some(0.6)];
        assert_eq!(later_means(&scores, 1.0, 0.0), [0.5, 0.7, 0.7, 0.6]);
        let found = later_means(&scores, 1.0, 0.5);
        // By hand: 0.6 / 2 + 1 / 2; 0.7 / 2 + 0.6 / 4 + 1 / 4; 0.5 / 2 + 0.75 / 2.
        for (mean, expected) in found.iter().zip([0.625, 0.75, 0.75, 0.8]) {
            assert!((mean - expected).abs() < 1e-12, "{found:?}");
        }
        assert!(later_means(&[], 0.5, 0.5).is_empty());
    }

    #[test]
    fn scores_are_whites() {
        let mates = [(3, Color::White), (3, Color::Black), (-2, Color::Black)];
        assert_eq!(mates.map(|(moves, side)| white_expects(Eval::Mate(moves), side) > 0.5), [true, false, true]);
        let up = white_expects(Eval::Centipawns(100), Color::White);
        assert!(up > 0.5 && (up + white_expects(Eval::Centipawns(100), Color::Black) - 1.0).abs() < 1e-12);
    }
}

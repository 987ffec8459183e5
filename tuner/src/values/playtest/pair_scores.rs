//! Scores of opening pairs by comparison, read from files of games.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_rules::GameDef;
use assay_selfplay::GameRecord;
use assay_selfplay::settings::Material;
use assay_selfplay::statistics::ResultCounts;

use super::results::PlaytestError;
use crate::values::data::material::missing_pieces;
use crate::values::data::{ReadRuns, ReadWatch, read_runs};

/// Scores of the opening pairs of one comparison.
pub(super) struct PairScores {
    /// By kind: pieces missing from the first army minus pieces missing from the second army.
    pub(super) missing: Vec<f64>,
    pub(super) sample: ResultCounts,
}

impl PairScores {
    /// Returns true if the armies differ in pawns only.
    pub(super) fn is_pawn_odds(&self, game: &GameDef) -> bool {
        let pawn = game.pawn.index();
        let mut counts = self.missing.iter().enumerate();
        counts.all(|(kind, &count)| (count != 0.0) == (kind == pawn))
    }

    /// Mean score and its standard error; `None` with fewer than two pairs.
    pub(super) fn score(&self) -> Option<(f64, f64)> {
        let count = self.sample.observations() as f64;
        let (mean, variance) = (self.sample.mean()?, self.sample.variance()?);
        (count >= 2.0).then(|| (mean, (variance / (count - 1.0)).sqrt()))
    }

    /// Log-odds of the second army's score with its standard error (delta method); `None` if one
    /// side always won or all pairs scored equally.
    pub(super) fn log_odds(&self) -> Option<(f64, f64)> {
        let (mean, error) = self.score()?;
        (mean > 0.0 && mean < 1.0 && error > 0.0).then(|| (((1.0 - mean) / mean).ln(), error / (mean * (1.0 - mean))))
    }
}

/// Reads the pairs of playtests by comparison: the material note of the first game of a pair, in
/// which the first army is White.
pub(super) fn read(
    paths: &[PathBuf],
    watch: ReadWatch<'_>,
) -> Result<(ReadRuns, BTreeMap<String, PairScores>), PlaytestError> {
    let mut rows = BTreeMap::<String, PairScores>::new();
    // The game before, if it may be the first of a pair, with the number of the pair.
    let mut first = None::<(usize, GameRecord)>;
    let read = read_runs(paths, watch, |run, records, pairs| {
        let game = &run.game;
        if run.material() != Material::Playtest.name() {
            return Err(PlaytestError::WrongMaterial {
                found: run.material().to_owned(),
                path: run.path.clone(),
            });
        }
        let results = run.settings().source.results();
        for record in records {
            let pair = pairs.number(record.pair);
            let Some((_, first_game)) = first.take().filter(|first| first.0 == pair) else {
                first = Some((pair, record.clone()));
                continue;
            };
            let note = first_game.material.unwrap_or_default();
            let Some(missing) = missing_pieces(game, &note) else {
                return Err(PlaytestError::MalformedNote {
                    path: run.path.clone(),
                    game: first_game.index,
                    found: note,
                });
            };
            let row = rows.entry(note).or_insert_with(|| PairScores {
                missing,
                sample: ResultCounts::of_pairs(results),
            });
            let quarters = first_game.result.quarters() + record.result.flipped().quarters();
            row.sample.add(usize::from(quarters) * (results - 1) / 4);
        }
        Ok(())
    })?;
    Ok((read, rows))
}

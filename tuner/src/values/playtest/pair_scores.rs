//! Scores of opening pairs by comparison, read from files of games.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_rules::GameDef;
use assay_selfplay::GameRecord;
use assay_selfplay::settings::Material;
use assay_selfplay::statistics::ResultCounts;

use super::results::PlaytestError;
use crate::values::data::{DataError, DataFile, load_runs};

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

    /// Log-odds of the second army's score with its standard error (delta method); `None` if one side always won or all pairs scored equally.
    pub(super) fn log_odds(&self) -> Option<(f64, f64)> {
        let (mean, error) = self.score()?;
        (mean > 0.0 && mean < 1.0 && error > 0.0).then(|| (((1.0 - mean) / mean).ln(), error / (mean * (1.0 - mean))))
    }
}

pub(super) struct PlaytestGames {
    pub(super) game: Arc<GameDef>,
    pub(super) files: Vec<DataFile>,
    pub(super) rows: BTreeMap<String, PairScores>,
}

pub(super) fn read(paths: &[PathBuf]) -> Result<PlaytestGames, PlaytestError> {
    let mut games: Option<PlaytestGames> = None;
    for run in load_runs(paths) {
        let run = run?;
        let path = &run.file.path;
        if run.file.material != Material::Playtest.name() {
            return Err(PlaytestError::WrongMaterial {
                path: path.clone(),
                found: run.file.material,
            });
        }
        let games = games.get_or_insert_with(|| PlaytestGames {
            game: Arc::clone(&run.game),
            files: Vec::new(),
            rows: BTreeMap::new(),
        });
        collect(path, &run.game, run.records, &mut games.rows)?;
        games.files.push(run.file);
    }
    Ok(games.ok_or(DataError::NoFile)?)
}

/// Collects the complete pairs of a file by the material note of their first game, in which the first army is White.
fn collect(
    path: &Path,
    game: &GameDef,
    records: Vec<GameRecord>,
    rows: &mut BTreeMap<String, PairScores>,
) -> Result<(), PlaytestError> {
    let five = game.endings.material_count.is_some() || game.endings.stalemate != assay_rules::Points::DRAW;
    let results: usize = if five { 5 } else { 3 };
    let mut before: Option<GameRecord> = None;
    for record in records {
        let Some(first) = before.take().filter(|first| first.pair == record.pair) else {
            before = Some(record);
            continue;
        };
        let note = first.material.clone().unwrap_or_default();
        let missing = read_note(game, &note).ok_or_else(|| PlaytestError::MalformedNote {
            path: path.to_owned(),
            game: first.index,
            found: note.clone(),
        })?;
        let row = rows.entry(note).or_insert_with(|| PairScores {
            missing,
            sample: ResultCounts::of_pairs(results),
        });
        let quarters = first.result.quarters() + record.result.flipped().quarters();
        let finest = if five { 1 } else { 2 };
        row.sample.add(usize::from(quarters / finest));
    }
    Ok(())
}

/// Parses a material note like `-N/-PPP`. Returns, by kind, pieces missing from White's army minus pieces missing from Black's.
pub(super) fn read_note(game: &GameDef, note: &str) -> Option<Vec<f64>> {
    let mut missing = vec![0.0; game.kinds.len()];
    let (white, black) = note.split_once('/')?;
    for (side, part) in [(1.0, white), (-1.0, black)] {
        let mut sign = None;
        for letter in part.chars() {
            match letter {
                '-' => sign = Some(1.0),
                '+' => sign = Some(-1.0),
                letter => missing[game.kind_by_letter(letter)?.index()] += side * sign?,
            }
        }
    }
    Some(missing)
}

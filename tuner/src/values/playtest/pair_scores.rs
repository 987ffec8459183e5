//! Scores of opening pairs by comparison, read from files of games.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use assay_rules::GameDef;
use assay_selfplay::GameRecord;
use assay_selfplay::settings::Material;
use assay_selfplay::statistics::ResultCounts;

use super::results::PlaytestError;
use crate::values::data::{DataError, DataFile, ReadWatch, RunFile, open_runs};

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

pub(super) fn read(paths: &[PathBuf], watch: ReadWatch<'_>) -> Result<PlaytestGames, PlaytestError> {
    let mut games: Option<PlaytestGames> = None;
    for run in open_runs(paths) {
        let run = run?;
        if run.material() != Material::Playtest.name() {
            return Err(PlaytestError::WrongMaterial {
                found: run.material().to_owned(),
                path: run.path,
            });
        }
        let games = games.get_or_insert_with(|| PlaytestGames {
            game: Arc::clone(&run.game),
            files: Vec::new(),
            rows: BTreeMap::new(),
        });
        let mut first = None;
        let file = run.read(watch, |records| {
            records
                .iter()
                .try_for_each(|record| collect(&run, record, &mut first, &mut games.rows))
        })?;
        games.files.push(file);
    }
    Ok(games.ok_or(DataError::NoFile)?)
}

/// Adds a complete pair to the scores, by the material note of its first game, in which the first army is White. `first` is the game before
/// `record` if it may be the first of a pair.
fn collect(
    run: &RunFile,
    record: &GameRecord,
    first: &mut Option<GameRecord>,
    rows: &mut BTreeMap<String, PairScores>,
) -> Result<(), PlaytestError> {
    let game = &run.game;
    let five = game.endings.material_count.is_some() || game.endings.stalemate != assay_rules::Points::DRAW;
    let results: usize = if five { 5 } else { 3 };
    let Some(first) = first.take().filter(|first| first.pair == record.pair) else {
        *first = Some(record.clone());
        return Ok(());
    };
    let note = first.material.unwrap_or_default();
    let missing = read_note(game, &note).ok_or_else(|| PlaytestError::MalformedNote {
        path: run.path.clone(),
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

//! Values without a regression, Muller's way.
//!
//! Games begin from armies that differ in little and in known ways. On the logistic scale the pieces of a comparison add up, so that
//! weighted least squares over all comparisons give what each kind costs, the pawn too, which pawn odds tell and pawns on either
//! side of the others; a value is a kind's cost over the pawn's. Errors come from the scores of pairs (pentanomial: the two games
//! of an opening count as one observation).
//!
//! A piece that is taken off is the last of its kind to go: of a colour-bound kind it takes the pair's bonus with it.

pub mod agreement;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_rules::{GameDef, Kind};
use assay_selfplay::GameRecord;
use assay_selfplay::statistics::ResultCounts;
use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::values::data::{self, DataError, DataFile};
use crate::values::inference::distributions::critical_value;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::verdict::ValueVerdict;

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum PlaytestError {
    /// The file cannot be read.
    #[error(transparent)]
    Dataset(#[from] DataError),
    /// It holds other games.
    #[error("{}: found games with material `{found}`, expected `playtest`; `assay-tuner fit` measures from those", .path.display())]
    Sort {
        /// The file.
        path: PathBuf,
        /// What was done to the armies.
        found: String,
    },
    /// A note that cannot be read.
    #[error("{}: game {game}: found material `{found}`, expected what each side misses, like -N/-PPP", .path.display())]
    Note {
        /// The file.
        path: PathBuf,
        /// The game's number.
        game: u64,
        /// The note.
        found: String,
    },
    /// There is no scale.
    #[error("{}: {pairs} pairs with pawn odds do not tell what a pawn costs; more games are needed", .path.display())]
    NoScale {
        /// The file.
        path: PathBuf,
        /// Whole pairs with pawn odds.
        pairs: u64,
    },
    /// A kind's value does not follow.
    #[error("{}: the comparisons played so far do not tell the values of {kinds}; more games are needed", .path.display())]
    Undetermined {
        /// The file.
        path: PathBuf,
        /// The kinds' names.
        kinds: String,
    },
}

/// A number of pawns with its error.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct PawnEstimate {
    /// The best estimate.
    pub value: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// The lower end of its 95% interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What was played from one difference between the armies.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct PlaytestComparison {
    /// What the first army misses and has instead, a stroke, the same of the second one.
    pub material: String,
    /// Whole pairs.
    pub pairs: u64,
    /// How often the first army scored so much in a pair, from nothing to everything.
    pub counts: Vec<u64>,
    /// The first army's mean score, 0 to 1.
    pub score: f64,
    /// Its standard error, by pairs.
    pub score_standard_error: f64,
    /// How many pawns the second army is worth more; none where one side always won.
    pub pawns: Option<PawnEstimate>,
    /// The same from all values together.
    pub fitted: f64,
}

/// A kind's value.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct PlaytestValue {
    /// The kind's name.
    pub piece: String,
    /// The inventor's value in pawns.
    pub inventor: Option<f64>,
    /// The measured value on a full board, in pawns.
    pub measured: PawnEstimate,
    /// The measured value against the inventor's.
    pub verdict: ValueVerdict,
}

/// Everything measured.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Playtest {
    /// The version of Assay.
    pub assay: String,
    /// The game's protocol name.
    pub game: String,
    /// The file of games.
    pub file: PathBuf,
    /// What is known of it; none before it is said where the games are from.
    pub data: Option<DataFile>,
    /// Games in whole pairs.
    pub games: u64,
    /// What a missing pawn costs, in log-odds.
    pub pawn_log_odds: f64,
    /// Its standard error.
    pub pawn_log_odds_standard_error: f64,
    /// The values, the most valuable first.
    pub values: Vec<PlaytestValue>,
    /// How well all comparisons agree with these values: the sum of squared differences in standard errors, and how many
    /// more comparisons there are than values.
    pub chi_square: f64,
    /// See [`Playtest::chi_square`].
    pub degrees_of_freedom: usize,
    /// The comparisons.
    pub comparisons: Vec<PlaytestComparison>,
}

/// A comparison as numbers.
struct PairScores {
    /// Pieces of each kind that the first army misses, less those that the second one does, by kind.
    missing: Vec<f64>,
    sample: ResultCounts,
}

impl PairScores {
    /// Are pawns the only difference?
    fn is_scale(&self, game: &GameDef) -> bool {
        let pawn = game.pawn.index();
        let mut counts = self.missing.iter().enumerate();
        counts.all(|(kind, &count)| (count != 0.0) == (kind == pawn))
    }

    /// Mean and its standard error; the scores of fewer than two pairs have none.
    fn score(&self) -> Option<(f64, f64)> {
        let count = self.sample.observations() as f64;
        let (mean, variance) = (self.sample.mean()?, self.sample.variance()?);
        (count >= 2.0).then(|| (mean, (variance / (count - 1.0)).sqrt()))
    }

    /// The log-odds against the first army, with its error; none where one side always won, or nothing varied.
    fn log_odds(&self) -> Option<(f64, f64)> {
        let (mean, error) = self.score()?;
        (mean > 0.0 && mean < 1.0 && error > 0.0).then(|| (((1.0 - mean) / mean).ln(), error / (mean * (1.0 - mean))))
    }
}

/// Measures from a file of games.
///
/// # Errors
/// When the file holds no such games, or too few.
pub fn measure(path: &Path) -> Result<Playtest, PlaytestError> {
    let PlaytestGames { game, file, rows } = read(path)?;
    Ok(Playtest {
        data: Some(file),
        ..solve(path, &game, &rows)?
    })
}

/// What a missing pawn costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PawnCost {
    /// In log-odds of the mean score.
    pub log_odds: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Whole pairs with pawn odds that tell it.
    pub pairs: u64,
}

/// What a missing pawn costs by a file of games; asks for no other value.
///
/// # Errors
/// When the file holds no such games, or too few.
pub fn pawn_cost(path: &Path) -> Result<PawnCost, PlaytestError> {
    let PlaytestGames { game, mut rows, .. } = read(path)?;
    rows.retain(|_, row| row.is_scale(&game));
    let scale = least_squares(path, &game, &rows, Vec::new())?.scale;
    let odds = rows.values();
    Ok(PawnCost {
        log_odds: scale.pawn,
        standard_error: scale.variance.sqrt(),
        pairs: odds.map(|row| row.sample.observations()).sum(),
    })
}

/// A file that was read.
struct PlaytestGames {
    game: Arc<GameDef>,
    file: DataFile,
    rows: BTreeMap<String, PairScores>,
}

fn read(path: &Path) -> Result<PlaytestGames, PlaytestError> {
    let run = data::load_runs(std::slice::from_ref(&path.to_owned()))
        .next()
        .unwrap_or(Err(DataError::NoFile))?;
    if run.file.material != "playtest" {
        return Err(PlaytestError::Sort {
            path: path.to_owned(),
            found: run.file.material,
        });
    }
    let rows = collect(path, &run.game, run.records)?;
    Ok(PlaytestGames {
        game: run.game,
        file: run.file,
        rows,
    })
}

/// Whole pairs by what the first game's White army misses.
fn collect(
    path: &Path,
    game: &GameDef,
    records: Vec<GameRecord>,
) -> Result<BTreeMap<String, PairScores>, PlaytestError> {
    let five = game.endings.material_count.is_some() || game.endings.stalemate != assay_rules::Points::DRAW;
    let results: usize = if five { 5 } else { 3 };
    let mut rows: BTreeMap<String, PairScores> = BTreeMap::new();
    let mut before: Option<GameRecord> = None;
    for record in records {
        let Some(first) = before.take().filter(|first| first.pair == record.pair) else {
            before = Some(record);
            continue;
        };
        let note = first.material.clone().unwrap_or_default();
        let missing = read_note(game, &note).ok_or_else(|| PlaytestError::Note {
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
    Ok(rows)
}

/// Pieces of each kind that White misses less those that Black misses.
fn read_note(game: &GameDef, note: &str) -> Option<Vec<f64>> {
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

/// What a missing pawn costs, in log-odds.
#[derive(Clone, Copy, Debug)]
struct ScoreScale {
    pawn: f64,
    variance: f64,
}

/// The kinds' values from all comparisons.
struct Solution {
    kinds: Vec<Kind>,
    scale: ScoreScale,
    values: DVector<f64>,
    covariance: DMatrix<f64>,
    chi_square: f64,
    degrees_of_freedom: usize,
}

impl Solution {
    /// How much more the first army misses by these values, in pawns.
    fn lead(&self, game: &GameDef, row: &PairScores) -> f64 {
        let pieces = self.kinds.iter().zip(self.values.iter());
        pieces
            .map(|(kind, value)| row.missing[kind.index()] * value)
            .sum::<f64>()
            + row.missing[game.pawn.index()]
    }
}

/// Weighted least squares: the log-odds of what the first army misses more add up piece by piece, pawns among them. A pawn's come
/// from pawn odds and from how much pawns on either side of a comparison move its score.
///
/// `kinds` are those besides the pawn that the rows speak of.
fn least_squares(
    path: &Path,
    game: &GameDef,
    rows: &BTreeMap<String, PairScores>,
    kinds: Vec<Kind>,
) -> Result<Solution, PlaytestError> {
    let used: Vec<(&PairScores, f64, f64)> = rows
        .values()
        .filter_map(|row| row.log_odds().map(|(log_odds, error)| (row, log_odds, error)))
        .collect();
    let scale_rows = || rows.values().filter(|row| row.is_scale(game));
    let no_scale = || PlaytestError::NoScale {
        path: path.to_owned(),
        pairs: scale_rows().map(|row| row.sample.observations()).sum(),
    };
    if scale_rows().next().is_none() {
        return Err(no_scale());
    }
    let count = used.len();
    // The pawn is the last column.
    let pawn = kinds.len();
    let kind_of = |column: usize| kinds.get(column).copied().unwrap_or(game.pawn);
    let matrix = DMatrix::from_fn(count, pawn + 1, |row, column| {
        used[row].0.missing[kind_of(column).index()]
    });
    let weights = DVector::from_iterator(count, used.iter().map(|(.., error)| error.powi(-2)));
    let log_odds = DVector::from_iterator(count, used.iter().map(|&(_, log_odds, _)| log_odds));
    let weighted = DMatrix::from_diagonal(&weights) * &matrix;
    let undetermined = || PlaytestError::Undetermined {
        path: path.to_owned(),
        kinds: undetermined(game, &kinds, &matrix),
    };
    // Of the pieces as they were exchanged, whatever the weights: a matrix of small whole numbers, so what is singular is so by far.
    let eigenvalues = (matrix.transpose() * &matrix).symmetric_eigenvalues();
    if count <= pawn || eigenvalues.min() <= 1e-9 * eigenvalues.max() {
        return Err(undetermined());
    }
    let normal = matrix.transpose() * &weighted;
    let inverse = normal.cholesky().ok_or_else(undetermined)?.inverse();
    let found = &inverse * weighted.transpose() * &log_odds;
    let scale = ScoreScale {
        pawn: found[pawn],
        variance: inverse[(pawn, pawn)],
    };
    // Less than two standard errors from nothing is no scale.
    if scale.pawn <= 2.0 * scale.variance.sqrt() {
        return Err(no_scale());
    }
    let values = found.rows(0, pawn) / scale.pawn;
    // How each value moves with the log-odds, its own and the pawn's.
    let slopes = DMatrix::from_fn(pawn, pawn + 1, |value, column| match column {
        column if column == pawn => -values[value] / scale.pawn,
        column if column == value => 1.0 / scale.pawn,
        _ => 0.0,
    });
    let left = log_odds - &matrix * found;
    Ok(Solution {
        chi_square: left.component_mul(&left).dot(&weights),
        degrees_of_freedom: count - pawn - 1,
        covariance: &slopes * inverse * slopes.transpose(),
        kinds,
        scale,
        values,
    })
}

fn solve(path: &Path, game: &GameDef, rows: &BTreeMap<String, PairScores>) -> Result<Playtest, PlaytestError> {
    let kinds = game.all_kinds().filter(|&kind| kind != game.king && kind != game.pawn);
    let solution = least_squares(path, game, rows, kinds.collect())?;
    let scale = solution.scale;
    let pairs: u64 = rows.values().map(|row| row.sample.observations()).sum();
    let critical_value = critical_value((pairs as usize).max(2));
    let pawns_of = |value: f64, variance: f64| PawnEstimate {
        value,
        standard_error: variance.sqrt(),
        low: value - critical_value * variance.sqrt(),
        high: value + critical_value * variance.sqrt(),
    };
    let mut values: Vec<PlaytestValue> = solution
        .kinds
        .iter()
        .enumerate()
        .map(|(index, &kind)| {
            let measured = pawns_of(solution.values[index], solution.covariance[(index, index)]);
            let region = ConfidenceRegion::Bounded {
                low: measured.low,
                high: measured.high,
            };
            PlaytestValue {
                piece: game.kind(kind).name.clone(),
                inventor: game.value_in_pawns(kind),
                measured,
                verdict: ValueVerdict::of(region, game.value_in_pawns(kind)),
            }
        })
        .collect();
    values.sort_by(|one, other| other.measured.value.total_cmp(&one.measured.value));
    let comparisons = rows.iter().filter_map(|(note, row)| {
        let (score, score_standard_error) = row.score()?;
        let pawns = row.log_odds().map(|(log_odds, error)| {
            let lead = log_odds / scale.pawn;
            let variance = (error / scale.pawn).powi(2) + (lead / scale.pawn).powi(2) * scale.variance;
            pawns_of(lead, variance)
        });
        Some(PlaytestComparison {
            material: note.clone(),
            pairs: row.sample.observations(),
            counts: row.sample.counts().to_vec(),
            score,
            score_standard_error,
            pawns,
            fitted: solution.lead(game, row),
        })
    });
    Ok(Playtest {
        assay: env!("CARGO_PKG_VERSION").to_owned(),
        game: game.name.clone(),
        file: path.to_owned(),
        data: None,
        games: rows.values().map(|row| row.sample.games()).sum(),
        pawn_log_odds: scale.pawn,
        pawn_log_odds_standard_error: scale.variance.sqrt(),
        values,
        chi_square: solution.chi_square,
        degrees_of_freedom: solution.degrees_of_freedom,
        comparisons: comparisons.collect(),
    })
}

/// The kinds that no comparison speaks of; all of them when each is spoken of.
fn undetermined(game: &GameDef, kinds: &[Kind], matrix: &DMatrix<f64>) -> String {
    let silent = |index: usize| matrix.column(index).iter().all(|&count| count == 0.0);
    let mut names: Vec<&str> = kinds
        .iter()
        .enumerate()
        .filter(|&(index, _)| silent(index))
        .map(|(_, &kind)| game.kind(kind).name.as_str())
        .collect();
    if names.is_empty() {
        names = kinds.iter().map(|&kind| game.kind(kind).name.as_str()).collect();
    }
    names.join(", ")
}

#[cfg(test)]
mod tests;

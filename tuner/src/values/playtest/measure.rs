//! Measures piece values from the games of a playtest.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_rules::GameDef;

use super::costs::PieceCosts;
use super::pair_scores::{PairScores, PlaytestGames, read};
use super::results::{PawnCost, Playtest, PlaytestComparison, PlaytestError};
#[cfg(doc)]
use crate::values::data::DataError;
use crate::values::data::{ReadWatch, unwatched};
use crate::values::design::phase::PhaseModel;
use crate::values::inference::distributions::critical_value;
use crate::values::inference::estimate::IntervalEstimate;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::units::{FittedCoefficients, Unit, UnitMeasure};

/// Measures piece values from files of games.
///
/// # Errors
/// If a file holds no games of a playtest, or the same games as another one, or if all together hold too few.
pub fn measure(paths: &[PathBuf]) -> Result<Playtest, PlaytestError> {
    measure_watched(paths, &mut unwatched)
}

/// As [`measure`], with progress.
///
/// # Errors
/// As [`measure`], and [`DataError::Stopped`] if `watch` ends the reading.
pub fn measure_watched(paths: &[PathBuf], watch: ReadWatch<'_>) -> Result<Playtest, PlaytestError> {
    let PlaytestGames { game, files, rows } = read(paths, watch)?;
    Ok(Playtest {
        files,
        ..solve(&names(paths), &game, &rows)?
    })
}

/// The files in an error message.
fn names(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    names.join(", ")
}

/// Measures the cost of a missing pawn alone, from pawn odds.
///
/// # Errors
/// As [`measure`].
pub fn pawn_cost(paths: &[PathBuf]) -> Result<PawnCost, PlaytestError> {
    let PlaytestGames { game, mut rows, .. } = read(paths, &mut unwatched)?;
    rows.retain(|_, row| row.is_pawn_odds(&game));
    let pairs = rows.values().map(|row| row.sample.observations()).sum();
    let files = names(paths);
    let fit = PieceCosts::fit(&files, &game, &rows, vec![game.pawn]).ok();
    let found = fit.map(|fit| (fit.costs[0], fit.covariance[(0, 0)].sqrt()));
    // A pawn cost within two standard errors of zero cannot be compared with another.
    match found.filter(|(log_odds, standard_error)| *log_odds > 2.0 * standard_error) {
        Some((log_odds, standard_error)) => Ok(PawnCost {
            log_odds,
            standard_error,
            pairs,
        }),
        None => Err(PlaytestError::UndeterminedPawn { files, pairs }),
    }
}

/// Solves for the values of all pieces. `files` is where the games come from.
pub(super) fn solve(
    files: &str,
    game: &GameDef,
    rows: &BTreeMap<String, PairScores>,
) -> Result<Playtest, PlaytestError> {
    let kinds = game.all_kinds().filter(|&kind| kind != game.king);
    let fit = PieceCosts::fit(files, game, rows, kinds.collect())?;
    let pairs: u64 = rows.values().map(|row| row.sample.observations()).sum();
    let names = fit.kinds.iter().map(|&kind| game.kind(kind).name.clone());
    let costs = FittedCoefficients {
        columns: names.collect(),
        values: fit.costs.clone(),
        covariance: fit.covariance.clone(),
        phase_model: PhaseModel::Constant,
        pieces_left: 1.0,
        critical_value: critical_value(pairs as usize),
    };
    let measure = UnitMeasure::new(costs, game);
    let (unit, unit_standard_error) = measure.log_odds(Unit::Army).ok_or_else(|| PlaytestError::NoPieces {
        files: files.to_owned(),
    })?;
    let comparisons = rows.iter().filter_map(|(note, row)| {
        let (score, score_standard_error) = row.score()?;
        let advantage = row.log_odds().map(|(log_odds, error)| {
            let (value, half_width) = (
                log_odds / unit,
                critical_value(row.sample.observations() as usize) * (error / unit).abs(),
            );
            IntervalEstimate {
                value,
                interval: ConfidenceRegion::Bounded {
                    low: value - half_width,
                    high: value + half_width,
                },
            }
        });
        Some(PlaytestComparison {
            material: note.clone(),
            pairs: row.sample.observations(),
            counts: row.sample.counts().to_vec(),
            score,
            score_standard_error,
            advantage,
            fitted: fit.log_odds(row) / unit,
        })
    });
    Ok(Playtest {
        assay: env!("CARGO_PKG_VERSION").to_owned(),
        game: game.name.clone(),
        files: Vec::new(),
        games: rows.values().map(|row| row.sample.games()).sum(),
        unit_log_odds: unit,
        unit_log_odds_standard_error: unit_standard_error,
        units: measure.tables(),
        goodness_of_fit: fit.goodness_of_fit(rows),
        comparisons: comparisons.collect(),
    })
}

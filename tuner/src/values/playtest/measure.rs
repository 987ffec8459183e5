//! Measures piece values from the games of a playtest.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use assay_rules::GameDef;

use super::costs::PieceCosts;
use super::pair_scores::{PairScores, read};
use super::results::{PawnCost, Playtest, PlaytestComparison, PlaytestError};
#[cfg(doc)]
use crate::values::data::DataError;
use crate::values::data::{ReadWatch, join_paths, unwatched};
use crate::values::inference::distributions::critical_value;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::fieller::IntervalEstimate;
use crate::values::inference::fit::Fit;
use crate::values::inference::scale::{PublishedScales, judge};
use crate::values::inference::units::Unit;

/// Measures piece values from files of games.
///
/// # Errors
/// If a file holds no games of a playtest, or the same games as another one, or if all together
/// hold too few.
pub fn measure(paths: &[PathBuf]) -> Result<Playtest, PlaytestError> {
    measure_watched(paths, &mut unwatched)
}

/// As [`measure`], with progress.
///
/// # Errors
/// As [`measure`], and [`DataError::Stopped`] if `watch` ends the reading.
pub fn measure_watched(paths: &[PathBuf], watch: ReadWatch<'_>) -> Result<Playtest, PlaytestError> {
    let (read, rows) = read(paths, watch)?;
    Ok(Playtest {
        files: read.files,
        ..solve(&join_paths(paths), &read.game, &rows)?
    })
}

/// Measures the cost of a missing pawn alone, from pawn odds. The cost may be any number, also one
/// that does not differ significantly from zero.
///
/// # Errors
/// As [`measure`], and if all pairs scored the same, so that the standard error is unknown.
pub fn pawn_cost(paths: &[PathBuf]) -> Result<PawnCost, PlaytestError> {
    let (read, rows) = read(paths, &mut unwatched)?;
    fit_pawn_cost(join_paths(paths), &read.game, rows)
}

/// As [`pawn_cost`], from the scores of all comparisons. `files` is where the games come from.
fn fit_pawn_cost(
    files: String,
    game: &GameDef,
    mut rows: BTreeMap<String, PairScores>,
) -> Result<PawnCost, PlaytestError> {
    rows.retain(|_, row| row.is_pawn_odds(game));
    let pairs = rows.values().map(|row| row.sample.observations()).sum();
    let fit = PieceCosts::fit(&files, game, &rows, vec![game.pawn]).ok();
    let found = fit.map(|fit| (fit.costs[0], fit.covariance[(0, 0)].sqrt()));
    // The costs are not selected by their significance: that would make those that remain too
    // large.
    match found.filter(|(_, standard_error)| *standard_error > 1e-9) {
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
    game: &Arc<GameDef>,
    rows: &BTreeMap<String, PairScores>,
) -> Result<Playtest, PlaytestError> {
    let kinds = game.all_kinds().filter(|&kind| kind != game.king);
    let fit = PieceCosts::fit(files, game, rows, kinds.collect())?;
    let pairs: u64 = rows.values().map(|row| row.sample.observations()).sum();
    let critical = critical_value(pairs as usize);
    let values = Fit::of_kinds(game, &fit.kinds, fit.costs.clone(), fit.covariance.clone(), critical);
    let (unit, unit_standard_error) =
        values
            .log_odds_of_unit(Unit::Army, 1.0)
            .ok_or_else(|| PlaytestError::NoPieces {
                files: files.to_owned(),
            })?;
    let mut units = values.unit_tables();
    judge(PublishedScales::new(&values).as_ref(), &mut [], &mut units);
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
        units,
        goodness_of_fit: fit.goodness_of_fit(rows),
        comparisons: comparisons.collect(),
    })
}

#[cfg(test)]
mod tests {
    use assay_selfplay::statistics::ResultCounts;

    use super::*;
    use crate::values::data::material::missing_pieces;

    /// The cost of a pawn from pairs of pawn odds with these scores of the side without the pawn,
    /// in half points.
    fn cost(scores: impl Iterator<Item = usize>) -> Result<PawnCost, PlaytestError> {
        let game = GameDef::builtin("chess").unwrap();
        let mut sample = ResultCounts::of_pairs(3);
        for score in scores {
            sample.add(score);
        }
        let missing = missing_pieces(&game, "-P/").unwrap();
        let rows = BTreeMap::from([("-P/".to_owned(), PairScores { missing, sample })]);
        fit_pawn_cost("a.db".to_owned(), &game, rows)
    }

    #[test]
    fn a_pawn_may_cost_nothing() {
        let even = cost((0..50).flat_map(|_| [0, 4])).unwrap();
        assert!(even.log_odds.abs() < 1e-9 && even.standard_error > 0.0, "{even:?}");
        assert_eq!(even.pairs, 100);
        // Less than two standard errors.
        let slight = cost((0..100).map(|pair| if pair < 52 { 0 } else { 4 })).unwrap();
        assert!(
            slight.log_odds > 0.0 && slight.log_odds < 2.0 * slight.standard_error,
            "{slight:?}"
        );
    }

    #[test]
    fn pairs_that_all_scored_the_same_have_no_error() {
        assert!(matches!(
            cost((0..50).map(|_| 1)),
            Err(PlaytestError::UndeterminedPawn { pairs: 50, .. })
        ));
    }
}

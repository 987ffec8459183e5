//! Measures piece values from the games of a playtest.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_rules::GameDef;

use super::least_squares::least_squares;
use super::pair_scores::{PairScores, PlaytestGames, read};
use super::results::{PawnCost, PawnEstimate, Playtest, PlaytestComparison, PlaytestError, PlaytestValue};
use crate::values::inference::distributions::critical_value;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::verdict::ValueVerdict;

/// Measures piece values from files of games.
///
/// # Errors
/// If a file holds no games of a playtest, or the same games as another one, or if all together hold too few.
pub fn measure(paths: &[PathBuf]) -> Result<Playtest, PlaytestError> {
    let PlaytestGames { game, files, rows } = read(paths)?;
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
    let PlaytestGames { game, mut rows, .. } = read(paths)?;
    rows.retain(|_, row| row.is_pawn_odds(&game));
    let scale = least_squares(&names(paths), &game, &rows, Vec::new())?.scale;
    let odds = rows.values();
    Ok(PawnCost {
        log_odds: scale.pawn,
        standard_error: scale.variance.sqrt(),
        pairs: odds.map(|row| row.sample.observations()).sum(),
    })
}

/// Solves for the values of all pieces. `files` is where the games come from.
pub(super) fn solve(
    files: &str,
    game: &GameDef,
    rows: &BTreeMap<String, PairScores>,
) -> Result<Playtest, PlaytestError> {
    let kinds = game.all_kinds().filter(|&kind| kind != game.king && kind != game.pawn);
    let solution = least_squares(files, game, rows, kinds.collect())?;
    let scale = solution.scale;
    let pairs: u64 = rows.values().map(|row| row.sample.observations()).sum();
    let critical_value = critical_value((pairs as usize).max(2));
    let pawns_of = |value: f64, variance: f64| PawnEstimate::new(value, variance.sqrt(), critical_value);
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
                published: game.value_in_pawns(kind),
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
        files: Vec::new(),
        games: rows.values().map(|row| row.sample.games()).sum(),
        pawn_log_odds: scale.pawn,
        pawn_log_odds_standard_error: scale.variance.sqrt(),
        values,
        chi_square: solution.chi_square,
        degrees_of_freedom: solution.degrees_of_freedom,
        comparisons: comparisons.collect(),
    })
}

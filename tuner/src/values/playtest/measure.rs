//! Measures piece values from the games of a playtest.

use std::collections::BTreeMap;
use std::path::Path;

use assay_rules::GameDef;

use super::least_squares::least_squares;
use super::pair_scores::{PairScores, PlaytestGames, read};
use super::results::{PawnCost, PawnEstimate, Playtest, PlaytestComparison, PlaytestError, PlaytestValue};
use crate::values::inference::distributions::critical_value;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::verdict::ValueVerdict;

/// Measures piece values from a file of games.
///
/// # Errors
/// If the file holds no games of a playtest, or too few.
pub fn measure(path: &Path) -> Result<Playtest, PlaytestError> {
    let PlaytestGames { game, file, rows } = read(path)?;
    Ok(Playtest {
        data: Some(file),
        ..solve(path, &game, &rows)?
    })
}

/// Measures the cost of a missing pawn alone, from pawn odds.
///
/// # Errors
/// If the file holds no games of a playtest, or too few.
pub fn pawn_cost(path: &Path) -> Result<PawnCost, PlaytestError> {
    let PlaytestGames { game, mut rows, .. } = read(path)?;
    rows.retain(|_, row| row.is_pawn_odds(&game));
    let scale = least_squares(path, &game, &rows, Vec::new())?.scale;
    let odds = rows.values();
    Ok(PawnCost {
        log_odds: scale.pawn,
        standard_error: scale.variance.sqrt(),
        pairs: odds.map(|row| row.sample.observations()).sum(),
    })
}

/// Solves for the values of all pieces.
pub(super) fn solve(
    path: &Path,
    game: &GameDef,
    rows: &BTreeMap<String, PairScores>,
) -> Result<Playtest, PlaytestError> {
    let kinds = game.all_kinds().filter(|&kind| kind != game.king && kind != game.pawn);
    let solution = least_squares(path, game, rows, kinds.collect())?;
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

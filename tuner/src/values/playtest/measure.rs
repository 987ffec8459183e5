//! Measures piece values from the games of a playtest.

use std::collections::BTreeMap;
use std::sync::Arc;

use assay_cli::format::count;
use assay_rules::{GameDef, Kind};
use assay_selfplay::settings::{Material, SecondGame};
use assay_selfplay::statistics::ResultCounts;
use assay_selfplay::{GameRecord, RecordedRun};

use super::{GoodnessOfFit, Playtest, PlaytestComparison};
use crate::values::data::material::missing_pieces;
use crate::values::data::{DataError, ReadRuns, ReadWatch, Regressor, join_names, read_runs, unwatched};
use crate::values::design::{DesignMatrix, DesignSpec, Observation, PhaseModel};
use crate::values::inference::scale::judge;
use crate::values::inference::{Fit, Quantity, Sample, Unit, f_survival};
use crate::values::model::{FitError, Logit, fit, logistic};

/// Measures piece values from the games of runs.
///
/// # Errors
/// If a run is no playtest, or the same as another one, or if all together have too few games.
pub fn measure(runs: &[&dyn RecordedRun]) -> Result<Playtest, DataError> {
    measure_watched(runs, &mut unwatched)
}

/// As [`measure`], with progress.
///
/// # Errors
/// As [`measure`], and [`DataError::Stopped`] if `watch` ends the reading.
pub fn measure_watched(runs: &[&dyn RecordedRun], watch: ReadWatch<'_>) -> Result<Playtest, DataError> {
    let (read, rows) = read(runs, watch)?;
    let playtest = solve(&join_names(&read.files), &read.game, &rows)?;
    Ok(Playtest { files: read.files, ..playtest })
}

/// Measures the cost of a missing pawn alone in log-odds of the mean score, from pawn odds. The
/// cost may be any number, also one that does not differ significantly from zero.
///
/// # Errors
/// As [`measure`], and if all pairs scored the same, so that the standard error is unknown.
pub fn pawn_cost(runs: &[&dyn RecordedRun]) -> Result<Quantity, DataError> {
    let (read, rows) = read(runs, &mut unwatched)?;
    fit_pawn_cost(&join_names(&read.files), &read.game, rows)
}

/// As [`pawn_cost`], from the scores of all comparisons. `files` is where the games come from.
fn fit_pawn_cost(
    files: &str,
    game: &Arc<GameDef>,
    mut rows: BTreeMap<String, PairScores>,
) -> Result<Quantity, DataError> {
    rows.retain(|_, row| row.is_pawn_odds(game));
    let pawn = Regressor::Kind(game.first_pawn());
    let fit = fit_costs(files, game, &rows, &[game.first_pawn()]).ok();
    let cost = fit.and_then(|fit| Some(fit.quantity(fit.contrast(pawn, 1.0)?)));
    // The costs are not selected by their significance: that would make those that remain too
    // large.
    cost.filter(|cost| cost.standard_error() > 1e-9).ok_or_else(|| {
        let pairs: u64 = rows.values().map(|row| row.sample.observations()).sum();
        let pairs = count(pairs, "pair", "pairs");
        DataError::Contents(format!(
            "{files}: {pairs} with pawn odds cannot determine what a pawn costs; more games are needed"
        ))
    })
}

/// Solves for the values of all pieces. `files` is where the games come from.
pub(super) fn solve(
    files: &str,
    game: &Arc<GameDef>,
    rows: &BTreeMap<String, PairScores>,
) -> Result<Playtest, DataError> {
    // A kind that no comparison is about leaves the others to be measured.
    let is_compared = |kind: &Kind| rows.values().any(|row| row.missing[kind.index()] != 0.0);
    let kinds: Vec<Kind> = game.kinds.all().filter(is_compared).collect();
    let values = fit_costs(files, game, rows, &kinds)?;
    let no_pieces = || format!("{files}: found a game of kings and pawns, expected one with other pieces");
    let unit = values.log_odds_of_unit(Unit::Army, 1.0);
    let unit = unit.ok_or_else(|| DataError::Contents(no_pieces()))?;
    let mut tables = values.tables();
    judge(&mut tables);
    let comparisons = rows.iter().filter_map(|(note, row)| {
        let score = row.score()?;
        // The error of the unit is left out.
        let per_unit = Quantity::constant(unit.value.recip());
        Some(PlaytestComparison {
            material: note.clone(),
            pairs: row.sample.observations(),
            counts: row.sample.counts().to_vec(),
            score: score.estimate(),
            advantage: row.log_odds().map(|log_odds| (&log_odds * &per_unit).estimate()),
            fitted: fitted_log_odds(&values, row) / unit.value,
        })
    });
    Ok(Playtest {
        assay: env!("CARGO_PKG_VERSION").to_owned(),
        game: game.name.clone(),
        files: Vec::new(),
        games: rows.values().map(|row| row.sample.games()).sum(),
        unit_log_odds: unit.value,
        unit_log_odds_standard_error: unit.standard_error(),
        tables,
        goodness_of_fit: goodness_of_fit(&values, rows),
        comparisons: comparisons.collect(),
    })
}

/// Scores of the opening pairs of one comparison.
pub(super) struct PairScores {
    /// By kind: pieces missing from the first army minus pieces missing from the second army.
    pub(super) missing: Vec<f64>,
    /// Whether the first army has White in both games, because armies cannot be exchanged.
    pub(super) is_white_twice: bool,
    pub(super) sample: ResultCounts,
}

impl PairScores {
    /// By how much the second army is ahead.
    fn value(&self, regressor: Regressor) -> f64 {
        match regressor {
            Regressor::Kind(kind) => self.missing[kind.index()],
            Regressor::White if self.is_white_twice => -1.0,
            _ => 0.0,
        }
    }

    /// Returns true if the armies differ in pawns only.
    pub(super) fn is_pawn_odds(&self, game: &GameDef) -> bool {
        let pawn = game.first_pawn().index();
        let mut counts = self.missing.iter().enumerate();
        counts.all(|(kind, &count)| (count != 0.0) == (kind == pawn))
    }

    /// Mean score; `None` with fewer than two pairs.
    fn score(&self) -> Option<Quantity> {
        let pairs = self.sample.observations();
        let (mean, variance) = (self.sample.mean()?, self.sample.variance()?);
        let error = |count: f64| (variance / (count - 1.0)).sqrt();
        (pairs >= 2).then(|| Quantity::single(mean, error(pairs as f64), pairs as usize, self.sample.games()))
    }

    /// Log-odds of the second army's score (delta method); `None` if one side always won or all
    /// pairs scored equally.
    fn log_odds(&self) -> Option<Quantity> {
        let score = self.score()?;
        let mean = score.value;
        (mean > 0.0 && mean < 1.0 && score.standard_error() > 0.0)
            .then(|| score.map(((1.0 - mean) / mean).ln(), -1.0 / (mean * (1.0 - mean))))
    }
}

/// Reads the pairs of playtests by comparison: the material note of the first game of a pair, in
/// which the first army is White.
pub(super) fn read(
    runs: &[&dyn RecordedRun],
    watch: ReadWatch<'_>,
) -> Result<(ReadRuns, BTreeMap<String, PairScores>), DataError> {
    let mut rows = BTreeMap::<String, PairScores>::new();
    // The game before, if it may be the first of a pair, with the number of the pair.
    let mut first = None::<(usize, GameRecord)>;
    let read = read_runs(runs, watch, |run, records, pairs| {
        let game = &run.game;
        if run.material() != Material::Playtest {
            return Err(run.fault(format_args!(
                "found games with material `{}`, expected `playtest`; `assay-tuner fit` measures from those",
                run.material()
            )));
        }
        let results = run.settings().source.results();
        let is_white_twice = run.settings().second_game() == SecondGame::OwnOpening;
        for record in records {
            let pair = pairs(record.pair);
            let Some((_, first_game)) = first.take().filter(|first| first.0 == pair) else {
                first = Some((pair, record.clone()));
                continue;
            };
            let note = first_game.material.unwrap_or_default();
            let Some(missing) = missing_pieces(game, &note) else {
                return Err(run.fault(format_args!(
                    "game {}: found material `{note}`, expected the pieces that each side lacks, like -N/-PPP",
                    first_game.index
                )));
            };
            let row = rows.entry(note).or_insert_with(|| PairScores {
                missing,
                is_white_twice,
                sample: ResultCounts::of_pairs(results),
            });
            if row.is_white_twice != is_white_twice {
                let fault = "found other starts than in the files before, expected all or none with armies that can be exchanged";
                return Err(run.fault(fault));
            }
            let second = if is_white_twice { record.result } else { record.result.flipped() };
            let quarters = first_game.result.quarters() + second.quarters();
            row.sample.add(usize::from(quarters) * (results - 1) / 4);
        }
        Ok(())
    })?;
    Ok((read, rows))
}

/// Fits the cost of each kind in log-odds of the mean score: the log-odds of the second army's
/// expected score is the sum of the costs of the pieces by which the armies differ. `kinds` are the
/// kinds to estimate; the armies differ in no others.
///
/// Each pair is a row, with the mean score of its two games: every opening is played with the
/// armies exchanged, so that the model needs no constant and no term for White, except in games
/// whose armies cannot be exchanged. Least squares
/// on the log-odds of each comparison would weight by variances from a few pairs, which makes
/// intervals too narrow, and cannot use comparisons that one side has won throughout.
pub(super) fn fit_costs(
    files: &str,
    game: &Arc<GameDef>,
    rows: &BTreeMap<String, PairScores>,
    kinds: &[Kind],
) -> Result<Fit, DataError> {
    let white = rows.values().any(|row| row.is_white_twice).then_some(Regressor::White);
    let regressors: Vec<Regressor> = kinds.iter().copied().map(Regressor::Kind).chain(white).collect();
    let names = regressors.iter().map(|regressor| regressor.name(game));
    let mut design = DesignMatrix::new(names.collect());
    let mut pairs = 0;
    for row in rows.values() {
        let missing: Vec<f64> = regressors.iter().map(|&regressor| row.value(regressor)).collect();
        for (score, &count) in row.sample.scores().zip(row.sample.counts()) {
            for _ in 0..count {
                design.push(&missing, Observation::new(1.0 - score, pairs));
                pairs += 1;
            }
        }
    }
    let fit = fit(&Logit::fractional(), &design).map_err(|error| {
        let fault = match undetermined(error, &design) {
            Ok(kinds) => {
                format!("the comparisons played so far do not determine the values of {kinds}; more games are needed")
            }
            Err(error) => error.to_string(),
        };
        DataError::Contents(format!("{files}: {fault}"))
    })?;
    let sample = Sample::of_fit(&fit, 2 * pairs as u64);
    let spec = DesignSpec::all(game, &regressors, PhaseModel::Constant);
    Ok(Fit::with(&spec, fit.coefficients, sample, 1.0))
}

/// Log-odds of the second army's score by these costs.
fn fitted_log_odds(costs: &Fit, row: &PairScores) -> f64 {
    let pieces = costs.columns.iter().zip(costs.coefficients.iter());
    pieces.map(|(column, cost)| row.value(column.regressor) * cost).sum()
}

/// Tests whether costs that add up explain the mean scores of all comparisons. `None` if there
/// are no more comparisons than costs, or if the pairs within the comparisons do not show how
/// scores vary.
///
/// The variance of a pair's score is a dispersion times `p (1 - p)` for an expected score `p`,
/// as in the fit. The dispersion comes from the pairs within all comparisons together, because
/// a comparison has too few pairs to estimate a variance of its own.
pub(super) fn goodness_of_fit(costs: &Fit, rows: &BTreeMap<String, PairScores>) -> Option<GoodnessOfFit> {
    let (mut comparisons, mut pairs) = (0_usize, 0_usize);
    // Sums of squares in units of p (1 - p): of means about the fit, and of pairs about the
    // means.
    let (mut between, mut within) = (0.0, 0.0);
    for row in rows.values() {
        let (Some(mean), Some(variance)) = (row.sample.mean(), row.sample.variance()) else {
            continue;
        };
        let expected = logistic(-fitted_log_odds(costs, row));
        let weight = row.sample.observations() as f64 / (expected * (1.0 - expected));
        between += weight * (mean - expected).powi(2);
        within += weight * variance;
        comparisons += 1;
        pairs += row.sample.observations() as usize;
    }
    let degrees_of_freedom = comparisons.checked_sub(costs.coefficients.len()).filter(|&df| df > 0)?;
    let within_df = pairs - comparisons;
    if within_df == 0 || within <= 0.0 {
        return None;
    }
    let chi_square = between / (within / within_df as f64);
    Some(GoodnessOfFit {
        chi_square,
        degrees_of_freedom,
        // The dispersion is an estimate: chi-square divided by its degrees of freedom has an F
        // distribution.
        p: f_survival(chi_square / degrees_of_freedom as f64, degrees_of_freedom, within_df as f64),
    })
}
/// Names of the kinds whose costs the games do not determine, or the error if it has another
/// cause.
fn undetermined(error: FitError, design: &DesignMatrix) -> Result<String, FitError> {
    let names = match error {
        FitError::Separated { columns } | FitError::Collinear { columns } => columns,
        // The error names only the first.
        FitError::NeverUnbalanced { .. } => {
            let is_absent = |&column: &usize| design.rows().all(|row| row.get(column) == 0.0);
            let absent = (0..design.columns().len()).filter(is_absent);
            absent.map(|column| design.columns()[column].clone()).collect()
        }
        FitError::Empty | FitError::AllResultsEqual { .. } | FitError::TooFewClusters { .. } => {
            design.columns().to_vec()
        }
        other => return Err(other),
    };
    Ok(names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cost of a pawn from pairs of pawn odds with these scores of the side without the pawn,
    /// in half points.
    fn cost(scores: impl Iterator<Item = usize>) -> Result<Quantity, DataError> {
        let game = GameDef::builtin("chess").unwrap();
        let mut sample = ResultCounts::of_pairs(3);
        for score in scores {
            sample.add(score);
        }
        let missing = missing_pieces(&game, "-P/").unwrap();
        let rows = BTreeMap::from([("-P/".to_owned(), PairScores { missing, is_white_twice: false, sample })]);
        fit_pawn_cost("a.db", &game, rows)
    }

    #[test]
    fn a_pawn_may_cost_nothing() {
        let even = cost((0..50).flat_map(|_| [0, 4])).unwrap();
        assert!(even.value.abs() < 1e-9 && even.standard_error() > 0.0, "{even:?}");
        assert_eq!((even.clusters(), even.games()), (100, 200));
        // Less than two standard errors.
        let slight = cost((0..100).map(|pair| if pair < 52 { 0 } else { 4 })).unwrap();
        assert!(slight.value > 0.0 && slight.value < 2.0 * slight.standard_error(), "{slight:?}");
    }

    #[test]
    fn pairs_that_all_scored_the_same_have_no_error() {
        let error = cost((0..50).map(|_| 1)).unwrap_err().to_string();
        assert!(error.contains(": 50 pairs with pawn odds cannot determine"), "{error}");
    }
}

//! Checks of what belongs together in a measurement that was read from a file: lists must have the
//! same length, because the reports go through them in parallel, and parts are not more than their
//! whole. Each number has its range in its type ([`range`](crate::values::range)).

use std::fmt::Display;

use super::{FitSummary, MeasurementReport};
use crate::values::inference::{Diagnostics, GroupResidual, PhaseSlice, ValueTable};

/// Checks all lists and counts of a measurement.
///
/// # Errors
/// The place of the first wrong list or count, what was found there, and what was expected.
pub(super) fn measurement(report: &MeasurementReport) -> Result<(), String> {
    if report.games.pairs < 2 {
        return Err(format!("games.pairs: found {}, expected at least 2", report.games.pairs));
    }
    counts(report)?;
    fit(&report.fit)?;
    tables("tables", &report.tables)?;
    if let Some(playtest) = &report.playtest {
        tables("playtest.tables", &playtest.tables)?;
    }
    let steps = &report.convergence.steps;
    for (index, step) in steps.iter().enumerate() {
        let place = format!("convergence.steps[{index}].half_widths");
        length(place, &step.half_widths, "pieces", steps[0].half_widths.len())?;
    }
    for (index, game) in report.sample_games.iter().enumerate() {
        let place = format!("sample_games[{index}].evals");
        length(place, &game.evals, "evaluations", game.moves.len())?;
    }
    Ok(())
}

/// Games and pairs of parts against those of the whole.
fn counts(report: &MeasurementReport) -> Result<(), String> {
    let games = &report.games;
    at_most("games.pairs", games.pairs, games.games, "games")?;
    let results = games.results.iter().map(|result| result.games).sum();
    at_most("games.results", results, games.games, "games")?;
    let terminations = games.terminations.iter().map(|termination| termination.games).sum();
    at_most("games.terminations", terminations, games.games, "games")?;
    at_most("games.incomplete_pairs", games.incomplete_pairs, games.pairs, "pairs")?;
    if let Some(decided) = &games.decided {
        at_most("games.decided.ended", decided.ended, games.games, "games")?;
        at_most("games.decided.played_on", decided.played_on, games.games - decided.ended, "games")?;
        at_most("games.decided.otherwise", decided.otherwise, decided.played_on, "games")?;
    }
    for (index, step) in report.convergence.steps.iter().enumerate() {
        let place = format!("convergence.steps[{index}].pairs");
        at_most(place, step.pairs, games.pairs, "pairs")?;
    }
    let Diagnostics { calibration, by_phase, by_kind, by_material, .. } = &report.diagnostics;
    let groups = |list: &[GroupResidual]| list.iter().map(|group| group.residual).collect::<Vec<_>>();
    for (list, residuals) in [
        ("calibration", calibration.iter().map(|bin| bin.residual).collect()),
        ("by_phase", groups(by_phase)),
        ("by_kind", groups(by_kind)),
        ("by_material", by_material.iter().map(|score| score.residual).collect()),
    ] {
        for (index, residual) in residuals.iter().enumerate() {
            let place = format!("diagnostics.{list}[{index}].residual.clusters");
            at_most(place, residual.clusters, games.pairs, "pairs")?;
        }
    }
    for (index, slice) in report.slices.iter().enumerate() {
        let PhaseSlice { low, high, .. } = slice;
        if low > high {
            return Err(format!("slices[{index}]: found low = {low} and high = {high}, expected low <= high"));
        }
    }
    let Some(playtest) = &report.playtest else {
        return Ok(());
    };
    for (index, comparison) in playtest.comparisons.iter().enumerate() {
        let place = format!("playtest.comparisons[{index}]");
        let counted: u64 = comparison.counts.iter().sum();
        if comparison.pairs != counted {
            return Err(format!("{place}.pairs: found {}, expected {counted}, the sum of counts", comparison.pairs));
        }
        let place = format!("{place}.pairs");
        at_most(place, comparison.pairs, playtest.games / 2, "pairs of games")?;
    }
    Ok(())
}

/// Checks that a part is no more than its whole.
fn at_most<N: Copy + Display + PartialOrd>(place: impl Display, found: N, whole: N, items: &str) -> Result<(), String> {
    if found <= whole {
        return Ok(());
    }
    Err(format!("{place}: found {found}, expected at most the {whole} {items} of the whole"))
}

fn fit(fit: &FitSummary) -> Result<(), String> {
    let columns = fit.columns.len();
    length("fit.coefficients", &fit.coefficients, "numbers", columns)?;
    length("fit.standard_errors", &fit.standard_errors, "numbers", columns)?;
    length("fit.covariance", &fit.covariance, "rows", columns)
}

/// All tables have the same pieces in the same order.
fn tables(place: &str, tables: &[ValueTable]) -> Result<(), String> {
    for (index, table) in tables.iter().enumerate() {
        let first = &tables[0].values;
        let place = format!("{place}[{index}]");
        length(format!("{place}.values"), &table.values, "pieces", first.len())?;
        let mut pairs = table.values.iter().zip(first).enumerate();
        if let Some((row, (value, expected))) = pairs.find(|(_, (value, expected))| value.piece != expected.piece) {
            return Err(format!(
                "{place}.values[{row}].piece: found `{}`, expected `{}`",
                value.piece.escape_debug(),
                expected.piece.escape_debug()
            ));
        }
        length(format!("{place}.covariance"), &table.covariance, "rows", first.len())?;
    }
    Ok(())
}

/// Checks the length of a list.
///
/// # Errors
/// The place, what was found there, and what was expected.
pub(in crate::values) fn length<T>(
    place: impl Display,
    list: &[T],
    items: &str,
    expected: usize,
) -> Result<(), String> {
    if list.len() == expected {
        return Ok(());
    }
    Err(format!("{place}: found {} {items}, expected {expected}", list.len()))
}

//! Checks of a measurement that was read from a file: lists that belong together must have the same
//! length, because the reports go through them in parallel, parts are not more than their whole,
//! and numbers that would spoil a report have ranges. Numbers are finite, since JSON has no others.

use std::fmt::Display;

use super::{FitSummary, MeasurementReport, ScoreScale};
use crate::values::data::DataFile;
use crate::values::inference::{Diagnostics, GroupResidual, ValueTable};

/// Checks all lists and counts of a measurement.
///
/// # Errors
/// The place of the first wrong list or count, what was found there, and what was expected.
pub(super) fn measurement(report: &MeasurementReport) -> Result<(), String> {
    if report.games.pairs < 2 {
        return Err(format!("games.pairs: found {}, expected at least 2", report.games.pairs));
    }
    counts(report)?;
    hashes("files", &report.files)?;
    fit(&report.fit)?;
    tables("tables", &report.tables)?;
    if let Some(playtest) = &report.playtest {
        hashes("playtest.files", &playtest.files)?;
        tables("playtest.tables", &playtest.tables)?;
    }
    let steps = &report.convergence.steps;
    for (index, step) in steps.iter().enumerate() {
        let place = format!("convergence.steps[{index}].half_widths");
        length(place, &step.half_widths, "pieces", steps[0].half_widths.len())?;
        for (piece, half_width) in step.half_widths.iter().enumerate() {
            let place = format!("convergence.steps[{index}].half_widths[{piece}].army");
            range(place, half_width.army.unwrap_or_default(), 0.0, LARGEST)?;
        }
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
    for (index, step) in report.convergence.steps.iter().enumerate() {
        let place = format!("convergence.steps[{index}].pairs");
        at_most(place, step.pairs, games.pairs, "pairs")?;
    }
    range("games.white_score", games.white_score, 0.0, 1.0)?;
    let ScoreScale { pawn_score, pawn_score_interval: [low, high], .. } = report.scale;
    for (name, score) in [
        ("", pawn_score),
        ("_interval[0]", low),
        ("_interval[1]", high),
        ("_full_board", report.scale.pawn_score_full_board),
        ("_few_pieces", report.scale.pawn_score_few_pieces),
    ] {
        range(format!("scale.pawn_score{name}"), score, 0.0, 1.0)?;
    }
    for (index, value) in report.values.iter().enumerate() {
        for (name, published) in [("published", value.published), ("published_raw", value.published_raw)] {
            range(format!("values[{index}].{name}"), published.unwrap_or_default(), -LARGEST, LARGEST)?;
        }
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
            let place = format!("diagnostics.{list}[{index}].residual.standard_error");
            range(place, residual.standard_error, 0.0, LARGEST)?;
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

/// Larger numbers of a result are typing errors, and would fill a page.
const LARGEST: f64 = 1e15;

fn range(place: impl Display, found: f64, least: f64, most: f64) -> Result<(), String> {
    if (least..=most).contains(&found) {
        return Ok(());
    }
    Err(format!("{place}: found {found:e}, expected a number from {least} to {most}"))
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
    covariance("fit.covariance", &fit.covariance, columns)
}

/// Checks that a covariance matrix is square, and its diagonal.
fn covariance(place: &str, rows: &[Vec<f64>], size: usize) -> Result<(), String> {
    length(place, rows, "rows", size)?;
    for (index, row) in rows.iter().enumerate() {
        length(format!("{place}[{index}]"), row, "numbers", size)?;
        if row[index] < 0.0 {
            return Err(format!("{place}[{index}][{index}]: found {}, expected a variance of 0 or more", row[index]));
        }
    }
    Ok(())
}

/// Digits of a file's hash that reports show.
const SHOWN_DIGITS: usize = 16;

fn hashes(place: &str, files: &[DataFile]) -> Result<(), String> {
    let is_hash = |text: &str| text.len() >= SHOWN_DIGITS && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    match files.iter().enumerate().find(|(_, file)| !is_hash(&file.hash)) {
        None => Ok(()),
        Some((index, file)) => {
            let found: String = file.hash.escape_debug().take(SHOWN_DIGITS).collect();
            Err(format!("{place}[{index}].hash: found `{found}`, expected at least {SHOWN_DIGITS} hexadecimal digits"))
        }
    }
}

/// All tables have the same pieces in the same order.
fn tables(place: &str, tables: &[ValueTable]) -> Result<(), String> {
    for (index, table) in tables.iter().enumerate() {
        let first = &tables[0].values;
        let place = format!("{place}[{index}]");
        if table.total <= 0.0 {
            return Err(format!("{place}.total: found {}, expected more than 0", table.total));
        }
        length(format!("{place}.values"), &table.values, "pieces", first.len())?;
        for (row, value) in table.values.iter().enumerate() {
            for (name, published) in [("published", value.published), ("rounded", value.rounded)] {
                range(format!("{place}.values[{row}].{name}"), published.unwrap_or_default(), -LARGEST, LARGEST)?;
            }
        }
        let mut pairs = table.values.iter().zip(first).enumerate();
        if let Some((row, (value, expected))) = pairs.find(|(_, (value, expected))| value.piece != expected.piece) {
            return Err(format!(
                "{place}.values[{row}].piece: found `{}`, expected `{}`",
                value.piece.escape_debug(),
                expected.piece.escape_debug()
            ));
        }
        covariance(&format!("{place}.covariance"), &table.covariance, first.len())?;
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

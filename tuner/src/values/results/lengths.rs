//! Checks of a measurement that was read from a file: lists that belong together must have the same length, because the reports go
//! through them in parallel. Numbers are finite, since JSON has no others.

use std::fmt::Display;

use super::{FitSummary, MeasurementReport};
use crate::values::data::DataFile;
use crate::values::inference::units::UnitTable;

/// Digits of a file's hash that reports show.
const SHOWN_DIGITS: usize = 16;

/// Checks all lists of a measurement.
///
/// # Errors
/// The place of the first wrong list, what was found there, and what was expected.
pub(super) fn measurement(report: &MeasurementReport) -> Result<(), String> {
    if report.games.pairs < 2 {
        return Err(format!(
            "games.pairs: found {}, expected at least 2",
            report.games.pairs
        ));
    }
    files("files", &report.files)?;
    fit(&report.fit)?;
    units("units", &report.units)?;
    if let Some(playtest) = &report.playtest {
        files("playtest.files", &playtest.files)?;
        units("playtest.units", &playtest.units)?;
    }
    let steps = &report.convergence.steps;
    for (index, step) in steps.iter().enumerate() {
        let place = format!("convergence.steps[{index}].half_widths");
        length(place, &step.half_widths, "pieces", steps[0].half_widths.len())?;
    }
    Ok(())
}

pub(in crate::values) fn files(place: &str, files: &[DataFile]) -> Result<(), String> {
    for (index, file) in files.iter().enumerate() {
        let is_hash = file.hash.len() >= SHOWN_DIGITS && file.hash.bytes().all(|digit| digit.is_ascii_hexdigit());
        if !is_hash {
            return Err(format!(
                "{place}[{index}].hash: found `{}`, expected at least {SHOWN_DIGITS} hexadecimal digits",
                file.hash.escape_debug().take(SHOWN_DIGITS).collect::<String>()
            ));
        }
    }
    Ok(())
}

fn fit(fit: &FitSummary) -> Result<(), String> {
    let columns = fit.columns.len();
    length("fit.coefficients", &fit.coefficients, "numbers", columns)?;
    length("fit.standard_errors", &fit.standard_errors, "numbers", columns)?;
    square("fit.covariance", &fit.covariance, columns)
}

/// All units have the same pieces in the same order.
fn units(place: &str, tables: &[UnitTable]) -> Result<(), String> {
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
        square(&format!("{place}.covariance"), &table.covariance, first.len())?;
    }
    Ok(())
}

fn square(place: &str, matrix: &[Vec<f64>], size: usize) -> Result<(), String> {
    length(place, matrix, "rows", size)?;
    for (row, numbers) in matrix.iter().enumerate() {
        length(format!("{place}[{row}]"), numbers, "numbers", size)?;
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

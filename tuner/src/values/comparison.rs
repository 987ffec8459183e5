//! Measurements of one game side by side: the same pieces, measured in games of different players.
//!
//! Every measurement is compared with the first one. Runs are independent, so the covariance of the
//! differences is the sum of both covariances. In some units the values obey a linear relation
//! (shares of the army sum to a constant, the pawn is exactly 1), which makes that covariance
//! singular; the joint test then has as many degrees of freedom as its rank.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector, SymmetricEigen};
use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::values::data::material::kind_named;
use crate::values::data::{DataError, DataFile};
use crate::values::distinct;
use crate::values::inference::{Estimate, Quantity, Unit, ValueTable};
use crate::values::results::MeasurementReport;

/// Eigenvalues of a covariance below this share of the largest are zero but for rounding.
const SINGULAR: f64 = 1e-9;

/// Measurements of one game in one unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    pub assay: String,
    pub game: String,
    pub title: String,
    pub unit: Unit,
    /// Definition of the unit in this game.
    pub definition: String,
    pub measurements: Vec<ComparedMeasurement>,
    pub pieces: Vec<ComparedPiece>,
    /// Each measurement but the first against the first, in their order.
    pub tests: Vec<DifferenceTest>,
}

/// A measurement that is compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedMeasurement {
    /// Who played: `Assay, 2,000 nodes, linear`.
    pub label: String,
    pub games: usize,
    pub pairs: usize,
}

/// A piece in all measurements.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedPiece {
    pub piece: String,
    /// True if values include half of the bonus of a pair.
    pub with_half_pair: bool,
    pub published: Option<f64>,
    /// Values in the order of the measurements; `None` where the piece is not measured.
    pub values: Vec<Option<Estimate>>,
}

/// Test that a measurement and the first one estimate the same values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DifferenceTest {
    /// Index of the measurement.
    pub measurement: usize,
    pub chi_square: f64,
    pub degrees_of_freedom: usize,
    /// Probability of differences at least as large if both players had the same values.
    pub p: f64,
    /// Pieces with bounded intervals in both measurements; the others are not tested.
    pub differences: Vec<Difference>,
}

/// A piece's value minus its value in the first measurement. The interval has the degrees of freedom of
/// the measurement with fewer opening pairs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    pub piece: String,
    pub difference: Estimate,
}

impl Comparison {
    /// Compares measurements, each with the name of its file.
    ///
    /// # Errors
    /// If there are fewer than two, or they are not independent measurements of one game in the unit.
    pub fn of(reports: &[(String, MeasurementReport)], unit: Unit) -> Result<Comparison, DataError> {
        let wrong = DataError::Contents;
        let name = unit.name();
        let [(_, first), _, ..] = reports else {
            return Err(wrong("found one measurement, expected two or more of one game".to_owned()));
        };
        check_independent(reports)?;
        let mut tables: Vec<&ValueTable> = Vec::new();
        for (file, report) in reports {
            if report.game != first.game {
                return Err(wrong(format!(
                    "{file}: found a measurement of {}, expected {} as in the first file",
                    report.game, first.game
                )));
            }
            let table = report.table(Some(unit));
            let table = table.ok_or_else(|| {
                wrong(format!(
                    "{file}: found no values in the unit {name}, expected values in it; another --unit may have them"
                ))
            })?;
            if let Some(expected) = tables.first()
                && !is_same_unit((first, expected), (report, table))
            {
                return Err(wrong(format!(
                    "{file}: found values in the unit {name} with the definition `{}`, expected `{}` as in the first file",
                    table.definition, expected.definition
                )));
            }
            tables.push(table);
        }
        let pieces = tables[0].values.iter().map(|value| {
            let measured = tables.iter().map(|table| Some(table.of(&value.piece)?.measured));
            ComparedPiece {
                piece: value.piece.clone(),
                with_half_pair: value.with_half_pair,
                published: value.published,
                values: measured.collect(),
            }
        });
        let tests = tables.iter().enumerate().skip(1).map(|(measurement, table)| {
            let pairs = first.games.pairs.min(reports[measurement].1.games.pairs);
            test(measurement, tables[0], table, pairs).ok_or_else(|| {
                wrong(format!(
                    "{}: found no piece with a bounded interval here and in the first file in the unit {name}, expected some; more \
                     games or another --unit may bound them",
                    reports[measurement].0
                ))
            })
        });
        let labels = labels(reports);
        let measurements = reports.iter().zip(labels).map(|((_, report), label)| ComparedMeasurement {
            label,
            games: report.games.games,
            pairs: report.games.pairs,
        });
        Ok(Comparison {
            assay: env!("CARGO_PKG_VERSION").to_owned(),
            game: first.game.clone(),
            title: first.title.clone(),
            unit,
            definition: tables[0].definition.clone(),
            measurements: measurements.collect(),
            pieces: pieces.collect(),
            tests: tests.collect::<Result<_, _>>()?,
        })
    }
}

/// Returns true if the same pieces are worth the same together. Definitions in words are rounded.
fn is_same_unit(one: (&MeasurementReport, &ValueTable), other: (&MeasurementReport, &ValueTable)) -> bool {
    let of = |(report, table): (&MeasurementReport, &ValueTable)| {
        let game = report.rules();
        let kinds = table.values.iter().filter_map(|value| kind_named(&game, &value.piece)).collect::<Vec<_>>();
        let (pieces, _) = table.unit?.reference(&game, &kinds)?;
        Some((pieces, (1e9 * table.total).round()))
    };
    of(one) == of(other)
}

fn check_independent(reports: &[(String, MeasurementReport)]) -> Result<(), DataError> {
    for (number, (file, report)) in reports.iter().enumerate() {
        for (first, other) in &reports[..number] {
            let overlaps = |file: &&DataFile| other.files.iter().any(|earlier| earlier.overlaps(file));
            if let Some(same) = report.files.iter().find(overlaps) {
                return Err(DataError::Contents(format!(
                    "{file}: found games of the same openings and players as in {first} (seed {}), expected independent runs, with other \
                     seeds",
                    same.seed
                )));
            }
        }
    }
    Ok(())
}

/// Who played, in a few words. Measurements by the same players also have the names of their files.
fn labels(reports: &[(String, MeasurementReport)]) -> Vec<String> {
    let players: Vec<String> = reports.iter().map(|(_, report)| players_of(&report.files)).collect();
    let is_unique = |label: &String| players.iter().filter(|other| *other == label).count() == 1;
    let named = players
        .iter()
        .zip(reports)
        .map(|(label, (file, _))| if is_unique(label) { label.clone() } else { format!("{label} ({file})") });
    named.collect()
}

/// The players of some files: `Assay, 500 nodes, linear`, or `A against B`.
pub fn players_of(files: &[DataFile]) -> String {
    distinct(files.iter().map(DataFile::players_label)).join("; ")
}

/// Tests all pieces with bounded intervals in both tables; `None` if there are none. The delta
/// method fails where an interval is unbounded. `pairs` is the number of opening pairs of the
/// measurement with fewer.
fn test(measurement: usize, first: &ValueTable, other: &ValueTable, pairs: usize) -> Option<DifferenceTest> {
    let bounded = |table: &ValueTable| -> Vec<(String, Quantity)> {
        let named = table.values.iter().zip(table.quantities(pairs));
        let bounded = named.filter(|(value, _)| value.measured.width().is_some());
        bounded.map(|(value, quantity)| (value.piece.clone(), quantity)).collect()
    };
    let others: BTreeMap<String, Quantity> = bounded(other).into_iter().collect();
    let common = bounded(first).into_iter();
    let common = common.filter_map(|(piece, one)| Some((others.get(&piece)? - &one, piece)));
    let (differences, pieces): (Vec<Quantity>, Vec<String>) = common.unzip();
    if differences.is_empty() {
        return None;
    }
    let values = DVector::from_iterator(differences.len(), differences.iter().map(|difference| difference.value));
    let covariance =
        DMatrix::from_fn(values.len(), values.len(), |row, column| differences[row].covariance(&differences[column]));
    let (chi_square, degrees_of_freedom) = wald(&values, &covariance);
    let distribution = ChiSquared::new(degrees_of_freedom as f64).ok()?;
    let differences = pieces.into_iter().zip(&differences);
    let differences = differences.map(|(piece, difference)| Difference { piece, difference: difference.estimate() });
    Some(DifferenceTest {
        measurement,
        chi_square,
        degrees_of_freedom,
        p: distribution.sf(chi_square),
        differences: differences.collect(),
    })
}

/// Wald statistic of some numbers being zero, and the rank of their covariance.
fn wald(numbers: &DVector<f64>, covariance: &DMatrix<f64>) -> (f64, usize) {
    let eigen = SymmetricEigen::new(covariance.clone());
    let largest = eigen.eigenvalues.iter().copied().fold(0.0, f64::max);
    let directions = eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter());
    let regular = directions.filter(|&(&value, _)| value > SINGULAR * largest);
    regular.fold((0.0, 0), |(sum, rank), (&value, direction)| (sum + direction.dot(numbers).powi(2) / value, rank + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_singular_covariance_tests_as_many_numbers_as_its_rank() {
        // Three shares that sum to a constant: the covariance of a multinomial distribution.
        let covariance = DMatrix::from_row_slice(3, 3, &[2.0, -1.0, -1.0, -1.0, 2.0, -1.0, -1.0, -1.0, 2.0]);
        let (chi_square, rank) = wald(&DVector::from_vec(vec![3.0, -3.0, 0.0]), &covariance);
        assert_eq!(rank, 2);
        // Without the last number: (3, -3) with the covariance (2, -1; -1, 2), whose inverse is (2,
        // 1; 1, 2) / 3.
        assert!((chi_square - 6.0).abs() < 1e-9, "{chi_square}");
    }
}

//! The regressions against independent implementations (statsmodels and scipy), see
//! `testdata/tuner/README.md`.

use std::fs;
use std::path::{Path, PathBuf};

use assay_tuner::values::design::matrix::{DesignMatrix, Observation};
use assay_tuner::values::model::{self, Logit};
use nalgebra::DVector;

const TOLERANCE: f64 = 1e-6;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/tuner").join(name)
}

fn games() -> DesignMatrix {
    let text = fs::read_to_string(data("games.csv")).unwrap();
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(header, ["pair", "game", "rook", "knight", "pawn", "side_to_move", "white", "quarters", "positions"]);
    let mut design = DesignMatrix::new(header[2..7].iter().map(|&name| name.to_owned()).collect());
    for line in lines {
        let numbers: Vec<f64> = line.split(',').map(|field| field.parse().unwrap()).collect();
        let observation = Observation {
            score: numbers[7] / 4.0,
            weight: 1.0 / numbers[8],
            positions: 1.0,
            cluster: numbers[0] as usize,
        };
        design.push(&numbers[2..7], observation);
    }
    design
}

/// Expected results of one fit.
struct Expected {
    coefficients: Vec<f64>,
    /// None where they were not computed.
    errors: Vec<f64>,
    rook_knight: Option<f64>,
}

fn expected(section: Option<&str>) -> Expected {
    let whole: toml::Table = toml::from_str(&fs::read_to_string(data("expected.toml")).unwrap()).unwrap();
    let table = section.map_or(&whole, |section| whole[section].as_table().unwrap());
    let numbers = |key: &str| -> Vec<f64> {
        let list = table.get(key).and_then(|list| list.as_array());
        list.map(|list| list.iter().map(|number| number.as_float().unwrap()).collect()).unwrap_or_default()
    };
    Expected {
        coefficients: numbers("coefficients"),
        errors: numbers("standard-errors"),
        rook_knight: table.get("rook-knight-covariance").and_then(toml::Value::as_float),
    }
}

fn check(model: &Logit, design: &DesignMatrix, expected: &Expected) {
    let fit = model::fit(model, design).unwrap();
    assert!(fit.gradient <= 1e-10, "{}", fit.gradient);
    assert!(fit.start_difference.unwrap() <= 1e-8);
    assert_eq!(fit.coefficients.len(), expected.coefficients.len());
    for (column, coefficient) in expected.coefficients.iter().enumerate() {
        let found = fit.coefficients[column];
        assert!((found - coefficient).abs() < TOLERANCE, "{model:?} {column}: {found}, expected {coefficient}");
    }
    let covariance = fit.robust_covariance();
    let errors = covariance.diagonal().map(f64::sqrt);
    for (column, error) in expected.errors.iter().enumerate() {
        let found = errors[column];
        assert!((found - error).abs() < TOLERANCE, "{model:?} {column}: error {found}, expected {error}");
    }
    if let Some(expected) = expected.rook_knight {
        let found = covariance[(0, 1)];
        assert!((found - expected).abs() < TOLERANCE, "{found}, expected {expected}");
    }
}

#[test]
fn degrees_of_freedom_match_their_definition() {
    let table: toml::Table = toml::from_str(&fs::read_to_string(data("expected.toml")).unwrap()).unwrap();
    let fit = model::fit(&Logit::fractional(), &games()).unwrap();
    let unit = |column: usize| DVector::from_fn(5, |row, _| f64::from(u8::from(row == column)));
    let check = |combinations: &[DVector<f64>], expected: &toml::Value| {
        let (found, expected) = (fit.leverages.degrees_of_freedom(combinations).unwrap(), expected.as_float().unwrap());
        // The definition takes much longer than the fit, so it is approximated.
        assert!((found - expected).abs() < 0.01 * expected, "{found}, expected {expected}");
    };
    for (column, expected) in table["degrees-of-freedom"].as_array().unwrap().iter().enumerate() {
        check(&[unit(column)], expected);
    }
    check(&[unit(0) - 5.0 * unit(2)], &table["rook-less-five-pawns"]);
    check(&[unit(0), unit(1), unit(2)], &table["joint-degrees-of-freedom"]);
    // Other combinations with the same meaning.
    check(&[unit(0) - unit(1), 3.0 * unit(1), unit(2) + unit(0)], &table["joint-degrees-of-freedom"]);
    // Dependent combinations count once; a zero combination has no degrees of freedom.
    check(&[unit(0), 2.0 * unit(0)], &table["degrees-of-freedom"][0]);
    assert_eq!(fit.leverages.degrees_of_freedom(&[0.0 * unit(0)]), None);
}

#[test]
fn fractional_logit_matches_statsmodels() {
    check(&Logit::fractional(), &games(), &expected(None));
}

#[test]
fn proportional_odds_match_scipy_maximum() {
    let design = games();
    check(&Logit::of(&design), &design, &expected(Some("ordered")));
}

#[test]
fn three_results_match_statsmodels_ordered_model() {
    let mut design = DesignMatrix::new(games().columns().to_vec());
    for row in games().rows() {
        let quarters = (row.observation.score * 4.0).round() as u8;
        if quarters.is_multiple_of(2) {
            let values: Vec<f64> = (0..5).map(|column| row.get(column)).collect();
            let observation = Observation { weight: 1.0, ..row.observation };
            design.push(&values, observation);
        }
    }
    check(&Logit::of(&design), &design, &expected(Some("three-results")));
}

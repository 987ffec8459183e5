//! The regression against an independent implementation: `testdata/tuner/README.md` says which and how.

use std::fs;
use std::path::{Path, PathBuf};

use assay_tuner::cluster;
use assay_tuner::design::{Design, Row};
use assay_tuner::model::{Fractional, Model};

const TOLERANCE: f64 = 1e-6;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../testdata/tuner")
        .join(name)
}

fn games() -> Design {
    let text = fs::read_to_string(data("games.csv")).unwrap();
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(
        header,
        [
            "pair",
            "game",
            "rook",
            "knight",
            "pawn",
            "side_to_move",
            "white",
            "quarters",
            "positions"
        ]
    );
    let mut design = Design::new(header[2..7].iter().map(|&name| name.to_owned()).collect());
    for line in lines {
        let numbers: Vec<f64> = line.split(',').map(|field| field.parse().unwrap()).collect();
        design.push(Row {
            values: &numbers[2..7],
            score: numbers[7] / 4.0,
            weight: 1.0 / numbers[8],
            cluster: numbers[0] as usize,
        });
    }
    design
}

#[test]
fn coefficients_and_clustered_errors_equal_those_of_statsmodels() {
    let expected: toml::Table = toml::from_str(&fs::read_to_string(data("expected.toml")).unwrap()).unwrap();
    let numbers = |key: &str| {
        expected[key]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_float().unwrap())
            .collect::<Vec<_>>()
    };
    let design = games();
    let fit = Fractional.fit(&design).unwrap();
    assert!(fit.gradient <= 1e-10, "{}", fit.gradient);
    let covariance = cluster::covariance(&fit, design.rows().map(|row| row.cluster), design.cluster_count());
    let errors = cluster::standard_errors(&covariance);
    for (column, (coefficient, error)) in numbers("coefficients")
        .into_iter()
        .zip(numbers("standard-errors"))
        .enumerate()
    {
        let name = &design.columns()[column];
        let found = fit.coefficients[column];
        assert!(
            (found - coefficient).abs() < TOLERANCE,
            "{name}: {found}, expected {coefficient}"
        );
        assert!(
            (errors[column] - error).abs() < TOLERANCE,
            "{name}: error {}, expected {error}",
            errors[column]
        );
    }
    let expected = expected["rook-knight-covariance"].as_float().unwrap();
    assert!(
        (covariance[(0, 1)] - expected).abs() < TOLERANCE,
        "{}, expected {expected}",
        covariance[(0, 1)]
    );
}

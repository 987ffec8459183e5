//! Planted values must come out again, and intervals must hold what they promise.

use assay_tuner::cluster;
use assay_tuner::design::{Design, Row};
use assay_tuner::folds;
use assay_tuner::model::{Fit, FitError, Fractional, Model};
use assay_tuner::quantile;
use assay_tuner::simulate::Planted;
use nalgebra::DMatrix;

fn planted(pairs: usize) -> Planted {
    let kinds = [("queen", 2.7), ("rook", 1.5), ("knight", 0.9), ("pawn", 0.3)];
    Planted {
        kinds: kinds
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
        white: 0.15,
        draws: 0.5,
        correlation: 0.4,
        pairs,
        positions: 8,
    }
}

fn clustered(design: &Design, fit: &Fit) -> DMatrix<f64> {
    cluster::covariance(fit, design.rows().map(|row| row.cluster), design.cluster_count())
}

#[test]
fn planted_values_are_recovered() {
    let planted = planted(40_000);
    let design = Planted {
        positions: 1,
        ..planted.clone()
    }
    .design(7);
    let fit = Fractional.fit(&design).unwrap();
    let errors = cluster::standard_errors(&clustered(&design, &fit));
    let truth = planted.kinds.iter().map(|(_, value)| *value).chain([planted.white]);
    for (column, truth) in truth.enumerate() {
        let found = fit.coefficients[column];
        let name = &design.columns()[column];
        // Five estimates, one fixed seed: 4 standard errors are missed by chance once in 3,000 seeds.
        assert!(
            (found - truth).abs() < 4.0 * errors[column],
            "{name}: {found} for {truth}, error {}",
            errors[column]
        );
        assert!(errors[column] < 0.03, "{name}: error {}", errors[column]);
    }
}

/// 200 data sets of 300 pairs. A true coverage of 0.95 gives 190 hits with a standard deviation of 3.1, so fewer than
/// 177 are 4 deviations off. Rows that count a game eight times over have errors too small by a factor of about 2.8
/// (more or less, with the correlation in pairs): such intervals hold the truth some 51% of the time, 102 hits with a
/// deviation of 7.1, and more than 140 would be 5 deviations off.
#[test]
fn clustered_intervals_cover_and_position_level_intervals_do_not() {
    const SETS: u64 = 200;
    let planted = planted(300);
    let truth: Vec<f64> = planted
        .kinds
        .iter()
        .map(|(_, value)| *value)
        .chain([planted.white])
        .collect();
    let reach = quantile::reach(planted.pairs);
    let mut covered = vec![0; truth.len()];
    let mut covered_by_positions = vec![0; truth.len()];
    for seed in 0..SETS {
        let design = planted.design(seed);
        let fit = Fractional.fit(&design).unwrap();
        let honest = cluster::standard_errors(&clustered(&design, &fit));
        let naive = cluster::standard_errors(&cluster::position_level_covariance(&fit));
        for (column, truth) in truth.iter().enumerate() {
            let miss = (fit.coefficients[column] - truth).abs();
            covered[column] += u32::from(miss <= reach * honest[column]);
            covered_by_positions[column] += u32::from(miss <= reach * naive[column]);
        }
    }
    println!(
        "covered by clustered intervals: {covered:?}, by position-level intervals: {covered_by_positions:?} of {SETS}"
    );
    assert!(covered.iter().all(|&hits| hits >= 177), "{covered:?}");
    assert!(
        covered_by_positions.iter().all(|&hits| hits <= 140),
        "{covered_by_positions:?}"
    );
}

#[test]
fn unseen_games_are_predicted_better_with_values_than_without() {
    let design = planted(1_000).design(3);
    let constant = design.in_columns(vec!["White".into()], |_, _| 1.0);
    let truth: Vec<f64> = planted(0).kinds.iter().map(|(_, value)| *value).collect();
    let right = design.in_columns(vec!["material".into(), "White".into()], |column, old| match column {
        0 => old.iter().zip(&truth).map(|(count, value)| count * value).sum(),
        _ => 1.0,
    });
    let reach = quantile::reach(design.cluster_count());
    let found = folds::compare(&Fractional, &design, &constant, Some(&right), reach).unwrap();
    assert!(found.gain_over_constant.low > 0.0, "{found:?}");
    // Against the truth itself free values can only lose, by what estimating them costs.
    let against_truth = found.gain_over_inventor.unwrap();
    assert!(against_truth.mean < 0.0 && against_truth.mean > -0.02, "{found:?}");
}

fn design(columns: &[&str], rows: &[(&[f64], f64)]) -> Design {
    let mut design = Design::new(columns.iter().map(|&name| name.to_owned()).collect());
    for (cluster, &(values, score)) in rows.iter().enumerate() {
        design.push(Row {
            values,
            score,
            weight: 1.0,
            cluster,
        });
    }
    design
}

#[test]
fn data_that_cannot_answer_are_refused_with_the_reason() {
    let empty = design(&["pawn"], &[]);
    assert_eq!(Fractional.fit(&empty).unwrap_err(), FitError::Empty);

    let equal = design(&["pawn"], &[(&[1.0], 0.5), (&[-1.0], 0.5), (&[2.0], 0.5)]);
    assert_eq!(
        Fractional.fit(&equal).unwrap_err(),
        FitError::AllResultsEqual { score: 0.5 }
    );

    let few = design(&["pawn"], &[(&[1.0], 0.5)]);
    assert!(matches!(
        Fractional.fit(&few).unwrap_err(),
        FitError::AllResultsEqual { .. }
    ));
    let few = design(&["pawn", "White"], &[(&[1.0, 1.0], 0.5), (&[-1.0, 1.0], 1.0)]);
    assert_eq!(
        Fractional.fit(&few).unwrap_err(),
        FitError::TooFewClusters {
            found: 2,
            coefficients: 2
        }
    );

    let never = design(
        &["rook", "pawn"],
        &[(&[0.0, 1.0], 1.0), (&[0.0, -1.0], 0.5), (&[0.0, 1.0], 0.0)],
    );
    assert_eq!(
        Fractional.fit(&never).unwrap_err(),
        FitError::NeverUnbalanced { column: "rook".into() }
    );

    let together: &[(&[f64], f64)] = &[
        (&[1.0, -2.0, 1.0], 1.0),
        (&[-1.0, 2.0, 0.0], 0.5),
        (&[1.0, -2.0, -1.0], 0.0),
        (&[0.0, 0.0, 1.0], 0.5),
    ];
    let together = design(&["rook", "knight", "pawn"], together);
    let columns = vec!["rook".into(), "knight".into()];
    assert_eq!(Fractional.fit(&together).unwrap_err(), FitError::Collinear { columns });

    // Whoever has the queen wins; pawns decide nothing.
    let mut rows: Vec<(&[f64], f64)> = Vec::new();
    for _ in 0..5 {
        rows.extend([
            (&[1.0, 1.0][..], 1.0),
            (&[1.0, -1.0], 1.0),
            (&[-1.0, 1.0], 0.0),
            (&[0.0, 1.0], 0.5),
            (&[0.0, -1.0], 1.0),
        ]);
    }
    let separated = design(&["queen", "pawn"], &rows);
    assert_eq!(
        Fractional.fit(&separated).unwrap_err(),
        FitError::Separated {
            columns: vec!["queen".into()]
        }
    );
}

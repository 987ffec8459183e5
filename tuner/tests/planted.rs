//! Simulated data: fits recover the known values, and intervals have their nominal coverage.

use assay_rules::GameDef;
use assay_tuner::values::coverage::coverage;
use assay_tuner::values::data::regressor::Regressor;
use assay_tuner::values::design::matrix::{DesignMatrix, Observation};
use assay_tuner::values::design::phase::PhaseModel;
use assay_tuner::values::design::spec::{Column, DesignSpec};
use assay_tuner::values::inference::cross_validation;
use assay_tuner::values::inference::distributions;
use assay_tuner::values::inference::sandwich;
use assay_tuner::values::model::{self, FitError, FractionalLogit, ProportionalOdds};
use assay_tuner::values::simulate::{Simulation, near_published_values, synthetic_openings};

fn planted(name: &str, pairs: usize) -> Simulation {
    let game = GameDef::builtin(name).unwrap();
    Simulation {
        truth: near_published_values(&game, 0.4),
        thresholds: if name == "apothecary2" {
            vec![0.6, 0.9]
        } else {
            vec![0.7]
        },
        correlation: 0.4,
        openings: synthetic_openings(&game, 499, 1),
        pairs,
        positions: 12,
        game,
    }
}

#[test]
fn recovers_known_values() {
    for name in ["chess", "apothecary2"] {
        let planted = planted(name, 30_000);
        let data = planted.data(7);
        let columns = DesignSpec::of(&data, PhaseModel::default());
        let design = columns.design_matrix(&data.games);
        let fit = model::fit(&ProportionalOdds::of(&design), &design).unwrap();
        let errors = sandwich::standard_errors(&sandwich::cluster_robust_covariance(&fit));
        let truth = planted.parameters(&columns);
        for column in 0..truth.len() {
            let (found, truth) = (fit.coefficients[column], truth[column]);
            let observation = columns.names().get(column).cloned().unwrap_or("threshold".into());
            // About fifty estimates and one fixed seed: one exceeds 4 standard errors by chance for one seed in 300.
            assert!(
                (found - truth).abs() < 4.0 * errors[column],
                "{name} {observation}: {found} for {truth}, error {}",
                errors[column]
            );
            // The value of two pieces of a kind with few pieces left has the fewest observations.
            let most = match columns.columns.get(column) {
                Some(Column {
                    regressor: Regressor::Pair(_) | Regressor::SecondPiece(_),
                    knot: Some(1),
                }) => 0.5,
                _ => 0.25,
            };
            assert!(errors[column] < most, "{name} {observation}: error {}", errors[column]);
        }
    }
}

/// 200 data sets. A coverage of 0.95 gives 190 hits with a standard deviation of 3.1, so 177 hits are 4 standard deviations below. If positions
/// are treated as independent, errors of games with a dozen positions are too small by a factor of three or more: such intervals contain the true
/// value about 50% of the time, with a standard deviation of 7.1 hits.
#[test]
fn cluster_robust_intervals_cover_and_naive_intervals_do_not() {
    let found = coverage(&planted("chess", 1_500), PhaseModel::default(), 200, 1, || ()).unwrap();
    assert_eq!((found.sets, found.failed), (200, 0));
    for value in &found.values {
        println!("{value:?}");
        assert!(value.coverage >= 0.885, "{value:?}");
        assert!(value.naive_coverage <= 0.7, "{value:?}");
        if value.phase == "average" {
            // The mean of 200 has an error of 0.07 deviations.
            assert!(value.standardized_bias.abs() <= 0.28, "{value:?}");
        }
    }
    // The data sets do not depend on the order in which they are measured.
    let again = coverage(&planted("chess", 1_500), PhaseModel::default(), 3, 1, || ()).unwrap();
    let twice = coverage(&planted("chess", 1_500), PhaseModel::default(), 3, 1, || ()).unwrap();
    assert_eq!(again, twice);
}

/// One knight of each side has another name. Of 100 data sets, 95 intervals of the difference should contain 0, with a standard deviation of 2.2;
/// fewer than 90 occur by chance for one seed in 70.
#[test]
fn identical_pieces_have_equal_values() {
    let game = assay_engine::load_game("../testdata/games/twin-knights.toml").unwrap();
    let mut planted = Simulation {
        truth: near_published_values(&game, 0.4),
        thresholds: vec![0.7],
        correlation: 0.4,
        openings: synthetic_openings(&game, 499, 1),
        pairs: 600,
        positions: 12,
        game,
    };
    let kind = |name: &str| {
        let kind = planted
            .game
            .all_kinds()
            .find(|&kind| planted.game.kind(kind).name == name);
        Regressor::Kind(kind.unwrap())
    };
    let (knight, twin) = (kind("knight"), kind("twin"));
    let at = |term: Regressor| {
        Regressor::all(&planted.game)
            .iter()
            .position(|&other| other == term)
            .unwrap()
    };
    let (knight_at, twin_at) = (at(knight), at(twin));
    planted.truth[twin_at] = planted.truth[knight_at];
    let holds_nothing = |seed: &u64| {
        let data = planted.data(*seed);
        let columns = DesignSpec::of(&data, PhaseModel::default());
        let design = columns.design_matrix(&data.games);
        let fit = model::fit(&ProportionalOdds::of(&design), &design).unwrap();
        let at = |term: Regressor| columns.contrast(term, 0.6, fit.coefficients.len()).unwrap();
        let difference = at(knight) - at(twin);
        let error = difference
            .dot(&(sandwich::cluster_robust_covariance(&fit) * &difference))
            .sqrt();
        difference.dot(&fit.coefficients).abs() <= distributions::critical_value(design.cluster_count()) * error
    };
    let held = (1..=100).filter(holds_nothing).count();
    assert!(held >= 90, "{held} of 100");
}

#[test]
fn values_predict_held_out_games_better_than_a_constant() {
    let planted = planted("chess", 1_000);
    let data = planted.data(3);
    let columns = DesignSpec::of(&data, PhaseModel::default());
    let design = columns.design_matrix(&data.games);
    let model = ProportionalOdds::of(&design);
    let constant = design.transformed(vec!["White".into()], |_, _| 1.0);
    let truth = planted.parameters(&columns);
    let right = design.transformed(vec!["truth".into()], |_, old| {
        old.iter()
            .zip(truth.iter())
            .map(|(number, weight)| number * weight)
            .sum()
    });
    let critical_value = distributions::critical_value(design.cluster_count());
    let found = cross_validation::cross_validate(&model, &design, &constant, Some(&right), critical_value).unwrap();
    assert!(found.gain_over_constant.low > 0.0, "{found:?}");
    // Against the true values, estimated values can only lose, namely their estimation error.
    let against_truth = found.gain_over_published.unwrap();
    assert!(against_truth.mean < 0.0 && against_truth.mean > -0.03, "{found:?}");
}

fn design(columns: &[&str], rows: &[(&[f64], f64)]) -> DesignMatrix {
    let mut design = DesignMatrix::new(columns.iter().map(|&name| name.to_owned()).collect());
    for (cluster, &(values, score)) in rows.iter().enumerate() {
        let observation = Observation {
            score,
            weight: 1.0,
            positions: 1.0,
            cluster,
        };
        design.push(values, observation);
    }
    design
}

#[test]
fn rejects_insufficient_data_with_the_reason() {
    let empty = design(&["pawn"], &[]);
    assert_eq!(model::fit(&FractionalLogit, &empty).unwrap_err(), FitError::Empty);

    let equal = design(&["pawn"], &[(&[1.0], 0.5), (&[-1.0], 0.5), (&[2.0], 0.5)]);
    assert_eq!(
        model::fit(&FractionalLogit, &equal).unwrap_err(),
        FitError::AllResultsEqual { score: 0.5 }
    );

    let few = design(&["pawn"], &[(&[1.0], 0.5)]);
    assert!(matches!(
        model::fit(&FractionalLogit, &few).unwrap_err(),
        FitError::AllResultsEqual { .. }
    ));
    let few = design(&["pawn", "White"], &[(&[1.0, 1.0], 0.5), (&[-1.0, 1.0], 1.0)]);
    assert_eq!(
        model::fit(&FractionalLogit, &few).unwrap_err(),
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
        model::fit(&FractionalLogit, &never).unwrap_err(),
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
    assert_eq!(
        model::fit(&FractionalLogit, &together).unwrap_err(),
        FitError::Collinear { columns }
    );

    // The side with the queen wins; pawns have no effect.
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
        model::fit(&FractionalLogit, &separated).unwrap_err(),
        FitError::Separated {
            columns: vec!["queen".into()]
        }
    );
}

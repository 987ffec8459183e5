//! Simulated data: fits recover the known values, and intervals have their nominal coverage.

use std::sync::Arc;

use assay_rules::{GameDef, Kind};
use assay_tuner::values::analysis::{AnalysisOptions, analyze};
use assay_tuner::values::data::regressor::Regressor;
use assay_tuner::values::data::{Dataset, OwnValue, OwnValues};
use assay_tuner::values::design::matrix::{DesignMatrix, Observation};
use assay_tuner::values::design::phase::PhaseModel;
use assay_tuner::values::design::spec::{Column, DesignSpec};
use assay_tuner::values::inference::cross_validation;
use assay_tuner::values::inference::feedback::Prior;
use assay_tuner::values::inference::fit::Fit;
use assay_tuner::values::inference::given_material::{GivenMaterial, GivenMaterialTest, test};
use assay_tuner::values::inference::quantity::{Quantity, Sample};
use assay_tuner::values::inference::units::Unit;
use assay_tuner::values::model::{self, FitError, Logit};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::coverage::{Coverage, CoverageVerdict, simulated};
use crate::simulation::{Simulation, TrueValue, change_material_in_play, near_published_values};

fn planted(name: &str, pairs: usize) -> Simulation {
    let game = GameDef::builtin(name).unwrap();
    let mut planted = Simulation {
        correlation: 0.4,
        positions: 12,
        ..Simulation::synthetic(&game, near_published_values(&game, 0.4), pairs)
    };
    if name == "apothecary2" {
        planted.thresholds = vec![0.6, 0.9];
    }
    planted
}

/// Players who value bishops and knights higher than they are worth and rooks lower, and another kind
/// of players the other way round, make the pieces worth what they believe by the feedback. The
/// values without it are the true ones in 95% of the intervals, and those with it are not.
#[test]
fn values_do_not_follow_the_players_own() {
    const SETS: u64 = 12;
    // Of linear evaluations.
    let feedback = Prior::of(&OwnValues::default()).mean;
    let game = GameDef::builtin("gamma2").unwrap();
    let pieces: Vec<Kind> = game.kinds.all().filter(|&kind| Some(kind) != game.kinds.king()).collect();
    let army = |of: &dyn Fn(Kind) -> f64| -> f64 {
        pieces.iter().filter(|&&kind| kind != game.first_pawn()).map(|&kind| of(kind)).sum()
    };
    let worth = |kind: Kind| game.value_in_pawns(kind).unwrap();
    let (mut held, mut held_before, mut all, mut runs) = (0, 0, 0, Vec::new());
    for bias in [1.3_f64, 1.0 / 1.3] {
        let believed =
            |kind: Kind| worth(kind) * if "NBA".contains(game.kind(kind).letter) { bias } else { 1.0 / bias };
        let mixed = |kind: Kind| worth(kind).powf(1.0 - feedback) * believed(kind).powf(feedback);
        let log_odds = 0.4 * army(&worth) / army(&mixed);
        let truth = Regressor::all(&game).into_iter().map(|regressor| match regressor {
            Regressor::Kind(kind) if pieces.contains(&kind) => TrueValue::constant(log_odds * mixed(kind)),
            Regressor::OwnValues => TrueValue::constant(feedback * 0.4 * army(&worth) / army(&believed)),
            Regressor::White => TrueValue::constant(0.1),
            _ => TrueValue::constant(0.0),
        });
        let own = |kind: Kind| OwnValue { value: believed(kind), varied: believed(kind) };
        let own_values = pieces.iter().map(|&kind| (game.kind(kind).name.clone(), own(kind))).collect();
        let own_values = Some(OwnValues(own_values));
        let planted = Simulation { own_values, ..Simulation::synthetic(&game, truth.collect(), 3_000) };
        for seed in 0..SETS {
            let data = planted.data(seed);
            let with = Fit::of_games(&Dataset { own_values: None, ..data.clone() }, PhaseModel::Constant).unwrap();
            let without = Fit::of_games(&data, PhaseModel::Constant).unwrap();
            runs.extend(without.feedback.as_ref().and_then(|found| found.run));
            for &kind in pieces.iter().filter(|&&kind| kind != game.first_pawn()) {
                let share = |fit: &Fit| {
                    let table = fit.unit_table(Unit::Army).unwrap();
                    let value = table.of(&game.kind(kind).name).unwrap();
                    value.measured.contains(worth(kind) * table.total / army(&worth))
                };
                all += 1;
                held += u32::from(share(&without));
                held_before += u32::from(share(&with));
            }
        }
    }
    assert!(f64::from(held) >= 0.9 * f64::from(all), "{held} of {all}");
    assert!(f64::from(held_before) < 0.8 * f64::from(all), "{held_before} of {all}");
    let contained = runs.iter().filter(|run| run.contains(feedback)).count();
    assert!(runs.len() == 2 * SETS as usize && contained >= 20, "{contained} of {}", runs.len());
}

#[test]
fn recovers_known_values() {
    for name in ["chess", "apothecary2"] {
        let planted = planted(name, 10_000);
        let data = planted.data(7);
        let columns = DesignSpec::of(&data, PhaseModel::default());
        let design = columns.design_matrix(&data.games);
        let fit = model::fit(&Logit::of(&design), &design).unwrap();
        let errors = fit.robust_covariance().diagonal().map(f64::sqrt);
        let truth = planted.parameters(columns.columns.iter().copied());
        for column in 0..truth.len() {
            let (found, truth) = (fit.coefficients[column], truth[column]);
            let observation = columns.names().get(column).cloned().unwrap_or("threshold".into());
            // About fifty estimates and one fixed seed: one exceeds 4 standard errors by chance for
            // one seed in 300.
            assert!(
                (found - truth).abs() < 4.0 * errors[column],
                "{name} {observation}: {found} for {truth}, error {}",
                errors[column]
            );
            // The value of two pieces of a kind with few pieces left has the fewest observations.
            let most = match columns.columns.get(column) {
                Some(Column { regressor: Regressor::Pair(_) | Regressor::SecondPiece(_), knot: Some(1) }) => 0.5,
                _ => 0.25,
            };
            assert!(errors[column] < most, "{name} {observation}: error {}", errors[column]);
        }
    }
}

/// 200 data sets. A coverage of 0.95 gives 190 hits with a standard deviation of 3.1, so 177 hits
/// are 4 standard deviations below. If positions are treated as independent, errors of games with a
/// dozen positions are too small by a factor of three or more: such intervals contain the true
/// value about 50% of the time, with a standard deviation of 7.1 hits.
#[test]
fn cluster_robust_intervals_cover_and_naive_intervals_do_not() {
    let planted = planted("chess", 1_500);
    let coverage = |sets: usize| -> Coverage {
        let trials = simulated(&planted, PhaseModel::default(), sets, 1, || ()).unwrap();
        trials.coverage(&planted.game)
    };
    let found = coverage(200);
    assert_eq!((found.sets, found.failed), (200, 0));
    // In the unit army the values of all pieces are checked, the pawn's too; in pawns those of the
    // others and of the bishop pair.
    let checked = |unit: Unit| {
        let average = found.values.iter().filter(|value| value.unit == unit && value.phase == "average");
        average.map(|value| value.piece.as_str()).collect::<Vec<_>>()
    };
    let mut army = checked(Unit::Army);
    army.sort_unstable();
    assert_eq!(army, ["bishop", "knight", "pawn", "queen", "rook"]);
    let pawns = checked(Unit::Pawns);
    assert!(pawns.contains(&"bishop pair") && pawns.contains(&"queen") && !pawns.contains(&"pawn"), "{pawns:?}");
    // The true values of the army sum to those published, whatever the phase.
    for phase in ["full board", "average", "few pieces"] {
        let of_phase = found.values.iter().filter(|value| value.unit == Unit::Army && value.phase == phase);
        let sum: f64 = of_phase.filter(|value| value.piece != "pawn").map(|value| value.true_value).sum();
        assert!((sum - 20.0).abs() < 1e-9, "{phase}: {sum}");
    }
    for value in &found.values {
        println!("{value:?}");
        assert!(value.coverage >= 0.885, "{value:?}");
        assert!(value.control.unwrap() <= 0.7, "{value:?}");
        if value.phase == "average" {
            // The mean of 200 has an error of 0.07 deviations.
            assert!(value.standardized_bias.abs() <= 0.28, "{value:?}");
        }
    }
    // The data sets do not depend on the order in which they are measured. Three show nothing.
    let few = coverage(3);
    assert_eq!(few, coverage(3));
    assert_ne!(few.verdict, CoverageVerdict::Passed);
}

/// One knight of each side has another name. Of 100 data sets, 95 intervals of the difference
/// should contain 0, with a standard deviation of 2.2; fewer than 90 occur by chance for one seed
/// in 70.
#[test]
fn identical_pieces_have_equal_values() {
    let game = assay_engine::load_game("../testdata/games/twin-knights.toml").unwrap();
    let mut planted = Simulation {
        correlation: 0.4,
        positions: 12,
        ..Simulation::synthetic(&game, near_published_values(&game, 0.4), 600)
    };
    let kind = |name: &str| {
        let kind = planted.game.kinds.all().find(|&kind| planted.game.kind(kind).name == name);
        Regressor::Kind(kind.unwrap())
    };
    let (knight, twin) = (kind("knight"), kind("twin"));
    let at = |term: Regressor| Regressor::all(&planted.game).iter().position(|&other| other == term).unwrap();
    let (knight_at, twin_at) = (at(knight), at(twin));
    planted.truth[twin_at] = planted.truth[knight_at];
    let holds_nothing = |seed: &u64| {
        let data = planted.data(*seed);
        let columns = DesignSpec::of(&data, PhaseModel::default());
        let design = columns.design_matrix(&data.games);
        let fitted = model::fit(&Logit::of(&design), &design).unwrap();
        let fit = Fit::new(&fitted, &columns, 0.6);
        let at = |term: Regressor| fit.contrast(term, 0.6).unwrap();
        fit.quantity(at(knight) - at(twin)).estimate().contains(0.0)
    };
    let held = (1..=100).filter(holds_nothing).count();
    assert!(held >= 90, "{held} of 100");
}

/// p-values and differences of the test of given and won material in one data set.
fn given_material(planted: &Simulation, seed: u64) -> GivenMaterialTest {
    let data = planted.data(seed);
    let spec = DesignSpec::of(&data, PhaseModel::default());
    let design = spec.design_matrix(&data.games);
    let model = Logit::of(&design);
    let fit = model::fit_from(&model, &design, None).unwrap();
    let fit = Fit::new(&fit, &spec, spec.mean_pieces_left(&data.games));
    match test(&data, &spec, &design, &fit) {
        GivenMaterial::Tested(test) => test,
        GivenMaterial::NotPossible { reason } => panic!("{reason}"),
    }
}

/// If given and won material are worth the same, p-values are uniform. The largest distance between
/// their distribution and the uniform one exceeds 1.95 over the square root of their number by
/// chance for one seed in 1,000 (Kolmogorov and Smirnov).
#[test]
fn given_and_won_material_of_equal_value_give_uniform_p_values() {
    const SETS: u64 = 120;
    let mut planted = planted("chess", 800);
    change_material_in_play(&mut planted.openings);
    let tests: Vec<GivenMaterialTest> = (1..=SETS).map(|seed| given_material(&planted, seed)).collect();
    let stage = |number: usize| tests.iter().map(move |test| test.stages[number].test.p).collect();
    let by_test: [(&str, Vec<f64>); 3] = [
        ("overall", tests.iter().map(|test| test.overall.p).collect()),
        ("full board", stage(0)),
        ("few pieces", stage(1)),
    ];
    for (name, mut p_values) in by_test {
        p_values.sort_by(f64::total_cmp);
        let count = p_values.len() as f64;
        let distance = |(rank, p): (usize, &f64)| (p - rank as f64 / count).max((rank as f64 + 1.0) / count - p);
        let distance = p_values.iter().enumerate().map(distance).fold(0.0, f64::max);
        println!("{name}: distance {distance:.3}");
        assert!(distance < 1.95 / count.sqrt(), "{name}: distance {distance}");
    }
}

/// Two kinds are worth more or less if the opening gave them. Estimates of the others must not
/// change.
#[test]
fn finds_that_given_and_won_pieces_differ() {
    let mut planted = planted("chess", 6_000);
    change_material_in_play(&mut planted.openings);
    let kind = |name: &str| {
        let mut kinds = planted.game.kinds.all();
        kinds.find(|&kind| planted.game.kind(kind).name == name).unwrap()
    };
    planted.given = vec![(kind("queen"), -0.6), (kind("pawn"), 0.2)];
    let test = given_material(&planted, 1);
    assert!(test.overall.p < 1e-6, "{:?}", test.overall);
    assert_eq!(test.stages.len(), 2);
    for stage in &test.stages {
        assert!(stage.test.p < 1e-3, "{stage:?}");
    }
    assert_eq!(test.differences.len(), 10);
    for difference in &test.differences {
        let truth = match difference.piece.as_str() {
            "queen" => -0.6,
            "pawn" => 0.2,
            _ => 0.0,
        };
        // Of ten estimates, one exceeds 4 standard errors (2.04 half-widths) by chance for one seed in 1,500.
        assert!(
            (difference.log_odds.value - truth).abs() < 2.04 * difference.log_odds.half_width().unwrap(),
            "{difference:?}, expected {truth}"
        );
    }
}

#[test]
fn without_given_or_won_material_the_test_gives_a_reason() {
    let reason = |planted: &Simulation| {
        let data = planted.data(1);
        let spec = DesignSpec::of(&data, PhaseModel::default());
        let design = spec.design_matrix(&data.games);
        let report = analyze(&data, &AnalysisOptions { resamples: 0, ..AnalysisOptions::default() }).unwrap();
        match test(&data, &spec, &design, &report.fitted()) {
            GivenMaterial::NotPossible { reason } => reason,
            GivenMaterial::Tested(test) => panic!("{test:?}"),
        }
    };
    let mut planted = planted("chess", 600);
    let unchanged = reason(&planted);
    assert!(unchanged.contains("always unbalanced together"), "{unchanged}");
    for opening in &mut planted.openings {
        opening.start = vec![0.0; opening.start.len()].into();
    }
    assert_eq!(reason(&planted), "all games start with equal armies");
}

#[test]
fn values_predict_held_out_games_better_than_a_constant() {
    let planted = planted("chess", 1_000);
    let data = planted.data(3);
    let columns = DesignSpec::of(&data, PhaseModel::default());
    let design = columns.design_matrix(&data.games);
    let model = Logit::of(&design);
    let constant = design.transformed(vec!["White".into()], |_, _| 1.0);
    let truth = planted.parameters(columns.columns.iter().copied());
    let right = design.transformed(vec!["truth".into()], |_, old| {
        old.iter().zip(truth.iter()).map(|(number, weight)| number * weight).sum()
    });
    let found = cross_validation::cross_validate(&model, &design, &constant, Some(&right)).unwrap();
    assert!(found.gain_over_constant.interval.unwrap()[0] > 0.0, "{found:?}");
    // Against the true values, estimated values can only lose, namely their estimation error.
    let against_truth = found.gain_over_published.unwrap();
    assert!(against_truth.value < 0.0 && against_truth.value > -0.03, "{found:?}");
}

fn design(columns: &[&str], rows: &[(&[f64], f64)]) -> DesignMatrix {
    let mut design = DesignMatrix::new(columns.iter().map(|&name| name.to_owned()).collect());
    for (cluster, &(values, score)) in rows.iter().enumerate() {
        let observation = Observation { score, weight: 1.0, positions: 1.0, cluster };
        design.push(values, observation);
    }
    design
}

fn fit_penalized(design: &DesignMatrix) -> model::ModelFit {
    let model = Logit::fractional();
    model::or_penalized(model::fit(&model, design), &model, design).unwrap()
}

#[test]
fn rejects_insufficient_data_with_the_reason() {
    let empty = design(&["pawn"], &[]);
    assert_eq!(model::fit(&Logit::fractional(), &empty).unwrap_err(), FitError::Empty);

    let equal = design(&["pawn"], &[(&[1.0], 0.5), (&[-1.0], 0.5), (&[2.0], 0.5)]);
    assert_eq!(model::fit(&Logit::fractional(), &equal).unwrap_err(), FitError::AllResultsEqual { score: 0.5 });

    let few = design(&["pawn"], &[(&[1.0], 0.5)]);
    assert!(matches!(model::fit(&Logit::fractional(), &few).unwrap_err(), FitError::AllResultsEqual { .. }));
    let few = design(&["pawn", "White"], &[(&[1.0, 1.0], 0.5), (&[-1.0, 1.0], 1.0)]);
    assert_eq!(
        model::fit(&Logit::fractional(), &few).unwrap_err(),
        FitError::TooFewClusters { found: 2, coefficients: 2 }
    );

    let never = design(&["rook", "pawn"], &[(&[0.0, 1.0], 1.0), (&[0.0, -1.0], 0.5), (&[0.0, 1.0], 0.0)]);
    assert_eq!(
        model::fit(&Logit::fractional(), &never).unwrap_err(),
        FitError::NeverUnbalanced { column: "rook".into() }
    );

    let together: &[(&[f64], f64)] =
        &[(&[1.0, -2.0, 1.0], 1.0), (&[-1.0, 2.0, 0.0], 0.5), (&[1.0, -2.0, -1.0], 0.0), (&[0.0, 0.0, 1.0], 0.5)];
    let together = design(&["rook", "knight", "pawn"], together);
    let columns = vec!["rook".into(), "knight".into()];
    assert_eq!(model::fit(&Logit::fractional(), &together).unwrap_err(), FitError::Collinear { columns });

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
        model::fit(&Logit::fractional(), &separated).unwrap_err(),
        FitError::Separated { columns: vec!["queen".into()] }
    );
    let penalized = fit_penalized(&separated);
    assert_eq!(penalized.separated, ["queen"]);
    assert!(penalized.coefficients.amax() < 5.0, "{}", penalized.coefficients);
}

/// Haldane (1955): with half a win and half a loss added, the log-odds after n wins are ln(2n + 1).
#[test]
fn penalized_log_odds_are_those_of_haldane() {
    let rows: Vec<(&[f64], f64)> = [(&[1.0][..], 1.0), (&[-1.0], 0.0)].repeat(5);
    let fit = fit_penalized(&design(&["queen"], &rows));
    assert!((fit.coefficients[0] - 21.0_f64.ln()).abs() < 1e-6, "{}", fit.coefficients);
    // The inverse information of ten games at these odds; their scores vanish.
    let variance = fit.robust_covariance()[(0, 0)];
    assert!((variance - 1.0 / (10.0 * 10.5 / 11.0 * 0.5 / 11.0)).abs() < 1e-5, "{variance}");
}

/// Twenty pairs in which one side has another queen: where the results are separated, the sandwich
/// misses the true value too often, and the covariance of a penalized fit does not.
#[test]
fn intervals_of_separated_results_cover_the_true_values() {
    let truth = [5.0, 0.5];
    let model = Logit::of_scores([0.5]);
    let (mut sets, mut hits, mut control) = (0, [0; 2], [0; 2]);
    for seed in 0..1_000 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut design = DesignMatrix::new(vec!["queen".into(), "pawn".into()]);
        for pair in 0..20 {
            let pawns = random.random_range(-2..=2);
            for sign in [1.0, -1.0] {
                let row = [sign, sign * f64::from(pawns)];
                let luck: f64 = random.random();
                let latent = row[0] * truth[0] + row[1] * truth[1] + (luck / (1.0 - luck)).ln();
                let score = f64::midpoint(1.0, f64::from(u8::from(latent > 0.6)) - f64::from(u8::from(latent < -0.6)));
                // A game counts in both phases.
                let observation = Observation { score, weight: 2.0, positions: 1.0, cluster: pair };
                design.push(&row, observation);
            }
        }
        let Ok(fit) = model::or_penalized(model::fit_from(&model, &design, None), &model, &design) else {
            continue;
        };
        if fit.separated.is_empty() {
            continue;
        }
        sets += 1;
        let sample = Sample::of_fit(&fit, 40);
        let mut sandwich = sample.clone();
        Arc::make_mut(&mut sandwich).covariance = &fit.cluster_errors * fit.cluster_errors.transpose();
        for (sample, hits) in [(&sample, &mut hits), (&sandwich, &mut control)] {
            let found = Quantity::all(sample, &fit.coefficients);
            for (column, hits) in hits.iter_mut().enumerate() {
                *hits += u32::from(found[column].estimate().contains(truth[column]));
            }
        }
    }
    let share = |hits: u32| f64::from(hits) / f64::from(sets);
    println!("{sets} sets separated: {:?}, sandwich {:?}", hits.map(share), control.map(share));
    assert!(sets > 100, "{sets}");
    assert!(hits.into_iter().all(|hits| share(hits) > 0.93), "{:?}", hits.map(share));
    assert!(control.into_iter().any(|hits| share(hits) < 0.9), "{:?}", control.map(share));
}

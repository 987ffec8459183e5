//! Liars: checkers of a fit that are wrong in one way each. Where the hypothesis is true, an honest
//! checker raises as many false alarms as its level says; where it is false, it finds that.

use std::sync::Arc;

use assay_rules::GameDef;
use nalgebra::{DMatrix, DVector};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, Normal};

use super::cross_validation::cross_validate;
use super::diagnostics::diagnose;
use super::{
    Diagnostics, Estimate, Fit, JointTest, MeasuredValue, Sample, ValueTable, ValueVerdict, normal_critical_value,
};
use crate::simulation::{Simulation, TrueValue, near_published_values};
use crate::values::data::Regressor;
use crate::values::design::{Column, DesignMatrix, DesignSpec, PhaseModel};
use crate::values::model::{Logit, ModelFit, fit_from};

/// An estimate as it varies from data set to data set: normal around the truth, with the covariance
/// of one fit.
pub(in crate::values) fn drawn(base: &Fit, truth: &DVector<f64>, seed: u64) -> Fit {
    let root = base.sample.covariance.clone().cholesky().unwrap().l();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    Fit {
        coefficients: truth + root * deviates(&mut random, truth.len()),
        // Of other games: estimates of the same sample are dependent. Degrees of freedom by the
        // leverage of each cluster would take most of the time.
        sample: Sample::new(base.sample.covariance.clone(), base.sample.clusters, base.sample.games),
        ..base.clone()
    }
}

/// Independent standard normal numbers.
pub(in crate::values) fn deviates(random: &mut Xoshiro256PlusPlus, count: usize) -> DVector<f64> {
    let normal = Normal::standard();
    DVector::from_fn(count, |_, _| normal.inverse_cdf(random.random_range(1e-9..1.0)))
}

/// Adds a fault if the share of the sets in which something happens lies outside of a range by more
/// than four standard deviations.
pub(in crate::values) fn expect(
    faults: &mut Vec<String>,
    what: &str,
    cases: impl Iterator<Item = bool>,
    [low, high]: [f64; 2],
) {
    let cases: Vec<bool> = cases.collect();
    let error = |share: f64| 4.0 * (share * (1.0 - share) / cases.len() as f64).sqrt();
    let share = cases.iter().filter(|&&case| case).count() as f64 / cases.len() as f64;
    if share < low - error(low) || share > high + error(high) {
        faults.push(format!("{what}: {share:.3}, expected {low} to {high}"));
    }
}

/// Holds the faults that a checker of checkers finds against the table: none for the honest one, at
/// least one for each liar.
fn judge<L>(honest: &L, liars: &[(&str, L)], faults: impl Fn(&L) -> Vec<String>) {
    let found = faults(honest);
    assert!(found.is_empty(), "the honest one is accused: {found:#?}");
    let undetected = liars.iter().filter(|(_, lie)| faults(lie).is_empty());
    let undetected: Vec<&str> = undetected.map(|(kind, _)| *kind).collect();
    assert!(undetected.is_empty(), "undetected: {undetected:?}");
}

fn simulation(pairs: usize, truth: impl Fn(&Arc<GameDef>) -> Vec<TrueValue>) -> Simulation {
    let game = GameDef::builtin("chess").unwrap();
    Simulation::synthetic(&game, truth(&game), pairs)
}

/// Published values times a factor, in log-odds.
fn published(factor: impl Fn(&str) -> f64) -> impl Fn(&Arc<GameDef>) -> Vec<TrueValue> {
    move |game| {
        let truth = |term: Regressor| match term {
            Regressor::Kind(_) => {
                TrueValue::constant(0.4 * factor(&term.name(game)) * term.published_in_pawns(game).unwrap_or(0.0))
            }
            _ => TrueValue::constant(0.0),
        };
        Regressor::all(game).into_iter().map(truth).collect()
    }
}

/// Changes the estimates, their covariance and the number of clusters before a joint test.
type JointLie = fn(&mut DVector<f64>, &mut DMatrix<f64>, &mut usize);

#[test]
fn liars_about_joint_tests_are_found() {
    const CLUSTERS: usize = 30;
    const VALUES: usize = 4;
    let mix = DMatrix::from_fn(VALUES, VALUES, |row, column| if row == column { 1.0 } else { 0.6 });
    // The means of the clusters and their estimated covariance; the last value is off.
    let sets = |off: f64| -> Vec<(DVector<f64>, DMatrix<f64>)> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let set = |_| {
            let rows: Vec<DVector<f64>> = (0..CLUSTERS).map(|_| &mix * deviates(&mut random, VALUES)).collect();
            let mut mean = rows.iter().sum::<DVector<f64>>() / CLUSTERS as f64;
            let squares = rows.iter().map(|row| (row - &mean) * (row - &mean).transpose());
            let covariance = squares.sum::<DMatrix<f64>>() / ((CLUSTERS * (CLUSTERS - 1)) as f64);
            mean[VALUES - 1] += off;
            (mean, covariance)
        };
        (0..2_000).map(set).collect()
    };
    let (right, wrong) = (sets(0.0), sets(0.6));
    let faults = |lie: &JointLie| {
        let p_values = |sets: &[(DVector<f64>, DMatrix<f64>)]| -> Vec<f64> {
            let p = |(mean, covariance): &(DVector<f64>, DMatrix<f64>)| {
                let (mut mean, mut covariance, mut clusters) = (mean.clone(), covariance.clone(), CLUSTERS);
                lie(&mut mean, &mut covariance, &mut clusters);
                JointTest::of_zero(&mean, &covariance, clusters as f64 - 1.0).map_or(1.0, |test| test.p)
            };
            sets.iter().map(p).collect()
        };
        let (right, wrong, mut faults) = (p_values(&right), p_values(&wrong), Vec::new());
        for level in [0.05, 0.5] {
            let rejected = right.iter().map(|&p| p < level);
            expect(&mut faults, "false alarms", rejected, [level, level]);
        }
        expect(&mut faults, "violations found", wrong.iter().map(|&p| p < 0.05), [0.8, 1.0]);
        faults
    };
    let liars: [(&str, JointLie); 7] = [
        ("covariance too small", |_, covariance, _| *covariance *= 0.7),
        ("covariance too large", |_, covariance, _| *covariance *= 1.4),
        ("correlations ignored", |_, covariance, _| {
            *covariance = DMatrix::from_diagonal(&covariance.diagonal());
        }),
        ("error of few clusters ignored", |_, _, clusters| *clusters = 1_000_000),
        ("another hypothesis", |mean, _, _| mean[0] -= 0.6),
        ("the wrong value left out", |mean, covariance, _| {
            *mean = mean.rows(0, VALUES - 1).into_owned();
            *covariance = covariance.view((0, 0), (VALUES - 1, VALUES - 1)).into_owned();
        }),
        ("not a number", |mean, _, _| mean[0] = f64::NAN),
    ];
    let honest: JointLie = |_, _, _| ();
    judge(&honest, &liars, faults);
}

/// Changes the estimate before, and the scale after pieces are judged on it.
type ScaleLie = (fn(&mut Fit), fn(&mut ValueTable));

#[test]
fn liars_about_the_published_scale_are_found() {
    let as_published = simulation(2_000, published(|_| 1.0));
    let base = Fit::of_games(&as_published.data(5), PhaseModel::default()).unwrap();
    let sets = |factor: f64| -> Vec<Fit> {
        let truth = simulation(1, published(|name| if name == "rook" { factor } else { 1.0 }))
            .parameters(base.columns.iter().copied());
        (0..1_000).map(|seed| drawn(&base, &truth, seed)).collect()
    };
    let (right, wrong) = (sets(1.0), sets(1.5));
    let faults = |(before, after): &ScaleLie| {
        let scales = |sets: &[Fit]| -> Vec<ValueTable> {
            let scale = |estimate: &Fit| {
                let mut estimate = estimate.clone();
                before(&mut estimate);
                let mut scale = estimate.published_table().unwrap();
                after(&mut scale);
                scale
            };
            sets.par_iter().map(scale).collect()
        };
        let (right, wrong, mut faults) = (scales(&right), scales(&wrong), Vec::new());
        // The intervals are Bonferroni's for five pieces; those of 95% for each piece are narrower
        // by this factor.
        let factor = normal_critical_value(1) / normal_critical_value(5);
        let covers = |value: &MeasuredValue| {
            let half_width = factor * value.measured.width().unwrap() / 2.0;
            (value.measured.value - value.published.unwrap()).abs() <= half_width
        };
        // The reference always has its published value, and the pieces beside it are never far from
        // theirs.
        let is_measured = |value: &&MeasuredValue| value.measured.width().unwrap() > 1e-9;
        let covered = right.iter().flat_map(|scale| scale.values.iter().filter(is_measured).map(covers));
        expect(&mut faults, "published values in the intervals", covered, [0.98, 0.992]);
        let is = |scale: &ValueTable, piece: &str, verdict| scale.of(piece).unwrap().verdict == verdict;
        let is_rook = wrong.iter().map(|scale| is(scale, "rook", ValueVerdict::Above));
        expect(&mut faults, "the rook is found", is_rook, [0.95, 1.0]);
        for piece in ["knight", "bishop", "queen", "pawn"] {
            let is_accused =
                |scale: &ValueTable| is(scale, piece, ValueVerdict::Above) || is(scale, piece, ValueVerdict::Below);
            expect(&mut faults, piece, right.iter().chain(&wrong).map(is_accused), [0.0, 0.02]);
        }
        faults
    };
    let liars: [(&str, ScaleLie); 6] = [
        ("covariance too small", (|estimate| Arc::make_mut(&mut estimate.sample).covariance *= 0.5, |_| ())),
        ("covariance too large", (|estimate| Arc::make_mut(&mut estimate.sample).covariance *= 2.0, |_| ())),
        (
            "shares of a fixed sum",
            (
                |_| (),
                |scale| {
                    let measured: f64 = scale.values.iter().map(|value| value.measured.value).sum();
                    let published: f64 = scale.values.iter().filter_map(|value| value.published).sum();
                    rescale(scale, |_| published / measured);
                },
            ),
        ),
        (
            "measured and published exchanged",
            (
                |_| (),
                |scale| {
                    rescale(scale, |value| (value.published.unwrap() / value.measured.value).powi(2));
                },
            ),
        ),
        (
            "another piece is found",
            (
                |_| (),
                |scale| {
                    let knight = scale.values.iter().position(|value| value.piece == "knight").unwrap();
                    let rook = scale.values.iter().position(|value| value.piece == "rook").unwrap();
                    (scale.values[knight].verdict, scale.values[rook].verdict) =
                        (scale.values[rook].verdict, scale.values[knight].verdict);
                },
            ),
        ),
        (
            "everything agrees",
            (
                |_| (),
                |scale| {
                    for value in &mut scale.values {
                        value.verdict = ValueVerdict::Agrees;
                    }
                },
            ),
        ),
    ];
    let honest: ScaleLie = (|_| (), |_| ());
    judge(&honest, &liars, faults);
}

/// Changes the estimate before the phases are compared, and the changes found.
type ChangeLie = (fn(&mut Fit), fn(&mut Vec<MeasuredValue>));

#[test]
fn liars_about_changes_over_the_game_are_found() {
    let as_published = simulation(2_000, published(|_| 1.0));
    let base = Fit::of_games(&as_published.data(5), PhaseModel::default()).unwrap();
    // The rook's value on a full board is larger by a factor.
    let sets = |factor: f64| -> Vec<Fit> {
        let mut truth = as_published.parameters(base.columns.iter().copied());
        for (value, column) in truth.iter_mut().zip(&base.columns) {
            if column.regressor.name(&base.game) == "rook" && column.knot == Some(0) {
                *value *= factor;
            }
        }
        (0..400).map(|seed| drawn(&base, &truth, seed)).collect()
    };
    let (right, wrong) = (sets(1.0), sets(2.0));
    let faults = |(before, after): &ChangeLie| {
        let changed = |set: &Fit| -> Vec<String> {
            let mut estimate = set.clone();
            before(&mut estimate);
            let mut values = estimate.published_table().unwrap().values;
            after(&mut values);
            values.retain(|value| value.change.is_some_and(|change| !change.contains(0.0)));
            values.into_iter().map(|value| value.piece).collect()
        };
        let mut faults = Vec::new();
        let is_accused = right.iter().map(|set| !changed(set).is_empty());
        expect(&mut faults, "no value changes", is_accused, [0.0, 0.05]);
        let found: Vec<Vec<String>> = wrong.iter().map(changed).collect();
        let is_rook = found.iter().map(|pieces| pieces.iter().any(|piece| piece == "rook"));
        expect(&mut faults, "the rook is found", is_rook, [0.95, 1.0]);
        let is_other = found.iter().map(|pieces| pieces.iter().any(|piece| piece != "rook"));
        expect(&mut faults, "another piece is accused", is_other, [0.0, 0.05]);
        faults
    };
    let liars: [(&str, ChangeLie); 3] = [
        ("covariance too small", (|estimate| Arc::make_mut(&mut estimate.sample).covariance *= 0.25, |_| ())),
        ("nothing changes", (|_| (), Vec::clear)),
        (
            "another piece is found",
            (
                |_| (),
                |changes| {
                    let pieces: Vec<String> = changes.iter().map(|change| change.piece.clone()).collect();
                    for (change, piece) in changes.iter_mut().zip(pieces.into_iter().rev()) {
                        change.piece = piece;
                    }
                },
            ),
        ),
    ];
    let honest: ChangeLie = (|_| (), |_| ());
    judge(&honest, &liars, faults);
}

/// Multiplies the measured values by factors and judges them anew.
fn rescale(scale: &mut ValueTable, factor: impl Fn(&MeasuredValue) -> f64) {
    for value in &mut scale.values {
        let factor = factor(value);
        value.measured.value *= factor;
        if let Some([low, high]) = &mut value.measured.interval {
            (*low, *high) = (*low * factor, *high * factor);
        }
        value.judge(0.15);
    }
}

/// Gain in log-loss of a model over an intercept.
type Gain = fn(&DesignMatrix, &DesignMatrix) -> Estimate;

fn held_out(design: &DesignMatrix, constant: &DesignMatrix) -> Estimate {
    let found = cross_validate(&Logit::of(design), design, constant, None);
    found.unwrap().gain_over_constant
}

/// The gain on the games that the model was fitted to.
fn in_sample(design: &DesignMatrix, constant: &DesignMatrix) -> Estimate {
    let loss = |design: &DesignMatrix| {
        let fit = fit_from(&Logit::of(design), design, None).unwrap();
        -fit.log_likelihood / design.total_weight()
    };
    Estimate { value: loss(constant) - loss(design), ..held_out(design, constant) }
}

#[test]
fn liars_about_cross_validation_are_found() {
    let sets = |factor: f64| -> Vec<(DesignMatrix, DesignMatrix)> {
        let simulation = simulation(250, published(|_| factor));
        let set = |seed| {
            let data = simulation.data(seed);
            let spec = DesignSpec::of(&data, PhaseModel::Constant);
            let design = spec.design_matrix(&data.games);
            let white = spec.constant(Regressor::White).unwrap();
            let constant = design.transformed(vec!["White".to_owned()], |_, old| old[white]);
            (design, constant)
        };
        (0..40).map(set).collect()
    };
    let (right, wrong) = (sets(0.0), sets(1.0));
    let faults = |gain: &Gain| {
        let gains = |sets: &[(DesignMatrix, DesignMatrix)]| -> Vec<Estimate> {
            sets.iter().map(|(design, constant)| gain(design, constant)).collect()
        };
        let (right, wrong, mut faults) = (gains(&right), gains(&wrong), Vec::new());
        // Values that have no effect predict worse than none, because they are estimates.
        let is_significant = |gain: &Estimate| gain.interval.is_some_and(|[low, _]| low > 0.0);
        expect(&mut faults, "no effect predicts", right.iter().map(|gain| gain.value > 0.0), [0.0, 0.1]);
        expect(&mut faults, "no effect is significant", right.iter().map(is_significant), [0.0, 0.025]);
        expect(&mut faults, "values predict", wrong.iter().map(is_significant), [0.95, 1.0]);
        faults
    };
    let liars: [(&str, Gain); 3] = [
        ("nothing is held out", in_sample),
        ("models exchanged", |design, constant| {
            let found = held_out(design, constant);
            let interval = found.interval.map(|[low, high]| [-high, -low]);
            Estimate { value: -found.value, interval }
        }),
        ("a model against itself", |_, constant| held_out(constant, constant)),
    ];
    let honest: Gain = held_out;
    judge(&honest, &liars, faults);
}

/// Factor of a column's coefficient.
type FitLie = fn(&GameDef, &Column) -> f64;

/// The largest residual of any group of positions, in standard errors.
fn worst(found: &Diagnostics) -> f64 {
    let bins = found.calibration.iter().map(|bin| bin.residual);
    let groups = found.by_phase.iter().chain(&found.by_kind).map(|group| group.residual);
    let scores = found.by_material.iter().map(|score| score.residual);
    let all = bins.chain(groups).chain(scores);
    all.map(|residual| (residual.mean / residual.standard_error).abs()).fold(0.0, f64::max)
}

#[test]
fn fits_that_lie_are_found_by_their_residuals() {
    let simulation = simulation(1_000, |game| near_published_values(game, 0.4));
    let game = &simulation.game;
    let sets: Vec<_> = (0..15)
        .map(|seed| {
            let data = simulation.data(seed);
            let spec = DesignSpec::of(&data, PhaseModel::default());
            let design = spec.design_matrix(&data.games);
            let fit = fit_from(&Logit::of(&design), &design, None).unwrap();
            (spec.pieces_left_by_row(&data.games), spec, design, fit)
        })
        .collect();
    let faults = |lie: &FitLie| {
        let has_large_residuals = |(left, spec, design, fit): &(Vec<f64>, DesignSpec, DesignMatrix, ModelFit)| {
            let mut fit = fit.clone();
            for (column, coefficient) in spec.columns.iter().zip(fit.coefficients.iter_mut()) {
                *coefficient *= lie(game, column);
            }
            worst(&diagnose(&Logit::of(design), spec, design, &fit, left)) > 4.0
        };
        let mut faults = Vec::new();
        expect(&mut faults, "large residuals", sets.iter().map(has_large_residuals), [0.0, 0.02]);
        faults
    };
    let liars: [(&str, FitLie); 6] = [
        ("too sure", |_, _| 1.5),
        ("not sure enough", |_, _| 0.6),
        ("of other games", |_, _| 0.0),
        ("one piece too large", |game, column| if column.regressor.name(game) == "knight" { 1.6 } else { 1.0 }),
        ("one phase too large", |_, column| if column.knot == Some(1) { 1.6 } else { 1.0 }),
        ("errors of two phases that cancel", |_, column| match column.knot {
            Some(0) => 1.3,
            Some(_) => 0.6,
            None => 1.0,
        }),
    ];
    let honest: FitLie = |_, _| 1.0;
    judge(&honest, &liars, faults);
}

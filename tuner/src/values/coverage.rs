//! Coverage of the intervals, by simulation: many data sets with known values are analyzed like real games.

use assay_rules::GameDef;
use rayon::prelude::*;
use serde::Serialize;

use crate::values::data::regressor::Regressor;
use crate::values::design::phase::{FEW, PhaseModel};
use crate::values::design::spec::DesignSpec;
use crate::values::inference::distributions;
use crate::values::inference::estimate::Estimate;
use crate::values::inference::sandwich;
use crate::values::model::{FitError, ProportionalOdds, fit_from};
use crate::values::simulate::Simulation;

/// Game phases at which coverage is measured: name and share of pieces left.
const PHASES: [(&str, f64); 3] = [("full board", 1.0), ("average", 0.6), ("few pieces", FEW)];

/// Estimates of one value over all data sets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CoverageRow {
    /// Name of the piece or pair.
    pub piece: String,
    /// Game phase.
    pub phase: &'static str,
    /// True value in pawns.
    pub true_value: f64,
    /// Mean estimate.
    pub mean: f64,
    /// Standard deviation of the estimates.
    pub standard_deviation: f64,
    /// Bias in standard deviations: (mean - true value) / standard deviation.
    pub standardized_bias: f64,
    /// Coverage: share of 95% intervals that contain the true value.
    pub coverage: f64,
    /// Mean half-width of the bounded intervals.
    pub half_width: f64,
    /// Number of unbounded intervals.
    pub unbounded: usize,
    /// Coverage of intervals that treat positions as independent: the control.
    pub naive_coverage: f64,
}

/// Coverage over all data sets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Coverage {
    /// Data sets fitted.
    pub sets: usize,
    /// Data sets that could not be fitted and are left out.
    pub failed: usize,
    /// First fitting error.
    pub first_error: Option<String>,
    /// One row for each value and phase.
    pub values: Vec<CoverageRow>,
}

/// Estimate of one value from one data set.
struct Recovery {
    estimate: f64,
    is_covered: bool,
    half_width: Option<f64>,
    is_covered_naively: bool,
}

/// Simulates and analyzes `sets` data sets, and calls `done` after each. The result depends on the seed but not on the number of
/// threads.
///
/// # Errors
/// If no data set can be fitted: the first error.
pub fn coverage(
    simulation: &Simulation,
    phase_model: PhaseModel,
    sets: usize,
    seed: u64,
    done: impl Fn() + Sync,
) -> Result<Coverage, FitError> {
    let regressors = measured_terms(simulation);
    let found: Vec<Result<Vec<Recovery>, FitError>> = (0..sets)
        .into_par_iter()
        .map(|set| {
            let found = measure(simulation, phase_model, &regressors, set_seed(seed, set));
            done();
            found
        })
        .collect();
    let mut fitted = Vec::new();
    let mut failures = Vec::new();
    for result in found {
        match result {
            Ok(found) => fitted.push(found),
            Err(error) => failures.push(error),
        }
    }
    if fitted.is_empty() {
        return Err(failures.into_iter().next().unwrap_or(FitError::Empty));
    }
    let selected = values_and_phases(&regressors, phase_model);
    let values = selected
        .enumerate()
        .map(|(index, (term, stage, left))| {
            let numbers: Vec<&Recovery> = fitted.iter().map(|found| &found[index]).collect();
            coverage_row(&simulation.game, simulation, term, (stage, left), &numbers)
        })
        .collect();
    Ok(Coverage {
        sets: fitted.len(),
        failed: failures.len(),
        first_error: failures.first().map(ToString::to_string),
        values,
    })
}

/// Seed of a data set; neighboring values of `seed` share none.
fn set_seed(seed: u64, set: usize) -> u64 {
    seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(set as u64)
}

/// Regressors measured in pawns, except the pawn and those that are zero in all openings.
fn measured_terms(simulation: &Simulation) -> Vec<Regressor> {
    let regressors = simulation.regressors();
    let shown = |index: usize| simulation.openings.iter().any(|start| start.values[index] != 0.0);
    let selected = regressors.iter().enumerate().filter(|&(index, &term)| {
        !matches!(term, Regressor::SideToMove | Regressor::White)
            && term != Regressor::Kind(simulation.game.pawn)
            && shown(index)
    });
    selected.map(|(_, &term)| term).collect()
}

fn values_and_phases(
    regressors: &[Regressor],
    phase_model: PhaseModel,
) -> impl Iterator<Item = (Regressor, &'static str, f64)> + '_ {
    regressors.iter().flat_map(move |&term| {
        PHASES
            .into_iter()
            .filter(move |&(name, _)| phase_model != PhaseModel::Constant || name == "average")
            .map(move |(name, left)| (term, name, left))
    })
}

/// True value in pawns when the share `left` of the pieces is left.
fn truth(simulation: &Simulation, term: Regressor, left: f64) -> f64 {
    let at = |term: Regressor| simulation.truth_of(term).at(left);
    at(term) / at(Regressor::Kind(simulation.game.pawn))
}

fn measure(
    simulation: &Simulation,
    phase_model: PhaseModel,
    regressors: &[Regressor],
    seed: u64,
) -> Result<Vec<Recovery>, FitError> {
    let data = simulation.data(seed);
    let spec = DesignSpec::of(&data, phase_model);
    let design = spec.design_matrix(&data.games);
    let model = ProportionalOdds::of(&design);
    let fit = fit_from(&model, &design, None)?;
    let robust = Estimate {
        covariance: sandwich::cluster_robust_covariance(&fit),
        coefficients: fit.coefficients.clone(),
        critical_value: distributions::critical_value(design.cluster_count()),
        mean_left: 1.0,
        spec,
    };
    let control = Estimate {
        covariance: sandwich::naive_covariance(&fit),
        ..robust.clone()
    };
    let game = &simulation.game;
    values_and_phases(regressors, phase_model)
        .map(|(term, _, left)| {
            let true_value = truth(simulation, term, left);
            let missing = || FitError::NeverUnbalanced {
                column: term.name(game),
            };
            let found = robust.in_pawns(game, term, left).ok_or_else(missing)?;
            let naive = control.in_pawns(game, term, left).ok_or_else(missing)?;
            Ok(Recovery {
                estimate: found.value,
                is_covered: found.interval.contains(true_value),
                half_width: found.interval.width().map(|width| width / 2.0),
                is_covered_naively: naive.interval.contains(true_value),
            })
        })
        .collect()
}

fn coverage_row(
    game: &GameDef,
    simulation: &Simulation,
    term: Regressor,
    (stage, left): (&'static str, f64),
    found: &[&Recovery],
) -> CoverageRow {
    let count = found.len() as f64;
    let true_value = truth(simulation, term, left);
    let mean = found.iter().map(|found| found.estimate).sum::<f64>() / count;
    let squares: f64 = found.iter().map(|found| (found.estimate - mean).powi(2)).sum();
    let deviation = (squares / (count - 1.0).max(1.0)).sqrt();
    let share = |is: fn(&Recovery) -> bool| found.iter().filter(|found| is(found)).count() as f64 / count;
    let widths: Vec<f64> = found.iter().filter_map(|found| found.half_width).collect();
    CoverageRow {
        piece: term.name(game),
        phase: stage,
        true_value,
        mean,
        standard_deviation: deviation,
        standardized_bias: (mean - true_value) / deviation,
        coverage: share(|found| found.is_covered),
        half_width: widths.iter().sum::<f64>() / widths.len() as f64,
        unbounded: found.len() - widths.len(),
        naive_coverage: share(|found| found.is_covered_naively),
    }
}

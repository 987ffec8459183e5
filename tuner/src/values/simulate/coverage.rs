//! Do intervals hold what they promise? Many planted data sets, measured as real ones are.

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

/// Where in the course of a game values are looked at: name and share of pieces left.
const STAGES: [(&str, f64); 3] = [("full board", 1.0), ("average", 0.6), ("few pieces", FEW)];

/// How a value came out over all data sets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CoverageRow {
    /// The kind, or what pieces are worth together.
    pub piece: String,
    /// The stage of the game.
    pub phase: &'static str,
    /// The planted value in pawns.
    pub true_value: f64,
    /// The mean of the measured ones.
    pub mean: f64,
    /// Their standard deviation.
    pub standard_deviation: f64,
    /// (mean - planted) / deviation.
    pub standardized_bias: f64,
    /// The share of 95% intervals that hold the planted value.
    pub coverage: f64,
    /// Half the mean width of the bounded intervals.
    pub half_width: f64,
    /// Intervals without bound, which hold everything.
    pub unbounded: usize,
    /// The share of intervals that hold the planted value when every position counts as independent.
    pub naive_coverage: f64,
}

/// What came out of all data sets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Coverage {
    /// Data sets measured.
    pub sets: usize,
    /// Data sets that could not be fitted, which are left out.
    pub failed: usize,
    /// Why the first of these could not.
    pub first_error: Option<String>,
    /// A row for each value and stage.
    pub values: Vec<CoverageRow>,
}

/// One value of one data set.
struct Found {
    estimate: f64,
    holds: bool,
    half_width: Option<f64>,
    control: bool,
}

/// Plants `sets` data sets, numbered from `seed`, and measures them. The same whatever the number of threads.
///
/// # Errors
/// When no data set can be fitted: the reason of the first.
pub fn coverage(
    planted: &Simulation,
    phase_model: PhaseModel,
    sets: usize,
    seed: u64,
    done: impl Fn() + Sync,
) -> Result<Coverage, FitError> {
    let regressors = measured_terms(planted);
    let found: Vec<Result<Vec<Found>, FitError>> = (0..sets)
        .into_par_iter()
        .map(|set| {
            let found = measure(planted, phase_model, &regressors, set_seed(seed, set));
            done();
            found
        })
        .collect();
    let mut fitted = Vec::new();
    let mut failures = Vec::new();
    for result in found {
        match result {
            Ok(found) => fitted.push(found),
            Err(why) => failures.push(why),
        }
    }
    if fitted.is_empty() {
        return Err(failures.into_iter().next().unwrap_or(FitError::Empty));
    }
    let wanted = stages(&regressors, phase_model);
    let values = wanted
        .enumerate()
        .map(|(index, (term, stage, left))| {
            let numbers: Vec<&Found> = fitted.iter().map(|found| &found[index]).collect();
            recovered(&planted.game, planted, term, (stage, left), &numbers)
        })
        .collect();
    Ok(Coverage {
        sets: fitted.len(),
        failed: failures.len(),
        first_error: failures.first().map(ToString::to_string),
        values,
    })
}

/// Seeds of data sets do not run into those of neighbouring calls.
fn set_seed(seed: u64, set: usize) -> u64 {
    seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(set as u64)
}

/// Everything that is measured in pawns, but the pawn, and but what none of the openings shows.
fn measured_terms(planted: &Simulation) -> Vec<Regressor> {
    let regressors = planted.regressors();
    let shown = |index: usize| planted.starts.iter().any(|start| start.values[index] != 0.0);
    let wanted = regressors.iter().enumerate().filter(|&(index, &term)| {
        !matches!(term, Regressor::SideToMove | Regressor::White)
            && term != Regressor::Kind(planted.game.pawn)
            && shown(index)
    });
    wanted.map(|(_, &term)| term).collect()
}

fn stages(
    regressors: &[Regressor],
    phase_model: PhaseModel,
) -> impl Iterator<Item = (Regressor, &'static str, f64)> + '_ {
    regressors.iter().flat_map(move |&term| {
        STAGES
            .into_iter()
            .filter(move |&(name, _)| phase_model != PhaseModel::Constant || name == "average")
            .map(move |(name, left)| (term, name, left))
    })
}

fn truth(planted: &Simulation, term: Regressor, left: f64) -> f64 {
    let regressors = planted.regressors();
    let at = |term: Regressor| {
        let place = regressors.iter().position(|&other| other == term);
        let truth = place.map_or(crate::values::simulate::TrueValue::flat(f64::NAN), |place| {
            planted.truth[place]
        });
        truth.at(left)
    };
    at(term) / at(Regressor::Kind(planted.game.pawn))
}

fn measure(
    planted: &Simulation,
    phase_model: PhaseModel,
    regressors: &[Regressor],
    seed: u64,
) -> Result<Vec<Found>, FitError> {
    let data = planted.data(seed);
    let columns = DesignSpec::of(&data, phase_model);
    let design = columns.design(&data.games);
    let model = ProportionalOdds::of(&design);
    let fit = fit_from(&model, &design, None)?;
    let honest = Estimate {
        covariance: sandwich::cluster_robust_covariance(&fit),
        coefficients: fit.coefficients.clone(),
        critical_value: distributions::critical_value(design.cluster_count()),
        mean_left: 1.0,
        columns,
    };
    let control = Estimate {
        covariance: sandwich::naive_covariance(&fit),
        ..honest.clone()
    };
    let game = &planted.game;
    stages(regressors, phase_model)
        .map(|(term, _, left)| {
            let planted = truth(planted, term, left);
            let missing = || FitError::NeverUnbalanced {
                column: term.name(game),
            };
            let found = honest.in_pawns(game, term, left).ok_or_else(missing)?;
            let naive = control.in_pawns(game, term, left).ok_or_else(missing)?;
            Ok(Found {
                estimate: found.value,
                holds: found.interval.contains(planted),
                half_width: found.interval.width().map(|width| width / 2.0),
                control: naive.interval.contains(planted),
            })
        })
        .collect()
}

fn recovered(
    game: &GameDef,
    planted: &Simulation,
    term: Regressor,
    (stage, left): (&'static str, f64),
    found: &[&Found],
) -> CoverageRow {
    let count = found.len() as f64;
    let planted = truth(planted, term, left);
    let mean = found.iter().map(|found| found.estimate).sum::<f64>() / count;
    let squares: f64 = found.iter().map(|found| (found.estimate - mean).powi(2)).sum();
    let deviation = (squares / (count - 1.0).max(1.0)).sqrt();
    let share = |is: fn(&Found) -> bool| found.iter().filter(|found| is(found)).count() as f64 / count;
    let widths: Vec<f64> = found.iter().filter_map(|found| found.half_width).collect();
    CoverageRow {
        piece: term.name(game),
        phase: stage,
        true_value: planted,
        mean,
        standard_deviation: deviation,
        standardized_bias: (mean - planted) / deviation,
        coverage: share(|found| found.holds),
        half_width: widths.iter().sum::<f64>() / widths.len() as f64,
        unbounded: found.len() - widths.len(),
        naive_coverage: share(|found| found.control),
    }
}

//! Coverage of the intervals, by simulation: many data sets with known values are analyzed like real games.

use std::sync::Arc;

use assay_rules::GameDef;
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;
use serde::Serialize;

use crate::values::data::regressor::Regressor;
use crate::values::design::phase::{FEW, PhaseModel};
use crate::values::design::spec::{Column, DesignSpec};
use crate::values::fit::{Fit, Parameter};
use crate::values::inference::estimate::IntervalEstimate;
use crate::values::inference::monte_carlo::{self, CoverageVerdict};
use crate::values::inference::sandwich;
use crate::values::inference::units::Unit;
use crate::values::inference::verdict::ValueVerdict;
use crate::values::model::{FitError, Logit, fit_from};
use crate::values::simulate::Simulation;

/// Game phases at which coverage is measured: name and share of pieces left.
const PHASES: [(&str, f64); 3] = [("full board", 1.0), ("average", 0.6), ("few pieces", FEW)];

/// A value whose intervals are checked.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedValue {
    /// Name of the piece or pair.
    pub piece: String,
    pub unit: Unit,
    /// Game phase.
    pub phase: &'static str,
    regressor: Regressor,
    /// Share of pieces left in this phase.
    left: f64,
}

impl CheckedValue {
    /// The values of a game in the primary unit, then those in pawns. Values that are constant by the definition of the unit are left out, and
    /// so are effects of pairs in the primary unit, which has none. `phases` gives the names of the phases and the shares of pieces left;
    /// `fit` is any fit of these values.
    pub(in crate::values) fn all(phases: &[(&'static str, f64)], fit: &Fit) -> Vec<CheckedValue> {
        let (game, regressors) = (&fit.game, fit.regressors());
        let army = fit.unit_table(Unit::Army).map(|table| table.values).unwrap_or_default();
        let is_in_army = |name: &str| {
            let found = army.iter().find(|value| value.piece == name);
            found.is_some_and(|value| value.verdict != ValueVerdict::Unit)
        };
        let in_unit = |unit: Unit| {
            let is_checked = move |regressor: &&Regressor| match (unit, **regressor) {
                (_, Regressor::SideToMove | Regressor::White) => false,
                (Unit::Pawns, regressor) => regressor != Regressor::Kind(game.pawn),
                (_, regressor) => is_in_army(&regressor.name(game)),
            };
            let regressors = regressors.iter().filter(is_checked);
            regressors.flat_map(move |&regressor| {
                phases.iter().map(move |&(phase, left)| CheckedValue {
                    piece: regressor.name(game),
                    unit,
                    phase,
                    regressor,
                    left,
                })
            })
        };
        [Unit::Army, Unit::Pawns].into_iter().flat_map(in_unit).collect()
    }

    /// The values by a fit, in this order.
    ///
    /// # Errors
    /// [`FitError::NeverUnbalanced`] if the fit does not have a value.
    pub(in crate::values) fn estimates(values: &[CheckedValue], fit: &Fit) -> Result<Vec<IntervalEstimate>, FitError> {
        let of_value = |value: &CheckedValue| {
            let found = match value.unit {
                Unit::Pawns => fit.in_pawns(value.regressor, value.left),
                unit => fit.value_in(unit, &value.piece, value.left),
            };
            found.ok_or_else(|| FitError::NeverUnbalanced {
                column: value.piece.clone(),
            })
        };
        values.iter().map(of_value).collect()
    }
}

/// Estimates of one value over all data sets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CoverageRow {
    /// Name of the piece or pair.
    pub piece: String,
    /// Unit of the values.
    pub unit: Unit,
    /// Game phase.
    pub phase: &'static str,
    /// True value.
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
    /// One row for each unit, value and phase.
    pub values: Vec<CoverageRow>,
}

/// Largest acceptable bias of a piece's value averaged over the game, in standard deviations of the estimate.
const BIAS: f64 = 0.1;

impl Coverage {
    /// Fails if a data set could not be fitted, a coverage is not acceptable, a piece's value averaged over the game is biased by more
    /// than the tolerance for a bias and the Monte Carlo error, or the control passes.
    pub fn verdict(&self, game: &GameDef) -> CoverageVerdict {
        let coverages: Vec<f64> = self.values.iter().map(|row| row.coverage).collect();
        // The mean of that many estimates has this error in standard deviations.
        let error = monte_carlo::critical_value(coverages.len()) / (self.sets as f64).sqrt();
        let is_piece = |name: &str| game.kinds.iter().any(|kind| kind.name == name);
        let mut decisive = self
            .values
            .iter()
            .filter(|row| row.phase == "average" && is_piece(&row.piece));
        let is_good = |row: &CoverageRow| {
            row.standardized_bias.abs() <= BIAS + error && row.naive_coverage < monte_carlo::ACCEPTABLE_COVERAGE[0]
        };
        if self.failed == 0 && decisive.all(is_good) {
            monte_carlo::judge(&coverages, self.sets as f64)
        } else {
            CoverageVerdict::Failed
        }
    }
}

/// The values by one estimate of one data set, in the order of [`Trials::values`].
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    pub estimates: Vec<IntervalEstimate>,
    /// The same with intervals that treat positions as independent: the control.
    pub naive: Vec<IntervalEstimate>,
}

/// Estimates of known values from many data sets.
#[derive(Clone, Debug)]
pub struct Trials {
    pub values: Vec<CheckedValue>,
    truths: Vec<f64>,
    /// One for each data set that could be fitted, at least one.
    pub fitted: Vec<Trial>,
    failures: Vec<FitError>,
}

/// Simulates and analyzes `sets` data sets, and calls `done` after each. The result depends on the seed but not on the number of
/// threads.
///
/// # Errors
/// If no data set can be fitted: the first error.
pub fn trials(
    simulation: &Simulation,
    phase_model: PhaseModel,
    sets: usize,
    seed: u64,
    done: impl Fn() + Sync,
) -> Result<Trials, FitError> {
    let (values, truths) = true_values(simulation, phase_model)?;
    let results: Vec<Result<Trial, FitError>> = (0..sets)
        .into_par_iter()
        .map(|set| {
            let trial = measure(simulation, phase_model, &values, set_seed(seed, set));
            done();
            trial
        })
        .collect();
    let mut fitted = Vec::new();
    let mut failures = Vec::new();
    for result in results {
        match result {
            Ok(trial) => fitted.push(trial),
            Err(error) => failures.push(error),
        }
    }
    if fitted.is_empty() {
        return Err(failures.into_iter().next().unwrap_or(FitError::Empty));
    }
    Ok(Trials {
        values,
        truths,
        fitted,
        failures,
    })
}

impl Trials {
    /// Bias and coverage of each value.
    pub fn coverage(&self) -> Coverage {
        let rows = self.values.iter().zip(&self.truths).enumerate();
        Coverage {
            sets: self.fitted.len(),
            failed: self.failures.len(),
            first_error: self.failures.first().map(ToString::to_string),
            values: rows
                .map(|(index, (value, &truth))| self.row(index, value, truth))
                .collect(),
        }
    }

    fn row(&self, index: usize, value: &CheckedValue, true_value: f64) -> CoverageRow {
        let count = self.fitted.len() as f64;
        let estimates = || self.fitted.iter().map(|trial| &trial.estimates[index]);
        let covers = |estimate: &IntervalEstimate| estimate.interval.contains(true_value);
        let mean = estimates().map(|estimate| estimate.value).sum::<f64>() / count;
        let squares: f64 = estimates().map(|estimate| (estimate.value - mean).powi(2)).sum();
        let deviation = (squares / (count - 1.0).max(1.0)).sqrt();
        let widths: Vec<f64> = estimates().filter_map(|estimate| estimate.interval.width()).collect();
        let naive = self.fitted.iter().filter(|trial| covers(&trial.naive[index]));
        CoverageRow {
            piece: value.piece.clone(),
            unit: value.unit,
            phase: value.phase,
            true_value,
            mean,
            standard_deviation: deviation,
            standardized_bias: (mean - true_value) / deviation,
            coverage: estimates().filter(|estimate| covers(estimate)).count() as f64 / count,
            half_width: widths.iter().sum::<f64>() / (2.0 * widths.len() as f64),
            unbounded: self.fitted.len() - widths.len(),
            naive_coverage: naive.count() as f64 / count,
        }
    }
}

/// Seed of a data set; neighboring values of `seed` share none.
fn set_seed(seed: u64, set: usize) -> u64 {
    seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(set as u64)
}

/// The values to check, and their true values.
fn true_values(simulation: &Simulation, phase_model: PhaseModel) -> Result<(Vec<CheckedValue>, Vec<f64>), FitError> {
    let game = &simulation.game;
    let shown = |index: usize| simulation.openings.iter().any(|start| start.values[index] != 0.0);
    let regressors = simulation.regressors().into_iter().enumerate();
    let shown: Vec<Regressor> = regressors
        .filter(|&(index, _)| shown(index))
        .map(|(_, regressor)| regressor)
        .collect();
    // True values are exact, and linear in the phase whatever the model of the fit.
    let at = |left: f64| {
        let truth = shown.iter().map(|&regressor| simulation.truth_of(regressor).at(left));
        let column = |&regressor: &Regressor| Parameter::Column(Column { regressor, knot: None });
        Fit {
            game: Arc::clone(game),
            parameters: shown.iter().map(column).collect(),
            coefficients: DVector::from_iterator(shown.len(), truth),
            covariance: DMatrix::zeros(shown.len(), shown.len()),
            phase_model: PhaseModel::Constant,
            mean_left: left,
            critical_value: 0.0,
        }
    };
    let is_measured = |phase: &&(&str, f64)| phase_model != PhaseModel::Constant || phase.0 == "average";
    let phases: Vec<(&'static str, f64)> = PHASES.iter().filter(is_measured).copied().collect();
    let values = CheckedValue::all(&phases, &at(1.0));
    let truth = |value: &CheckedValue| {
        let log_odds = |regressor: Regressor| simulation.truth_of(regressor).at(value.left);
        let truth = match value.unit {
            Unit::Pawns => Some(log_odds(value.regressor) / log_odds(Regressor::Kind(game.pawn))),
            unit => at(value.left)
                .value_in(unit, &value.piece, value.left)
                .map(|truth| truth.value),
        };
        truth.ok_or_else(|| FitError::NeverUnbalanced {
            column: value.piece.clone(),
        })
    };
    let truths = values.iter().map(truth).collect::<Result<_, _>>()?;
    Ok((values, truths))
}

fn measure(
    simulation: &Simulation,
    phase_model: PhaseModel,
    values: &[CheckedValue],
    seed: u64,
) -> Result<Trial, FitError> {
    let data = simulation.data(seed);
    let spec = DesignSpec::of(&data, phase_model);
    let design = spec.design_matrix(&data.games);
    let model = Logit::of(&design);
    let fit = fit_from(&model, &design, None)?;
    let robust = Fit::new(&fit, &spec, 1.0, design.cluster_count());
    let control = Fit {
        covariance: sandwich::naive_covariance(&fit),
        ..robust.clone()
    };
    Ok(Trial {
        estimates: CheckedValue::estimates(values, &robust)?,
        naive: CheckedValue::estimates(values, &control)?,
    })
}

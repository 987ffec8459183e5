//! Sets of simulated games with known values.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::{CheckedValue, Trial, Trials, set_seed};
use crate::values::data::regressor::Regressor;
use crate::values::design::phase::PhaseModel;
use crate::values::design::spec::{Column, DesignSpec};
use crate::values::inference::fit::{Fit, Parameter};

use crate::values::inference::sandwich;
use crate::values::inference::units::Unit;
use crate::values::model::{FitError, Logit, fit_from};
use crate::values::simulate::Simulation;

/// Simulates and measures `sets` data sets, and calls `done` after each. The result depends on the
/// seed but not on the number of threads.
///
/// # Errors
/// If no data set can be fitted: the first error.
pub fn simulated(
    simulation: &Simulation,
    phase_model: PhaseModel,
    sets: usize,
    seed: u64,
    done: impl Fn() + Sync,
) -> Result<Trials, FitError> {
    let (values, true_values) = known_values(simulation, phase_model)?;
    let sets = (0..sets as u64).into_par_iter();
    let results = sets.map(|set| {
        let trial = measure_simulated(simulation, phase_model, &values, set_seed(seed, set));
        done();
        trial
    });
    let results = results.collect();
    Trials::of(values, true_values, 2 * simulation.pairs, 1, results)
}

/// The values to check, and their true values. True values are exact, and linear in the phase
/// whatever the model of the fit.
fn known_values(simulation: &Simulation, phase_model: PhaseModel) -> Result<(Vec<CheckedValue>, Vec<f64>), FitError> {
    let game = &simulation.game;
    let mut regressors = simulation.regressors();
    let all = regressors.clone();
    regressors.retain(|regressor| {
        let index = all.iter().position(|other| other == regressor);
        index.is_some_and(|index| simulation.openings.iter().any(|start| start.values[index] != 0.0))
    });
    let at = |left: f64| {
        let truth = regressors
            .iter()
            .map(|&regressor| simulation.truth_of(regressor).at(left));
        let column = |&regressor: &Regressor| Parameter::Column(Column { regressor, knot: None });
        Fit {
            game: Arc::clone(game),
            parameters: regressors.iter().map(column).collect(),
            coefficients: DVector::from_iterator(regressors.len(), truth),
            covariance: DMatrix::zeros(regressors.len(), regressors.len()),
            phase_model: PhaseModel::Constant,
            mean_left: left,
            critical_value: 0.0,
        }
    };
    let values = CheckedValue::all(phase_model, 0.6, &at(1.0));
    let truth = |value: &CheckedValue| {
        let log_odds = |regressor: Regressor| simulation.truth_of(regressor).at(value.left);
        match value.unit {
            Unit::Pawns => Ok(log_odds(value.regressor) / log_odds(Regressor::Kind(game.pawn))),
            unit => {
                let truth = at(value.left).value_in(unit, &value.piece, value.left);
                truth.map(|truth| truth.value).ok_or_else(|| value.unknown())
            }
        }
    };
    let truths = values.iter().map(truth).collect::<Result<_, _>>()?;
    Ok((values, truths))
}

fn measure_simulated(
    simulation: &Simulation,
    phase_model: PhaseModel,
    values: &[CheckedValue],
    seed: u64,
) -> Result<Trial, FitError> {
    let data = simulation.data(seed);
    let spec = DesignSpec::of(&data, phase_model);
    let design = spec.design_matrix(&data.games);
    let fit = fit_from(&Logit::of(&design), &design, None)?;
    let robust = Fit::new(&fit, &spec, 1.0, design.cluster_count());
    let control = Fit {
        covariance: sandwich::naive_covariance(&fit),
        ..robust.clone()
    };
    Ok(Trial {
        partition: 0,
        estimates: CheckedValue::estimates(values, &robust)?,
        control: Some(CheckedValue::estimates(values, &control)?),
    })
}

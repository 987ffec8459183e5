//! Sets of simulated games with known values.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::{CheckedValue, Trial, Trials, set_seed};
use crate::simulation::Simulation;
use assay_tuner::values::data::Regressor;
use assay_tuner::values::design::{DesignMatrix, DesignSpec, PhaseModel};
use assay_tuner::values::inference::{Fit, Sample};
use assay_tuner::values::model::{FitError, Logit, ModelFit, fit_from, or_penalized};

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
    let all = Regressor::all(game);
    let mut regressors = all.clone();
    regressors.retain(|regressor| {
        let index = all.iter().position(|other| other == regressor);
        index.is_some_and(|index| simulation.openings.iter().any(|start| start.values[index] != 0.0))
    });
    let spec = DesignSpec::all(game, &regressors, PhaseModel::Piecewise);
    let parameters = simulation.parameters(spec.columns.iter().copied());
    let no_error = DMatrix::zeros(parameters.len(), parameters.len());
    let truth = Fit::with(&spec, parameters, Sample::new(no_error, 2, 0), 1.0);
    let values = CheckedValue::all(phase_model, 0.6, &truth);
    let truths = CheckedValue::estimates(&values, &truth)?;
    Ok((values, truths.iter().map(|truth| truth.value).collect()))
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
    let model = Logit::of(&design);
    let fit = or_penalized(fit_from(&model, &design, None), &model, &design)?;
    let robust = Fit::new(&fit, &spec, 1.0);
    let mut control = robust.clone();
    Arc::make_mut(&mut control.sample).covariance = naive_covariance(&fit, &model, &design);
    Ok(Trial {
        partition: 0,
        estimates: CheckedValue::estimates(values, &robust)?,
        control: Some(CheckedValue::estimates(values, &control)?),
    })
}

/// Covariance under the wrong assumption that positions are independent.
fn naive_covariance(fit: &ModelFit, model: &Logit, design: &DesignMatrix) -> DMatrix<f64> {
    let size = fit.coefficients.len();
    let columns = design.columns().len();
    let meat = design.rows().fold(DMatrix::zeros(size, size), |meat, row| {
        let point = model.at_row(row, &fit.coefficients);
        let slopes = row.entries.iter().map(|&(column, value)| (column, point.slope * value));
        let thresholds = (columns..size).zip(point.threshold_slope);
        let mut score = DVector::zeros(size);
        for (index, slope) in slopes.chain(thresholds) {
            score[index] = row.observation.weight * slope;
        }
        // The row stands for this many equal positions that share its weight.
        meat + &score * score.transpose() / row.observation.positions
    });
    &fit.bread * meat * &fit.bread
}

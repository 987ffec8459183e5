//! Do the values predict games that they have not seen?
//!
//! Opening pairs are dealt into five folds; each fold is predicted by a fit to the other four. Whole pairs, because a
//! fit that has seen one game of a pair has seen the opening of the other.

use nalgebra::DVector;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::values::design::matrix::DesignMatrix;
use crate::values::inference::clustered_mean::ClusterSums;
use crate::values::model::{FitError, RegressionModel, fit_from};

/// How many folds.
pub const FOLDS: usize = 5;

/// Openings may follow each other in a pattern, so pairs are dealt at random, with a fixed seed.
const DEAL_SEED: u64 = 0x0A55_A7F0_1D5E_ED05;

/// The mean log-loss of predictions of unseen games (nats for each game and stage, lower is better), by model.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct CrossValidation {
    /// How many folds.
    pub folds: usize,
    /// Every game gets the mean score.
    pub constant: f64,
    /// The inventor's values, with one free scale, side to move and White.
    pub inventor: Option<f64>,
    /// The measured values.
    pub fitted: f64,
    /// What the measured values save against the constant.
    pub gain_over_constant: LogLossGain,
    /// What the measured values save against the inventor's.
    pub gain_over_inventor: Option<LogLossGain>,
}

/// A mean difference of log-losses in nats for each game and stage; positive when the measured values predict better.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct LogLossGain {
    /// The mean.
    pub mean: f64,
    /// Its standard error, clustered by opening pair.
    pub standard_error: f64,
    /// Lower end of its 95% interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Predicts every row from the folds that do not hold it.
///
/// `rivals` turns the full design into the designs of the models to compare with: the constant first, then the
/// inventor's values if there are any.
///
/// # Errors
/// When one of the folds cannot be fitted without the others.
pub fn compare(
    model: &dyn RegressionModel,
    design: &DesignMatrix,
    constant: &DesignMatrix,
    inventor: Option<&DesignMatrix>,
    critical_value: f64,
) -> Result<CrossValidation, FitError> {
    let fold_of = deal(design.cluster_count());
    let fitted = losses(model, design, &fold_of)?;
    let constant = losses(model, constant, &fold_of)?;
    let inventor = inventor.map(|inventor| losses(model, inventor, &fold_of)).transpose()?;
    Ok(CrossValidation {
        folds: FOLDS,
        constant: mean(design, &constant),
        inventor: inventor.as_ref().map(|inventor| mean(design, inventor)),
        fitted: mean(design, &fitted),
        gain_over_constant: gain(design, &constant, &fitted, critical_value).ok_or(FitError::Empty)?,
        gain_over_inventor: inventor.and_then(|inventor| gain(design, &inventor, &fitted, critical_value)),
    })
}

/// The fold of each cluster.
fn deal(clusters: usize) -> Vec<usize> {
    let mut folds: Vec<usize> = (0..clusters).map(|cluster| cluster % FOLDS).collect();
    folds.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(DEAL_SEED));
    folds
}

/// Each row's out-of-fold loss.
fn losses(model: &dyn RegressionModel, design: &DesignMatrix, fold_of: &[usize]) -> Result<Vec<f64>, FitError> {
    let fits: Vec<DVector<f64>> = (0..FOLDS)
        .map(|fold| {
            fit_from(model, &design.subset(|cluster| fold_of[cluster] != fold), None).map(|fit| fit.coefficients)
        })
        .collect::<Result<_, _>>()?;
    let columns = design.columns().len();
    let loss = |row: crate::values::design::matrix::DesignRow<'_>| {
        let parameters = &fits[fold_of[row.observation.cluster]];
        let nuisance = &parameters.as_slice()[columns..];
        -model
            .at(row.dot(parameters), nuisance, row.observation.score)
            .log_likelihood
    };
    Ok(design.rows().map(loss).collect())
}

fn mean(design: &DesignMatrix, losses: &[f64]) -> f64 {
    design
        .rows()
        .zip(losses)
        .map(|(row, loss)| row.observation.weight * loss)
        .sum::<f64>()
        / design.total_weight()
}

fn gain(design: &DesignMatrix, rival: &[f64], fitted: &[f64], critical_value: f64) -> Option<LogLossGain> {
    let mut sums = ClusterSums::default();
    for (row, (rival, fitted)) in design.rows().zip(rival.iter().zip(fitted)) {
        sums.add(row.observation.cluster, row.observation.weight, rival - fitted);
    }
    let found = sums.mean()?;
    Some(LogLossGain {
        mean: found.mean,
        standard_error: found.standard_error,
        low: found.mean - critical_value * found.standard_error,
        high: found.mean + critical_value * found.standard_error,
    })
}

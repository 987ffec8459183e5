//! Cross-validation: log-loss on held-out games.
//!
//! Opening pairs are assigned to five folds, and each fold is predicted by a fit to the other four.
//! Pairs stay together because both games of a pair share an opening.

use nalgebra::DVector;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::{ClusterSums, Estimate, critical_value, range};
use crate::values::design::{DesignMatrix, DesignRow};
use crate::values::model::{FitError, Logit, fit_from};

/// Number of folds.
pub const FOLDS: usize = 5;

/// Consecutive openings may be similar, so pairs are assigned at random, with a fixed seed.
const FOLD_SEED: u64 = 0x0A55_A7F0_1D5E_ED05;

/// Mean log-loss of held-out games by model, in nats per game and phase. Lower is better.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct CrossValidation {
    #[serde(deserialize_with = "range::count")]
    pub folds: usize,
    /// Model with an intercept only.
    #[serde(deserialize_with = "range::any")]
    pub constant: f64,
    /// The published values, with free scale, side to move and White's advantage; `None` without
    /// published values.
    #[serde(deserialize_with = "range::any")]
    pub published: Option<f64>,
    /// Measured values.
    #[serde(deserialize_with = "range::any")]
    pub fitted: f64,
    /// Log-loss of the intercept-only model minus log-loss of the measured values: positive if the
    /// measured values predict better.
    pub gain_over_constant: Estimate,
    /// Log-loss of the published values minus log-loss of the measured values.
    pub gain_over_published: Option<Estimate>,
}

/// Predicts every row by a fit to the folds that do not contain it.
///
/// `design`, `constant` and `published` are the design matrices of the models with the measured
/// values, with an intercept only and with the published values.
///
/// # Errors
/// If the model cannot be fitted without one of the folds.
pub fn cross_validate(
    model: &Logit,
    design: &DesignMatrix,
    constant: &DesignMatrix,
    published: Option<&DesignMatrix>,
) -> Result<CrossValidation, FitError> {
    let fold_of = assign_folds(design.cluster_count(), FOLD_SEED);
    let fitted = losses(model, design, &fold_of)?;
    let constant = losses(model, constant, &fold_of)?;
    let published = published.map(|published| losses(model, published, &fold_of)).transpose()?;
    Ok(CrossValidation {
        folds: FOLDS,
        constant: mean(design, &constant),
        published: published.as_ref().map(|published| mean(design, published)),
        fitted: mean(design, &fitted),
        gain_over_constant: gain(design, &constant, &fitted).ok_or(FitError::Empty)?,
        gain_over_published: published.and_then(|published| gain(design, &published, &fitted)),
    })
}

/// Mean log-loss of a model on held-out games, in nats per game and phase.
///
/// # Errors
/// If the model cannot be fitted without one of the folds.
pub fn held_out_loss(model: &Logit, design: &DesignMatrix) -> Result<f64, FitError> {
    let fold_of = assign_folds(design.cluster_count(), FOLD_SEED);
    Ok(mean(design, &losses(model, design, &fold_of)?))
}

/// Assigns each of so many clusters to a fold, by chance.
pub(crate) fn assign_folds(clusters: usize, seed: u64) -> Vec<usize> {
    let mut folds: Vec<usize> = (0..clusters).map(|cluster| cluster % FOLDS).collect();
    folds.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    folds
}

/// Held-out log-loss of each row.
fn losses(model: &Logit, design: &DesignMatrix, fold_of: &[usize]) -> Result<Vec<f64>, FitError> {
    let fits: Vec<DVector<f64>> = (0..FOLDS)
        .map(|fold| {
            fit_from(model, &design.subset(|cluster| fold_of[cluster] != fold), None).map(|fit| fit.coefficients)
        })
        .collect::<Result<_, _>>()?;
    let loss = |row: &DesignRow| -model.at_row(row, &fits[fold_of[row.observation.cluster]]).log_likelihood;
    Ok(design.rows().map(loss).collect())
}

fn mean(design: &DesignMatrix, losses: &[f64]) -> f64 {
    let weighted = design.rows().zip(losses).map(|(row, loss)| row.observation.weight * loss);
    weighted.sum::<f64>() / design.total_weight()
}

fn gain(design: &DesignMatrix, baseline: &[f64], fitted: &[f64]) -> Option<Estimate> {
    let gains = design
        .rows()
        .zip(baseline.iter().zip(fitted))
        .map(|(row, (baseline, fitted))| (row.observation.cluster, row.observation.weight, baseline - fitted));
    let gain = gains.collect::<ClusterSums>().mean()?;
    Some(Estimate::around(gain.mean, critical_value(gain.clusters) * gain.standard_error))
}

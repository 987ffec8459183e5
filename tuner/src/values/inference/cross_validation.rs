//! Do the values predict games that they have not seen?
//!
//! Opening pairs are dealt into five folds; each fold is predicted by a fit to the other four. Whole pairs, because a
//! fit that has seen one game of a pair has seen the opening of the other.

use nalgebra::DVector;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::values::design::matrix::Design;
use crate::values::inference::clustered::Sums;
use crate::values::model::{FitError, Model, fit_from};

/// How many folds.
pub const FOLDS: usize = 5;

/// Openings may follow each other in a pattern, so pairs are dealt at random, with a fixed seed.
const DEAL_SEED: u64 = 0x0A55_A7F0_1D5E_ED05;

/// The mean log-loss of predictions of unseen games (nats for each game and stage, lower is better), by model.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct OutOfFold {
    /// How many folds.
    pub folds: usize,
    /// Every game gets the mean score.
    pub constant: f64,
    /// The inventor's values, with one free scale, side to move and White.
    pub inventor: Option<f64>,
    /// The measured values.
    pub fitted: f64,
    /// What the measured values save against the constant.
    pub gain_over_constant: Gain,
    /// What the measured values save against the inventor's.
    pub gain_over_inventor: Option<Gain>,
}

/// A mean difference of log-losses in nats for each game and stage; positive when the measured values predict better.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct Gain {
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
    model: &dyn Model,
    design: &Design,
    constant: &Design,
    inventor: Option<&Design>,
    reach: f64,
) -> Result<OutOfFold, FitError> {
    let fold_of = deal(design.cluster_count());
    let fitted = losses(model, design, &fold_of)?;
    let constant = losses(model, constant, &fold_of)?;
    let inventor = inventor.map(|inventor| losses(model, inventor, &fold_of)).transpose()?;
    Ok(OutOfFold {
        folds: FOLDS,
        constant: mean(design, &constant),
        inventor: inventor.as_ref().map(|inventor| mean(design, inventor)),
        fitted: mean(design, &fitted),
        gain_over_constant: gain(design, &constant, &fitted, reach).ok_or(FitError::Empty)?,
        gain_over_inventor: inventor.and_then(|inventor| gain(design, &inventor, &fitted, reach)),
    })
}

/// The fold of each cluster.
fn deal(clusters: usize) -> Vec<usize> {
    let mut folds: Vec<usize> = (0..clusters).map(|cluster| cluster % FOLDS).collect();
    folds.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(DEAL_SEED));
    folds
}

/// Each row's out-of-fold loss.
fn losses(model: &dyn Model, design: &Design, fold_of: &[usize]) -> Result<Vec<f64>, FitError> {
    let fits: Vec<DVector<f64>> = (0..FOLDS)
        .map(|fold| {
            fit_from(model, &design.of_clusters(|cluster| fold_of[cluster] != fold), None).map(|fit| fit.coefficients)
        })
        .collect::<Result<_, _>>()?;
    let columns = design.columns().len();
    let loss = |row: crate::values::design::matrix::Row<'_>| {
        let parameters = &fits[fold_of[row.label.cluster]];
        let extra = &parameters.as_slice()[columns..];
        -model.at(row.dot(parameters), extra, row.label.score).log_likelihood
    };
    Ok(design.rows().map(loss).collect())
}

fn mean(design: &Design, losses: &[f64]) -> f64 {
    design
        .rows()
        .zip(losses)
        .map(|(row, loss)| row.label.weight * loss)
        .sum::<f64>()
        / design.total_weight()
}

fn gain(design: &Design, rival: &[f64], fitted: &[f64], reach: f64) -> Option<Gain> {
    let mut sums = Sums::default();
    for (row, (rival, fitted)) in design.rows().zip(rival.iter().zip(fitted)) {
        sums.add(row.label.cluster, row.label.weight, rival - fitted);
    }
    let found = sums.mean()?;
    Some(Gain {
        mean: found.mean,
        standard_error: found.standard_error,
        low: found.mean - reach * found.standard_error,
        high: found.mean + reach * found.standard_error,
    })
}

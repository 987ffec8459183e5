//! The sandwich checked by resampling opening pairs.
//!
//! A replicate draws as many opening pairs as there are, with replacement, and takes one Newton step from the estimate with
//! its own gradient and its own information, which is as good as a whole fit (a few replicates are fitted whole to say how
//! good). It assumes neither that errors are normal nor that the information of the sample is that of the population.

use nalgebra::{DMatrix, DVector};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::values::design::matrix::DesignMatrix;
use crate::values::model::{ClusterContributions, ModelFit, RegressionModel, fit_from};

/// How many replicates are fitted whole.
const WHOLE: usize = 5;

/// What resampling says of the errors.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Bootstrap {
    /// Replicates that had an answer.
    pub replicates: usize,
    /// Replicates without one: in them some column was not unbalanced.
    pub failed: usize,
    /// The least and the greatest of all coefficients' standard deviations over the replicates, in units of the sandwich's
    /// standard errors: 1 when the two agree.
    pub sd_ratio: [f64; 2],
    /// The largest difference between the one-step replicates and the whole fits of some of them, in standard errors; none
    /// when no whole fit was possible.
    pub one_step_error: Option<f64>,
    /// Whole fits made.
    pub full_refits: usize,
    /// The replicates' parameters.
    #[serde(skip)]
    pub parameters: Vec<DVector<f64>>,
}

/// Resamples. The same seed gives the same replicates, whatever the number of threads.
pub fn bootstrap(
    model: &dyn RegressionModel,
    design: &DesignMatrix,
    fit: &ModelFit,
    covariance: &DMatrix<f64>,
    replicates: usize,
    seed: u64,
) -> Bootstrap {
    let pieces = ClusterContributions::of(model, design, &fit.coefficients);
    let one_step = |replicate: usize| -> Option<DVector<f64>> {
        let (gradient, information) = pieces.sum(&times(pieces.len(), seed, replicate));
        Some(&fit.coefficients + information.cholesky()?.solve(&gradient))
    };
    let found: Vec<Option<DVector<f64>>> = (0..replicates).into_par_iter().map(one_step).collect();
    let errors = covariance.diagonal().map(f64::sqrt);
    let whole: Vec<f64> = found
        .iter()
        .enumerate()
        .take(WHOLE)
        .filter_map(|(replicate, one_step)| {
            let part = design.bootstrap_interval(&times(pieces.len(), seed, replicate));
            let whole = fit_from(model, &part, Some(&fit.coefficients)).ok()?;
            let difference = (whole.coefficients - one_step.as_ref()?).component_div(&errors);
            Some(difference.amax())
        })
        .collect();
    let parameters: Vec<DVector<f64>> = found.into_iter().flatten().collect();
    let spread: Vec<f64> = (0..errors.len())
        .map(|index| deviation(parameters.iter().map(|parameters| parameters[index])) / errors[index])
        .collect();
    Bootstrap {
        replicates: parameters.len(),
        failed: replicates - parameters.len(),
        sd_ratio: [
            spread.iter().copied().fold(f64::INFINITY, f64::min),
            spread.iter().copied().fold(0.0, f64::max),
        ],
        one_step_error: (!whole.is_empty()).then(|| whole.iter().copied().fold(0.0, f64::max)),
        full_refits: whole.len(),
        parameters,
    }
}

impl Bootstrap {
    /// The middle 95% of a function of the parameters over the replicates; `None` when there are too few to tell.
    pub fn interval(&self, number: impl Fn(&DVector<f64>) -> f64) -> Option<[f64; 2]> {
        if self.parameters.len() < 100 {
            return None;
        }
        let mut numbers: Vec<f64> = self.parameters.iter().map(number).collect();
        numbers.sort_by(f64::total_cmp);
        let at = |share: f64| numbers[((numbers.len() - 1) as f64 * share).round() as usize];
        Some([at(0.025), at(0.975)])
    }
}

/// How often each cluster is drawn.
fn times(clusters: usize, seed: u64, replicate: usize) -> Vec<u32> {
    // Neighbouring seeds are far apart behind `seed_from_u64`, which mixes its bits.
    let own = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(replicate as u64);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(own);
    let mut times = vec![0; clusters];
    for _ in 0..clusters {
        times[random.random_range(0..clusters)] += 1;
    }
    times
}

fn deviation(numbers: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = numbers.clone().count() as f64;
    let mean = numbers.clone().sum::<f64>() / count;
    (numbers.map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt()
}

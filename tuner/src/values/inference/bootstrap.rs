//! Cluster bootstrap over opening pairs, as a check of the cluster-robust covariance.
//!
//! Each replicate draws opening pairs with replacement and takes one Newton–Raphson step from the
//! estimate with the replicate's gradient and information matrix. A few replicates are also
//! refitted in full, which measures the error of the one-step approximation.

use nalgebra::{DMatrix, DVector};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use statrs::statistics::Statistics;

use crate::values::design::DesignMatrix;
use crate::values::model::{Accumulator, Logit, ModelFit, fit_from};
use assay_selfplay::statistics::range;

/// Replicates that are also refitted in full.
const FULL_REFITS: usize = 5;

/// Seed of the first replicate; the others follow it.
const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// Result of the cluster bootstrap.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Bootstrap {
    /// Replicates with a solution.
    #[serde(deserialize_with = "range::count")]
    pub replicates: usize,
    /// Replicates whose information matrix was singular, because a column was zero in every row.
    #[serde(deserialize_with = "range::count")]
    pub failed: usize,
    /// Smallest and largest ratio, over all coefficients, of the standard deviation over the
    /// replicates to the cluster-robust standard error: 1 if the two methods agree.
    #[serde(deserialize_with = "range::non_negative")]
    pub sd_ratio: [f64; 2],
    /// Largest difference between a one-step replicate and its full refit, in standard errors;
    /// `None` without a full refit.
    #[serde(deserialize_with = "range::non_negative")]
    pub one_step_error: Option<f64>,
    /// Number of full refits.
    #[serde(deserialize_with = "range::count")]
    pub full_refits: usize,
}

/// Runs the cluster bootstrap. The result does not depend on the number of threads.
pub fn cluster_bootstrap(
    model: &Logit,
    design: &DesignMatrix,
    fit: &ModelFit,
    covariance: &DMatrix<f64>,
    replicates: usize,
) -> Bootstrap {
    let clusters = design.cluster_count();
    let one_step = |replicate: usize| -> Option<DVector<f64>> {
        let mut sum = Accumulator::new(fit.coefficients.len());
        for (cluster, &count) in fit.leverages.clusters.iter().zip(&draw_counts(clusters, replicate)) {
            sum.add(cluster, f64::from(count));
        }
        Some(&fit.coefficients + sum.information().cholesky()?.solve(&sum.gradient()))
    };
    let found: Vec<Option<DVector<f64>>> = (0..replicates).into_par_iter().map(one_step).collect();
    let errors = covariance.diagonal().map(f64::sqrt);
    let one_step_errors: Vec<f64> = found
        .iter()
        .enumerate()
        .take(FULL_REFITS)
        .filter_map(|(replicate, one_step)| {
            let part = design.resampled(&draw_counts(clusters, replicate));
            let refit = fit_from(model, &part, Some(&fit.coefficients)).ok()?;
            let difference = (refit.coefficients - one_step.as_ref()?).component_div(&errors);
            Some(difference.amax())
        })
        .collect();
    let parameters: Vec<DVector<f64>> = found.into_iter().flatten().collect();
    let sd_ratios: Vec<f64> = (0..errors.len())
        .map(|index| parameters.iter().map(|parameters| parameters[index]).std_dev() / errors[index])
        .collect();
    Bootstrap {
        replicates: parameters.len(),
        failed: replicates - parameters.len(),
        sd_ratio: [
            sd_ratios.iter().copied().fold(f64::INFINITY, f64::min),
            sd_ratios.iter().copied().fold(0.0, f64::max),
        ],
        one_step_error: (!one_step_errors.is_empty()).then(|| one_step_errors.iter().copied().fold(0.0, f64::max)),
        full_refits: one_step_errors.len(),
    }
}

/// Draws a bootstrap sample: how often each cluster occurs.
fn draw_counts(clusters: usize, replicate: usize) -> Vec<u32> {
    // `seed_from_u64` mixes the bits, so neighboring seeds give unrelated streams.
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED.wrapping_add(replicate as u64));
    let mut counts = vec![0; clusters];
    for _ in 0..clusters {
        counts[random.random_range(0..clusters)] += 1;
    }
    counts
}

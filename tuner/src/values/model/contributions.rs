//! Gradient and information of each cluster, which make the sums of a bootstrap sample cheap.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::RegressionModel;
use super::accumulator::{Accumulator, split_parameters};
use crate::values::design::matrix::DesignMatrix;

/// Each cluster's contribution to the gradient and the information matrix at fixed parameters.
#[derive(Clone, Debug)]
pub struct ClusterContributions {
    parameters: usize,
    clusters: Vec<Vec<f64>>,
}

impl ClusterContributions {
    /// Computes the contributions at the parameters of a fit.
    pub fn of(model: &dyn RegressionModel, design: &DesignMatrix, parameters: &DVector<f64>) -> ClusterContributions {
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); design.cluster_count()];
        for (index, row) in (0..).zip(design.rows()) {
            rows[row.observation.cluster].push(index);
        }
        let (coefficients, nuisance) = split_parameters(parameters, design.columns().len());
        let clusters = rows
            .par_iter()
            .map(|rows| {
                let mut sum = Accumulator::new(parameters.len());
                for &index in rows {
                    sum.add_row(model, &design.row(index as usize), &coefficients, &nuisance);
                }
                sum.sums
            })
            .collect();
        ClusterContributions {
            parameters: parameters.len(),
            clusters,
        }
    }

    /// Gradient and information of a sample in which cluster `c` occurs `counts[c]` times.
    pub fn sum(&self, counts: &[u32]) -> (DVector<f64>, DMatrix<f64>) {
        let mut sum = Accumulator::new(self.parameters);
        for (sums, &count) in self.clusters.iter().zip(counts).filter(|(_, count)| **count > 0) {
            sum.add_scaled(sums, f64::from(count));
        }
        sum.gradient_and_information()
    }
}

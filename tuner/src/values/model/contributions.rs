//! Gradient and information cluster by cluster, from which resampled sums are made quickly.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::RegressionModel;
use super::newton::{Accumulated, split};
use crate::values::design::matrix::DesignMatrix;

/// Each cluster's gradient and information at some parameters.
#[derive(Clone, Debug)]
pub struct ClusterContributions {
    width: usize,
    /// By cluster: `width` numbers of gradient, then the lower triangle of the information, row by row.
    numbers: Vec<Vec<f64>>,
}

/// The place of an entry of a symmetric matrix in its lower triangle, row by row.
pub fn packed_index(row: usize, column: usize) -> usize {
    let (low, high) = if row < column { (row, column) } else { (column, row) };
    high * (high + 1) / 2 + low
}

impl ClusterContributions {
    /// The pieces of a design at the parameters of a fit.
    pub fn of(model: &dyn RegressionModel, design: &DesignMatrix, parameters: &DVector<f64>) -> ClusterContributions {
        let width = parameters.len();
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); design.cluster_count()];
        for (index, row) in (0..).zip(design.rows()) {
            rows[row.observation.cluster].push(index);
        }
        let (coefficients, nuisance) = split(parameters, design.columns().len());
        let numbers = rows
            .par_iter()
            .map(|rows| {
                let mut sum = Accumulated::zero(width);
                for &index in rows {
                    sum.add(model, &design.row(index as usize), &coefficients, &nuisance);
                }
                sum.numbers
            })
            .collect();
        ClusterContributions { width, numbers }
    }

    /// How many clusters there are.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Is there no cluster?
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Gradient and information of a sample in which cluster `c` occurs `times[c]` times.
    pub fn sum(&self, times: &[u32]) -> (DVector<f64>, DMatrix<f64>) {
        let mut sum = Accumulated::zero(self.width);
        for (numbers, &times) in self.numbers.iter().zip(times).filter(|(_, times)| **times > 0) {
            for (place, number) in sum.numbers.iter_mut().zip(numbers) {
                *place += f64::from(times) * number;
            }
        }
        sum.unpack()
    }
}

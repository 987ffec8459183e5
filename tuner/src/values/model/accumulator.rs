//! Gradient and information matrix, summed over rows or over the rows of each cluster.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::Logit;
use crate::values::design::matrix::{DesignMatrix, DesignRow};

/// Index of an entry of a symmetric matrix in its lower triangle, stored row by row.
fn packed_index(row: usize, column: usize) -> usize {
    let (low, high) = if row < column { (row, column) } else { (column, row) };
    high * (high + 1) / 2 + low
}

/// Log-likelihood, gradient and information summed over rows.
#[derive(Clone, Debug)]
pub(in crate::values) struct Accumulator {
    parameters: usize,
    pub(super) log_likelihood: f64,
    /// The gradient, then the lower triangle of the information matrix.
    sums: Vec<f64>,
}

impl Accumulator {
    pub(in crate::values) fn new(parameters: usize) -> Accumulator {
        Accumulator {
            parameters,
            log_likelihood: 0.0,
            sums: vec![0.0; parameters + parameters * (parameters + 1) / 2],
        }
    }

    /// The sums over some rows.
    pub(super) fn of_rows<'r>(
        model: &Logit,
        rows: impl IntoIterator<Item = &'r DesignRow>,
        parameters: &DVector<f64>,
    ) -> Accumulator {
        let mut sum = Accumulator::new(parameters.len());
        for row in rows {
            sum.add_row(model, row, parameters);
        }
        sum
    }

    fn add_row(&mut self, model: &Logit, row: &DesignRow, parameters: &DVector<f64>) {
        let weight = row.observation.weight;
        let thresholds = model.thresholds(parameters).len();
        let columns = parameters.len() - thresholds;
        let point = model.at_row(row, parameters);
        self.log_likelihood += weight * point.log_likelihood;
        let (gradient, information) = self.sums.split_at_mut(self.parameters);
        for (at, &(column, value)) in row.entries.iter().enumerate() {
            gradient[column] += weight * point.slope * value;
            let curvature = weight * point.curvature * value;
            // Columns are in ascending order, so earlier ones lie in the same row of the triangle.
            for &(other, other_value) in &row.entries[..=at] {
                information[packed_index(column, other)] += curvature * other_value;
            }
            for (index, cross) in point.cross_curvature.iter().enumerate().take(thresholds) {
                information[packed_index(columns + index, column)] += weight * cross * value;
            }
        }
        for index in 0..thresholds {
            gradient[columns + index] += weight * point.threshold_slope[index];
            for other in 0..=index {
                information[packed_index(columns + index, columns + other)] +=
                    weight * point.threshold_curvature[index][other];
            }
        }
    }

    /// Adds `factor` times another sum.
    pub(in crate::values) fn add(&mut self, other: &Accumulator, factor: f64) {
        self.log_likelihood += factor * other.log_likelihood;
        for (sum, other) in self.sums.iter_mut().zip(&other.sums) {
            *sum += factor * other;
        }
    }

    pub(in crate::values) fn gradient(&self) -> DVector<f64> {
        DVector::from_column_slice(&self.sums[..self.parameters])
    }

    pub(in crate::values) fn information(&self) -> DMatrix<f64> {
        DMatrix::from_fn(self.parameters, self.parameters, |row, column| {
            self.sums[self.parameters + packed_index(row, column)]
        })
    }
}

/// Sums over the rows of each cluster at the parameters of a fit.
pub(in crate::values) fn cluster_sums(
    model: &Logit,
    design: &DesignMatrix,
    parameters: &DVector<f64>,
) -> Vec<Accumulator> {
    let mut rows: Vec<Vec<&DesignRow>> = vec![Vec::new(); design.cluster_count()];
    for row in design.rows() {
        rows[row.observation.cluster].push(row);
    }
    let sum = |rows: &Vec<&DesignRow>| Accumulator::of_rows(model, rows.iter().copied(), parameters);
    rows.par_iter().map(sum).collect()
}

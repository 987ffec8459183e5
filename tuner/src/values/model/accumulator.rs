//! Gradient and information matrix, summed over rows or over the rows of each cluster.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::Logit;
use crate::values::design::{DesignMatrix, DesignRow};

/// Index of an entry of a symmetric matrix in its lower triangle, stored row by row.
fn packed_index(row: usize, column: usize) -> usize {
    let (low, high) = if row < column { (row, column) } else { (column, row) };
    high * (high + 1) / 2 + low
}

/// Log-likelihood, gradient and information summed over rows.
#[derive(Clone, Debug)]
pub(crate) struct Accumulator {
    parameters: usize,
    pub(crate) log_likelihood: f64,
    /// The gradient, then the lower triangle of the information matrix.
    sums: Vec<f64>,
}

impl Accumulator {
    pub(crate) fn new(parameters: usize) -> Accumulator {
        Accumulator { parameters, log_likelihood: 0.0, sums: vec![0.0; parameters + parameters * (parameters + 1) / 2] }
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
        self.add_entries(&row.entries, weight * point.slope, weight * point.curvature);
        let (gradient, information) = self.sums.split_at_mut(self.parameters);
        for &(column, value) in &*row.entries {
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

    /// Adds the gradient and the information of a row with these columns, which are in ascending
    /// order. `slope` and `curvature` are the first and the negative second derivative of its
    /// log-likelihood with respect to the linear predictor.
    pub(crate) fn add_entries(&mut self, entries: &[(usize, f64)], slope: f64, curvature: f64) {
        let (gradient, information) = self.sums.split_at_mut(self.parameters);
        for (at, &(column, value)) in entries.iter().enumerate() {
            gradient[column] += slope * value;
            let curvature = curvature * value;
            let row = &mut information[packed_index(column, 0)..];
            for &(other, other_value) in &entries[..=at] {
                row[other] += curvature * other_value;
            }
        }
    }

    /// Adds `factor` times another sum.
    pub(crate) fn add(&mut self, other: &Accumulator, factor: f64) {
        self.log_likelihood += factor * other.log_likelihood;
        for (sum, other) in self.sums.iter_mut().zip(&other.sums) {
            *sum += factor * other;
        }
    }

    pub(crate) fn gradient(&self) -> DVector<f64> {
        DVector::from_column_slice(&self.sums[..self.parameters])
    }

    /// Adds a term of the log-likelihood with this gradient, whose curvature is left out.
    pub(super) fn add_term(&mut self, value: f64, gradient: &DVector<f64>) {
        self.log_likelihood += value;
        for (sum, slope) in self.sums.iter_mut().zip(gradient) {
            *sum += slope;
        }
    }

    /// The information matrix times a vector.
    pub(super) fn information_times(&self, vector: &[f64], product: &mut [f64]) {
        product.fill(0.0);
        let mut rest = &self.sums[self.parameters..];
        for row in 0..self.parameters {
            let (entries, below) = rest.split_at(row + 1);
            rest = below;
            let (before, at_row) = (&entries[..row], vector[row]);
            let products = &mut product[..row];
            for column in 0..row {
                products[column] += before[column] * at_row;
            }
            product[row] += dot(before, &vector[..row]) + entries[row] * at_row;
        }
    }

    /// The sum of the products of the entries of the information matrix and of another symmetric
    /// one.
    pub(super) fn information_dot(&self, other: &DMatrix<f64>) -> f64 {
        let entries = self.sums[self.parameters..].iter();
        let places = (0..self.parameters).flat_map(|row| (0..=row).map(move |column| (row, column)));
        let product = |(entry, (row, column)): (&f64, (usize, usize))| {
            let times = if row == column { 1.0 } else { 2.0 };
            times * entry * other[(row, column)]
        };
        entries.zip(places).map(product).sum()
    }

    pub(crate) fn information(&self) -> DMatrix<f64> {
        DMatrix::from_fn(self.parameters, self.parameters, |row, column| {
            self.sums[self.parameters + packed_index(row, column)]
        })
    }
}

/// The scalar product of two vectors of one length. Two sums at a time, because the processor need
/// not wait for one addition to begin the next.
pub(super) fn dot(one: &[f64], other: &[f64]) -> f64 {
    let (mut even, mut odd) = (0.0, 0.0);
    let mut at = 0;
    while at + 1 < one.len() {
        even += one[at] * other[at];
        odd += one[at + 1] * other[at + 1];
        at += 2;
    }
    if at < one.len() {
        even += one[at] * other[at];
    }
    even + odd
}

/// Sums over the rows of each cluster at the parameters of a fit.
pub(super) fn cluster_sums(model: &Logit, design: &DesignMatrix, parameters: &DVector<f64>) -> Vec<Accumulator> {
    let mut rows: Vec<Vec<&DesignRow>> = vec![Vec::new(); design.cluster_count()];
    for row in design.rows() {
        rows[row.observation.cluster].push(row);
    }
    let sum = |rows: &Vec<&DesignRow>| Accumulator::of_rows(model, rows.iter().copied(), parameters);
    rows.par_iter().map(sum).collect()
}

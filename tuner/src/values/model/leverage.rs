//! Cluster-robust errors that are right in small samples: the bias-reduced linearization CR2 of
//! Bell and McCaffrey (2002), with as many degrees of freedom as clusters that matter, less one.
//!
//! A fit follows the data, so the scores of a cluster are smaller than they would be at the true
//! coefficients, the more so the more of the information comes from the cluster. Let `B = R R'` be
//! the inverse of the information matrix and `M` the information of a cluster. Its leverage is
//! `A = R' M R`; the leverages of all clusters sum to the identity. If the working model is right,
//! multiplying the cluster's score by `(I - M B)^(-1/2)` makes the sandwich unbiased. What a
//! cluster with the score `s` then adds to the error of the coefficients is
//! `R (I - A)^(-1/2) R' s`.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::accumulator::{Accumulator, dot};

/// An eigenvalue of a leverage this close to 1 belongs to a combination of coefficients that one
/// cluster determines alone. The cluster fits it exactly, and says nothing about its error. Also
/// the relative size below which a combination depends on others.
const DETERMINED: f64 = 1e-9;

/// Leverages with a trace up to this are inverted by the binomial series, which then gains at least
/// a bit with each term.
const SERIES_TRACE: f64 = 0.5;

/// The series ends with a term that is smaller than this share of the sum.
const PRECISION: f64 = 1e-13;

/// Leverages of the clusters on a fit: their shares in the information about it.
#[derive(Clone, Debug)]
pub struct Leverages {
    /// The root `R` of the inverse information matrix.
    root: DMatrix<f64>,
    /// The linear combinations of the coefficients that are the estimates, one for each row; `None`
    /// if those are the coefficients.
    combinations: Option<DMatrix<f64>>,
    /// By cluster, the sums at the fitted coefficients.
    pub(in crate::values) clusters: Arc<[Accumulator]>,
}

impl Leverages {
    /// The leverages of clusters with these sums. `root` times its transpose is the inverse of the
    /// information matrix.
    pub(super) fn new(root: DMatrix<f64>, clusters: Vec<Accumulator>) -> Leverages {
        Leverages { root, combinations: None, clusters: clusters.into() }
    }

    /// The leverages on linear combinations of the estimates, one for each row of a matrix.
    #[must_use]
    pub fn of_combinations(&self, rows: &DMatrix<f64>) -> Leverages {
        let combinations = self.combinations.as_ref();
        Leverages {
            combinations: Some(combinations.map_or_else(|| rows.clone(), |known| rows * known)),
            ..self.clone()
        }
    }

    /// Contributions of the clusters to the error of the coefficients, a column for each cluster.
    pub(super) fn cluster_errors(&self) -> DMatrix<f64> {
        let inverse = &self.root * self.root.transpose();
        let errors: Vec<DVector<f64>> = self.clusters.par_iter().map(|sums| self.error(sums, &inverse)).collect();
        DMatrix::from_columns(&errors)
    }

    /// Contribution of a cluster to the error of the coefficients. Directions that the cluster
    /// determines alone are left out.
    fn error(&self, sums: &Accumulator, inverse: &DMatrix<f64>) -> DVector<f64> {
        let score = sums.gradient();
        if sums.information_dot(inverse) > SERIES_TRACE {
            let leverage = self.root.tr_mul(&(sums.information() * &self.root));
            let eigen = leverage.symmetric_eigen();
            let left = eigen.eigenvalues.map(|leverage| 1.0 - leverage);
            let factors = left.map(|left| if left > DETERMINED { left.sqrt().recip() } else { 0.0 });
            let score = eigen.eigenvectors.tr_mul(&self.root.tr_mul(&score));
            return &self.root * (&eigen.eigenvectors * score.component_mul(&factors));
        }
        // The sum of c_k (B M)^k B s, where c_k are the coefficients of the binomial series.
        let mut term = inverse * score;
        let (mut sum, mut image, mut power) = (term.clone(), DVector::zeros(term.len()), 0.0);
        while term.amax() > PRECISION * sum.amax() {
            power += 1.0;
            sums.information_times(term.as_slice(), image.as_mut_slice());
            let (size, factor) = (term.len(), (power - 0.5) / power);
            for row in 0..size {
                // The inverse is symmetric, so that its columns are its rows.
                term[row] = factor * dot(&inverse.as_slice()[row * size..][..size], image.as_slice());
            }
            sum += &term;
        }
        sum
    }

    /// Degrees of freedom of the covariance of some linear combinations of the estimates: one less
    /// than the effective number of clusters, at least 1. That is the number of equal clusters
    /// whose covariance would vary as much if the working model is right, after Carter, Schnepel
    /// and Steigerwald (2017); it is all of them if each has the same leverage on the combinations.
    /// Satterthwaite's degrees of freedom, and for several combinations those of Pustejovsky and
    /// Tipton (2018), are somewhat larger if a few clusters have most of the leverage, but take
    /// much longer to compute. `None` if no estimate has a part in any combination.
    pub fn degrees_of_freedom(&self, combinations: &[DVector<f64>]) -> Option<f64> {
        let errors: Vec<DVector<f64>> = combinations
            .iter()
            .map(|one| match &self.combinations {
                Some(rows) => self.root.tr_mul(&rows.tr_mul(one)),
                None => self.root.tr_mul(one),
            })
            .collect();
        if errors.iter().all(|error| error.amax() == 0.0) {
            return None;
        }
        // Independent combinations of these with uncorrelated errors of unit size, if the working
        // model is right.
        let factors = DMatrix::from_columns(&errors).col_piv_qr();
        let sizes = factors.r().diagonal().abs();
        let count = sizes.iter().filter(|&&size| size > DETERMINED * sizes[0]).count();
        let directions = &self.root * factors.q();
        let mut image = vec![0.0; directions.nrows()];
        let directions: Vec<&[f64]> = directions.as_slice().chunks(directions.nrows()).take(count).collect();
        // The squares of the trace and of the norm of a symmetric matrix.
        let variation = |sums: &Accumulator| {
            let (mut trace, mut norm) = (0.0, 0.0);
            for (row, one) in directions.iter().enumerate() {
                sums.information_times(one, &mut image);
                norm += directions[..row].iter().map(|other| 2.0 * dot(other, &image).powi(2)).sum::<f64>();
                let diagonal = dot(one, &image);
                trace += diagonal;
                norm += diagonal * diagonal;
            }
            trace * trace + norm
        };
        // In order, so that the sum does not depend on the number of threads.
        let variation: f64 = self.clusters.iter().map(variation).sum();
        let effective = (count * (count + 1)) as f64 / variation;
        Some((effective - 1.0).max(1.0))
    }
}

//! Weighted means with cluster-robust standard errors.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::distributions::{critical_value, wilson_interval};
use super::range;

/// Standard errors up to this one come from rounding.
pub const NO_ERROR: f64 = 1e-12;

/// A weighted mean with its cluster-robust standard error.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct ClusteredMean {
    #[serde(deserialize_with = "range::any")]
    pub mean: f64,
    /// Standard error, clustered by opening pair.
    #[serde(deserialize_with = "range::non_negative")]
    pub standard_error: f64,
    /// Total weight of the numbers, such as games.
    #[serde(deserialize_with = "range::non_negative")]
    pub weight: f64,
    /// Number of clusters.
    #[serde(deserialize_with = "range::count")]
    pub clusters: usize,
}

impl ClusteredMean {
    /// Half-width of the 95% interval (Student's t); `None` if all clusters agree, because they do
    /// not show then how much others would differ.
    pub fn half_width(&self) -> Option<f64> {
        let has_error = self.clusters >= 2 && self.standard_error > NO_ERROR;
        has_error.then(|| critical_value(self.clusters) * self.standard_error)
    }

    /// 95% interval of a share, 0 to 1: Wilson's, for the number of independent trials that would
    /// have this standard error (Korn and Graubard 1998). If all clusters agree, each counts as one
    /// trial. `None` without clusters.
    pub fn share_interval(&self) -> Option<[f64; 2]> {
        if self.clusters < 2 {
            return None;
        }
        let variance = self.mean * (1.0 - self.mean);
        let trials = if self.standard_error > NO_ERROR && variance > 0.0 {
            variance / self.standard_error.powi(2)
        } else {
            self.clusters as f64
        };
        Some(wilson_interval(self.mean * trials, trials, critical_value(self.clusters)))
    }

    /// Returns true if the mean differs from zero by more than this many standard errors.
    pub fn is_beyond(&self, standard_errors: f64) -> bool {
        self.mean.abs() > standard_errors * self.standard_error
    }
}

/// Weighted sums by cluster.
#[derive(Clone, Debug, Default)]
pub struct ClusterSums(BTreeMap<usize, (f64, f64)>);

impl ClusterSums {
    /// Adds numbers of a cluster: their weighted sum and their weight.
    pub fn add(&mut self, cluster: usize, sum: f64, weight: f64) {
        let (known_sum, known_weight) = self.0.entry(cluster).or_default();
        *known_sum += sum;
        *known_weight += weight;
    }

    /// Number of clusters.
    pub fn clusters(&self) -> usize {
        self.0.len()
    }

    /// Mean of all numbers with its cluster-robust (sandwich) standard error with the correction
    /// CR2 (Bell and McCaffrey 2002); `None` if there are fewer than two clusters.
    pub fn mean(&self) -> Option<ClusteredMean> {
        let clusters = self.0.len();
        let weight: f64 = self.0.values().map(|(_, weight)| weight).sum();
        if clusters < 2 || weight == 0.0 {
            return None;
        }
        let mean = self.0.values().map(|(sum, _)| sum).sum::<f64>() / weight;
        let errors = self.0.values().map(|&(sum, part)| cluster_error(sum, part, mean, weight));
        let variance: f64 = errors.map(|error| error.powi(2)).sum();
        Some(ClusteredMean { mean, standard_error: variance.sqrt(), weight, clusters })
    }

    /// By cluster, what it adds to the difference between a mean and the truth.
    pub fn influence(&self, mean: &ClusteredMean) -> impl Iterator<Item = (usize, f64)> {
        let of_cluster = |(&cluster, &(sum, weight)): (&usize, &(f64, f64))| {
            (cluster, cluster_error(sum, weight, mean.mean, mean.weight))
        };
        self.0.iter().map(of_cluster)
    }
}

impl FromIterator<(usize, f64, f64)> for ClusterSums {
    /// Sums of numbers, each with its cluster and weight in front.
    fn from_iter<I: IntoIterator<Item = (usize, f64, f64)>>(numbers: I) -> ClusterSums {
        let mut sums = ClusterSums::default();
        for (cluster, weight, number) in numbers {
            sums.add(cluster, weight * number, weight);
        }
        sums
    }
}

/// Contribution of a cluster with this sum and number of values to the error of the mean of `count`
/// values. The mean follows the cluster's own values, so what is left of them is too small by the
/// root of the others' share; nothing is left if there are no others.
fn cluster_error(sum: f64, values: f64, mean: f64, count: f64) -> f64 {
    let others = 1.0 - values / count;
    if others > 0.0 { (sum - mean * values) / (count * others.sqrt()) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::ClusterSums;

    #[test]
    fn clusters_are_observations() {
        // Two openings; White wins both games of the first and none of the second: two
        // observations, not four.
        let mut sums = ClusterSums::default();
        sums.add(0, 2.0, 2.0);
        assert_eq!(sums.mean(), None);
        sums.add(1, 0.0, 2.0);
        let mean = sums.mean().unwrap();
        assert!((mean.mean - 0.5).abs() < 1e-12);
        assert!((mean.standard_error - 0.5).abs() < 1e-12);
    }

    #[test]
    fn copies_within_a_cluster_do_not_shrink_the_error() {
        let mean_of = |copies: usize| {
            let numbers = [1.0, 2.0, 6.0].into_iter().enumerate();
            let copied = numbers.flat_map(|(cluster, number)| vec![(cluster, 1.0 / copies as f64, number); copies]);
            copied.collect::<ClusterSums>().mean().unwrap()
        };
        let (once, often) = (mean_of(1), mean_of(10));
        assert!((once.mean - 3.0).abs() < 1e-12);
        // The sample standard deviation of 1, 2, 6 over the square root of 3.
        assert!((once.standard_error - (7.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!((often.standard_error - once.standard_error).abs() < 1e-12);
        assert_eq!(ClusterSums::default().mean(), None);
        assert_eq!(once.clusters, 3);
        // The 97.5% quantile of Student's t with 2 degrees of freedom is 4.303.
        let half_width = once.half_width().unwrap();
        assert!((half_width / once.standard_error - 4.303).abs() < 1e-3);
    }

    #[test]
    fn equal_clusters_have_no_interval() {
        let sums = [(0, 1.0, 0.7), (1, 2.0, 0.7), (2, 1.0, 0.7)];
        let mean = sums.into_iter().collect::<ClusterSums>().mean().unwrap();
        assert!((mean.mean - 0.7).abs() < 1e-12);
        assert_eq!(mean.half_width(), None);
    }
}

//! The sparse design matrix of a regression, with clusters.

use std::collections::BTreeMap;
use std::sync::Arc;

use nalgebra::DVector;

/// A design matrix with observations and clusters. Rows of one cluster may be dependent; rows of
/// different clusters are independent.
///
/// A cluster is an opening pair: two games from one opening with the armies swapped. Errors
/// clustered by pair also allow for the dependence between positions of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignMatrix {
    names: Vec<String>,
    rows: Vec<DesignRow>,
}

/// Result, weight and cluster of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// White's score in points, 0 to 1.
    pub score: f64,
    /// Weight of the row. The rows of a game in one phase sum to 1.
    pub weight: f64,
    /// Number of positions that the row stands for: equal positions of a game are merged. Only the
    /// naive covariance uses it.
    pub positions: f64,
    /// Cluster index, below [`DesignMatrix::cluster_count`].
    pub cluster: usize,
}

impl Observation {
    /// A row that stands for a whole game or pair.
    pub fn new(score: f64, cluster: usize) -> Observation {
        Observation { score, weight: 1.0, positions: 1.0, cluster }
    }
}

/// One row of a [`DesignMatrix`].
#[derive(Clone, Debug, PartialEq)]
pub struct DesignRow {
    /// Columns with nonzero values, ascending, with their values: in most positions both sides have
    /// equal numbers of most pieces. Subsets of the matrix share them.
    pub entries: Arc<[(usize, f64)]>,
    pub observation: Observation,
}

impl DesignRow {
    /// Linear predictor: the row times the coefficients.
    pub fn dot(&self, coefficients: &DVector<f64>) -> f64 {
        self.entries.iter().map(|&(column, value)| value * coefficients[column]).sum()
    }

    /// Value of a column.
    pub fn get(&self, column: usize) -> f64 {
        let entry = self.entries.iter().find(|entry| entry.0 == column);
        entry.map_or(0.0, |entry| entry.1)
    }
}

impl DesignMatrix {
    /// A matrix without rows.
    pub fn new(names: Vec<String>) -> DesignMatrix {
        DesignMatrix { names, rows: Vec::new() }
    }

    /// Appends a row.
    ///
    /// # Panics
    /// If the number of values differs from the number of columns, the score is not in 0..=1, or the weight is not positive.
    pub fn push(&mut self, values: &[f64], observation: Observation) {
        assert_eq!(values.len(), self.names.len(), "a row has one value for each column");
        assert!((0.0..=1.0).contains(&observation.score), "a score lies between 0 and 1");
        assert!(observation.weight > 0.0 && observation.weight.is_finite(), "a weight is positive");
        let entries = values.iter().copied().enumerate().filter(|entry| entry.1 != 0.0);
        self.rows.push(DesignRow { entries: entries.collect(), observation });
    }

    pub fn columns(&self) -> &[String] {
        &self.names
    }

    /// All rows in order.
    pub fn rows(&self) -> std::slice::Iter<'_, DesignRow> {
        self.rows.iter()
    }

    /// Number of clusters: the highest cluster index plus one.
    pub fn cluster_count(&self) -> usize {
        let clusters = self.rows().map(|row| row.observation.cluster + 1);
        clusters.max().unwrap_or(0)
    }

    /// The same rows with other scores of White; `None` if all are the same.
    pub fn with_scores(&self, score: impl Fn(f64) -> f64) -> Option<DesignMatrix> {
        let mut changed = self.clone();
        let mut differs = false;
        for row in &mut changed.rows {
            let score = score(row.observation.score);
            differs |= (score - row.observation.score).abs() > 1e-9;
            row.observation.score = score;
        }
        differs.then_some(changed)
    }

    /// Total weight of all rows.
    pub fn total_weight(&self) -> f64 {
        self.rows().map(|row| row.observation.weight).sum()
    }

    /// The rows of the clusters that satisfy a predicate. Clusters are renumbered without gaps.
    #[must_use]
    pub fn subset(&self, keep: impl Fn(usize) -> bool) -> DesignMatrix {
        self.reweighted(|cluster| if keep(cluster) { 1.0 } else { 0.0 })
    }

    /// A bootstrap sample in which cluster `c` occurs `counts[c]` times.
    #[must_use]
    pub fn resampled(&self, counts: &[u32]) -> DesignMatrix {
        self.reweighted(|cluster| f64::from(counts[cluster]))
    }

    /// Multiplies the weights of each cluster by a factor and drops clusters whose factor is not
    /// positive.
    fn reweighted(&self, factor: impl Fn(usize) -> f64) -> DesignMatrix {
        let mut numbers = BTreeMap::new();
        let mut part = DesignMatrix::new(self.names.clone());
        for row in self.rows() {
            let factor = factor(row.observation.cluster);
            if factor <= 0.0 {
                continue;
            }
            let next = numbers.len();
            let mut row = row.clone();
            row.observation.cluster = *numbers.entry(row.observation.cluster).or_insert(next);
            row.observation.weight *= factor;
            part.rows.push(row);
        }
        part
    }

    /// The same rows with other columns; `value(column, old_values)` computes each entry.
    #[must_use]
    pub fn transformed(&self, names: Vec<String>, value: impl Fn(usize, &[f64]) -> f64) -> DesignMatrix {
        let mut other = DesignMatrix::new(names);
        let mut old = vec![0.0; self.names.len()];
        let mut new = vec![0.0; other.names.len()];
        for row in self.rows() {
            old.fill(0.0);
            for &(column, value) in &*row.entries {
                old[column] = value;
            }
            for (column, place) in new.iter_mut().enumerate() {
                *place = value(column, &old);
            }
            other.push(&new, row.observation);
        }
        other
    }
}

#[cfg(test)]
mod tests {
    use super::{DesignMatrix, Observation};

    fn small() -> DesignMatrix {
        let mut design = DesignMatrix::new(vec!["a".into(), "b".into()]);
        for (index, cluster) in [0, 0, 1, 2].into_iter().enumerate() {
            let observation = Observation { score: 0.5, weight: 0.5, positions: 1.0, cluster };
            design.push(&[index as f64, 1.0], observation);
        }
        design
    }

    #[test]
    fn subset_renumbers_clusters_without_gaps() {
        let part = small().subset(|cluster| cluster != 1);
        let rows: Vec<(f64, f64, usize)> =
            part.rows().map(|row| (row.get(0), row.get(1), row.observation.cluster)).collect();
        assert_eq!(rows, [(0.0, 1.0, 0), (1.0, 1.0, 0), (3.0, 1.0, 1)]);
        assert_eq!(part.cluster_count(), 2);
    }

    #[test]
    fn transformed_computes_new_columns() {
        let sum = small().transformed(vec!["sum".into()], |_, old| old[0] + 10.0 * old[1]);
        let values: Vec<f64> = sum.rows().map(|row| row.get(0)).collect();
        assert_eq!(values, [10.0, 11.0, 12.0, 13.0]);
    }
}

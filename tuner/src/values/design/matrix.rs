//! The sparse design matrix of a regression, with clusters.

use nalgebra::DVector;

/// A design matrix with observations and clusters. Rows of one cluster may be dependent; rows of different clusters are independent.
///
/// A cluster is an opening pair: two games from one opening with the armies swapped. Errors clustered by pair also allow for the
/// dependence between positions of one game.
///
/// Rows are sparse: in most positions both sides have equal numbers of most pieces.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignMatrix {
    names: Vec<String>,
    /// Start of each row in `columns` and `values`, then the end of the last row.
    bounds: Vec<usize>,
    columns: Vec<u16>,
    values: Vec<f64>,
    observations: Vec<Observation>,
    cluster_count: usize,
}

/// Result, weight and cluster of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// White's score in points, 0 to 1.
    pub score: f64,
    /// Weight of the row. The rows of a game in one phase sum to 1.
    pub weight: f64,
    /// Number of positions that the row stands for: equal positions of a game are merged. Only the naive covariance uses it.
    pub positions: f64,
    /// Cluster index, below [`DesignMatrix::cluster_count`].
    pub cluster: usize,
}

/// One row of a [`DesignMatrix`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DesignRow<'d> {
    /// Columns with nonzero values, ascending.
    pub columns: &'d [u16],
    /// Values of those columns.
    pub values: &'d [f64],
    /// Result, weight and cluster.
    pub observation: Observation,
}

impl DesignRow<'_> {
    /// Nonzero entries: column and value.
    pub fn entries(&self) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        self.columns
            .iter()
            .map(|&column| usize::from(column))
            .zip(self.values.iter().copied())
    }

    /// Linear predictor: the row times the coefficients.
    pub fn dot(&self, coefficients: &DVector<f64>) -> f64 {
        self.entries().map(|(column, value)| value * coefficients[column]).sum()
    }

    /// Value of a column.
    pub fn get(&self, column: usize) -> f64 {
        self.entries()
            .find(|&(other, _)| other == column)
            .map_or(0.0, |(_, value)| value)
    }
}

impl DesignMatrix {
    /// A matrix without rows.
    pub fn new(names: Vec<String>) -> DesignMatrix {
        DesignMatrix {
            names,
            bounds: vec![0],
            columns: Vec::new(),
            values: Vec::new(),
            observations: Vec::new(),
            cluster_count: 0,
        }
    }

    /// Appends a row.
    ///
    /// # Panics
    /// If the number of values differs from the number of columns, the score is not in 0..=1, or the weight is not positive.
    pub fn push(&mut self, values: &[f64], observation: Observation) {
        assert_eq!(values.len(), self.names.len(), "a row has one value for each column");
        for (column, &value) in (0..).zip(values) {
            if value != 0.0 {
                self.columns.push(column);
                self.values.push(value);
            }
        }
        self.end_row(observation);
    }

    fn end_row(&mut self, observation: Observation) {
        assert!((0.0..=1.0).contains(&observation.score), "a score lies between 0 and 1");
        assert!(
            observation.weight > 0.0 && observation.weight.is_finite(),
            "a weight is positive"
        );
        self.bounds.push(self.columns.len());
        self.observations.push(observation);
        self.cluster_count = self.cluster_count.max(observation.cluster + 1);
    }

    pub fn columns(&self) -> &[String] {
        &self.names
    }

    pub fn len(&self) -> usize {
        self.observations.len()
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.observations.is_empty()
    }

    /// Number of clusters: the highest cluster index plus one.
    pub fn cluster_count(&self) -> usize {
        self.cluster_count
    }

    /// Total weight of all rows.
    pub fn total_weight(&self) -> f64 {
        self.observations.iter().map(|observation| observation.weight).sum()
    }

    /// Row by index.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn row(&self, index: usize) -> DesignRow<'_> {
        let entries = self.bounds[index]..self.bounds[index + 1];
        DesignRow {
            columns: &self.columns[entries.clone()],
            values: &self.values[entries],
            observation: self.observations[index],
        }
    }

    /// All rows in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = DesignRow<'_>> {
        (0..self.len()).map(|index| self.row(index))
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

    /// Multiplies the weights of each cluster by a factor and drops clusters whose factor is not positive.
    fn reweighted(&self, factor: impl Fn(usize) -> f64) -> DesignMatrix {
        let mut numbers = vec![None; self.cluster_count];
        let mut next = 0;
        let mut part = DesignMatrix::new(self.names.clone());
        for row in self.rows() {
            let factor = factor(row.observation.cluster);
            if factor <= 0.0 {
                continue;
            }
            let cluster = *numbers[row.observation.cluster].get_or_insert_with(|| {
                next += 1;
                next - 1
            });
            part.columns.extend_from_slice(row.columns);
            part.values.extend_from_slice(row.values);
            part.end_row(Observation {
                cluster,
                weight: row.observation.weight * factor,
                ..row.observation
            });
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
            for (column, value) in row.entries() {
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
            let observation = Observation {
                score: 0.5,
                weight: 0.5,
                positions: 1.0,
                cluster,
            };
            design.push(&[index as f64, 1.0], observation);
        }
        design
    }

    #[test]
    fn subset_renumbers_clusters_without_gaps() {
        let part = small().subset(|cluster| cluster != 1);
        let rows: Vec<(f64, f64, usize)> = part
            .rows()
            .map(|row| (row.get(0), row.get(1), row.observation.cluster))
            .collect();
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

//! The numbers that a model is fitted to: one row for each position, and the opening pair that it belongs to.

use nalgebra::DVector;

/// A regression problem. Every row belongs to a cluster: rows of one cluster may depend on each other in any way, rows
/// of different clusters are independent.
///
/// In Assay a cluster is an opening pair, that is two games from one opening with the armies swapped. A pair contains
/// its games whole, so errors clustered by pair are also right for whatever the positions of one game have in common.
///
/// Rows are kept sparse: sides are even in most kinds most of the time.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignMatrix {
    names: Vec<String>,
    /// Where each row's numbers begin, and where the last one's end.
    bounds: Vec<usize>,
    columns: Vec<u16>,
    values: Vec<f64>,
    labels: Vec<Observation>,
    cluster_count: usize,
}

/// Everything of a row but its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// White's score of the game in points, 0 to 1.
    pub score: f64,
    /// How much the row counts; the rows of one game weigh 1 together.
    pub weight: f64,
    /// How many positions the row stands for: those of a game with the same numbers are one row. Only what treats positions
    /// as independent looks at it.
    pub positions: f64,
    /// The row's cluster, below [`DesignMatrix::cluster_count`].
    pub cluster: usize,
}

/// One row of a [`DesignMatrix`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DesignRow<'d> {
    /// The columns in which it is not zero, in ascending order.
    pub columns: &'d [u16],
    /// Its numbers there.
    pub values: &'d [f64],
    /// Everything else.
    pub observation: Observation,
}

impl DesignRow<'_> {
    /// Columns and numbers that are not zero.
    pub fn entries(&self) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        self.columns
            .iter()
            .map(|&column| usize::from(column))
            .zip(self.values.iter().copied())
    }

    /// The sum of the numbers times the coefficients of their columns.
    pub fn dot(&self, coefficients: &DVector<f64>) -> f64 {
        self.entries().map(|(column, value)| value * coefficients[column]).sum()
    }

    /// The number in a column.
    pub fn get(&self, column: usize) -> f64 {
        self.entries()
            .find(|&(other, _)| other == column)
            .map_or(0.0, |(_, value)| value)
    }

    fn spread(&self, dense: &mut [f64]) {
        dense.fill(0.0);
        for (column, value) in self.entries() {
            dense[column] = value;
        }
    }
}

impl DesignMatrix {
    /// A design without rows.
    pub fn new(names: Vec<String>) -> DesignMatrix {
        DesignMatrix {
            names,
            bounds: vec![0],
            columns: Vec::new(),
            values: Vec::new(),
            labels: Vec::new(),
            cluster_count: 0,
        }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When the row has another number of values than there are columns, a score outside 0 to 1, or no positive weight.
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
        self.labels.push(observation);
        self.cluster_count = self.cluster_count.max(observation.cluster + 1);
    }

    /// The columns' names.
    pub fn columns(&self) -> &[String] {
        &self.names
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Is there no row?
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// One more than the highest cluster. Clusters without rows are counted, so keep their numbers dense.
    pub fn cluster_count(&self) -> usize {
        self.cluster_count
    }

    /// The weight of all rows: the number of games.
    pub fn total_weight(&self) -> f64 {
        self.labels.iter().map(|observation| observation.weight).sum()
    }

    /// The row of that number, in the order in which they were added.
    ///
    /// # Panics
    /// When there are fewer rows.
    pub fn row(&self, index: usize) -> DesignRow<'_> {
        let entries = self.bounds[index]..self.bounds[index + 1];
        DesignRow {
            columns: &self.columns[entries.clone()],
            values: &self.values[entries],
            observation: self.labels[index],
        }
    }

    /// All rows in the order in which they were added.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = DesignRow<'_>> {
        (0..self.len()).map(|index| self.row(index))
    }

    /// The rows of some clusters, which are numbered anew without gaps.
    #[must_use]
    pub fn subset(&self, wanted: impl Fn(usize) -> bool) -> DesignMatrix {
        self.part(|cluster| if wanted(cluster) { 1.0 } else { 0.0 })
    }

    /// The rows with each cluster counted so many times.
    #[must_use]
    pub fn bootstrap_interval(&self, times: &[u32]) -> DesignMatrix {
        self.part(|cluster| f64::from(times[cluster]))
    }

    /// The rows of clusters whose factor is positive, weighing so many times what they did.
    fn part(&self, factor: impl Fn(usize) -> f64) -> DesignMatrix {
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

    /// The same rows in other columns, each computed from the old values by `value(column, old values)`.
    #[must_use]
    pub fn transformed(&self, names: Vec<String>, value: impl Fn(usize, &[f64]) -> f64) -> DesignMatrix {
        let mut other = DesignMatrix::new(names);
        let mut old = vec![0.0; self.names.len()];
        let mut new = vec![0.0; other.names.len()];
        for row in self.rows() {
            row.spread(&mut old);
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
    fn parts_keep_their_rows_and_number_clusters_without_gaps() {
        let part = small().subset(|cluster| cluster != 1);
        let rows: Vec<(f64, f64, usize)> = part
            .rows()
            .map(|row| (row.get(0), row.get(1), row.observation.cluster))
            .collect();
        assert_eq!(rows, [(0.0, 1.0, 0), (1.0, 1.0, 0), (3.0, 1.0, 1)]);
        assert_eq!(part.cluster_count(), 2);
    }

    #[test]
    fn columns_can_be_combined() {
        let sum = small().transformed(vec!["sum".into()], |_, old| old[0] + 10.0 * old[1]);
        let values: Vec<f64> = sum.rows().map(|row| row.get(0)).collect();
        assert_eq!(values, [10.0, 11.0, 12.0, 13.0]);
    }
}

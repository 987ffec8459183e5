//! The numbers that a model is fitted to: one row for each position, and the opening pair that it belongs to.

/// A regression problem. Every row belongs to a cluster: rows of one cluster may depend on each other in any way, rows
/// of different clusters are independent.
///
/// In Assay a cluster is an opening pair, that is two games from one opening with the armies swapped. A pair contains
/// its games whole, so errors clustered by pair are also right for whatever the positions of one game have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    columns: Vec<String>,
    values: Vec<f64>,
    scores: Vec<f64>,
    weights: Vec<f64>,
    clusters: Vec<usize>,
    cluster_count: usize,
}

/// One row of a [`Design`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<'d> {
    /// One number for each column.
    pub values: &'d [f64],
    /// White's score of the game in points, 0 to 1.
    pub score: f64,
    /// How much the row counts; the rows of one game weigh 1 together.
    pub weight: f64,
    /// The row's cluster, below [`Design::cluster_count`].
    pub cluster: usize,
}

impl Design {
    /// A design without rows.
    pub fn new(columns: Vec<String>) -> Design {
        Design {
            columns,
            values: Vec::new(),
            scores: Vec::new(),
            weights: Vec::new(),
            clusters: Vec::new(),
            cluster_count: 0,
        }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When the row has another number of values than there are columns, a score outside 0 to 1, or no positive weight.
    pub fn push(&mut self, row: Row<'_>) {
        assert_eq!(
            row.values.len(),
            self.columns.len(),
            "a row has one value for each column"
        );
        assert!((0.0..=1.0).contains(&row.score), "a score lies between 0 and 1");
        assert!(row.weight > 0.0 && row.weight.is_finite(), "a weight is positive");
        self.values.extend_from_slice(row.values);
        self.scores.push(row.score);
        self.weights.push(row.weight);
        self.clusters.push(row.cluster);
        self.cluster_count = self.cluster_count.max(row.cluster + 1);
    }

    /// The columns' names.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Is there no row?
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// One more than the highest cluster. Clusters without rows are counted, so keep their numbers dense.
    pub fn cluster_count(&self) -> usize {
        self.cluster_count
    }

    /// The weight of all rows: the number of games.
    pub fn total_weight(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// All rows in the order in which they were added.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        // `chunks_exact` cannot cut rows without columns, and a model of a constant alone still has one.
        let width = self.columns.len().max(1);
        self.values
            .chunks_exact(width)
            .zip(&self.scores)
            .zip(&self.weights)
            .zip(&self.clusters)
            .map(|(((values, &score), &weight), &cluster)| Row {
                values,
                score,
                weight,
                cluster,
            })
    }

    /// The rows of some clusters, which are numbered anew without gaps.
    #[must_use]
    pub fn of_clusters(&self, wanted: impl Fn(usize) -> bool) -> Design {
        let mut numbers = vec![None; self.cluster_count];
        let mut next = 0;
        let mut part = Design::new(self.columns.clone());
        for row in self.rows().filter(|row| wanted(row.cluster)) {
            let cluster = *numbers[row.cluster].get_or_insert_with(|| {
                next += 1;
                next - 1
            });
            part.push(Row { cluster, ..row });
        }
        part
    }

    /// The same rows in other columns, each computed from the old values by `value(column, old values)`.
    #[must_use]
    pub fn in_columns(&self, columns: Vec<String>, value: impl Fn(usize, &[f64]) -> f64) -> Design {
        let mut other = Design::new(columns);
        let mut values = vec![0.0; other.columns.len()];
        for row in self.rows() {
            for (column, place) in values.iter_mut().enumerate() {
                *place = value(column, row.values);
            }
            other.push(Row { values: &values, ..row });
        }
        other
    }
}

#[cfg(test)]
mod tests {
    use super::{Design, Row};

    fn small() -> Design {
        let mut design = Design::new(vec!["a".into(), "b".into()]);
        for (index, cluster) in [0, 0, 1, 2].into_iter().enumerate() {
            let values = [index as f64, 1.0];
            design.push(Row {
                values: &values,
                score: 0.5,
                weight: 0.5,
                cluster,
            });
        }
        design
    }

    #[test]
    fn parts_keep_their_rows_and_number_clusters_without_gaps() {
        let part = small().of_clusters(|cluster| cluster != 1);
        let rows: Vec<(f64, usize)> = part.rows().map(|row| (row.values[0], row.cluster)).collect();
        assert_eq!(rows, [(0.0, 0), (1.0, 0), (3.0, 1)]);
        assert_eq!(part.cluster_count(), 2);
    }

    #[test]
    fn columns_can_be_combined() {
        let sum = small().in_columns(vec!["sum".into()], |_, old| old[0] + 10.0 * old[1]);
        let values: Vec<f64> = sum.rows().map(|row| row.values[0]).collect();
        assert_eq!(values, [10.0, 11.0, 12.0, 13.0]);
    }
}

//! Small dense square matrices, for the ratings of a few dozen players.

/// A square matrix by rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix {
    rows: usize,
    numbers: Vec<f64>,
}

impl Matrix {
    pub(super) fn from_fn(rows: usize, number: impl Fn(usize, usize) -> f64) -> Matrix {
        let number = &number;
        Matrix {
            rows,
            numbers: (0..rows)
                .flat_map(|row| (0..rows).map(move |column| number(row, column)))
                .collect(),
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.numbers[row * self.rows + column]
    }

    pub(super) fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.numbers[row * self.rows + column]
    }

    pub(super) fn transposed(&self) -> Matrix {
        Matrix::from_fn(self.rows, |row, column| self.at(column, row))
    }

    pub(super) fn times(&self, other: &Matrix) -> Matrix {
        Matrix::from_fn(self.rows, |row, column| {
            (0..self.rows).map(|at| self.at(row, at) * other.at(at, column)).sum()
        })
    }

    pub(super) fn times_vector(&self, vector: &[f64]) -> Vec<f64> {
        let row = |row: usize| {
            vector
                .iter()
                .enumerate()
                .map(|(at, number)| self.at(row, at) * number)
                .sum()
        };
        (0..self.rows).map(row).collect()
    }

    /// The lower triangular `L` with `L Lᵀ` equal to this matrix, which must be symmetric and positive semidefinite. Directions without
    /// variance get zeros.
    pub(super) fn cholesky(&self) -> Matrix {
        let mut root = Matrix::from_fn(self.rows, |_, _| 0.0);
        for column in 0..self.rows {
            let squares: f64 = (0..column).map(|at| root.at(column, at).powi(2)).sum();
            let pivot = self.at(column, column) - squares;
            if pivot <= 1e-12 * self.at(column, column) {
                continue;
            }
            for row in column..self.rows {
                let known: f64 = (0..column).map(|at| root.at(row, at) * root.at(column, at)).sum();
                *root.at_mut(row, column) = (self.at(row, column) - known) / pivot.sqrt();
            }
        }
        root
    }

    /// The inverse of a symmetric positive definite matrix.
    pub(super) fn inverse(&self) -> Matrix {
        let root = self.cholesky();
        let mut inverse = Matrix::from_fn(self.rows, |_, _| 0.0);
        // Columns of the inverse of the root by forward substitution.
        for column in 0..self.rows {
            for row in column..self.rows {
                let known: f64 = (column..row).map(|at| root.at(row, at) * inverse.at(at, column)).sum();
                *inverse.at_mut(row, column) = (f64::from(row == column) - known) / root.at(row, row);
            }
        }
        inverse.transposed().times(&inverse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_undoes_the_matrix() {
        let matrix = Matrix::from_fn(5, |row, column| {
            1.0 / (1.0 + (row + column) as f64) + f64::from(row == column)
        });
        let product = matrix.times(&matrix.inverse());
        let identity = Matrix::from_fn(5, |row, column| f64::from(row == column));
        for (found, expected) in product.numbers.iter().zip(&identity.numbers) {
            assert!((found - expected).abs() < 1e-12, "{product:?}");
        }
    }

    #[test]
    fn directions_without_variance_have_none() {
        // Two numbers whose sum is 0.
        let root = Matrix::from_fn(2, |row, column| if row == column { 4.0 } else { -4.0 }).cholesky();
        assert_eq!(root.numbers, [2.0, 0.0, -2.0, 0.0]);
    }
}

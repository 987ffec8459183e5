//! Newton's method for the logistic quasi-likelihood (for which it is iteratively reweighted least squares).

use nalgebra::{DMatrix, DVector, DVectorView};

use super::{Fit, FitError};
use crate::design::Design;

/// The gradient for each unit of weight at which the fit has settled.
const SETTLED: f64 = 1e-10;

/// Newton needs some six steps on real data; separated data cost one step for each unit of log-odds.
const MOST_STEPS: usize = 100;

/// Columns scaled to length 1 whose information has an eigenvalue below this depend on each other.
const DEPENDENT: f64 = 1e-9;

/// At the solution of separated data the information about the separating combination falls towards nothing; on other
/// data it stays within some orders of magnitude of what it was with all coefficients zero.
const SEPARATED: f64 = 1e-6;

/// A log-odds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Logit(f64);

impl Logit {
    pub(super) fn at(coefficients: &DVector<f64>, values: &[f64]) -> Logit {
        Logit(coefficients.dot(&DVectorView::from_slice(values, values.len())))
    }

    pub(super) fn probability(self) -> f64 {
        if self.0 >= 0.0 {
            1.0 / (1.0 + (-self.0).exp())
        } else {
            let odds = self.0.exp();
            odds / (1.0 + odds)
        }
    }

    /// `p (1 - p)`, without cancellation for large log-odds.
    fn variance(self) -> f64 {
        let odds = (-self.0.abs()).exp();
        odds / ((1.0 + odds) * (1.0 + odds))
    }

    /// The cross-entropy of a score in nats.
    pub(super) fn loss(self, score: f64) -> f64 {
        // ln(1 + e^z) - score z, arranged so that nothing overflows.
        self.0.max(0.0) + (-self.0.abs()).exp().ln_1p() - score * self.0
    }
}

pub(super) fn fit(design: &Design) -> Result<Fit, FitError> {
    check_results(design)?;
    let weight = design.total_weight();
    let mut coefficients = DVector::zeros(design.columns().len());
    let flat = State::at(design, &coefficients);
    check_columns(design, &flat.information)?;

    let mut state = flat.clone();
    for iterations in 0..=MOST_STEPS {
        let gradient = state.gradient.amax() / weight;
        if gradient <= SETTLED || iterations == MOST_STEPS {
            check_separation(design, &flat.information, &state.information)?;
            if gradient > SETTLED {
                return Err(FitError::NoConvergence { iterations, gradient });
            }
            let bread = state.information.clone().cholesky().map(|cholesky| cholesky.inverse());
            let bread = bread.ok_or(FitError::NoConvergence { iterations, gradient })?;
            let scores = row_scores(design, &coefficients);
            return Ok(Fit {
                coefficients,
                bread,
                scores,
                iterations,
                gradient,
            });
        }
        let Some(cholesky) = state.information.clone().cholesky() else {
            // Independent columns whose information is gone: the fit runs away along a separating combination.
            check_separation(design, &flat.information, &state.information)?;
            return Err(FitError::NoConvergence { iterations, gradient });
        };
        let mut step = cholesky.solve(&state.gradient);
        // The loss is convex: a step that does not go down is too long. Rounding decides at the end, hence the
        // tolerance.
        let mut next = State::at(design, &(&coefficients + &step));
        while next.loss > state.loss + 1e-12 * (1.0 + state.loss.abs()) {
            step *= 0.5;
            next = State::at(design, &(&coefficients + &step));
        }
        coefficients += step;
        state = next;
    }
    unreachable!("the last pass returns");
}

/// Loss, gradient and information of all rows at some coefficients.
#[derive(Clone, Debug)]
struct State {
    loss: f64,
    gradient: DVector<f64>,
    information: DMatrix<f64>,
}

impl State {
    fn at(design: &Design, coefficients: &DVector<f64>) -> State {
        let width = coefficients.len();
        let mut state = State {
            loss: 0.0,
            gradient: DVector::zeros(width),
            information: DMatrix::zeros(width, width),
        };
        for row in design.rows() {
            let logit = Logit::at(coefficients, row.values);
            let values = DVectorView::from_slice(row.values, width);
            state.loss += row.weight * logit.loss(row.score);
            state
                .gradient
                .axpy(row.weight * (row.score - logit.probability()), &values, 1.0);
            state
                .information
                .ger(row.weight * logit.variance(), &values, &values, 1.0);
        }
        state
    }
}

fn row_scores(design: &Design, coefficients: &DVector<f64>) -> DMatrix<f64> {
    let values = design.rows().flat_map(|row| {
        let residual = row.weight * (row.score - Logit::at(coefficients, row.values).probability());
        row.values.iter().map(move |value| residual * value)
    });
    DMatrix::from_row_iterator(design.len(), coefficients.len(), values)
}

fn check_results(design: &Design) -> Result<(), FitError> {
    let first = design.rows().next().ok_or(FitError::Empty)?.score;
    if design.rows().all(|row| (row.score - first).abs() < 1e-9) {
        return Err(FitError::AllResultsEqual { score: first });
    }
    let (found, coefficients) = (design.cluster_count(), design.columns().len());
    if found <= coefficients {
        return Err(FitError::TooFewClusters { found, coefficients });
    }
    Ok(())
}

/// Every column must vary, and none may follow from others.
fn check_columns(design: &Design, information: &DMatrix<f64>) -> Result<(), FitError> {
    if let Some(column) = (0..information.nrows()).find(|&column| information[(column, column)] <= 0.0) {
        return Err(FitError::NeverUnbalanced {
            column: design.columns()[column].clone(),
        });
    }
    match weakest(design, information, &DMatrix::from_diagonal(&information.diagonal())) {
        (smallest, columns) if smallest < DEPENDENT => Err(FitError::Collinear { columns }),
        _ => Ok(()),
    }
}

fn check_separation(design: &Design, flat: &DMatrix<f64>, now: &DMatrix<f64>) -> Result<(), FitError> {
    match weakest(design, now, flat) {
        (smallest, columns) if smallest < SEPARATED => Err(FitError::Separated { columns }),
        _ => Ok(()),
    }
}

/// The combination of columns about which `information` says least in units of `scale` (positive definite): the
/// smallest generalized eigenvalue, and the names of the columns that matter in its vector.
fn weakest(design: &Design, information: &DMatrix<f64>, scale: &DMatrix<f64>) -> (f64, Vec<String>) {
    let root = scale.clone().cholesky().expect("the columns were found independent");
    let half = root
        .l()
        .solve_lower_triangular(information)
        .expect("a Cholesky factor has a positive diagonal");
    let whole = root
        .l()
        .solve_lower_triangular(&half.transpose())
        .expect("a Cholesky factor has a positive diagonal");
    let eigen = whole.symmetric_eigen();
    let smallest = eigen.eigenvalues.imin();
    // Back from the scaled space, then each column by its own length, so that rare kinds are not named by their rarity.
    let vector = root
        .l()
        .tr_solve_lower_triangular(&eigen.eigenvectors.column(smallest))
        .expect("as above");
    let loads: Vec<f64> = vector
        .iter()
        .zip(scale.diagonal().iter())
        .map(|(load, size)| (load * size.sqrt()).abs())
        .collect();
    let most = loads.iter().copied().fold(0.0, f64::max);
    let named = design
        .columns()
        .iter()
        .zip(&loads)
        .filter(|&(_, &load)| load > 0.1 * most);
    (
        eigen.eigenvalues[smallest],
        named.map(|(name, _)| name.clone()).collect(),
    )
}

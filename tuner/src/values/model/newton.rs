//! Newton–Raphson with step halving for a model's weighted log-likelihood, which is concave.
//!
//! **Separated results** have no finite maximum. They are fitted by the likelihood times the root of the determinant of the information
//! matrix (Jeffreys' prior; Firth 1993 for two results), which vanishes where coefficients diverge. The scores of the clusters then vanish,
//! too, in the separating direction, and with them the sandwich; the covariance is the inverse information matrix times the mean design
//! effect of all coefficients (Rao and Scott 1984), at least 1.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::accumulator::{Accumulator, cluster_sums};
use super::{FitError, Leverages, Logit};
use crate::values::design::DesignMatrix;

/// The fit has converged when no component of the gradient, per unit of weight, is larger than
/// this.
pub(crate) const GRADIENT_TOLERANCE: f64 = 1e-10;

/// The same with a penalty, whose gradient is a difference of nearly equal numbers.
const PENALIZED_TOLERANCE: f64 = 1e-7;

/// Maximum difference between the coefficients reached from two starting points.
const START_TOLERANCE: f64 = 1e-8;

/// Real data take about six steps; separated data take one step for each unit of log-odds.
const MAX_STEPS: usize = 100;

/// Then a step is below rounding.
const MAX_HALVINGS: usize = 60;

/// Columns, scaled to length 1, are collinear if their information matrix has an eigenvalue below
/// this.
const MIN_EIGENVALUE: f64 = 1e-9;

/// Under perfect separation the information about the separating combination vanishes as its
/// coefficient diverges; otherwise it stays within a few orders of magnitude of its value at zero
/// coefficients.
const MIN_INFORMATION_RATIO: f64 = 1e-6;

/// Step in which derivatives of the penalty are taken, in log-odds.
const PENALTY_STEP: f64 = 1e-4;

/// Rows summed by one task. Partial sums are added in row order, so results do not depend on the
/// number of threads.
const CHUNK: usize = 8_192;

/// A fitted model.
#[derive(Clone, Debug)]
pub struct ModelFit {
    /// One coefficient for each column, on the log-odds scale, then the thresholds.
    pub coefficients: DVector<f64>,
    /// Inverse of the information matrix: the bread of the sandwich.
    pub bread: DMatrix<f64>,
    /// Contributions of the clusters to the error of the coefficients (CR2), one column for each
    /// cluster.
    pub cluster_errors: DMatrix<f64>,
    /// Leverages of the clusters on the coefficients.
    pub leverages: Leverages,
    /// Newton–Raphson steps taken.
    pub iterations: usize,
    /// Largest component of the remaining gradient, per unit of weight.
    pub gradient: f64,
    /// Largest difference between the coefficients reached from two starting points; `None` if only
    /// one was used.
    pub start_difference: Option<f64>,
    /// Weighted log-likelihood in nats, with the penalty if there is one.
    pub log_likelihood: f64,
    /// Columns that separate the results, so that the fit is penalized; empty if they do not.
    pub separated: Vec<String>,
}

impl ModelFit {
    /// The covariance of the coefficients: the sandwich, or for separated results the inverse
    /// information matrix times the mean design effect.
    ///
    /// The sandwich (Liang and Zeger 1986) has the correction CR2 (Bell and McCaffrey 2002; see
    /// [`Leverages`]). The positions of a game share one result, and the two games of an opening
    /// pair share an opening. Treating them as independent makes intervals far too narrow. The
    /// sandwich sums the score vectors of each cluster before squaring, so that whatever the rows
    /// of a cluster have in common counts once.
    pub fn robust_covariance(&self) -> DMatrix<f64> {
        let sandwich = &self.cluster_errors * self.cluster_errors.transpose();
        if self.separated.is_empty() {
            return sandwich;
        }
        let effects = self.bread.clone().cholesky().map(|bread| bread.solve(&sandwich));
        let mean = effects.map_or(1.0, |effects| effects.trace() / effects.nrows() as f64);
        &self.bread * mean.max(1.0)
    }
}

/// Fits a model from two starting points, which must lead to the same maximum.
///
/// # Errors
/// If the data do not determine the parameters: no rows, equal results, too few clusters, a column that is always zero, collinear columns,
/// perfect separation, or a threshold without results next to it.
pub fn fit(model: &Logit, design: &DesignMatrix) -> Result<ModelFit, FitError> {
    let mut fit = fit_from(model, design, None)?;
    let start = distant_start(&fit.coefficients, design.columns().len());
    let other = fit_from(model, design, Some(&start))?;
    let difference = (&fit.coefficients - &other.coefficients).amax();
    if difference > START_TOLERANCE {
        return Err(FitError::StartsDisagree { difference });
    }
    fit.start_difference = Some(difference);
    Ok(fit)
}

/// A starting point far from the solution and from zero: coefficients shifted by 0.5 in alternating
/// directions, thresholds enlarged by half.
fn distant_start(solution: &DVector<f64>, columns: usize) -> DVector<f64> {
    let mut start = solution.clone();
    for (index, value) in start.iter_mut().enumerate() {
        if index >= columns {
            *value *= 1.5;
        } else if index.is_multiple_of(2) {
            *value += 0.5;
        } else {
            *value -= 0.5;
        }
    }
    start
}

/// Replaces the error of a fit to separated results by a fit with a penalty.
///
/// # Errors
/// If the fit has another error, or the one with a penalty fails.
pub fn or_penalized(
    fit: Result<ModelFit, FitError>,
    model: &Logit,
    design: &DesignMatrix,
) -> Result<ModelFit, FitError> {
    match fit {
        Err(FitError::Separated { columns }) => {
            let mut problem = Problem::new(model, design)?;
            problem.is_penalized = true;
            let fit = problem.solve(None)?;
            Ok(ModelFit { separated: columns, ..fit })
        }
        fit => fit,
    }
}

/// Fits a model from one starting point, by default zero coefficients. Use it for subsets of data
/// that [`fit`] has fitted, and for simulations.
///
/// # Errors
/// As [`fit`].
pub fn fit_from(model: &Logit, design: &DesignMatrix, start: Option<&DVector<f64>>) -> Result<ModelFit, FitError> {
    Problem::new(model, design)?.solve(start)
}

/// Where Newton–Raphson has ended.
#[derive(Clone, Debug)]
pub(crate) struct Climb {
    pub(crate) parameters: DVector<f64>,
    /// The sums at these parameters.
    pub(crate) sums: Accumulator,
    /// Steps taken.
    pub(crate) steps: usize,
    /// Largest component of the gradient, per unit of weight. It is above the tolerance if the
    /// climb has not converged.
    pub(crate) gradient: f64,
}

/// Maximizes a concave log-likelihood by Newton–Raphson with step halving, until no component of
/// the gradient, per unit of weight, is larger than a tolerance, or the information matrix is
/// singular. `at` returns the sums at some parameters, `None` if the parameters are not feasible;
/// the start is.
///
/// # Panics
/// If the start is not feasible.
pub(crate) fn climb(
    start: &DVector<f64>,
    weight: f64,
    tolerance: f64,
    mut at: impl FnMut(&DVector<f64>) -> Option<Accumulator>,
) -> Climb {
    let sums = at(start).expect("the start is feasible");
    let gradient = sums.gradient().amax() / weight;
    let mut now = Climb { parameters: start.clone(), sums, steps: 0, gradient };
    while now.gradient > tolerance && now.steps < MAX_STEPS {
        let Some(cholesky) = now.sums.information().cholesky() else { break };
        let mut step = cholesky.solve(&now.sums.gradient());
        // The log-likelihood is concave: halve a step that lowers it. The tolerance allows for
        // rounding near the maximum.
        let minimum = now.sums.log_likelihood - 1e-12 * (1.0 + now.sums.log_likelihood.abs());
        let next = (0..MAX_HALVINGS).find_map(|halvings| {
            step *= if halvings == 0 { 1.0 } else { 0.5 };
            at(&(&now.parameters + &step)).filter(|next| next.log_likelihood >= minimum)
        });
        let Some(sums) = next else { break };
        let gradient = sums.gradient().amax() / weight;
        now = Climb { parameters: &now.parameters + &step, sums, steps: now.steps + 1, gradient };
    }
    now
}

struct Problem<'p> {
    model: &'p Logit,
    design: &'p DesignMatrix,
    weight: f64,
    names: Vec<String>,
    /// All coefficients zero, initial thresholds.
    null: DVector<f64>,
    /// Whether the log-likelihood has the penalty for separated results.
    is_penalized: bool,
}

impl Problem<'_> {
    fn new<'p>(model: &'p Logit, design: &'p DesignMatrix) -> Result<Problem<'p>, FitError> {
        let names = model.parameter_names(design);
        check_results(design, names.len())?;
        let mut null = vec![0.0; design.columns().len()];
        null.extend(model.initial_thresholds(design)?);
        Ok(Problem {
            model,
            design,
            weight: design.total_weight(),
            names,
            null: DVector::from_vec(null),
            is_penalized: false,
        })
    }

    /// The maximum that is reached from a starting point.
    fn solve(&self, start: Option<&DVector<f64>>) -> Result<ModelFit, FitError> {
        let null = self.likelihood_at(&self.null).information();
        self.check_columns(&null)?;
        let tolerance = if self.is_penalized { PENALIZED_TOLERANCE } else { GRADIENT_TOLERANCE };
        let at = |parameters: &DVector<f64>| self.model.is_feasible(parameters).then(|| self.at(parameters));
        let Climb { mut parameters, sums, steps: iterations, gradient } = climb(
            start.filter(|start| self.model.is_feasible(start)).unwrap_or(&self.null),
            self.weight,
            tolerance,
            at,
        );
        // The columns are linearly independent, so a singular information matrix means that the fit
        // diverges along a separating combination.
        if !self.is_penalized
            && let Some((smallest, columns)) = weakest_direction(&self.names, &sums.information(), &null)
            && smallest < MIN_INFORMATION_RATIO
        {
            return Err(FitError::Separated { columns });
        }
        let cholesky = sums.information().cholesky().filter(|_| gradient <= tolerance);
        let cholesky = cholesky.ok_or(FitError::NoConvergence { iterations, gradient })?;
        // Convergence is quadratic: one more step squares the remaining error.
        let refined = &parameters + cholesky.solve(&sums.gradient());
        if self.model.is_feasible(&refined) {
            parameters = refined;
        }
        self.finish(parameters, iterations)
    }

    /// The sums over all rows at some parameters, with the penalty if there is one.
    fn at(&self, parameters: &DVector<f64>) -> Accumulator {
        let mut sums = self.likelihood_at(parameters);
        if self.is_penalized {
            let penalty = |sums: &Accumulator| {
                let root = sums.information().cholesky();
                root.map_or(f64::NEG_INFINITY, |root| root.l_dirty().diagonal().map(f64::ln).sum())
            };
            let slope = |index: usize, _| {
                let [above, below] = [PENALTY_STEP, -PENALTY_STEP].map(|step| {
                    let mut moved = parameters.clone();
                    moved[index] += step;
                    penalty(&self.likelihood_at(&moved))
                });
                (above - below) / (2.0 * PENALTY_STEP)
            };
            let gradient = DVector::from_fn(parameters.len(), slope);
            sums.add_term(penalty(&sums), &gradient);
        }
        sums
    }

    /// The sums over all rows at some parameters.
    fn likelihood_at(&self, parameters: &DVector<f64>) -> Accumulator {
        let chunks = self.design.rows().as_slice().par_chunks(CHUNK);
        let sums: Vec<Accumulator> = chunks.map(|rows| Accumulator::of_rows(self.model, rows, parameters)).collect();
        let mut total = Accumulator::new(parameters.len());
        for sum in &sums {
            total.add(sum, 1.0);
        }
        total
    }

    fn finish(&self, parameters: DVector<f64>, iterations: usize) -> Result<ModelFit, FitError> {
        let state = self.at(&parameters);
        let gradient = state.gradient().amax() / self.weight;
        let bread = state.information().cholesky().map(|cholesky| cholesky.inverse());
        let root = bread.and_then(|bread| Some((bread.clone().cholesky()?.l(), bread)));
        let (root, bread) = root.ok_or(FitError::NoConvergence { iterations, gradient })?;
        let leverages = Leverages::new(root, cluster_sums(self.model, self.design, &parameters));
        Ok(ModelFit {
            coefficients: parameters,
            bread,
            cluster_errors: leverages.cluster_errors(),
            leverages,
            iterations,
            gradient,
            start_difference: None,
            log_likelihood: state.log_likelihood,
            separated: Vec::new(),
        })
    }

    /// Rejects columns that are always zero or linearly dependent.
    fn check_columns(&self, information: &DMatrix<f64>) -> Result<(), FitError> {
        if let Some(column) = (0..information.nrows()).find(|&column| information[(column, column)] <= 0.0) {
            return Err(FitError::NeverUnbalanced { column: self.names[column].clone() });
        }
        let scale = DMatrix::from_diagonal(&information.diagonal());
        match weakest_direction(&self.names, information, &scale) {
            Some((smallest, _)) if smallest >= MIN_EIGENVALUE => Ok(()),
            Some((_, columns)) => Err(FitError::Collinear { columns }),
            None => Err(FitError::Collinear { columns: self.names.clone() }),
        }
    }
}

fn check_results(design: &DesignMatrix, coefficients: usize) -> Result<(), FitError> {
    let first = design.rows().next().ok_or(FitError::Empty)?.observation.score;
    if design.rows().all(|row| (row.observation.score - first).abs() < 1e-9) {
        return Err(FitError::AllResultsEqual { score: first });
    }
    let found = design.cluster_count();
    if found <= coefficients {
        return Err(FitError::TooFewClusters { found, coefficients });
    }
    Ok(())
}

/// The combination of columns about which `information` says least relative to `scale`: the
/// smallest generalized eigenvalue, and the names of the columns with large loadings in its
/// eigenvector. `None` if `scale` is not positive definite.
fn weakest_direction(names: &[String], information: &DMatrix<f64>, scale: &DMatrix<f64>) -> Option<(f64, Vec<String>)> {
    let root = scale.clone().cholesky()?;
    let half = root.l().solve_lower_triangular(information)?;
    let whole = root.l().solve_lower_triangular(&half.transpose())?;
    let eigen = whole.symmetric_eigen();
    let smallest = eigen.eigenvalues.imin();
    // Back to the original space, then scaled by each column's length, so that a rare piece does
    // not get a large loading because it is rare.
    let vector = root.l().tr_solve_lower_triangular(&eigen.eigenvectors.column(smallest))?;
    let loadings: Vec<f64> =
        vector.iter().zip(scale.diagonal().iter()).map(|(loading, size)| (loading * size.sqrt()).abs()).collect();
    let largest = loadings.iter().copied().fold(0.0, f64::max);
    let named = names.iter().zip(&loadings).filter(|&(_, &loading)| loading > 0.1 * largest);
    Some((eigen.eigenvalues[smallest], named.map(|(name, _)| name.clone()).collect()))
}

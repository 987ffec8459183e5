//! Newton's method for a model's weighted log-likelihood, which is concave.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::contributions::packed_index;
use super::{FitError, ModelFit, RegressionModel};
use crate::values::design::matrix::{DesignMatrix, DesignRow};

/// The gradient for each unit of weight at which the fit has settled.
const SETTLED: f64 = 1e-10;

/// How far the coefficients that two starts lead to may differ.
const SAME: f64 = 1e-8;

/// Newton needs some six steps on real data; separated data cost one step for each unit of log-odds.
const MOST_STEPS: usize = 100;

/// Columns scaled to length 1 whose information has an eigenvalue below this depend on each other.
const DEPENDENT: f64 = 1e-9;

/// At the solution of separated data the information about the separating combination falls towards nothing; on other
/// data it stays within some orders of magnitude of what it was with all coefficients zero.
const SEPARATED: f64 = 1e-6;

/// Rows that a thread sums at a time. Sums are put together in the order of the rows, so the number of threads does not
/// change a digit.
const CHUNK: usize = 8_192;

pub(super) fn fit(model: &dyn RegressionModel, design: &DesignMatrix) -> Result<ModelFit, FitError> {
    let mut fit = fit_from(model, design, None)?;
    let elsewhere = elsewhere(&fit.coefficients, design.columns().len());
    let other = fit_from(model, design, Some(&elsewhere))?;
    let difference = (&fit.coefficients - &other.coefficients).amax();
    if difference > SAME {
        return Err(FitError::StartsDisagree { difference });
    }
    fit.start_difference = Some(difference);
    Ok(fit)
}

/// A start far from the solution and from zero: each coefficient half a log-odds off, to either side in turn, and the model's
/// own parameters half as large again.
fn elsewhere(solution: &DVector<f64>, columns: usize) -> DVector<f64> {
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

pub(super) fn fit_from(
    model: &dyn RegressionModel,
    design: &DesignMatrix,
    start: Option<&DVector<f64>>,
) -> Result<ModelFit, FitError> {
    let problem = Problem::new(model, design)?;
    let flat = problem.at(&problem.flat);
    problem.check_columns(&flat.information)?;
    let mut parameters = start.unwrap_or(&problem.flat).clone();
    let mut state = problem.at(&parameters);
    for iterations in 0..=MOST_STEPS {
        let gradient = state.gradient.amax() / problem.weight;
        if gradient <= SETTLED || iterations == MOST_STEPS {
            problem.check_separation(&flat.information, &state.information)?;
            if gradient > SETTLED {
                return Err(FitError::NoConvergence { iterations, gradient });
            }
            // One step more costs little and squares what is left of the error.
            let cholesky = state.information.clone().cholesky();
            let cholesky = cholesky.ok_or(FitError::NoConvergence { iterations, gradient })?;
            let polished = &parameters + cholesky.solve(&state.gradient);
            if problem.is_feasible(&polished) {
                parameters = polished;
            }
            return problem.finish(parameters, iterations);
        }
        let Some(cholesky) = state.information.clone().cholesky() else {
            // Independent columns whose information is gone: the fit runs away along a separating combination.
            problem.check_separation(&flat.information, &state.information)?;
            return Err(FitError::NoConvergence { iterations, gradient });
        };
        let mut step = cholesky.solve(&state.gradient);
        // The likelihood is concave: a step that does not go up is too long. Rounding decides at the end, hence the
        // tolerance.
        let least = state.log_likelihood - 1e-12 * (1.0 + state.log_likelihood.abs());
        let mut next;
        loop {
            let there = &parameters + &step;
            if problem.is_feasible(&there) {
                next = problem.at(&there);
                if next.log_likelihood >= least {
                    break;
                }
            }
            step *= 0.5;
            if step.amax() < f64::MIN_POSITIVE {
                return Err(FitError::NoConvergence { iterations, gradient });
            }
        }
        parameters += step;
        state = next;
    }
    unreachable!("the last pass returns");
}

/// Coefficients and the model's own parameters.
pub(super) fn split(parameters: &DVector<f64>, columns: usize) -> (DVector<f64>, Vec<f64>) {
    let coefficients = parameters.rows(0, columns).into_owned();
    let nuisance = parameters.iter().skip(columns).copied().collect();
    (coefficients, nuisance)
}

/// A sum over rows: the gradient, then the lower triangle of the information.
#[derive(Clone, Debug)]
pub(super) struct Accumulated {
    width: usize,
    log_likelihood: f64,
    pub(super) numbers: Vec<f64>,
}

impl Accumulated {
    pub(super) fn zero(width: usize) -> Accumulated {
        Accumulated {
            width,
            log_likelihood: 0.0,
            numbers: vec![0.0; width + width * (width + 1) / 2],
        }
    }

    pub(super) fn add(
        &mut self,
        model: &dyn RegressionModel,
        row: &DesignRow<'_>,
        coefficients: &DVector<f64>,
        nuisance: &[f64],
    ) {
        let weight = row.observation.weight;
        let columns = coefficients.len();
        let point = model.at(row.dot(coefficients), nuisance, row.observation.score);
        self.log_likelihood += weight * point.log_likelihood;
        let (gradient, information) = self.numbers.split_at_mut(self.width);
        for (at, (column, value)) in row.entries().enumerate() {
            gradient[column] += weight * point.slope * value;
            let bent = weight * point.curvature * value;
            // Columns ascend, so those before stand in the same row of the triangle.
            for (other, number) in row.entries().take(at + 1) {
                information[packed_index(column, other)] += bent * number;
            }
            for (index, cross) in point.cross.iter().enumerate().take(nuisance.len()) {
                information[packed_index(columns + index, column)] += weight * cross * value;
            }
        }
        for index in 0..nuisance.len() {
            gradient[columns + index] += weight * point.nuisance[index];
            for other in 0..=index {
                information[packed_index(columns + index, columns + other)] += weight * point.block[index][other];
            }
        }
    }

    pub(super) fn unpack(&self) -> (DVector<f64>, DMatrix<f64>) {
        let (gradient, information) = self.numbers.split_at(self.width);
        let whole = DMatrix::from_fn(self.width, self.width, |row, column| {
            information[packed_index(row, column)]
        });
        (DVector::from_column_slice(gradient), whole)
    }
}

/// Log-likelihood, gradient and information of all rows at some parameters.
#[derive(Clone, Debug)]
struct State {
    log_likelihood: f64,
    gradient: DVector<f64>,
    information: DMatrix<f64>,
}

struct Problem<'p> {
    model: &'p dyn RegressionModel,
    design: &'p DesignMatrix,
    weight: f64,
    names: Vec<String>,
    /// All coefficients zero.
    flat: DVector<f64>,
}

impl Problem<'_> {
    fn new<'p>(model: &'p dyn RegressionModel, design: &'p DesignMatrix) -> Result<Problem<'p>, FitError> {
        let names: Vec<String> = design.columns().iter().cloned().chain(model.nuisance_names()).collect();
        check_results(design, names.len())?;
        let mut flat = vec![0.0; design.columns().len()];
        flat.extend(model.initial_nuisance(design)?);
        Ok(Problem {
            model,
            design,
            weight: design.total_weight(),
            names,
            flat: DVector::from_vec(flat),
        })
    }

    fn is_feasible(&self, parameters: &DVector<f64>) -> bool {
        let (_, nuisance) = split(parameters, self.design.columns().len());
        self.model.is_feasible(&nuisance)
    }

    fn at(&self, parameters: &DVector<f64>) -> State {
        let (coefficients, nuisance) = split(parameters, self.design.columns().len());
        let chunks = self.design.len().div_ceil(CHUNK);
        let sum_of = |chunk: usize| {
            let mut sum = Accumulated::zero(parameters.len());
            for index in chunk * CHUNK..self.design.len().min((chunk + 1) * CHUNK) {
                sum.add(self.model, &self.design.row(index), &coefficients, &nuisance);
            }
            sum
        };
        let sums: Vec<Accumulated> = if chunks <= 1 {
            (0..chunks).map(sum_of).collect()
        } else {
            (0..chunks).into_par_iter().map(sum_of).collect()
        };
        let mut all = Accumulated::zero(parameters.len());
        for sum in sums {
            all.log_likelihood += sum.log_likelihood;
            for (place, number) in all.numbers.iter_mut().zip(&sum.numbers) {
                *place += number;
            }
        }
        let (gradient, information) = all.unpack();
        State {
            log_likelihood: all.log_likelihood,
            gradient,
            information,
        }
    }

    fn finish(&self, parameters: DVector<f64>, iterations: usize) -> Result<ModelFit, FitError> {
        let state = self.at(&parameters);
        let gradient = state.gradient.amax() / self.weight;
        let bread = state.information.cholesky().map(|cholesky| cholesky.inverse());
        let bread = bread.ok_or(FitError::NoConvergence { iterations, gradient })?;
        let (cluster_scores, position_meat) = self.scores(&parameters);
        Ok(ModelFit {
            coefficients: parameters,
            bread,
            cluster_scores,
            position_meat,
            iterations,
            gradient,
            start_difference: None,
            log_likelihood: state.log_likelihood,
        })
    }

    fn scores(&self, parameters: &DVector<f64>) -> (DMatrix<f64>, DMatrix<f64>) {
        let width = parameters.len();
        let columns = self.design.columns().len();
        let (coefficients, nuisance) = split(parameters, columns);
        let mut clusters = DMatrix::zeros(width, self.design.cluster_count());
        let mut meat = DMatrix::zeros(width, width);
        let mut entries = Vec::with_capacity(width);
        for row in self.design.rows() {
            let point = self.model.at(row.dot(&coefficients), &nuisance, row.observation.score);
            entries.clear();
            entries.extend(
                row.entries()
                    .map(|(column, value)| (column, row.observation.weight * point.slope * value)),
            );
            entries.extend(
                (0..nuisance.len()).map(|index| (columns + index, row.observation.weight * point.nuisance[index])),
            );
            for &(column, score) in &entries {
                clusters[(column, row.observation.cluster)] += score;
                for &(other, score_too) in &entries {
                    // So many equal positions, each with its part of the row's weight.
                    meat[(column, other)] += score * score_too / row.observation.positions;
                }
            }
        }
        (clusters, meat)
    }

    /// Every column must vary, and none may follow from others.
    fn check_columns(&self, information: &DMatrix<f64>) -> Result<(), FitError> {
        if let Some(column) = (0..information.nrows()).find(|&column| information[(column, column)] <= 0.0) {
            return Err(FitError::NeverUnbalanced {
                column: self.names[column].clone(),
            });
        }
        match weakest(
            &self.names,
            information,
            &DMatrix::from_diagonal(&information.diagonal()),
        ) {
            Some((smallest, _)) if smallest >= DEPENDENT => Ok(()),
            Some((_, columns)) => Err(FitError::Collinear { columns }),
            None => Err(FitError::Collinear {
                columns: self.names.clone(),
            }),
        }
    }

    fn check_separation(&self, flat: &DMatrix<f64>, now: &DMatrix<f64>) -> Result<(), FitError> {
        match weakest(&self.names, now, flat) {
            Some((smallest, columns)) if smallest < SEPARATED => Err(FitError::Separated { columns }),
            _ => Ok(()),
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

/// The combination of columns about which `information` says least in units of `scale` (positive definite): the
/// smallest generalized eigenvalue, and the names of the columns that matter in its vector. `None` when `scale` is not
/// positive definite.
fn weakest(names: &[String], information: &DMatrix<f64>, scale: &DMatrix<f64>) -> Option<(f64, Vec<String>)> {
    let root = scale.clone().cholesky()?;
    let half = root.l().solve_lower_triangular(information)?;
    let whole = root.l().solve_lower_triangular(&half.transpose())?;
    let eigen = whole.symmetric_eigen();
    let smallest = eigen.eigenvalues.imin();
    // Back from the scaled space, then each column by its own length, so that rare kinds are not named by their rarity.
    let vector = root
        .l()
        .tr_solve_lower_triangular(&eigen.eigenvectors.column(smallest))?;
    let loads: Vec<f64> = vector
        .iter()
        .zip(scale.diagonal().iter())
        .map(|(load, size)| (load * size.sqrt()).abs())
        .collect();
    let most = loads.iter().copied().fold(0.0, f64::max);
    let named = names.iter().zip(&loads).filter(|&(_, &load)| load > 0.1 * most);
    Some((
        eigen.eigenvalues[smallest],
        named.map(|(name, _)| name.clone()).collect(),
    ))
}

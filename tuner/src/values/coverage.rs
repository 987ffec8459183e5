//! Coverage of the intervals: many data sets are measured like real games, and the 95% intervals that contain the true value are
//! counted. The data sets are simulated from known values ([`simulated`]), or random subsets of real games ([`WholeSet`]).
//!
//! **Subsets.** The value of all games stands for the true one. The whole set has an error of its own, and it contains the subset.
//! Let `b` be the coefficients of a subset with a share `s` of the opening pairs and `B` those of the whole set. To first order,
//! both are means of the same influence function, so `Cov(b, B) = Var(B) = s Var(b)` and `Var(b - B) = (1 - s) Var(b)`. A subset's
//! interval for the difference is therefore its ordinary interval with the covariance times `1 - s`, and it contains the whole
//! set's value as often as the ordinary interval contains the true value. A bias is seen only if it depends on the number of games;
//! what biases all sets alike, like a wrong model, is seen in simulated sets only.
//!
//! **Monte Carlo error.** Simulated sets are independent. The subsets of one partition depend on each other, since they share out
//! the same games: the first of two halves is off by as much as the second, in the other direction. Partitions are drawn
//! independently of each other, so the variance between whole partitions gives the error. Divided by the variance of as many
//! independent subsets it is the design effect (Kish 1965), and dividing the number of subsets by it gives the effective number,
//! from which Wilson's interval is computed (Korn and Graubard 1998).
//!
//! **Bias** is judged by the share of sets with a larger value: a value in pawns is a ratio, whose mean is biased in small samples
//! and whose median is not.
//!
//! The sandwich underestimates errors if there are few clusters for each coefficient, so intervals of few games may be too narrow.
//! A failure at 600 games is a finding about those intervals, not an error of the division: in simulated games, whose material
//! never changes, 300 independent pairs have the same coverages as subsets of 300 pairs, about 0.91. Real games, which pass through
//! many differences in material, have 0.925 and more.

use std::collections::BTreeMap;
use std::sync::Arc;

use assay_rules::GameDef;
use nalgebra::{DMatrix, DVector};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde::Serialize;

use crate::values::data::Dataset;
use crate::values::data::regressor::Regressor;
use crate::values::design::phase::{FEW, PhaseModel};
use crate::values::design::spec::{Column, DesignSpec};
use crate::values::fit::{Fit, Parameter};
use crate::values::inference::estimate::IntervalEstimate;
use crate::values::inference::monte_carlo::{self, CoverageVerdict};
use crate::values::inference::sandwich;
use crate::values::inference::units::Unit;
use crate::values::inference::verdict::ValueVerdict;
use crate::values::model::{FitError, Logit, fit_from};
use crate::values::simulate::Simulation;

/// Acceptable shares of sets whose value is greater than the true one. For normal errors they are those of a bias of a tenth of a
/// standard deviation.
const ACCEPTABLE_ABOVE: [f64; 2] = [0.46, 0.54];

/// A value whose intervals are checked.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedValue {
    /// Name of the piece or pair.
    pub piece: String,
    pub unit: Unit,
    /// Game phase: `full board`, `average` or `few pieces`.
    pub phase: &'static str,
    regressor: Regressor,
    /// Share of pieces left in this phase.
    left: f64,
}

impl CheckedValue {
    /// The values of a game in the primary unit, then those in pawns. Values that are constant by the definition of the unit are
    /// left out, and so are effects of pairs in the primary unit, which has none. `fit` is any fit of these values, and `average` the
    /// share of pieces left in the average position.
    fn all(phase_model: PhaseModel, average: f64, fit: &Fit) -> Vec<CheckedValue> {
        let (game, regressors) = (&fit.game, fit.regressors());
        let phases = [("full board", 1.0), ("average", average), ("few pieces", FEW)].into_iter();
        let phases = phases.filter(|phase| phase_model != PhaseModel::Constant || phase.0 == "average");
        let phases: Vec<(&'static str, f64)> = phases.collect();
        let army = fit.unit_table(Unit::Army).map(|table| table.values).unwrap_or_default();
        let is_in_army = |name: &str| {
            let found = army.iter().find(|value| value.piece == name);
            found.is_some_and(|value| value.verdict != ValueVerdict::Unit)
        };
        let is_checked = |unit: Unit, regressor: Regressor| match (unit, regressor) {
            (_, Regressor::SideToMove | Regressor::White) => false,
            (Unit::Pawns, regressor) => regressor != Regressor::Kind(game.pawn),
            (_, regressor) => is_in_army(&regressor.name(game)),
        };
        let mut values = Vec::new();
        for unit in [Unit::Army, Unit::Pawns] {
            for &regressor in regressors.iter().filter(|&&regressor| is_checked(unit, regressor)) {
                values.extend(phases.iter().map(|&(phase, left)| CheckedValue {
                    piece: regressor.name(game),
                    unit,
                    phase,
                    regressor,
                    left,
                }));
            }
        }
        values
    }

    fn unknown(&self) -> FitError {
        FitError::NeverUnbalanced {
            column: self.piece.clone(),
        }
    }

    /// The values by a fit, in this order.
    ///
    /// # Errors
    /// [`FitError::NeverUnbalanced`] if the fit does not have a value.
    fn estimates(values: &[CheckedValue], fit: &Fit) -> Result<Vec<IntervalEstimate>, FitError> {
        let of_value = |value: &CheckedValue| match value.unit {
            Unit::Pawns => fit.in_pawns(value.regressor, value.left),
            unit => fit.value_in(unit, &value.piece, value.left),
        };
        let estimates = values
            .iter()
            .map(|value| of_value(value).ok_or_else(|| value.unknown()));
        estimates.collect()
    }
}

/// Estimates of one value over all data sets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CoverageRow {
    /// Name of the piece or pair.
    pub piece: String,
    pub unit: Unit,
    /// Game phase.
    pub phase: &'static str,
    /// The known value, or that of all games.
    pub true_value: f64,
    /// Mean estimate.
    pub mean: f64,
    /// Standard deviation of the estimates.
    pub standard_deviation: f64,
    /// Bias in standard deviations: (mean - true value) / standard deviation.
    pub standardized_bias: f64,
    /// Share of the sets whose value is greater than the true one: a half without bias.
    pub above: f64,
    /// Mean half-width of the bounded intervals.
    pub half_width: f64,
    /// Number of unbounded intervals.
    pub unbounded: usize,
    /// Share of the 95% intervals that contain the true value, allowing for the error of the value of all games.
    pub coverage: f64,
    /// Wilson's 95% interval of the coverage, from the effective number of sets.
    pub coverage_interval: [f64; 2],
    /// Coverage of intervals that treat positions as independent; `None` for subsets.
    pub control: Option<f64>,
}

/// Coverage of data sets of one size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Coverage {
    /// Games of a set.
    pub games: usize,
    /// Sets fitted.
    pub sets: usize,
    /// Random partitions of all games into the sets; 1 for simulated sets.
    pub partitions: usize,
    /// Variance of the coverages of whole partitions over that of as many independent sets, pooled over the values; at least 1, and
    /// 1 if there is one partition.
    pub design_effect: f64,
    /// Sets that could not be fitted and are left out.
    pub failed: usize,
    /// First fitting error.
    pub first_error: Option<String>,
    /// Failed if a set could not be fitted, a coverage or a share above is not acceptable, or the control passes for a piece.
    pub verdict: CoverageVerdict,
    /// One row for each unit, value and phase.
    pub values: Vec<CoverageRow>,
}

/// The values by one data set, in the order of [`Trials::values`].
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Number of its partition.
    pub partition: usize,
    /// Intervals of subsets allow for the error of the whole set.
    pub estimates: Vec<IntervalEstimate>,
    /// The same with intervals that treat positions as independent; only for simulated sets.
    pub control: Option<Vec<IntervalEstimate>>,
}

/// Estimates from data sets of one size.
#[derive(Clone, Debug)]
pub struct Trials {
    pub values: Vec<CheckedValue>,
    true_values: Vec<f64>,
    /// Games of a set.
    games: usize,
    partitions: usize,
    /// One for each set that could be fitted, at least one.
    pub fitted: Vec<Trial>,
    errors: Vec<FitError>,
}

/// Simulates and measures `sets` data sets, and calls `done` after each. The result depends on the seed but not on the number of
/// threads.
///
/// # Errors
/// If no data set can be fitted: the first error.
pub fn simulated(
    simulation: &Simulation,
    phase_model: PhaseModel,
    sets: usize,
    seed: u64,
    done: impl Fn() + Sync,
) -> Result<Trials, FitError> {
    let (values, true_values) = known_values(simulation, phase_model)?;
    let sets = (0..sets as u64).into_par_iter();
    let results = sets.map(|set| {
        let trial = measure_simulated(simulation, phase_model, &values, set_seed(seed, set));
        done();
        trial
    });
    let results = results.collect();
    Trials::of(values, true_values, 2 * simulation.pairs, 1, results)
}

/// Seed of a data set or partition; neighboring values of `seed` share none.
fn set_seed(seed: u64, number: u64) -> u64 {
    seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(number)
}

/// The values to check, and their true values. True values are exact, and linear in the phase whatever the model of the fit.
fn known_values(simulation: &Simulation, phase_model: PhaseModel) -> Result<(Vec<CheckedValue>, Vec<f64>), FitError> {
    let game = &simulation.game;
    let mut regressors = simulation.regressors();
    let all = regressors.clone();
    regressors.retain(|regressor| {
        let index = all.iter().position(|other| other == regressor);
        index.is_some_and(|index| simulation.openings.iter().any(|start| start.values[index] != 0.0))
    });
    let at = |left: f64| {
        let truth = regressors
            .iter()
            .map(|&regressor| simulation.truth_of(regressor).at(left));
        let column = |&regressor: &Regressor| Parameter::Column(Column { regressor, knot: None });
        Fit {
            game: Arc::clone(game),
            parameters: regressors.iter().map(column).collect(),
            coefficients: DVector::from_iterator(regressors.len(), truth),
            covariance: DMatrix::zeros(regressors.len(), regressors.len()),
            phase_model: PhaseModel::Constant,
            mean_left: left,
            critical_value: 0.0,
        }
    };
    let values = CheckedValue::all(phase_model, 0.6, &at(1.0));
    let truth = |value: &CheckedValue| {
        let log_odds = |regressor: Regressor| simulation.truth_of(regressor).at(value.left);
        match value.unit {
            Unit::Pawns => Ok(log_odds(value.regressor) / log_odds(Regressor::Kind(game.pawn))),
            unit => {
                let truth = at(value.left).value_in(unit, &value.piece, value.left);
                truth.map(|truth| truth.value).ok_or_else(|| value.unknown())
            }
        }
    };
    let truths = values.iter().map(truth).collect::<Result<_, _>>()?;
    Ok((values, truths))
}

fn measure_simulated(
    simulation: &Simulation,
    phase_model: PhaseModel,
    values: &[CheckedValue],
    seed: u64,
) -> Result<Trial, FitError> {
    let data = simulation.data(seed);
    let spec = DesignSpec::of(&data, phase_model);
    let design = spec.design_matrix(&data.games);
    let fit = fit_from(&Logit::of(&design), &design, None)?;
    let robust = Fit::new(&fit, &spec, 1.0, design.cluster_count());
    let control = Fit {
        covariance: sandwich::naive_covariance(&fit),
        ..robust.clone()
    };
    Ok(Trial {
        partition: 0,
        estimates: CheckedValue::estimates(values, &robust)?,
        control: Some(CheckedValue::estimates(values, &control)?),
    })
}

/// All games with their values.
pub struct WholeSet<'d> {
    data: &'d Dataset,
    phase_model: PhaseModel,
    fit: Fit,
    /// Indices of the games of each opening pair.
    pairs: Vec<Vec<usize>>,
}

impl<'d> WholeSet<'d> {
    /// # Errors
    /// If the values cannot be fitted.
    pub fn fit(data: &'d Dataset, phase_model: PhaseModel) -> Result<WholeSet<'d>, FitError> {
        let mut pairs = BTreeMap::<usize, Vec<usize>>::new();
        for (index, game) in data.games.iter().enumerate() {
            pairs.entry(game.cluster).or_default().push(index);
        }
        Ok(WholeSet {
            data,
            phase_model,
            fit: Fit::of_games(data, phase_model)?,
            pairs: pairs.into_values().collect(),
        })
    }

    /// Divides the games into disjoint random subsets of `games` games, as often as it takes to get at least `subsets` of them, and
    /// measures these. Calls `done` after each. The result does not depend on the number of threads.
    ///
    /// # Errors
    /// If no subset can be fitted: the first error.
    ///
    /// # Panics
    /// If `games` is less than 2 or more than half of the set.
    pub fn subsets(&self, games: usize, subsets: usize, seed: u64, done: impl Fn() + Sync) -> Result<Trials, FitError> {
        let size = games / 2;
        assert!(
            size >= 1 && 2 * size <= self.pairs.len(),
            "at least two disjoint subsets"
        );
        let partitions = subsets.div_ceil(self.pairs.len() / size);
        let values = CheckedValue::all(self.phase_model, self.fit.mean_left, &self.fit);
        let whole = CheckedValue::estimates(&values, &self.fit)?;
        let mut results = Vec::new();
        for partition in 0..partitions {
            let mut order: Vec<usize> = (0..self.pairs.len()).collect();
            order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(set_seed(seed, partition as u64)));
            results.par_extend(order.par_chunks_exact(size).map(|pairs| {
                let estimates = self.estimates(pairs, &values);
                done();
                Ok(Trial {
                    partition,
                    estimates: estimates?,
                    control: None,
                })
            }));
        }
        let whole = whole.iter().map(|estimate| estimate.value).collect();
        Trials::of(values, whole, 2 * size, partitions, results)
    }

    /// The estimates from some pairs.
    fn estimates(&self, pairs: &[usize], values: &[CheckedValue]) -> Result<Vec<IntervalEstimate>, FitError> {
        let games = pairs.iter().flat_map(|&pair| &self.pairs[pair]);
        let games = games.map(|&game| self.data.games[game].clone());
        let mut fit = Fit::of_games(&self.data.with_games(games.collect()), self.phase_model)?;
        fit.covariance *= 1.0 - pairs.len() as f64 / self.pairs.len() as f64;
        CheckedValue::estimates(values, &fit)
    }

    /// Correlation of the residuals of a pair's two games, from White's point of view. A residual is the score minus its mean
    /// expectation in the positions of the game.
    pub fn pair_correlation(&self) -> f64 {
        let spec = DesignSpec::of(self.data, self.phase_model);
        let model = Logit::of(&spec.design_matrix(&self.data.games));
        let thresholds = &self.fit.coefficients.as_slice()[spec.columns.len()..];
        let residual = |game: usize| {
            let game = &self.data.games[game];
            let (mut sum, mut total) = (0.0, 0.0);
            for (sample, weight) in spec.weights(game) {
                let row = spec.row(sample.pieces, &sample.values);
                let terms = row.iter().zip(&self.fit.coefficients);
                let log_odds: f64 = terms.map(|(value, weight)| value * weight).sum();
                sum += weight * model.expected(log_odds, thresholds);
                total += weight;
            }
            (total > 0.0).then(|| game.white.as_f64() - sum / total)
        };
        let (mut product, mut square) = (0.0, 0.0);
        for pair in self.pairs.iter().filter(|pair| pair.len() == 2) {
            if let (Some(one), Some(other)) = (residual(pair[0]), residual(pair[1])) {
                product += one * other;
                square += f64::midpoint(one * one, other * other);
            }
        }
        product / square
    }
}

impl Trials {
    /// # Errors
    /// If no set could be fitted: the first error.
    fn of(
        values: Vec<CheckedValue>,
        true_values: Vec<f64>,
        games: usize,
        partitions: usize,
        results: Vec<Result<Trial, FitError>>,
    ) -> Result<Trials, FitError> {
        let (mut fitted, mut errors) = (Vec::new(), Vec::new());
        for result in results {
            match result {
                Ok(trial) => fitted.push(trial),
                Err(error) => errors.push(error),
            }
        }
        if fitted.is_empty() {
            return Err(errors.into_iter().next().unwrap_or(FitError::Empty));
        }
        Ok(Trials {
            values,
            true_values,
            games,
            partitions,
            fitted,
            errors,
        })
    }

    /// Bias and coverage of each value, with the verdict.
    pub fn coverage(&self, game: &GameDef) -> Coverage {
        let design_effect = self.design_effect();
        let effective = self.fitted.len() as f64 / design_effect;
        let values: Vec<CoverageRow> = (0..self.values.len()).map(|index| self.row(index, effective)).collect();
        let shares = |share: fn(&CoverageRow) -> f64| values.iter().map(share).collect::<Vec<f64>>();
        let is_piece = |name: &str| game.kinds.iter().any(|kind| kind.name == name);
        let is_decisive = |row: &&CoverageRow| row.phase == "average" && is_piece(&row.piece);
        let [lowest, _] = monte_carlo::ACCEPTABLE_COVERAGE;
        let control_fails = |row: &CoverageRow| row.control.is_none_or(|coverage| coverage < lowest);
        let is_unbiased = monte_carlo::are_acceptable(&shares(|row| row.above), ACCEPTABLE_ABOVE, effective);
        let verdict = if self.errors.is_empty() && is_unbiased && values.iter().filter(is_decisive).all(control_fails) {
            monte_carlo::judge(&shares(|row| row.coverage), effective)
        } else {
            CoverageVerdict::Failed
        };
        Coverage {
            games: self.games,
            sets: self.fitted.len(),
            partitions: self.partitions,
            design_effect,
            failed: self.errors.len(),
            first_error: self.errors.first().map(ToString::to_string),
            verdict,
            values,
        }
    }

    fn row(&self, index: usize, effective: f64) -> CoverageRow {
        let (value, true_value) = (&self.values[index], self.true_values[index]);
        let count = self.fitted.len() as f64;
        let estimates = || self.fitted.iter().map(|trial| &trial.estimates[index]);
        let covers = |estimate: &&IntervalEstimate| estimate.interval.contains(true_value);
        let mean = estimates().map(|estimate| estimate.value).sum::<f64>() / count;
        let squares: f64 = estimates().map(|estimate| (estimate.value - mean).powi(2)).sum();
        let standard_deviation = (squares / (count - 1.0).max(1.0)).sqrt();
        let widths: Vec<f64> = estimates().filter_map(|estimate| estimate.interval.width()).collect();
        let coverage = estimates().filter(covers).count() as f64 / count;
        let controls = self.fitted.iter().filter_map(|trial| trial.control.as_ref());
        let controls: Vec<&IntervalEstimate> = controls.map(|control| &control[index]).collect();
        let controlled = controls.iter().copied().filter(covers).count() as f64 / controls.len() as f64;
        CoverageRow {
            piece: value.piece.clone(),
            unit: value.unit,
            phase: value.phase,
            true_value,
            mean,
            standard_deviation,
            standardized_bias: (mean - true_value) / standard_deviation,
            above: estimates().filter(|estimate| estimate.value > true_value).count() as f64 / count,
            half_width: widths.iter().sum::<f64>() / (2.0 * widths.len() as f64),
            unbounded: self.fitted.len() - widths.len(),
            coverage,
            coverage_interval: monte_carlo::wilson_interval(
                coverage * effective,
                effective,
                monte_carlo::critical_value(1),
            ),
            control: (!controls.is_empty()).then_some(controlled),
        }
    }

    /// See [`Coverage::design_effect`].
    fn design_effect(&self) -> f64 {
        let mut partitions: Vec<Vec<Vec<bool>>> = vec![Vec::new(); self.partitions];
        for trial in &self.fitted {
            let both = trial.estimates.iter().zip(&self.true_values);
            let covered = both.map(|(estimate, &truth)| estimate.interval.contains(truth));
            partitions[trial.partition].push(covered.collect());
        }
        partitions.retain(|sets| !sets.is_empty());
        design_effect(&partitions)
    }
}

/// Design effect, from whether each value of the sets of several partitions is covered.
fn design_effect(partitions: &[Vec<Vec<bool>>]) -> f64 {
    let count = partitions.len() as f64;
    let values = partitions[0][0].len();
    let (mut between, mut independent) = (0.0, 0.0);
    for value in 0..values {
        let coverage = |subsets: &Vec<Vec<bool>>| {
            subsets.iter().filter(|covered| covered[value]).count() as f64 / subsets.len() as f64
        };
        let coverages: Vec<f64> = partitions.iter().map(coverage).collect();
        let mean = coverages.iter().sum::<f64>() / count;
        let squares: f64 = coverages.iter().map(|coverage| (coverage - mean).powi(2)).sum();
        between += squares / (count - 1.0);
        let per_subset: f64 = partitions.iter().map(|subsets| 1.0 / subsets.len() as f64).sum();
        independent += mean * (1.0 - mean) * per_subset / count;
    }
    if partitions.len() > 1 && independent > 0.0 {
        (between / independent).max(1.0)
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::design_effect;

    #[test]
    fn subsets_that_depend_on_each_other_count_less() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut draw = || random.random::<f64>() < 0.95;
        let independent: Vec<_> = (0..4_000).map(|_| vec![vec![draw()], vec![draw()]]).collect();
        let found = design_effect(&independent);
        assert!((1.0..1.1).contains(&found), "{found}");
        // Two halves are off by the same amount, so both intervals contain the value or neither.
        let halves: Vec<_> = (0..4_000)
            .map(|_| {
                let is_covered = draw();
                vec![vec![is_covered], vec![is_covered]]
            })
            .collect();
        let found = design_effect(&halves);
        assert!((found - 2.0).abs() < 0.01, "{found}");
        let alone = design_effect(&halves[..1]);
        assert!(
            (alone - 1.0).abs() < 1e-12,
            "one partition does not show its variance: {alone}"
        );
    }
}

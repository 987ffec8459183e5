//! Coverage of the intervals on real games: a set of games is divided into subsets, and the interval of each subset should contain the value
//! of the whole set.
//!
//! The whole set has an error of its own, and it contains the subset. Let `b` be the coefficients of a subset with a share `s` of the opening
//! pairs and `B` those of the whole set. To first order, both are means of the same influence function, so `Cov(b, B) = Var(B) = s Var(b)`
//! and `Var(b - B) = (1 - s) Var(b)`. A subset's interval for the difference is therefore its ordinary interval with the covariance times
//! `1 - s`, and it contains the whole set's value as often as the ordinary interval contains the true value.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde::Serialize;

use crate::values::analysis::fit_values;
use crate::values::data::Dataset;
use crate::values::data::regressor::Regressor;
use crate::values::design::phase::{FEW, PhaseModel};
use crate::values::inference::estimate::Estimate;
use crate::values::inference::monte_carlo::{self, CoverageVerdict};
use crate::values::model::{FitError, ProportionalOdds, RegressionModel};

/// Coverage of one value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SubsetCoverageRow {
    /// Name of the piece or pair.
    pub piece: String,
    /// Game phase.
    pub phase: &'static str,
    /// Value of the whole set in pawns.
    pub value: f64,
    /// Share of the 95% intervals of subsets that contain the whole set's value, allowing for that value's error.
    pub coverage: f64,
    /// Wilson's 95% interval of the coverage, as if the subsets of different partitions were independent.
    pub coverage_interval: [f64; 2],
    /// Mean difference between a subset's value and the whole set's in pawns.
    pub bias: f64,
    /// Number of unbounded intervals.
    pub unbounded: usize,
}

/// Coverage of subsets of one size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SubsetCoverage {
    /// Games of a subset.
    pub games: usize,
    /// Random partitions of the whole set into such subsets.
    pub partitions: usize,
    /// Subsets fitted.
    pub subsets: usize,
    /// Subsets that could not be fitted.
    pub failed: usize,
    /// First fitting error.
    pub first_error: Option<String>,
    /// Failed if a subset could not be fitted or a coverage is not acceptable.
    pub verdict: CoverageVerdict,
    /// One row for each value and phase.
    pub values: Vec<SubsetCoverageRow>,
}

/// A value of a subset compared with the whole set's.
struct Comparison {
    difference: f64,
    is_covered: bool,
    is_unbounded: bool,
}

/// The whole set of games with its values.
pub struct WholeSet<'d> {
    data: &'d Dataset,
    estimate: Estimate,
    /// Indices of the games of each opening pair.
    pairs: Vec<Vec<usize>>,
}

impl<'d> WholeSet<'d> {
    /// Fits the whole set.
    ///
    /// # Errors
    /// If the values cannot be fitted.
    pub fn fit(data: &'d Dataset) -> Result<WholeSet<'d>, FitError> {
        let mut pairs = std::collections::BTreeMap::<usize, Vec<usize>>::new();
        for (index, game) in data.games.iter().enumerate() {
            pairs.entry(game.cluster).or_default().push(index);
        }
        Ok(WholeSet {
            data,
            estimate: fit_values(data, PhaseModel::PiecewiseLinear)?,
            pairs: pairs.into_values().collect(),
        })
    }

    /// Values that are compared: regressor, name of the phase, share of pieces left.
    fn values(&self) -> Vec<(Regressor, &'static str, f64)> {
        let pawn = Regressor::Kind(self.data.game.pawn);
        let is_value = |term: &Regressor| !matches!(term, Regressor::SideToMove | Regressor::White) && *term != pawn;
        let phases = [
            ("full board", 1.0),
            ("average", self.estimate.mean_left),
            ("few pieces", FEW),
        ];
        let terms = self.estimate.spec.fitted_regressors().filter(is_value);
        terms
            .flat_map(|term| phases.map(|(name, left)| (term, name, left)))
            .collect()
    }

    /// Divides the games into disjoint random subsets of `games` games, as often as it takes to fit at least `subsets` of them. Calls `done`
    /// after each. The result does not depend on the number of threads.
    ///
    /// # Errors
    /// If no subset can be fitted: the first error.
    ///
    /// # Panics
    /// If `games` is less than 2 or more than half of the set.
    pub fn coverage(
        &self,
        games: usize,
        subsets: usize,
        seed: u64,
        done: impl Fn() + Sync,
    ) -> Result<SubsetCoverage, FitError> {
        let size = games / 2;
        assert!(
            size >= 1 && 2 * size <= self.pairs.len(),
            "at least two disjoint subsets"
        );
        let in_one = self.pairs.len() / size;
        let partitions = subsets.div_ceil(in_one);
        let values = self.values();
        let mut results = Vec::with_capacity(partitions * in_one);
        for partition in 0..partitions {
            let mut order: Vec<usize> = (0..self.pairs.len()).collect();
            let seed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(partition as u64);
            order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
            let parts: Vec<&[usize]> = order.chunks_exact(size).collect();
            let found = parts.into_par_iter().map(|pairs| {
                let found = self.compare(pairs, &values);
                done();
                found
            });
            results.extend(found.collect::<Vec<_>>());
        }
        let (fitted, failed): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
        let fitted: Vec<Vec<Comparison>> = fitted.into_iter().flatten().collect();
        let first_error = failed.iter().find_map(|result| result.as_ref().err());
        if fitted.is_empty() {
            return Err(first_error.cloned().unwrap_or(FitError::Empty));
        }
        let rows = values.iter().enumerate().map(|(index, &(term, phase, left))| {
            let found: Vec<&Comparison> = fitted.iter().map(|found| &found[index]).collect();
            self.row(term, phase, left, &found)
        });
        let values: Vec<SubsetCoverageRow> = rows.collect();
        let coverages: Vec<f64> = values.iter().map(|row| row.coverage).collect();
        let verdict = monte_carlo::judge(&coverages, fitted.len());
        Ok(SubsetCoverage {
            games: 2 * size,
            partitions,
            subsets: fitted.len(),
            failed: failed.len(),
            first_error: first_error.map(ToString::to_string),
            verdict: if failed.is_empty() {
                verdict
            } else {
                CoverageVerdict::Failed
            },
            values,
        })
    }

    fn in_pawns(&self, estimate: &Estimate, term: Regressor, left: f64) -> Option<(f64, [bool; 2])> {
        let game = &self.data.game;
        let whole = self.estimate.in_pawns(game, term, left)?.value;
        let found = estimate.in_pawns(game, term, left)?;
        let is_covered = found.interval.contains(whole);
        Some((found.value - whole, [is_covered, found.interval.width().is_none()]))
    }

    fn compare(&self, pairs: &[usize], values: &[(Regressor, &'static str, f64)]) -> Result<Vec<Comparison>, FitError> {
        let games = pairs.iter().flat_map(|&pair| &self.pairs[pair]);
        let part = self
            .data
            .with_games(games.map(|&game| self.data.games[game].clone()).collect());
        let mut estimate = fit_values(&part, PhaseModel::PiecewiseLinear)?;
        estimate.covariance *= 1.0 - pairs.len() as f64 / self.pairs.len() as f64;
        let comparison = |&(term, _, left): &(Regressor, &'static str, f64)| {
            let found = self.in_pawns(&estimate, term, left);
            let (difference, [is_covered, is_unbounded]) = found.ok_or_else(|| FitError::NeverUnbalanced {
                column: term.name(&self.data.game),
            })?;
            Ok(Comparison {
                difference,
                is_covered,
                is_unbounded,
            })
        };
        values.iter().map(comparison).collect()
    }

    fn row(&self, term: Regressor, phase: &'static str, left: f64, found: &[&Comparison]) -> SubsetCoverageRow {
        let count = found.len() as f64;
        let hits = found.iter().filter(|found| found.is_covered).count() as f64;
        let game = &self.data.game;
        SubsetCoverageRow {
            piece: term.name(game),
            phase,
            value: self
                .estimate
                .in_pawns(game, term, left)
                .map_or(f64::NAN, |whole| whole.value),
            coverage: hits / count,
            coverage_interval: monte_carlo::wilson_interval(hits, count, monte_carlo::critical_value(1)),
            bias: found.iter().map(|found| found.difference).sum::<f64>() / count,
            unbounded: found.iter().filter(|found| found.is_unbounded).count(),
        }
    }

    /// Correlation of the residuals of a pair's two games, from White's point of view. A residual is the score minus its mean expectation in
    /// the positions of the game.
    pub fn pair_correlation(&self) -> f64 {
        let spec = &self.estimate.spec;
        let design = spec.design_matrix(&self.data.games);
        let model = ProportionalOdds::of(&design);
        let nuisance = &self.estimate.coefficients.as_slice()[spec.columns.len()..];
        let residual = |game: usize| {
            let game = &self.data.games[game];
            let (mut sum, mut total) = (0.0, 0.0);
            for (sample, weight) in spec.weights(game) {
                let row = spec.row(sample.pieces, &sample.values);
                let log_odds: f64 = row
                    .iter()
                    .zip(&self.estimate.coefficients)
                    .map(|(value, weight)| value * weight)
                    .sum();
                sum += weight * model.expected(log_odds, nuisance);
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

//! Coverage of the intervals on real games: a set of games is divided into subsets, and the interval of each subset should contain the value
//! of the whole set.
//!
//! The whole set has an error of its own, and it contains the subset. Let `b` be the coefficients of a subset with a share `s` of the opening
//! pairs and `B` those of the whole set. To first order, both are means of the same influence function, so `Cov(b, B) = Var(B) = s Var(b)`
//! and `Var(b - B) = (1 - s) Var(b)`. A subset's interval for the difference is therefore its ordinary interval with the covariance times
//! `1 - s`, and it contains the whole set's value as often as the ordinary interval contains the true value.
//!
//! The Monte Carlo error of a coverage is that of the random division, for these games. The subsets of one partition depend on each other,
//! since they share out the same games: the first of two halves is off by as much as the second, in the other direction. Partitions are drawn
//! independently of each other, so the variance between whole partitions gives the error. Divided by the variance of as many
//! independent subsets it is the design effect (Kish 1965), and dividing the number of subsets by it gives the effective number, from which
//! Wilson's interval is computed (Korn and Graubard 1998).
//!
//! A subset's value is compared with the whole set's, so a bias is seen only if it depends on the number of games. It is judged by the share
//! of subsets with a larger value: a value in pawns is a ratio, whose mean is biased in small samples and whose median is not. What biases
//! all sets alike, like a wrong model, is seen by `simulate` only.
//!
//! The sandwich underestimates errors if there are few clusters for each coefficient, so intervals of few games may be too narrow. A failure
//! at 600 games is a finding about those intervals, not an error of the division: in simulated games, whose material never changes, 300
//! independent pairs have the same coverages as subsets of 300 pairs, about 0.91. Real games, which pass through many differences
//! in material, have 0.925 and more.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde::Serialize;

use crate::values::data::Dataset;
use crate::values::design::phase::{FEW, PhaseModel};
use crate::values::design::spec::DesignSpec;
use crate::values::fit::Fit;
use crate::values::inference::estimate::IntervalEstimate;
use crate::values::inference::monte_carlo::{self, CoverageVerdict};
use crate::values::inference::units::Unit;
use crate::values::model::{FitError, Logit};
use crate::values::simulate::coverage::CheckedValue;

/// Coverage of one value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SubsetCoverageRow {
    /// Name of the piece or pair.
    pub piece: String,
    /// Unit of the values.
    pub unit: Unit,
    /// Game phase.
    pub phase: &'static str,
    /// Value of the whole set.
    pub value: f64,
    /// Share of the 95% intervals of subsets that contain the whole set's value, allowing for that value's error.
    pub coverage: f64,
    /// Wilson's 95% interval of the coverage, from the effective number of subsets.
    pub coverage_interval: [f64; 2],
    /// Share of the subsets whose value is greater than the whole set's: a half without bias.
    pub above: f64,
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
    /// Variance of the coverages of whole partitions over that of as many independent subsets, pooled over the values; at least 1, and 1 if
    /// there is one partition.
    pub design_effect: f64,
    /// Subsets that could not be fitted.
    pub failed: usize,
    /// First fitting error.
    pub first_error: Option<String>,
    /// Failed if a subset could not be fitted, or a coverage or bias is not acceptable.
    pub verdict: CoverageVerdict,
    /// One row for each unit, value and phase.
    pub values: Vec<SubsetCoverageRow>,
}

/// Acceptable shares of subsets whose value is greater than the whole set's. For normal errors they are those of a bias of a tenth of a
/// standard deviation.
const ACCEPTABLE_ABOVE: [f64; 2] = [0.46, 0.54];

/// Estimates from subsets of one size.
#[derive(Clone, Debug)]
pub struct Subsets {
    pub values: Vec<CheckedValue>,
    /// Estimates of the whole set, in the order of the values.
    whole: Vec<IntervalEstimate>,
    /// Games of a subset.
    games: usize,
    /// Random partitions of the whole set.
    partitions: usize,
    /// The estimates of each subset that could be fitted, by partition: at least one. Their intervals allow for the error of the whole set.
    pub fitted: Vec<Vec<Vec<IntervalEstimate>>>,
    errors: Vec<FitError>,
}

/// The whole set of games with its values.
pub struct WholeSet<'d> {
    data: &'d Dataset,
    fit: Fit,
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
            fit: Fit::of_games(data, PhaseModel::PiecewiseLinear)?,
            pairs: pairs.into_values().collect(),
        })
    }

    /// Values that are compared.
    fn values(&self) -> Vec<CheckedValue> {
        let phases = [
            ("full board", 1.0),
            ("average", self.fit.mean_left),
            ("few pieces", FEW),
        ];
        CheckedValue::all(&phases, &self.fit)
    }

    /// Divides the games into disjoint random subsets of `games` games, as often as it takes to fit at least `subsets` of them. Calls `done`
    /// after each. The result does not depend on the number of threads.
    ///
    /// # Errors
    /// If no subset can be fitted: the first error.
    ///
    /// # Panics
    /// If `games` is less than 2 or more than half of the set.
    pub fn subsets(
        &self,
        games: usize,
        subsets: usize,
        seed: u64,
        done: impl Fn() + Sync,
    ) -> Result<Subsets, FitError> {
        let size = games / 2;
        assert!(
            size >= 1 && 2 * size <= self.pairs.len(),
            "at least two disjoint subsets"
        );
        let in_one = self.pairs.len() / size;
        let partitions = subsets.div_ceil(in_one);
        let values = self.values();
        let whole = CheckedValue::estimates(&values, &self.fit)?;
        let mut fitted: Vec<Vec<Vec<IntervalEstimate>>> = Vec::with_capacity(partitions);
        let mut errors = Vec::new();
        for partition in 0..partitions {
            let mut order: Vec<usize> = (0..self.pairs.len()).collect();
            let seed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(partition as u64);
            order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
            let parts: Vec<&[usize]> = order.chunks_exact(size).collect();
            let found = parts.into_par_iter().map(|pairs| {
                let found = self.estimates(pairs, &values);
                done();
                found
            });
            let mut of_partition = Vec::with_capacity(in_one);
            for result in found.collect::<Vec<_>>() {
                match result {
                    Ok(found) => of_partition.push(found),
                    Err(error) => errors.push(error),
                }
            }
            if !of_partition.is_empty() {
                fitted.push(of_partition);
            }
        }
        if fitted.is_empty() {
            return Err(errors.into_iter().next().unwrap_or(FitError::Empty));
        }
        Ok(Subsets {
            values,
            whole,
            games: 2 * size,
            partitions,
            fitted,
            errors,
        })
    }

    /// The estimates from some pairs.
    fn estimates(&self, pairs: &[usize], values: &[CheckedValue]) -> Result<Vec<IntervalEstimate>, FitError> {
        let games = pairs.iter().flat_map(|&pair| &self.pairs[pair]);
        let part = self
            .data
            .with_games(games.map(|&game| self.data.games[game].clone()).collect());
        let mut fit = Fit::of_games(&part, PhaseModel::PiecewiseLinear)?;
        fit.covariance *= 1.0 - pairs.len() as f64 / self.pairs.len() as f64;
        CheckedValue::estimates(values, &fit)
    }

    /// Correlation of the residuals of a pair's two games, from White's point of view. A residual is the score minus its mean expectation in
    /// the positions of the game.
    pub fn pair_correlation(&self) -> f64 {
        let spec = DesignSpec::of(self.data, self.fit.phase_model);
        let design = spec.design_matrix(&self.data.games);
        let model = Logit::of(&design);
        let thresholds = &self.fit.coefficients.as_slice()[spec.columns.len()..];
        let residual = |game: usize| {
            let game = &self.data.games[game];
            let (mut sum, mut total) = (0.0, 0.0);
            for (sample, weight) in spec.weights(game) {
                let row = spec.row(sample.pieces, &sample.values);
                let log_odds: f64 = row
                    .iter()
                    .zip(&self.fit.coefficients)
                    .map(|(value, weight)| value * weight)
                    .sum();
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

impl Subsets {
    /// Coverage of each value, with the verdict.
    pub fn coverage(&self) -> SubsetCoverage {
        let covered: Vec<Vec<Vec<bool>>> = self
            .fitted
            .iter()
            .map(|subsets| subsets.iter().map(|subset| self.covers(subset)).collect())
            .collect();
        let subsets = self.fitted.iter().map(Vec::len).sum::<usize>();
        let design_effect = design_effect(&covered);
        let effective = subsets as f64 / design_effect;
        let values: Vec<SubsetCoverageRow> = (0..self.values.len()).map(|index| self.row(index, effective)).collect();
        let coverages: Vec<f64> = values.iter().map(|row| row.coverage).collect();
        let above: Vec<f64> = values.iter().map(|row| row.above).collect();
        let is_unbiased = monte_carlo::are_acceptable(&above, ACCEPTABLE_ABOVE, effective);
        SubsetCoverage {
            games: self.games,
            partitions: self.partitions,
            subsets,
            design_effect,
            failed: self.errors.len(),
            first_error: self.errors.first().map(ToString::to_string),
            verdict: if self.errors.is_empty() && is_unbiased {
                monte_carlo::judge(&coverages, effective)
            } else {
                CoverageVerdict::Failed
            },
            values,
        }
    }

    /// Whether the intervals of a subset contain the values of the whole set.
    fn covers(&self, subset: &[IntervalEstimate]) -> Vec<bool> {
        let both = subset.iter().zip(&self.whole);
        both.map(|(estimate, whole)| estimate.interval.contains(whole.value))
            .collect()
    }

    fn row(&self, index: usize, effective: f64) -> SubsetCoverageRow {
        let (value, whole) = (&self.values[index], self.whole[index].value);
        let estimates = || self.fitted.iter().flatten().map(|subset| &subset[index]);
        let count = estimates().count() as f64;
        let coverage = estimates().filter(|estimate| estimate.interval.contains(whole)).count() as f64 / count;
        SubsetCoverageRow {
            piece: value.piece.clone(),
            unit: value.unit,
            phase: value.phase,
            value: whole,
            coverage,
            coverage_interval: monte_carlo::wilson_interval(
                coverage * effective,
                effective,
                monte_carlo::critical_value(1),
            ),
            above: estimates().filter(|estimate| estimate.value > whole).count() as f64 / count,
            unbounded: estimates()
                .filter(|estimate| estimate.interval.width().is_none())
                .count(),
        }
    }
}

/// Design effect of the subsets of several partitions, from whether each value is covered: see [`SubsetCoverage::design_effect`].
fn design_effect(partitions: &[Vec<Vec<bool>>]) -> f64 {
    let count = partitions.len() as f64;
    let values = partitions
        .first()
        .and_then(|subsets| subsets.first())
        .map_or(0, Vec::len);
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

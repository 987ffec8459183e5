//! Random subsets of real games.
//!
//! The value of all games stands for the true one. The whole set has an error of its own, and it
//! contains the subset. Let `b` be the coefficients of a subset with a share `s` of the opening
//! pairs and `B` those of the whole set. To first order, both are means of the same influence
//! function, so `Cov(b, B) = Var(B) = s Var(b)` and `Var(b - B) = (1 - s) Var(b)`. A subset's
//! interval for the difference is therefore its ordinary interval with the covariance times
//! `1 - s`, and it contains the whole set's value as often as the ordinary interval contains the
//! true value. A bias is seen only if it depends on the number of games; what biases all sets
//! alike, like a wrong model, is seen in simulated sets only.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::{CheckedValue, Trial, Trials, set_seed};
use assay_tuner::values::data::Dataset;
use assay_tuner::values::design::{DesignSpec, PhaseModel};
use assay_tuner::values::inference::{Estimate, Fit};

use assay_tuner::values::model::{FitError, Logit};

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
        Ok(WholeSet { data, phase_model, fit: Fit::of_games(data, phase_model)?, pairs: pairs.into_values().collect() })
    }

    /// Divides the games into disjoint random subsets of `games` games, as often as it takes to
    /// get at least `subsets` of them, and measures these. Calls `done` after each. The result
    /// does not depend on the number of threads.
    ///
    /// # Errors
    /// If no subset can be fitted: the first error.
    ///
    /// # Panics
    /// If `games` is less than 2 or more than half of the set.
    pub fn subsets(&self, games: usize, subsets: usize, seed: u64, done: impl Fn() + Sync) -> Result<Trials, FitError> {
        let size = games / 2;
        assert!(size >= 1 && 2 * size <= self.pairs.len(), "at least two disjoint subsets");
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
                Ok(Trial { partition, estimates: estimates?, control: None })
            }));
        }
        let whole = whole.iter().map(|estimate| estimate.value).collect();
        Trials::of(values, whole, 2 * size, partitions, results)
    }

    /// The estimates from some pairs.
    fn estimates(&self, pairs: &[usize], values: &[CheckedValue]) -> Result<Vec<Estimate>, FitError> {
        let games = pairs.iter().flat_map(|&pair| &self.pairs[pair]);
        let games = games.map(|&game| self.data.games[game].clone());
        let mut fit = Fit::of_games(&self.data.with_games(games.collect()), self.phase_model)?;
        Arc::make_mut(&mut fit.sample).covariance *= 1.0 - pairs.len() as f64 / self.pairs.len() as f64;
        CheckedValue::estimates(values, &fit)
    }

    /// Correlation of the residuals of a pair's two games, from White's point of view. A residual
    /// is the score minus its mean expectation in the positions of the game.
    pub fn pair_correlation(&self) -> f64 {
        let spec = DesignSpec::of(self.data, self.phase_model);
        let model = Logit::of(&spec.design_matrix(&self.data.games));
        let thresholds = model.thresholds(&self.fit.coefficients);
        let residual = |game: usize| {
            let game = &self.data.games[game];
            let (mut sum, mut total) = (0.0, 0.0);
            for (sample, weight) in spec.weights(game) {
                let row = spec.row(&game.conditions, sample.pieces, &sample.values);
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

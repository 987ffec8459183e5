//! Tuning of the linear evaluation (Texel's method): its weights maximize the likelihood of the
//! labels of training positions, with a normal prior around the initial weights.
//!
//! The log-likelihood is concave once it is known which side leads in each position with drawish
//! material, so Newton's method finds its maximum; the leaders are then taken from the new weights,
//! until they no longer change.
//!
//! Opening pairs are assigned to folds. Each fold is predicted by weights without it, which are one
//! Newton step away from the maximum.

mod anchor;
pub mod linear;
pub mod material;

use assay_engine::Weights;
use assay_engine::eval::Weight;
use nalgebra::DVector;

use self::anchor::anchor;
use self::linear::{
    LOG_ODDS_PER_CENTIPAWN, PhaseWeights, TuningData, centipawns, damping, likelihood, log_odds, predict,
};
use super::HeldOutLoss;
use super::examples::Target;
use crate::values::inference::cross_validation::{FOLDS, assign_folds};
use crate::values::model::{Accumulator, GRADIENT_TOLERANCE, climb};

/// Seed of folds.
const SHUFFLE_SEED: u64 = 0x0A55_A7E7_A1E0_0002;

/// Largest absolute weight that a weights file may have.
pub const MAX_WEIGHT: f64 = 10_000.0;

/// How often the leaders are taken from new weights. Real data take two or three rounds.
const MAX_ROUNDS: usize = 10;

/// Settings of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TuningSettings {
    /// Weight of the game's result in the label, 0 to 1; the rest is the search's score.
    pub lambda: f64,
    /// Standard deviation of the normal prior around the initial weights, in centipawns. Each game
    /// counts as one observation.
    pub prior: f64,
}

/// Result of tuning.
#[derive(Clone, Debug)]
pub struct TunedWeights {
    /// Weights fitted to all games.
    pub weights: Weights,
    /// Mean log-loss of the labels of the fitted positions, in nats, without the prior.
    pub log_loss: f64,
    /// Loss of the initial weights.
    pub before: HeldOutLoss,
    /// Loss on each fold of weights that are fitted without the fold.
    pub held_out: HeldOutLoss,
    /// Newton steps taken.
    pub steps: usize,
    /// Largest component of the gradient of the log-likelihood with the prior, per observation and
    /// unit of log-odds.
    pub gradient: f64,
    /// Weights that were cut to [`MAX_WEIGHT`].
    pub cut: usize,
}

impl TunedWeights {
    /// Whether the weights are the maximum.
    pub fn has_converged(&self) -> bool {
        self.gradient <= GRADIENT_TOLERANCE && self.cut == 0
    }
}

/// Fits weights, starting from `before`. `report` gets the mean log-loss of the labels at each
/// point that Newton's method tries.
///
/// # Errors
/// If there are fewer opening pairs than folds.
pub fn fit(
    data: &TuningData,
    before: &Weights,
    settings: &TuningSettings,
    mut report: impl FnMut(f64),
) -> anyhow::Result<TunedWeights> {
    if data.pairs < FOLDS {
        return Err(data.too_few(FOLDS));
    }
    let examples = &data.examples;
    let positions = examples.len() as f64;
    let observations = data.observations() as f64;
    let lambda = settings.lambda as f32;
    let targets: Vec<Target> = examples.iter().map(|example| example.target).collect();
    let start = log_odds(before.values());
    let pull = (LOG_ODDS_PER_CENTIPAWN * settings.prior).powi(-2);
    // Adds the prior to sums over positions, of which as many as in a game count as one.
    let posterior = |sums: &Accumulator, weights: &DVector<f64>| {
        let mut posterior = Accumulator::new(weights.len());
        posterior.add(sums, observations / positions);
        for (index, change) in (weights - &start).iter().enumerate() {
            posterior.log_likelihood -= 0.5 * pull * change * change;
            posterior.add_entries(&[(index, 1.0)], -pull * change, pull);
        }
        posterior
    };
    let (mut weights, mut steps) = (start.clone(), 0);
    for _ in 0..MAX_ROUNDS {
        let factors = damping(examples, &centipawns(&weights));
        let maximum = climb(&weights, observations, GRADIENT_TOLERANCE, |weights| {
            let sums = likelihood(examples, &factors, weights, lambda, |_| true);
            report(-sums.log_likelihood / positions);
            Some(posterior(&sums, weights))
        });
        weights = maximum.parameters;
        steps += maximum.steps;
        if maximum.steps == 0 {
            break;
        }
    }

    let fold_of = assign_folds(data.pairs, SHUFFLE_SEED);
    let factors = damping(examples, &centipawns(&weights));
    let of_fold = |fold| likelihood(examples, &factors, &weights, lambda, |pair| fold_of[pair as usize] == fold);
    let folds: Vec<Accumulator> = (0..FOLDS).map(of_fold).collect();
    let mut all = Accumulator::new(weights.len());
    for fold in &folds {
        all.add(fold, 1.0);
    }
    let without = |fold: &Accumulator| {
        let mut rest = all.clone();
        rest.add(fold, -1.0);
        let rest = posterior(&rest, &weights);
        let step = rest.information().cholesky().map(|root| root.solve(&rest.gradient()));
        centipawns(&step.map_or_else(|| weights.clone(), |step| &weights + step))
    };
    let without: Vec<Vec<PhaseWeights>> = folds.iter().map(without).collect();
    let loss = |points: Vec<f32>| HeldOutLoss::of(&points, &targets, lambda);
    let initial = centipawns(&start);

    let in_centipawns = &weights / LOG_ODDS_PER_CENTIPAWN;
    let in_range = in_centipawns.map(|weight| weight.clamp(-MAX_WEIGHT, MAX_WEIGHT));
    let mut fitted: Vec<[f64; 2]> = in_range.as_slice().chunks(2).map(|term| [term[0], term[1]]).collect();
    anchor(before, &mut fitted, &data.occurrences);
    let mut tuned = before.clone();
    for (term, [middlegame, endgame]) in before.terms().all().zip(fitted) {
        tuned.set(term, Weight { middlegame, endgame });
    }
    Ok(TunedWeights {
        weights: tuned,
        log_loss: -all.log_likelihood / positions,
        before: loss(predict(examples, |_| &initial)),
        held_out: loss(predict(examples, |pair| &without[fold_of[pair as usize]])),
        steps,
        gradient: posterior(&all, &weights).gradient().amax() / observations,
        cut: in_centipawns.iter().filter(|weight| weight.abs() > MAX_WEIGHT).count(),
    })
}

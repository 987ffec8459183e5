//! The sequential probability ratio test (SPRT): play until the results clearly favor one of two
//! hypotheses.
//!
//! After each observation the log-likelihood ratio (LLR) of the hypotheses is compared with two
//! bounds (A. Wald, *Sequential Tests of Statistical Hypotheses*, 1945). A hypothesis here fixes
//! the Elo difference but not the full distribution of results, so both likelihoods are maximized
//! over the distributions that have this Elo: the *generalized* SPRT (GSPRT), as fishtest uses it
//! (Michel Van den Bergh, <http://hardy.uhasselt.be/Fishtest/normalized_elo_practical.pdf>).

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::bayes_elo;
use super::counts::ResultCounts;
use super::elo::{NORMALIZED_ELO_PER_SIGMA, score_from_elo};
use super::mle::{with_mean, with_t_value};

/// The Elo scale of the hypotheses `elo0` and `elo1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EloModel {
    /// Normalized Elo: the length of a test does not depend on the draw ratio.
    #[default]
    Normalized,
    /// Logistic Elo, the scale of ratings.
    Logistic,
    /// `BayesElo`: single games with three results.
    Bayesian,
}

assay_cli::named!(EloModel: Normalized = "normalized", Logistic = "logistic", Bayesian = "bayesian");

/// A test of H0, "the first player is `elo0` stronger", against H1, "the first player is `elo1`
/// stronger".
///
/// ```
/// use assay_selfplay::statistics::{EloModel, ResultCounts, Sprt, SprtDecision};
///
/// // The STC test of github.com/official-stockfish/Stockfish/pull/5452: fishtest reported an LLR of 2.93.
/// let sprt = Sprt::new(0.0, 2.0, 0.05, 0.05, EloModel::Normalized)?;
/// let pairs = ResultCounts::from_counts(&[758, 38802, 84253, 39511, 772])?;
/// assert_eq!(format!("{:.2}", sprt.llr(&pairs)), "2.93");
/// assert_eq!(sprt.decide(&pairs), SprtDecision::Continue); // The bound is 2.944.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// Elo of H0 on the model's scale.
    pub elo0: f64,
    /// Elo of H1 on the model's scale.
    pub elo1: f64,
    /// Probability of a false positive: accepting H1 when H0 is true.
    pub alpha: f64,
    /// Probability of a false negative: accepting H0 when H1 is true.
    pub beta: f64,
    /// The Elo scale of the hypotheses.
    pub model: EloModel,
}

/// Why the parameters do not define a test.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("sprt: found {found}, expected {expected}")]
pub struct SprtError {
    /// The parameters, as the command line writes them.
    pub found: String,
    pub expected: &'static str,
}

/// What the SPRT decides after an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum SprtDecision {
    /// The LLR is at or below the lower bound: stop and accept H0.
    #[serde(rename = "H0")]
    AcceptH0,
    /// The LLR is at or above the upper bound: stop and accept H1.
    #[serde(rename = "H1")]
    AcceptH1,
    /// The LLR is between the bounds: play on.
    #[serde(rename = "undecided")]
    Continue,
}

impl SprtDecision {
    /// Returns true if the test is over.
    pub fn is_final(self) -> bool {
        self != SprtDecision::Continue
    }
}

/// As the command line writes it: `elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized`.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta, model } = self;
        write!(f, "elo0={elo0} elo1={elo1} alpha={alpha} beta={beta} model={model}")
    }
}

impl fmt::Display for SprtDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SprtDecision::AcceptH0 => "H0 accepted",
            SprtDecision::AcceptH1 => "H1 accepted",
            SprtDecision::Continue => "undecided",
        })
    }
}

impl Sprt {
    /// Defines a test.
    ///
    /// # Errors
    /// Unless `elo0` and `elo1` differ and lie within 1000 of 0, and both probabilities lie above 0
    /// and below 0.5.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: EloModel) -> Result<Sprt, SprtError> {
        Sprt { elo0, elo1, alpha, beta, model }.checked()
    }

    /// Checks the parameters of a test that was read from a file.
    ///
    /// # Errors
    /// As [`Sprt::new`].
    pub(crate) fn checked(self) -> Result<Sprt, SprtError> {
        let Sprt { elo0, elo1, .. } = self;
        let error = |found: String, expected| Err(SprtError { found, expected });
        for (name, found) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-1000.0..=1000.0).contains(&found) {
                return error(format!("{name}={found}"), "a number from -1000 to 1000");
            }
        }
        if elo1 - elo0 == 0.0 {
            return error(format!("elo0={elo0} and elo1={elo1}"), "two different numbers");
        }
        for (name, found) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(found > 0.0 && found < 0.5) {
                return error(format!("{name}={found}"), "a probability above 0 and below 0.5");
            }
        }
        Ok(self)
    }

    /// Returns true if the test counts single games instead of pairs.
    pub fn tests_single_games(&self) -> bool {
        self.model == EloModel::Bayesian
    }

    /// Wald's bounds: the test accepts H0 when the LLR reaches the first, H1 when it reaches the
    /// second.
    pub fn bounds(&self) -> (f64, f64) {
        let (alpha, beta) = (self.alpha, self.beta);
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// Generalized log-likelihood ratio of H1 against H0 (natural logarithm); 0 without
    /// observations.
    ///
    /// A result that has not occurred has a probability only where the hypothesis requires it, so
    /// the ratio is finite. The Bayesian model applies to single games only: for pairs the ratio is
    /// 0.
    pub fn llr(&self, counts: &ResultCounts) -> f64 {
        let observations = counts.observations() as f64;
        if observations == 0.0 {
            return 0.0;
        }
        if self.model == EloModel::Bayesian {
            return bayes_elo::log_likelihood_ratio(counts, self.elo0, self.elo1).unwrap_or(0.0);
        }
        let frequencies: Vec<f64> = counts.counts().iter().map(|&count| count as f64 / observations).collect();
        let scores: Vec<f64> = counts.scores().collect();
        let log_likelihood = |elo: f64| {
            if self.model == EloModel::Logistic {
                return with_mean(&scores, &frequencies, score_from_elo(elo));
            }
            // The t-value of an observation: the standard deviation of a pair's score is that of a
            // game's over root two.
            let games = f64::from(counts.games_per_observation());
            with_t_value(&scores, &frequencies, elo / NORMALIZED_ELO_PER_SIGMA * games.sqrt())
        };
        observations * (log_likelihood(self.elo1) - log_likelihood(self.elo0))
    }

    /// The decision at a log-likelihood ratio.
    pub fn decide_at(&self, llr: f64) -> SprtDecision {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            SprtDecision::AcceptH1
        } else if llr <= lower {
            SprtDecision::AcceptH0
        } else {
            SprtDecision::Continue
        }
    }

    /// The decision for these result counts.
    pub fn decide(&self, counts: &ResultCounts) -> SprtDecision {
        self.decide_at(self.llr(counts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_those_of_wald() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, EloModel::Normalized).unwrap();
        let (lower, upper) = sprt.bounds();
        assert!((upper - 19f64.ln()).abs() < 1e-12 && (lower + upper).abs() < 1e-12);
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.1, EloModel::Normalized).unwrap();
        assert!((sprt.bounds().0 + 2.2513).abs() < 1e-4 && (sprt.bounds().1 - 2.8904).abs() < 1e-4);
    }

    #[test]
    fn rejects_invalid_parameters() {
        let error =
            |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, alpha, beta, EloModel::Logistic).unwrap_err().to_string();
        assert_eq!(error(5.0, 5.0, 0.05, 0.05), "sprt: found elo0=5 and elo1=5, expected two different numbers");
        assert!(error(0.0, f64::NAN, 0.05, 0.05).contains("elo1=NaN"));
        assert!(error(0.0, 5.0, 0.0, 0.05).contains("alpha=0"));
        assert!(error(0.0, 5.0, 0.05, 0.7).contains("beta=0.7"));
    }

    #[test]
    fn decides_for_the_hypothesis_that_the_counts_support() {
        for model in [EloModel::Normalized, EloModel::Logistic] {
            let sprt = Sprt::new(0.0, 20.0, 0.05, 0.05, model).unwrap();
            let good = ResultCounts::from_counts(&[20, 100, 300, 180, 60]).unwrap();
            assert_eq!(sprt.decide(&good), SprtDecision::AcceptH1, "{model:?}");
            assert_eq!(sprt.decide(&good.flipped()), SprtDecision::AcceptH0, "{model:?}");
            assert_eq!(sprt.decide(&ResultCounts::of_pairs(3)), SprtDecision::Continue);
        }
    }

    #[test]
    fn hypotheses_may_be_exchanged() {
        let counts = ResultCounts::from_counts(&[20, 100, 300, 180, 60]).unwrap();
        let llr = |elo0, elo1| Sprt::new(elo0, elo1, 0.05, 0.05, EloModel::Logistic).unwrap().llr(&counts);
        assert!((llr(100.0, 0.0) + llr(0.0, 100.0)).abs() < 1e-9 && llr(100.0, 0.0) > 3.0);
    }

    #[test]
    fn one_sided_results_decide_under_every_model() {
        let won = ResultCounts::from_counts(&[0, 2, 500]).unwrap();
        for model in [EloModel::Normalized, EloModel::Logistic, EloModel::Bayesian] {
            let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, model).unwrap();
            assert_eq!(sprt.decide(&won), SprtDecision::AcceptH1, "{model:?}");
            assert_eq!(sprt.decide(&won.flipped()), SprtDecision::AcceptH0, "{model:?}");
        }
    }

    #[test]
    fn mirrored_hypotheses_have_the_opposite_llr() {
        let counts = ResultCounts::from_counts(&[5, 9, 0, 3, 22, 6, 11, 0, 4]).unwrap();
        for model in [EloModel::Normalized, EloModel::Logistic] {
            let ours = Sprt::new(-3.0, 7.0, 0.05, 0.05, model).unwrap().llr(&counts);
            let theirs = Sprt::new(-7.0, 3.0, 0.05, 0.05, model).unwrap().llr(&counts.flipped());
            assert!((ours + theirs).abs() < 1e-7, "{model:?}: {ours} {theirs}");
        }
    }
}

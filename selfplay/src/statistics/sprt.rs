//! The sequential probability ratio test: play until the games speak clearly enough for one of two hypotheses.

use std::fmt;

use thiserror::Error;

use super::bayes;
use super::elo::{NORMALIZED, score_of_elo};
use super::likelihood::{with_distance, with_mean};
use super::sample::Sample;

/// What the bounds `elo0` and `elo1` are measured in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// Normalized Elo: a test takes about the same number of games whatever the share of draws.
    #[default]
    Normalized,
    /// Logistic Elo, as ratings are.
    Logistic,
    /// `BayesElo`: single games, three results.
    Bayesian,
}

impl Model {
    /// All of them.
    pub const ALL: [Model; 3] = [Model::Normalized, Model::Logistic, Model::Bayesian];

    /// Its name on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Model::Normalized => "normalized",
            Model::Logistic => "logistic",
            Model::Bayesian => "bayesian",
        }
    }

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Model> {
        Model::ALL.into_iter().find(|model| model.name() == name)
    }
}

/// A test of "the first player is `elo0` better" (H0) against "it is `elo1` better" (H1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

/// Why there is no such test.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SprtError {
    /// The hypotheses are the wrong way round, or one and the same.
    #[error("sprt: found elo0={elo0} and elo1={elo1}, expected elo0 below elo1")]
    Order {
        /// Elo of H0.
        elo0: f64,
        /// Elo of H1.
        elo1: f64,
    },
    /// No number of Elo that the test can be done with.
    #[error("sprt: found {name}={found}, expected a number from -1000 to 1000")]
    Elo {
        /// Which one.
        name: &'static str,
        /// Its value.
        found: f64,
    },
    /// No probability of an error.
    #[error("sprt: found {name}={found}, expected a probability above 0 and below 0.5")]
    Probability {
        /// Which one.
        name: &'static str,
        /// Its value.
        found: f64,
    },
}

/// What the games so far say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// H0 is accepted: not as good as was hoped.
    H0,
    /// H1 is accepted.
    H1,
    /// More games are needed.
    Undecided,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::H0 => "H0 was accepted",
            Verdict::H1 => "H1 was accepted",
            Verdict::Undecided => "undecided",
        })
    }
}

impl Sprt {
    /// A test. `alpha` is the probability to accept H1 though H0 holds, `beta` to accept H0 though H1 holds.
    ///
    /// # Errors
    /// When the numbers make no test.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Sprt, SprtError> {
        for (name, found) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-1000.0..=1000.0).contains(&found) {
                return Err(SprtError::Elo { name, found });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (name, found) in [("alpha", alpha), ("beta", beta)] {
            if !(found > 0.0 && found < 0.5) {
                return Err(SprtError::Probability { name, found });
            }
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        })
    }

    /// Elo of H0, in the model's unit.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// Elo of H1, in the model's unit.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The probability to accept H1 though H0 holds.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The probability to accept H0 though H1 holds.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// The unit of the hypotheses.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The log-likelihood ratio at which H0 is accepted, below zero, and the one at which H1 is (Wald's bounds).
    pub fn bounds(&self) -> (f64, f64) {
        let (alpha, beta) = (self.alpha, self.beta);
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// The generalized log-likelihood ratio: how much likelier the best fit under H1 makes the sample than the best fit under
    /// H0, as a natural logarithm. 0 while nothing is known.
    ///
    /// The Bayesian model knows single games only; a sample of pairs counts for nothing with it.
    pub fn llr(&self, sample: &Sample) -> f64 {
        if sample.observations() == 0 {
            return 0.0;
        }
        if self.model == Model::Bayesian {
            return bayes::log_likelihood_ratio(sample, self.elo0, self.elo1).unwrap_or(0.0);
        }
        let shares = sample.shares();
        let scores: Vec<f64> = sample.scores().collect();
        let fit = |elo: f64| match self.model {
            Model::Logistic => with_mean(&scores, &shares, score_of_elo(elo)),
            // In standard deviations of an observation: a pair's is that of a game over the root of two.
            _ => with_distance(
                &scores,
                &shares,
                elo / NORMALIZED * f64::from(sample.games_each()).sqrt(),
            ),
        };
        let (fit0, fit1) = (fit(self.elo0), fit(self.elo1));
        let mean: f64 = shares
            .iter()
            .zip(fit0.iter().zip(&fit1))
            .map(|(f, (p0, p1))| f * (p1 / p0).ln())
            .sum();
        sample.weight() * mean
    }

    /// What a log-likelihood ratio means.
    pub fn verdict_of(&self, llr: f64) -> Verdict {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Verdict::H1
        } else if llr <= lower {
            Verdict::H0
        } else {
            Verdict::Undecided
        }
    }

    /// What a sample means.
    pub fn verdict(&self, sample: &Sample) -> Verdict {
        self.verdict_of(self.llr(sample))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_walds() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
        let (lower, upper) = sprt.bounds();
        assert!((upper - 19f64.ln()).abs() < 1e-12 && (lower + upper).abs() < 1e-12);
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.1, Model::Normalized).unwrap();
        assert!((sprt.bounds().0 + 2.2513).abs() < 1e-4 && (sprt.bounds().1 - 2.8904).abs() < 1e-4);
    }

    #[test]
    fn wrong_numbers_are_refused() {
        let refused = |elo0, elo1, alpha, beta| {
            Sprt::new(elo0, elo1, alpha, beta, Model::Logistic)
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            refused(5.0, 0.0, 0.05, 0.05),
            "sprt: found elo0=5 and elo1=0, expected elo0 below elo1"
        );
        assert!(refused(0.0, f64::NAN, 0.05, 0.05).contains("elo1=NaN"));
        assert!(refused(0.0, 5.0, 0.0, 0.05).contains("alpha=0"));
        assert!(refused(0.0, 5.0, 0.05, 0.7).contains("beta=0.7"));
    }

    #[test]
    fn the_test_leans_towards_what_the_sample_shows() {
        for model in [Model::Normalized, Model::Logistic] {
            let sprt = Sprt::new(0.0, 20.0, 0.05, 0.05, model).unwrap();
            let good = Sample::from_counts(&[20, 100, 300, 180, 60]).unwrap();
            assert_eq!(sprt.verdict(&good), Verdict::H1, "{model:?}");
            assert_eq!(sprt.verdict(&good.flipped()), Verdict::H0, "{model:?}");
            assert_eq!(sprt.verdict(&Sample::of_pairs(3)), Verdict::Undecided);
        }
    }

    #[test]
    fn exchanged_hypotheses_have_the_opposite_ratio() {
        let sample = Sample::from_counts(&[5, 9, 0, 3, 22, 6, 11, 0, 4]).unwrap();
        for model in [Model::Normalized, Model::Logistic] {
            let ours = Sprt::new(-3.0, 7.0, 0.05, 0.05, model).unwrap().llr(&sample);
            let theirs = Sprt::new(-7.0, 3.0, 0.05, 0.05, model).unwrap().llr(&sample.flipped());
            assert!((ours + theirs).abs() < 1e-7, "{model:?}: {ours} {theirs}");
        }
    }
}

//! What a match tells: Elo with intervals, normalized Elo, likelihood of superiority, and sequential tests.
//!
//! Everything starts from a [`Sample`]: how often each score occurred among independent observations. An observation is a
//! *pair*, the two games of one opening with the sides exchanged, whenever games come in pairs: what the opening favours
//! spoils the two results of a pair in opposite ways, so taking them for independent games would exaggerate the error. Three
//! results a game make five of a pair (the pentanomial counts of the field), five results make nine.
//!
//! - [`elo`]: the logistic and the normalized scale, estimates with intervals, likelihood of superiority.
//! - [`likelihood`]: the multinomial distribution that fits a sample best under a constraint on its Elo.
//! - [`sprt`]: the generalized sequential probability ratio test built on it, and the older one of the `BayesElo` model.
//! - [`simulate`]: how often the test errs when it is played many times.

pub mod bayes;
pub mod elo;
pub mod likelihood;
pub mod sample;
pub mod simulate;
pub mod sprt;

pub use elo::{Estimate, Interval};
pub use sample::Sample;
pub use sprt::{Model, Sprt, SprtError, Verdict};

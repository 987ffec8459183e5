//! Match statistics: Elo with confidence intervals, normalized Elo, likelihood of superiority, and
//! the SPRT.
//!
//! All of them start from [`ResultCounts`], the number of times each result occurred among
//! independent observations. An observation is a *game pair* (both games of one opening, colors
//! reversed) whenever openings are repeated: an opening that favors White shifts the two results of
//! a pair in opposite directions, so treating them as independent games would overstate the error.
//! Games with three results give the five *pentanomial* counts used by fishtest and OpenBench;
//! games with five results (a stalemate worth 0.75, say) give nine.
//!
//! - [`counts`]: the counts and their moments.
//! - [`elo`]: logistic and normalized Elo, likelihood of superiority.
//! - [`interval`]: means and confidence intervals.
//! - [`ratings`]: the ratings of more than two players.
//! - [`mle`]: maximum-likelihood fit of a multinomial distribution under a constraint on its Elo.
//! - [`sprt`]: the generalized sequential probability ratio test.
//! - [`bayes_elo`]: the older `BayesElo` model of single games.

pub mod bayes_elo;
pub mod counts;
pub mod elo;
pub mod interval;
pub mod mle;
pub mod ratings;
pub mod sprt;

pub use counts::ResultCounts;
pub use elo::EloEstimate;
pub use interval::{ConfidenceInterval, Mean, cluster_error};
pub use ratings::{Anchor, Ratings};
pub use sprt::{EloModel, Sprt, SprtDecision, SprtError};

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
//! - [`clustered_mean`]: means with errors clustered by opening pair.
//! - [`counts`]: the counts and their moments.
//! - [`distributions`]: critical values and tail probabilities.
//! - [`estimate`]: numbers with confidence intervals.
//! - [`elo`]: logistic and normalized Elo, likelihood of superiority.
//! - [`range`]: ranges of stored numbers.
//! - [`ratings`]: the ratings of more than two players.
//! - [`mle`]: maximum-likelihood fit of a multinomial distribution under a constraint on its Elo.
//! - [`sprt`]: the generalized sequential probability ratio test.
//! - [`bayes_elo`]: the older `BayesElo` model of single games.

pub mod bayes_elo;
pub mod clustered_mean;
pub mod counts;
pub mod distributions;
pub mod elo;
pub mod estimate;
pub mod mle;
pub mod range;
pub mod ratings;
pub mod sprt;

pub use clustered_mean::{ClusterSums, ClusteredMean, NO_ERROR};
pub use counts::ResultCounts;
pub use distributions::{
    CONFIDENCE_LEVEL, critical_value, f_survival, holm, normal_critical_value, t_critical_value, wilson_interval,
};
pub use elo::EloEstimate;
pub use estimate::Estimate;
pub use ratings::{Anchor, Ratings};
pub use sprt::{EloModel, Sprt, SprtDecision, SprtError};

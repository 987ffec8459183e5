//! The regression: how the distribution of a game's result follows from a row of the design matrix.
//!
//! [`Logit`] supplies the log-likelihood of a result and its derivatives, and Newton–Raphson finds
//! the maximum.

mod accumulator;
mod error;
mod leverage;
mod logit;
mod newton;

pub(crate) use accumulator::Accumulator;
pub use error::FitError;
pub use leverage::Leverages;
pub(in crate::values) use logit::THRESHOLD;
pub use logit::{Logit, PointLikelihood, logistic};
pub(crate) use newton::{GRADIENT_TOLERANCE, climb};
pub use newton::{ModelFit, fit, fit_from, or_penalized};

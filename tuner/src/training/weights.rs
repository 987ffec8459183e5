//! Tuning of the linear evaluation on self-play games (Texel's method).
//!
//! Quiet positions of the games become [`Examples`]: the evaluation terms as the engine counts them ([`collect()`]). The weights
//! minimize the log-loss of the examples' labels ([`Label`]) by mini-batch gradient descent ([`objective`], [`adam`]), stopped early by
//! held-out log-loss ([`fit()`]). [`mod@anchor`] and [`summary`] turn the result into a weights file and a summary.
//!
//! Centipawns are not rescaled: a fixed curve maps them to expected points ([`assay_engine::Score::expected_points`]), so the
//! pawn's weight is estimated like any other.

pub mod adam;
pub mod anchor;
pub mod collect;
pub mod error;
pub mod examples;
pub mod fit;
pub mod objective;
pub mod summary;

pub use collect::{TuningData, collect};
pub use error::TrainingError;
pub use examples::{Example, Examples, Label};
pub use fit::{TunedWeights, TuningSettings, fit};
pub use summary::TuningSummary;

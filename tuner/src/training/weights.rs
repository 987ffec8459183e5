//! The engine's evaluation, tuned to games that the engine has played with itself.
//!
//! Quiet positions of the games become [`Examples`]: the terms of the evaluation as the engine itself counts them
//! ([`collect()`]). The weights are fitted so that the evaluation foretells the examples' labels ([`Label`]), in batches
//! ([`objective`], [`adam`]), and no further than unseen games get better by it ([`fit()`]). What [`mod@anchor`] and [`summary`]
//! make of the result is a weights file for the engine, and an account of it.
//!
//! Centipawns are not rescaled. In Assay they stand for expected points by a fixed curve
//! ([`assay_engine::Score::expected_points`]), so the pawn's weight is whatever the games say it is worth.

pub mod adam;
pub mod anchor;
pub mod collect;
pub mod error;
pub mod examples;
pub mod fit;
pub mod objective;
pub mod summary;

pub use collect::{Collected, collect};
pub use error::TuneError;
pub use examples::{Example, Examples, Label};
pub use fit::{Fit, Settings, fit};
pub use summary::Summary;

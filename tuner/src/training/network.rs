//! Training of efficiently updatable networks (NNUE) on self-play games.
//!
//! Quiet positions become [`NetworkExamples`], the active input features of the side to move's perspective. [`train`](train::train)
//! runs mini-batch gradient descent with `AdamW` ([`gradient`]) for a fixed number of epochs; held-out openings show the log-loss after
//! each.

pub mod examples;
pub mod gradient;
pub mod train;

pub use examples::{HELD_OUT, MAX_SCORE, NetworkData, NetworkExamples, Perspectives, collect};
pub use train::{EpochResult, InitialNetworkError, NetworkSettings, TrainedNetwork, TrainingProgress, train};

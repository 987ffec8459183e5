//! Training of efficiently updatable networks (NNUE) on self-play games.
//!
//! Quiet positions become [`NetworkExamples`], the active input features from both perspectives. [`train`](train::train) runs mini-batch
//! gradient descent with Adam ([`gradient`]) and keeps the epoch with the lowest log-loss on held-out openings.

pub mod examples;
pub mod gradient;
pub mod train;

pub use examples::{NetworkData, NetworkExample, NetworkExamples, collect};
pub use train::{EpochResult, NetworkSettings, TrainedNetwork, train};

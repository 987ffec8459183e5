//! Training of the engine's evaluation on self-play games: the weights of the linear evaluation,
//! and networks.
//!
//! Both read run files into [`positions`] and minimize the log-loss of their labels with `adam.rs`.

mod adam;
pub mod network;
pub mod positions;
pub mod weights;

use std::time::Duration;

use serde::Serialize;
use thiserror::Error;

use crate::values::data::{DataError, DataFile};

/// Error from training.
#[derive(Debug, Error)]
pub enum TrainingError {
    /// The run files cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("{files}: found no quiet positions with a searched score, expected games of `assay-selfplay generate`")]
    Empty { files: String },
    /// Too few opening pairs to hold some out.
    #[error("{files}: found {found} opening pairs, expected at least {expected}, so that some can be held out")]
    Few {
        files: String,
        found: usize,
        expected: usize,
    },
    #[error("--init: found {found} hidden neurons, expected {expected}, as --hidden says")]
    Hidden { found: usize, expected: usize },
    #[error("--init: found {found} king buckets, expected 1, as --king-buckets says")]
    KingBuckets { found: usize },
}

/// Mean log-loss of held-out positions, in nats.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HeldOutLoss {
    /// Against the labels.
    pub labels: f64,
    /// Against the games' results.
    pub results: f64,
}

/// A finished epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// From 1; 0 before training.
    pub number: usize,
    pub held_out: HeldOutLoss,
    /// Time since the start of training.
    pub elapsed: Duration,
}

/// Progress of training.
#[derive(Clone, Copy, Debug)]
pub enum TrainingProgress {
    /// Positions used so far, counted once for each epoch.
    Positions(u64),
    Epoch(Epoch),
}

/// Where an evaluation comes from: the command, and all that is needed to repeat it. `init`
/// describes the evaluation that training started from, if it is not the engine's.
pub fn source(command: &str, init: &str, positions: usize, game: &str, files: &[DataFile]) -> String {
    let runs: Vec<String> = files.iter().map(|file| file.command(game)).collect();
    format!(
        "{command} ({init}assay-tuner {}) on {positions} positions of {}",
        env!("CARGO_PKG_VERSION"),
        runs.join(" and ")
    )
}

//! Training of the engine's evaluation on self-play games and labelled positions: the weights of
//! the linear evaluation, and networks.
//!
//! Both read files into [`positions`] and minimize the log-loss of their labels: weights by
//! Newton's method, networks with `adam.rs`.

mod adam;
pub mod examples;
pub mod labelled;
pub mod network;
pub mod positions;
pub mod weights;

use std::time::Duration;

use rayon::prelude::*;
use serde::Serialize;

use self::examples::{PositionFile, Target, TrainingData};

/// Positions whose losses are summed by one task. Fixed, so that sums do not depend on the number
/// of threads.
const CHUNK: usize = 1 << 14;

/// Mean log-loss of held-out positions, in nats.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HeldOutLoss {
    /// Against the labels.
    pub labels: f64,
    /// Against the games' results.
    pub results: f64,
}

impl HeldOutLoss {
    /// The loss of predicting these points for these targets. `lambda` is the weight of the result
    /// in the label.
    pub fn of(points: &[f32], targets: &[Target], lambda: f32) -> HeldOutLoss {
        let sum_losses = |(points, targets): (&[f32], &[Target])| {
            let (mut labels, mut results) = (0.0, 0.0);
            for (&points, target) in points.iter().zip(targets) {
                labels += log_loss(points, target.label(lambda));
                results += log_loss(points, target.result);
            }
            [labels, results]
        };
        let parts = points.par_chunks(CHUNK).zip(targets.par_chunks(CHUNK));
        let sums: Vec<[f64; 2]> = parts.map(sum_losses).collect();
        let mean = |which: usize| sums.iter().map(|sum| sum[which]).sum::<f64>() / points.len() as f64;
        HeldOutLoss { labels: mean(0), results: mean(1) }
    }
}

/// Logistic function.
#[inline]
pub fn logistic(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// Log-loss (cross-entropy) of predicted points, in nats.
fn log_loss(predicted: f32, label: f32) -> f64 {
    let probability = f64::from(predicted).clamp(1e-7, 1.0 - 1e-7);
    let label = f64::from(label);
    -(label * probability.ln() + (1.0 - label) * (1.0 - probability).ln())
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
/// describes the evaluation that training started from, if it is not the engine's; `positions` is
/// the number of those trained on.
pub fn source<H, E>(command: &str, init: &str, positions: usize, data: &TrainingData<H, E>) -> String {
    let runs = data.files.iter().map(|file| file.command(&data.game.name));
    let sources: Vec<String> = runs.chain(data.position_files.iter().map(PositionFile::label)).collect();
    format!(
        "{command} ({init}assay-tuner {}) on {positions} positions of {}",
        env!("CARGO_PKG_VERSION"),
        sources.join(" and ")
    )
}

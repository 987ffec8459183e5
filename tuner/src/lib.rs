//! Piece values measured from games, with confidence intervals, and training of the engine's
//! evaluation.
//!
//! - [`values`]: games become the rows of a design matrix; a regression explains results by material, with errors clustered
//!   by opening pair; ratios to the pawn are the values. The playtest measures the same without a regression.
//! - [`training`]: the same games tune the evaluation's linear weights or train a network.
//! - [`report`]: the results as text, HTML and plots.
//!
//! Games come from [runs](assay_selfplay::RecordedRun) in files or in memory. The default feature
//! `runs` has what needs files: training and the program. Without it, values, claims and
//! reports of games in memory remain.

#![cfg_attr(
    not(feature = "runs"),
    allow(dead_code, unused_imports, reason = "the program alone needs some of the functions")
)]

#[cfg(feature = "runs")]
mod cli;
#[cfg(feature = "runs")]
mod commands;
pub mod report;
#[cfg(feature = "runs")]
pub mod training;
pub mod values;

#[cfg(test)]
extern crate self as assay_tuner;
#[cfg(test)]
#[path = "../tests/simulation.rs"]
pub mod simulation;

/// Runs the program on the arguments of the process.
#[cfg(feature = "runs")]
pub fn main() -> std::process::ExitCode {
    use clap::Parser;

    assay_cli::run(|| {
        assay_engine::check_processor()?;
        cli::Cli::try_parse()?.run()
    })
}

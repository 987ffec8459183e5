//! Counts, verifies, compares and benchmarks Assay's two move generators.
//!
//! Each subcommand is a file of [`commands`]. Both generators implement [`generator::Generator`],
//! so that the code above it depends neither on the generator nor on the game's ruleset.

pub mod cli;
pub mod commands;
pub mod difference;
pub mod divide;
pub mod generator;
pub mod junit;
pub mod peer_difference;
pub mod position_args;
pub mod run_header;
pub mod suite;
pub mod suspicions;
pub mod verify;
pub mod walk;

use std::process::ExitCode;

use clap::Parser;

/// Runs the program on the arguments of the process.
pub fn main() -> ExitCode {
    assay_cli::run(|| {
        assay_engine::check_processor()?;
        cli::Cli::try_parse()?.run()
    })
}

//! Counts, verifies, compares and benchmarks Assay's two move generators.
//!
//! Each subcommand is a file of [`commands`]. Both generators implement [`generator::Generator`],
//! so that the code above it depends neither on the generator nor on the game's ruleset.

#[cfg(feature = "program")]
pub mod cli;
#[cfg(feature = "program")]
pub mod commands;
#[cfg(feature = "program")]
pub mod definition_keys;
pub mod difference;
#[cfg(feature = "program")]
pub mod divide;
pub mod generator;
#[cfg(feature = "program")]
pub mod junit;
#[cfg(feature = "program")]
pub mod peer_difference;
#[cfg(feature = "program")]
pub mod position_args;
#[cfg(feature = "program")]
pub mod run_header;
#[cfg(feature = "program")]
pub mod suite;
pub mod suspicions;
#[cfg(feature = "program")]
pub mod verify;
pub mod walk;

/// Runs the program on the arguments of the process.
#[cfg(feature = "program")]
pub fn main() -> std::process::ExitCode {
    use clap::Parser;

    assay_cli::run(|| {
        assay_engine::check_processor()?;
        cli::Cli::try_parse()?.run()
    })
}

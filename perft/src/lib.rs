//! Assay's perft: counts, proves, compares and benches the two move generators.
//!
//! A subcommand is a file of [`commands`]; what several of them need is a module of its own here. Both generators hide behind
//! [`generator::Generator`], so that nothing above it knows which of the two it works with, or which ruleset serves the game.

pub mod banner;
pub mod cli;
pub mod commands;
pub mod compare;
pub mod counting;
pub mod generator;
pub mod interrupt;
pub mod numbers;
pub mod output;
pub mod start;
pub mod suite;
pub mod typed;
pub mod verdict;
pub mod verify;
pub mod walk;

use std::process::ExitCode;

use clap::Parser;

pub use verdict::Verdict;

/// Runs the program on the process's own arguments.
pub fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    interrupt::install();
    match commands::run(cli) {
        Ok(verdict) => verdict.exit_code(),
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::error(&error);
            Verdict::misuse()
        }
    }
}

//! `assay-tuner`: what the men of chess games are worth.

mod commands;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use commands::{fit, network, tune, validate};

/// Measures what chess pieces are worth, with error bars, and holds the inventors' values against them.
#[derive(Debug, Parser)]
#[command(name = "assay-tuner", version, max_term_width = 110, after_long_help = commands::EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play what games are missing, measure every piece, and compare with the inventor's values
    Validate(validate::Args),
    /// Measure every piece from files of games that are there
    Fit(fit::Args),
    /// Tune the engine's evaluation to files of games, and write its weights
    Tune(tune::Args),
    /// Train a small neural network for the engine on files of games
    Network(network::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Validate(args) => validate::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Network(args) => network::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has had enough.
        Err(error) if commands::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(commands::MISUSE)
        }
    }
}

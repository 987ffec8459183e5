//! `assay-tuner`: what the men of chess games are worth.

mod commands;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use commands::{fit, validate};

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
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Validate(args) => validate::run(&args),
        Command::Fit(args) => fit::run(&args),
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

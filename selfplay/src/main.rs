//! `assay-selfplay`: games of chess variants as data.

mod commands;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use commands::{export, generate, info, matches, sprt};

/// Plays chess variants against itself and keeps the games as data.
#[derive(Debug, Parser)]
#[command(name = "assay-selfplay", version, max_term_width = 110, after_long_help = commands::EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play games in parallel into one durable file; the same command again continues where it stopped
    Generate(generate::Args),
    /// Play a match between two engines, judged by Assay's rules
    #[command(disable_help_flag = true)]
    Match(matches::Args),
    /// Say what counts of results mean, or simulate a sequential test to see how often it errs
    Sprt(sprt::Args),
    /// Write games out as PGN or as lines of positions
    Export(export::Args),
    /// Say what a file of games holds, and whether it is whole
    Info(info::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Generate(args) => generate::run(&args),
        Command::Match(args) => matches::run(&args),
        Command::Sprt(args) => sprt::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Info(args) => info::run(&args),
    };
    match done {
        Ok(code) => code,
        // Whoever read our output has had enough.
        Err(error) if commands::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", commands::in_one_line(&error));
            ExitCode::from(commands::MISUSE)
        }
    }
}

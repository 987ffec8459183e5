//! `assay-tuner`: what the pieces of chess games are worth.

mod commands;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use commands::{claims, export, fit, network, overview, playtest, simulate, stats, tune, validate, weigh};

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
    /// Measure any piece that XBetza can write, in a standard army
    Weigh(weigh::Args),
    /// Test what the inventors' documents say: values, draws, the first move, handicaps, set-ups
    Claims(claims::Args),
    /// Measure every piece from files of games that are there
    Fit(fit::Args),
    /// Tune the engine's evaluation to files of games, and write its weights
    Tune(tune::Args),
    /// Train a small neural network for the engine on files of games
    Network(network::Args),
    /// Measure every piece by matches from unequal armies, without a regression
    Playtest(playtest::Args),
    /// Set several games' measurements beside each other: a table and a picture
    Overview(overview::Args),
    /// Say what games are like: results, length, choice, and what endings are worth
    Stats(stats::Args),
    /// Write the quiet positions of games for other programs: CSV, EPD, Parquet
    Export(export::Args),
    /// Plant values in data sets, measure them, and count how often the intervals hold them
    Simulate(simulate::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Tune(args) => tune::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Network(args) => network::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Validate(args) => validate::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Weigh(args) => weigh::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Claims(args) => claims::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Export(args) => export::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Fit(args) => fit::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Playtest(args) => playtest::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Overview(args) => overview::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Stats(args) => stats::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Simulate(args) => simulate::run(&args),
    };
    match done {
        Ok(status) => status,
        // Whoever read our output has had enough.
        Err(error) if commands::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(commands::MISUSE)
        }
    }
}

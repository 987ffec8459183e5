//! `assay-tuner`: measures piece values and trains evaluations.

mod commands;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use commands::{claims, export, fit, network, overview, playtest, report, simulate, stats, tune, validate, weigh};

/// Measures what chess pieces are worth, with error bars, and compares with the values that inventors published
#[derive(Debug, Parser)]
#[command(name = "assay-tuner", version, max_term_width = 110, after_long_help = commands::EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play games, measure the value of every piece, and compare with the published values
    Validate(validate::Args),
    /// Measure a piece of your own, given in XBetza, in a standard army
    Weigh(weigh::Args),
    /// Test what the inventors' documents claim: values, draws, first move, handicaps, setups
    Claims(claims::Args),
    /// Measure values from existing files of games
    Fit(fit::Args),
    /// Tune the weights of the engine's evaluation
    Tune(tune::Args),
    /// Train a small neural network for the engine
    Network(network::Args),
    /// Measure values by matches between unequal armies, without a regression
    Playtest(playtest::Args),
    /// Render the JSON of a measurement as text or HTML
    Report(report::Args),
    /// Compare the measurements of several games in a table and a picture
    Overview(overview::Args),
    /// Show statistics of games: results, length, legal moves, endings
    GameStats(stats::Args),
    /// Write quiet positions as CSV, EPD or Parquet
    Export(export::Args),
    /// Check the coverage of the intervals on simulated games with known values
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
        Command::Report(args) => report::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Overview(args) => overview::run(&args).map(|()| ExitCode::SUCCESS),
        Command::GameStats(args) => stats::run(&args).map(|()| ExitCode::SUCCESS),
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

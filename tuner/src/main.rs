//! `assay-tuner`: measures piece values and trains evaluations.

mod commands;

use std::process::ExitCode;

use assay_cli::{Exit, SharedCommand};
use clap::{Parser, Subcommand};

use commands::{claims, export, fit, network, overview, playtest, report, simulate, stats, tune, validate, weigh};

/// Measures what chess pieces are worth, with error bars, and compares with the values that inventors published
#[derive(Debug, Parser)]
#[command(name = "assay-tuner", version, max_term_width = assay_cli::MAX_WIDTH, after_long_help = commands::EXAMPLES)]
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
    Stats(stats::Args),
    /// Write quiet positions as CSV, EPD or Parquet
    Export(export::Args),
    /// Check the coverage of the intervals on simulated games with known values
    Simulate(simulate::Args),
    #[command(flatten)]
    Shared(SharedCommand),
}

fn main() -> ExitCode {
    assay_cli::run(|| {
        let done = match Cli::parse().command {
            Command::Validate(args) => validate::run(&args),
            Command::Weigh(args) => weigh::run(&args),
            Command::Claims(args) => claims::run(&args),
            Command::Fit(args) => fit::run(&args),
            Command::Tune(args) => tune::run(&args),
            Command::Network(args) => network::run(&args),
            Command::Playtest(args) => playtest::run(&args),
            Command::Report(args) => report::run(&args),
            Command::Overview(args) => overview::run(&args),
            Command::Stats(args) => stats::run(&args),
            Command::Export(args) => export::run(&args),
            Command::Simulate(args) => return simulate::run(&args),
            Command::Shared(shared) => return shared.run::<Cli>(),
        };
        done.map(|()| Exit::Success)
    })
}

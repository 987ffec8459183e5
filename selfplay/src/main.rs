//! `assay-selfplay`: plays games of chess variants, stores them, and evaluates matches.

mod commands;

use std::process::ExitCode;

use assay_cli::args::ProgressArg;
use assay_cli::{SharedCommand, output};
use clap::{Parser, Subcommand};

use commands::{export, generate, import, info, matches, merge, sprt};

const EXAMPLES: &str = "\
Examples:
  assay-selfplay generate gamma2 --games 1000 --data gamma2.db
      Play 1000 games from random openings, each opening twice with the armies swapped
  assay-selfplay generate apothecary2 --material values --games 20000 --seed 7 --data values.db
      Games from unequal armies, to measure piece values
  assay-selfplay match gamma2 -engine cmd=./new -engine cmd=./old -each tc=8+0.08 \\
      -sprt elo0=0 elo1=5 -data test.db
      Is the new engine stronger?
  assay-selfplay merge all.db shard-1.db shard-2.db
      Join the games that several machines have played with --shard
  assay-selfplay import games.pgn.zst --min-elo 2000 --data games.db
      Games of people or other programs, for the same commands
  assay-selfplay info values.db
  assay-selfplay export values.db --pgn -

Exit status: 0 on success, 1 if a file is damaged or a game to import is broken, 2 for errors, 4 if a match was abandoned because an engine \
kept failing, 130 after Ctrl-C.";

/// Play chess variants, store the games, and evaluate matches
#[derive(Debug, Parser)]
#[command(name = "assay-selfplay", version, max_term_width = assay_cli::MAX_WIDTH, after_long_help = EXAMPLES)]
struct Cli {
    #[command(flatten)]
    progress: ProgressArg,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Generate(generate::Args),
    Match(Box<matches::Args>),
    Sprt(sprt::Args),
    Merge(merge::Args),
    Import(Box<import::Args>),
    Export(export::Args),
    Info(info::Args),
    #[command(flatten)]
    Shared(SharedCommand),
}

fn main() -> ExitCode {
    assay_cli::run(|| {
        assay_engine::check_processor()?;
        let normalized = matches::normalize_flags(std::env::args_os())?;
        let cli = Cli::try_parse_from(normalized.words)?;
        cli.progress.apply()?;
        if !normalized.ignored.is_empty() {
            output::warning(format_args!("ignored: {}", normalized.ignored));
        }
        match cli.command {
            Command::Generate(args) => generate::run(&args),
            Command::Match(args) => matches::run(&args),
            Command::Sprt(args) => sprt::run(&args),
            Command::Merge(args) => merge::run(&args),
            Command::Import(args) => import::run(&args),
            Command::Export(args) => export::run(&args),
            Command::Info(args) => info::run(&args),
            Command::Shared(shared) => shared.run::<Cli>(),
        }
    })
}

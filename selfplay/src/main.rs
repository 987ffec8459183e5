//! `assay-selfplay`: plays games of chess variants, stores them, and evaluates matches.

mod commands;

use std::process::ExitCode;

use assay_cli::args::ProgressArg;
use assay_cli::{SharedCommand, output};
use clap::{Parser, Subcommand};

use commands::{export, generate, import, info, matches, merge, sprt};

const EXAMPLES: &str = include_str!("commands/help/assay-selfplay.txt").trim_ascii_end();

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

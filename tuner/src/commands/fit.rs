//! `assay-tuner fit`.

use std::path::PathBuf;

use super::{JSON_HELP, Method, Output, measure};

const LONG: &str = "\
Measures the value of every piece from files of games made by `validate` or by `assay-selfplay generate`. No games are played.

All files must contain the same game. Runs with different seeds or settings are pooled; their openings count as different.";

const EXAMPLES: &str = "\
Examples:
  assay-tuner fit assay-gamma2.db
  assay-tuner fit seed1.db seed2.db --report gamma2.html
  assay-tuner fit assay-gamma2.db --json | jq '.values[] | {piece, measured, interval}'
";

/// Arguments of `fit`.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = format!("{EXAMPLES}\n{JSON_HELP}"))]
pub(crate) struct Args {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    method: Method,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    args.output.check()?;
    args.output.write(&measure(&args.files, &args.method)?.report)
}

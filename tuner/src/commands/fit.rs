//! `assay-tuner fit`.

use std::path::PathBuf;

use super::{JSON_HELP, Method, Output, measure};

const LONG: &str = "\
Measures what each piece is worth from files of games that `assay-selfplay generate --material odds` or `validate` made.

All files must hold the same game; runs with different seeds or settings are taken together, their openings as different \
ones. Nothing is played.";

const EXAMPLES: &str = "\
Examples:
  assay-tuner fit assay-gamma2.db
  assay-tuner fit seed1.db seed2.db --report gamma2.html
  assay-tuner fit assay-gamma2.db --json | jq '.values[] | {piece, measured, interval}'
";

/// What `fit` is told.
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

/// Fits.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    args.output.check()?;
    args.output.write(&measure(&args.files, &args.method)?.report)
}

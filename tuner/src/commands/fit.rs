//! `assay-tuner fit`.

use std::path::PathBuf;

use super::{JSON_HELP, Method, Output, borrowed, measure};

const EXAMPLES: &str = "\
Examples:
  assay-tuner fit assay-gamma2.db
  assay-tuner fit seed1.db seed2.db --report gamma2.html
  assay-tuner fit assay-gamma2.db --json | jq '.values[] | {piece, measured, interval}'
";

#[derive(Debug, clap::Args)]
#[command(after_long_help = format!("{EXAMPLES}\n{JSON_HELP}"))]
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
    args.output.check(borrowed(&args.files))?;
    let mut report = measure(&args.files, args.method, args.output.csv.as_deref())?;
    args.output.write(&mut report, None, &[])
}

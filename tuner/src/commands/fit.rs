//! `assay-tuner fit`.

use std::path::PathBuf;

use super::{JSON_HELP, Method, Output, borrowed, file_names, measure};

const EXAMPLES: &str = "\
Examples:
  assay-tuner fit assay-gamma2.db
  assay-tuner fit seed1.db seed2.db --html gamma2.html
  assay-tuner fit seed1.db seed2.db playtest1.db
      also measures by the second method, from the files of a playtest
  assay-tuner fit assay-gamma2.db --json | jq '.values[] | {piece, measured, interval}'
";

#[derive(Debug, clap::Args)]
#[command(after_long_help = format!("{EXAMPLES}\n{JSON_HELP}"))]
pub(crate) struct Args {
    /// Run files
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
    report.command = Some(command(&args.files, args.method));
    args.output.write(&mut report, None, &[])
}

/// The command that measures values from run files.
pub(crate) fn command(files: &[PathBuf], method: Method) -> String {
    format!("assay-tuner fit{}{}", file_names(files), method.phase_model_flag())
}

//! `assay-tuner fit`.

use std::path::PathBuf;

use super::{AnalysisArgs, JSON_HELP, Output, file_names, flag, measure};
use crate::values::design::PhaseModel;

const EXAMPLES: &str = include_str!("help/fit.txt");

#[derive(Debug, clap::Args)]
#[command(after_long_help = format!("{EXAMPLES}\n{JSON_HELP}"))]
pub(crate) struct Args {
    /// Run files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    options: AnalysisArgs,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    args.output.check(&args.files)?;
    let mut report = measure(&args.files, &args.options.into(), args.output.csv.as_deref())?;
    report.command = Some(command(&args.files, args.options.phase_model));
    args.output.write(&mut report, None, &[])
}

/// The command that measures values from run files.
pub(crate) fn command(files: &[PathBuf], phase_model: PhaseModel) -> String {
    format!("assay-tuner fit{}{}", file_names(files), flag("phase-model", &phase_model))
}

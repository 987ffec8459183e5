//! `assay-tuner overview`.

use std::path::PathBuf;

use assay_cli::output;
use assay_tuner::report::{html, overview};
use assay_tuner::values::results::MeasurementReport;

use super::{check_writable, write_file};

const EXAMPLES: &str = "\
Examples:
  assay-tuner validate gamma2 --json > gamma2.json
  assay-tuner validate berolina --json > berolina.json
  assay-tuner overview gamma2.json berolina.json --svg values.svg";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Arguments of `validate --json` printed, a file for each game
    #[arg(required = true, value_name = "FILE.json")]
    files: Vec<PathBuf>,
    /// Write a picture
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(path) = &args.svg {
        check_writable("--svg", path)?;
    }
    let reports: Vec<MeasurementReport> = args
        .files
        .iter()
        .map(|path| MeasurementReport::read(path))
        .collect::<Result<_, _>>()?;
    if let Some(path) = &args.svg {
        write_file("--svg", path, html::overview(&reports))?;
    }
    output::print(overview::markdown(&reports))
}

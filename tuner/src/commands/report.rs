//! `assay-tuner report`.

use std::path::PathBuf;

use assay_cli::output;
use assay_tuner::report::{html, text};
use assay_tuner::values::results::MeasurementReport;

use super::{check_writable, write_file};

const LONG: &str = "\
Renders the JSON of a measurement as text, or as an HTML report. Needs no games and measures nothing again.";

const EXAMPLES: &str = "\
Examples:
  assay-tuner validate gamma2 --json > gamma2.json
  assay-tuner report gamma2.json
      prints the text that `validate` prints without --json
  assay-tuner report gamma2.json --html gamma2.html";

/// Arguments of `report`.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Output of `validate --json`, `fit --json` or `weigh --json`
    #[arg(value_name = "FILE.json")]
    file: PathBuf,
    /// Write an HTML report instead of printing text
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(path) = &args.html {
        check_writable("--html", path)?;
    }
    let report = MeasurementReport::read(&args.file)?;
    match &args.html {
        Some(path) => write_file("--html", path, html::measurement(&report).into_string()),
        None => output::print(text::measurement(&report)),
    }
}

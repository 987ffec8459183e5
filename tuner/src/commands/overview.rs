//! `assay-tuner overview`.

use std::path::PathBuf;

use assay_tuner::report::{html, overview};
use assay_tuner::values::results::MeasurementReport;

use super::{check_writable, print, write_file};

const LONG: &str = "\
Sets several games' measurements beside each other. Prints a Markdown table: what the inventor said, what was measured over the \
average of the game, and the two methods on a full board, for the piece of its kind that goes first. The picture shows measured \
over published values.";

const EXAMPLES: &str = "\
Examples:
  assay-tuner validate gamma2 --json > gamma2.json
  assay-tuner validate berolina --json > berolina.json
  assay-tuner overview gamma2.json berolina.json --svg values.svg";

/// What `overview` is told.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// What `validate --json` printed, a file for each game
    #[arg(required = true, value_name = "FILE.json")]
    files: Vec<PathBuf>,
    /// Also draw a picture
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
}

/// Reads and shows.
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
        write_file("--svg", path, html::overview(&reports).into_string())?;
    }
    print(&overview::markdown(&reports))
}

//! `assay-tuner compare`.

use std::path::PathBuf;

use assay_cli::args::JsonArg;
use assay_cli::{output, output_file};
use assay_tuner::report::{comparison, html};
use assay_tuner::values::comparison::Comparison;
use assay_tuner::values::results::MeasurementReport;

use super::{UnitArg, write_file};

const EXAMPLES: &str = "\
Examples:
  assay-selfplay match chess -engine cmd=fairy-stockfish name=a \\
      -engine cmd=fairy-stockfish name=b \\
      -each nodes=5000 -openings material=values -rounds 2000 -db fairy.db
  assay-tuner fit fairy.db --json > fairy.json
  assay-tuner validate chess --nodes 2000 --json > linear.json
  assay-tuner compare linear.json fairy.json
  assay-tuner compare linear.json fairy.json --unit minor-pieces --html players.html

Keys of --json: assay, game, title, unit, definition, measurements (label, games, pairs), pieces (piece, with_half_pair, published; values: value \
and interval by measurement, or null), tests (measurement: its index, the first being 0; chi_square, degrees_of_freedom, p; differences: piece, \
value, standard_error)
";

/// Arguments of `compare`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Measurements of one game that `fit --json` or `validate --json` printed; differences are from the first
    #[arg(required = true, num_args = 2.., value_name = "FILE.json")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    unit: UnitArg,
    /// Write a page with a picture
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArg,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    output_file::check(&[("--html", args.html.as_deref())], &args.files)?;
    let mut reports = Vec::new();
    for path in &args.files {
        reports.push((path.display().to_string(), MeasurementReport::read(path)?));
    }
    let found = Comparison::of(&reports, args.unit.unit)?;
    if let Some(path) = &args.html {
        write_file("--html", path, html::comparison(&found))?;
    }
    if args.json.json {
        return output::json(&found);
    }
    output::print(comparison::text(&found))
}

//! `assay-tuner report`.

use std::path::{Path, PathBuf};

use assay_cli::{output, output_file};
use assay_engine::file;
use assay_tuner::report::{claims, html, text};
use assay_tuner::values::claims::Claims;
use assay_tuner::values::results::MeasurementReport;

use super::{UnitArg, write_file};

const EXAMPLES: &str = "\
Examples:
  assay-tuner validate gamma2 --json > gamma2.json
  assay-tuner report gamma2.json
      prints the text that `validate` prints without --json
  assay-tuner report gamma2.json --html gamma2.html";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Output of `validate`, `fit`, `weigh` or `claims` with --json
    #[arg(value_name = "FILE.json")]
    file: PathBuf,
    /// Write an HTML report instead of printing text
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    #[command(flatten)]
    unit: UnitArg,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    output_file::check(&[("--html", args.html.as_deref())], [&args.file])?;
    let is_html = args.html.is_some();
    let rendered = match StoredReport::read(&args.file)? {
        StoredReport::Claims(claims) if is_html => html::claims(&claims),
        StoredReport::Claims(claims) => claims::text(&claims),
        StoredReport::Measurement(report) if is_html => html::measurement(&report, args.unit.unit),
        StoredReport::Measurement(report) => text::measurement(&report, args.unit.unit),
    };
    match &args.html {
        Some(path) => write_file("--html", path, rendered),
        None => output::print(rendered),
    }
}

enum StoredReport {
    Measurement(Box<MeasurementReport>),
    Claims(Claims),
}

impl StoredReport {
    /// Only the JSON of claims has `findings`. Errors are those of a measurement, the usual case.
    fn read(path: &Path) -> anyhow::Result<StoredReport> {
        let claims = file::read(path, file::MAX_FILE)
            .ok()
            .and_then(|json| serde_json::from_slice(&json).ok());
        Ok(match claims {
            Some(claims) => StoredReport::Claims(claims),
            None => StoredReport::Measurement(Box::new(MeasurementReport::read(path)?)),
        })
    }
}

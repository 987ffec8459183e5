//! `assay-tuner overview`.

use std::path::PathBuf;

use assay_cli::{output, output_file};
use assay_tuner::report::html::IndexEntry;
use assay_tuner::report::{html, overview};
use assay_tuner::values::results::MeasurementReport;

use super::write_file;

const EXAMPLES: &str = "\
Examples:
  assay-tuner validate gamma2 --json > gamma2.json
  assay-tuner validate berolina --json > berolina.json
  assay-tuner overview gamma2.json berolina.json --svg values.svg
  assay-tuner overview gamma2.json berolina.json --html index.html
      links to gamma2.html and berolina.html if they are in the same folder
  assay-tuner overview chess-500.json chess-4000.json --html chess.html
      measurements of one game at several strengths are drawn as a ladder";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Output of `validate --json`, one file for each game
    #[arg(required = true, value_name = "FILE.json")]
    files: Vec<PathBuf>,
    /// Compare the units of values instead: how precisely they are known, and how much they change over the game
    #[arg(long)]
    units: bool,
    /// Write a picture
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// Write a page with a board, a sentence and a picture for each game
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let outputs = [("--svg", args.svg.as_deref()), ("--html", args.html.as_deref())];
    output_file::check(&outputs, &args.files)?;
    let reports: Vec<MeasurementReport> = args
        .files
        .iter()
        .map(|path| MeasurementReport::read(path))
        .collect::<Result<_, _>>()?;
    if let Some(path) = &args.svg {
        write_file("--svg", path, html::overview(&reports))?;
    }
    if let Some(path) = &args.html {
        let link = |file: &PathBuf| {
            // A link works only while both pages stay in one folder.
            let name = file.with_extension("html").file_name()?.to_os_string();
            let report = path.with_file_name(&name);
            (report.is_file() && report != *path).then(|| name.to_string_lossy().into_owned())
        };
        let entries: Vec<IndexEntry<'_>> = reports
            .iter()
            .zip(&args.files)
            .map(|(report, file)| IndexEntry {
                report,
                link: link(file),
            })
            .collect();
        write_file("--html", path, html::index(&entries))?;
    }
    let table = if args.units {
        overview::units_markdown(&reports)
    } else {
        overview::markdown(&reports)
    };
    output::print(table)
}

//! `assay-tuner report`.

use std::path::PathBuf;

use anyhow::Context;
use assay_cli::{output, output_file};
use assay_tuner::report::{claims, html, ladder};
use assay_tuner::values::ladder::Ladder;
use assay_tuner::values::stored_result::StoredResult;

use super::{TextArgs, write_file};

const EXAMPLES: &str = "\
Examples:
  assay-tuner validate gamma2 --json > gamma2.json
  assay-tuner report gamma2.json
      prints the text that `validate` prints without --json; with --details, everything
  assay-tuner report gamma2.json --html gamma2.html
  assay-tuner ladder gamma2 --nodes 80,500,4000 --json > gamma2-ladder.json
  assay-tuner report gamma2.json --ladder gamma2-ladder.json --html gamma2.html
      shows how the values depend on the strength of the players, too";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Output of `validate`, `fit`, `weigh`, `claims` or `ladder` with --json
    #[arg(value_name = "FILE.json")]
    file: PathBuf,
    /// Add the ladder of the same game, the output of `ladder --json`
    #[arg(long, value_name = "FILE.json")]
    ladder: Option<PathBuf>,
    /// Write an HTML report instead of printing text
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    #[command(flatten)]
    text: TextArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let inputs = [&args.file].into_iter().chain(&args.ladder);
    output_file::check(&[("--html", args.html.as_deref())], inputs)?;
    let is_html = args.html.is_some();
    let mut result = StoredResult::read(&args.file)?;
    let ladder = args.ladder(&result)?;
    if let StoredResult::Measurement(report) = &mut result {
        report.set_margin(args.text.margin);
    }
    let rendered = match &result {
        StoredResult::Claims(claims) if is_html => html::claims(claims),
        StoredResult::Claims(claims) => claims::text(claims, args.text.details),
        StoredResult::Ladder(ladder) if is_html => html::ladder(ladder),
        StoredResult::Ladder(ladder) => ladder::text(ladder),
        StoredResult::Measurement(report) if is_html => html::measurement(report, args.text.unit, ladder.as_ref()),
        StoredResult::Measurement(report) => {
            let more = "More: --details (all units, tests, diagnostics), --html FILE.html (charts)";
            let mut text = args.text.text(report, &[more.to_owned()]);
            text.extend(ladder.iter().map(|ladder| format!("\n{}", ladder::text(ladder))));
            text
        }
    };
    match &args.html {
        Some(path) => write_file("--html", path, rendered),
        None => output::print(rendered),
    }
}

impl Args {
    /// The ladder that the report of `result` shows as well.
    fn ladder(&self, result: &StoredResult) -> anyhow::Result<Option<Ladder>> {
        let Some(path) = &self.ladder else {
            return Ok(None);
        };
        let ladder = Ladder::read(path).context("--ladder")?;
        let StoredResult::Measurement(report) = result else {
            anyhow::bail!(
                "--ladder: found {} without measured values, expected the output of `validate --json`",
                self.file.display()
            );
        };
        anyhow::ensure!(
            ladder.game == report.game,
            "--ladder {}: found a ladder of {}, expected one of {}",
            path.display(),
            ladder.game,
            report.game
        );
        Ok(Some(ladder))
    }
}

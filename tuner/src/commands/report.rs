//! `assay-tuner report`.

use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use assay_cli::output_file;

use super::{ReportArgs, TextArgs};
use crate::report;
use crate::values::comparison::Comparison;
use crate::values::results::MeasurementReport;
use crate::values::stored_result::StoredResult;

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/report.txt").trim_ascii_end())]
pub(crate) struct Args {
    /// Output of `validate`, `fit`, `weigh` or `claims` with --json; several measurements, or one
    /// and its ladder
    #[arg(required = true, value_name = "FILE.json")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    output: ReportArgs,
    /// Write one picture of all measurements
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    text: TextArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let outputs = [("--svg", args.svg.as_deref()), ("--html", args.output.html.as_deref())];
    output_file::check(&outputs, &args.files)?;
    let (mut measurements, mut ladders, mut claims) = (Vec::new(), Vec::new(), Vec::new());
    for path in &args.files {
        let name = path.display().to_string();
        match StoredResult::read(path)? {
            StoredResult::Measurement(mut report) => {
                report.set_margin(args.text.margin);
                measurements.push((name, *report));
            }
            StoredResult::Ladder(ladder) => ladders.push((name, ladder)),
            StoredResult::Claims(found) => claims.push((name, found)),
            StoredResult::Atlas(atlas) => {
                ensure!(args.files.len() == 1, "{name}: found an atlas among other files, expected it alone");
                args.text.check("an atlas", &[])?;
                if let Some(path) = &args.svg {
                    output_file::write_contents("--svg", path, report::atlas::picture(&atlas))?;
                }
                return args.output.write_page(&report::atlas::page(&atlas), &atlas);
            }
        }
    }
    if let Some(path) = &args.svg {
        ensure!(!measurements.is_empty(), "--svg: found no measurement, expected the output of `validate --json`");
        let reports: Vec<&MeasurementReport> = measurements.iter().map(|(_, report)| report).collect();
        output_file::write_contents("--svg", path, report::picture(&reports))?;
    }
    let first_screen = |measured: &MeasurementReport| args.text.text(measured, None);
    match (&measurements[..], &ladders[..], &claims[..]) {
        ([], [], [(_, found)]) => {
            args.text.check("claims", &["--details"])?;
            let text = report::claims::text(found, args.text.details);
            args.output.write(|| report::claims::page(found), text, found)
        }
        ([], [(_, ladder)], []) => {
            args.text.check("a ladder", &[])?;
            args.output.write_page(&report::ladder(ladder), ladder)
        }
        ([(_, measured)], [], []) => {
            let page = || report::measurement(measured, args.text.unit, None).html();
            args.output.write(page, first_screen(measured), measured)
        }
        ([(_, measured)], [(name, ladder)], []) => {
            ensure!(
                ladder.game == measured.game,
                "{name}: found a ladder of {}, expected one of {}",
                ladder.game,
                measured.game
            );
            let page = || report::measurement(measured, args.text.unit, Some(ladder)).html();
            let text = format!("{}\n{}", first_screen(measured), report::ladder(ladder).text());
            args.output.write(page, text, measured)
        }
        ([(_, first), _, ..], [], []) if measurements.iter().all(|(_, other)| other.game == first.game) => {
            args.text.check("measurements to compare", &["--unit"])?;
            let found = Comparison::of(&measurements, args.text.unit.unwrap_or_default())?;
            args.output.write_page(&report::comparison(&found), &found)
        }
        ([_, _, ..], [], []) => {
            args.text.check("measurements of several games", &["--margin"])?;
            let linked = args.files.iter().map(|file| args.link(file));
            let entries: Vec<_> = measurements.into_iter().map(|(_, report)| report).zip(linked).collect();
            let reports: Vec<&MeasurementReport> = entries.iter().map(|(report, _)| report).collect();
            args.output.write_page(&report::overview(&entries), &reports)
        }
        _ => {
            let claimed = claims.last().map(|(name, _)| name);
            let name = claimed.or(ladders.last().map(|(name, _)| name));
            bail!(
                "{}: found claims or a ladder among other files, expected measurements, or one measurement and its ladder",
                name.map_or("", |name| name)
            )
        }
    }
}

impl Args {
    /// The page of a measurement of which an overview is written, if there is one. A link works
    /// only while both stay in one folder.
    fn link(&self, file: &Path) -> Option<String> {
        let overview = self.output.html.as_ref()?;
        let name = file.with_extension("html").file_name()?.to_os_string();
        let page = overview.with_file_name(&name);
        (page.is_file() && page != *overview).then(|| name.to_string_lossy().into_owned())
    }
}

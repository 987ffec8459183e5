//! The subcommands, a file each, and what they share.

pub(crate) mod claims;
pub(crate) mod fit;
pub(crate) mod playing;
pub(crate) mod report;
pub(crate) mod train;
pub(crate) mod validate;
pub(crate) mod weigh;

use std::fmt::Display;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use assay_cli::args::{self, ThreadsArg};
use assay_cli::interrupt::without_stop_flag;
use assay_cli::page::Page;
use assay_cli::text::wrap;
use assay_cli::{Progress, output, output_file};
use assay_selfplay::settings::Material;
use assay_selfplay::{RecordedRun, Store};
use clap::builder::TypedValueParser;
use serde::Serialize;

use crate::report::{measurement, summary};
use crate::values::analysis::{AnalysisOptions, analyze};
use crate::values::data::{Dataset, ReadWatch, material_of, other_definitions};
use crate::values::design::PhaseModel;
use crate::values::design::export::write_csv;
use crate::values::inference::Unit;
use crate::values::playtest::measure as measure_playtest;
use crate::values::results::MeasurementReport;

pub(crate) const EXAMPLES: &str = include_str!("commands/help/assay-tuner.txt").trim_ascii_end();

/// Keys of the JSON of a measurement. A test compares it with what is printed.
pub(crate) const JSON_HELP: &str = include_str!("commands/help/measurement-keys.txt").trim_ascii_end();

/// A choice as part of a command; empty for the default.
fn flag<T: Default + PartialEq + Display>(option: &str, choice: &T) -> String {
    if *choice == T::default() { String::new() } else { format!(" --{option} {choice}") }
}

/// A parser of units, with their descriptions for help.
fn unit() -> impl TypedValueParser<Value = Unit> {
    let descriptions = &[
        "Share of the army: one piece of each kind with a published value, without king and pawn, scaled to the sum of these \
         values; 100 for one of each kind if none is published",
        "The pawn",
        "Mean of the minor pieces: the kinds of class minor, in chess bishop and knight",
    ];
    args::one_of_described(Unit::NAMES, descriptions)
}

/// A parser of phase models, with their descriptions for help.
fn phase_model() -> impl TypedValueParser<Value = PhaseModel> {
    let descriptions = &[
        "Two values per piece (at least 3/4 and 1/4 of the pieces left), interpolated linearly",
        "One value per piece",
    ];
    args::one_of_described(PhaseModel::NAMES, descriptions)
}

/// Options of the regression.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct AnalysisArgs {
    /// Dependence of values on the game phase
    #[arg(long, value_parser = phase_model(), default_value_t)]
    phase_model: PhaseModel,
    /// Bootstrap replicates that check the intervals; 0 for none
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = args::whole_number(0..=100_000_usize), allow_negative_numbers = true)]
    resamples: usize,
}

impl From<AnalysisArgs> for AnalysisOptions {
    fn from(args: AnalysisArgs) -> AnalysisOptions {
        AnalysisOptions { phase_model: args.phase_model, resamples: args.resamples }
    }
}

/// Options of the text and the page about a measurement.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct TextArgs {
    /// Unit of the first table of --details and of pictures [default: the published scale, else
    /// pawns]
    #[arg(long, value_parser = unit())]
    unit: Option<Unit>,
    /// Largest deviation from a published value that is called about the same [default: 10, or up
    /// to 25 if the intervals are wide]
    #[arg(long, value_name = "PERCENT", value_parser = margin, allow_negative_numbers = true)]
    margin: Option<f64>,
    /// Print everything that was measured: phases, tests, diagnostics
    #[arg(long)]
    details: bool,
}

impl TextArgs {
    /// Fails if an option is given that this kind of result does not have.
    fn check(&self, found: &str, options: &[&str]) -> anyhow::Result<()> {
        let given = [("--unit", self.unit.is_some()), ("--margin", self.margin.is_some()), ("--details", self.details)];
        let unused = given.into_iter().find(|(option, is_given)| *is_given && !options.contains(option));
        unused.map_or(Ok(()), |(option, _)| Err(anyhow::anyhow!("{option}: found {found}, expected a measurement")))
    }

    /// The measurement as text. The first screen says how to get narrower intervals, and names the
    /// other output.
    fn text(&self, report: &MeasurementReport, narrower: Option<String>) -> String {
        if self.details {
            return measurement(report, self.unit, None).text();
        }
        let more = "More: --details (phases, tests, diagnostics), --html FILE.html (charts), --json".to_owned();
        summary(report, &narrower.into_iter().chain([more]).collect::<Vec<_>>())
    }
}

/// A percentage as a share.
fn margin(text: &str) -> Result<f64, String> {
    let is_valid = |percent: &f64| *percent > 0.0 && *percent < 100.0;
    args::number(text, is_valid, "expected a percentage above 0 and below 100").map(|percent| percent / 100.0)
}

/// How a result is written.
#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// Write a report with charts as one HTML file
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

impl ReportArgs {
    /// Writes the page to --html and prints the result, as text or as JSON.
    fn write(&self, page: impl FnOnce() -> String, mut text: String, result: &impl Serialize) -> anyhow::Result<()> {
        if let Some(path) = &self.html {
            output_file::write_contents("--html", path, page())?;
            text += &format!("Report: {}\n", path.display());
        }
        if self.json {
            return output::json(result);
        }
        output::print(text)
    }

    /// Writes a report with the same sections as a page and as text.
    fn write_page(&self, page: &Page, result: &impl Serialize) -> anyhow::Result<()> {
        self.write(|| page.html(), page.text(), result)
    }
}

/// Output options of a measurement.
#[derive(Debug, clap::Args)]
pub(crate) struct Output {
    #[command(flatten)]
    report: ReportArgs,
    /// Write the design matrix as CSV, to repeat the regression with another program
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    text: TextArgs,
}

impl Output {
    /// Fails before any game is played or read if a file could not be written afterwards or would
    /// overwrite one of `inputs`.
    fn check(&self, inputs: impl IntoIterator<Item = impl AsRef<Path>, IntoIter: Clone>) -> anyhow::Result<()> {
        let outputs = [("--html", self.report.html.as_deref()), ("--csv", self.csv.as_deref())];
        output_file::check(&outputs, inputs)
    }

    /// `narrower` tells how to continue the measurement, and `notes` are sentences about this run
    /// that end the text.
    fn write(&self, report: &mut MeasurementReport, narrower: Option<String>, notes: &[String]) -> anyhow::Result<()> {
        report.set_margin(self.text.margin);
        let mut text = self.text.text(report, narrower);
        text.extend(notes.iter().map(|note| wrap("", note)));
        self.report.write(|| measurement(report, self.text.unit, None).html(), text, report)
    }
}

/// Sets the number of threads of the whole program.
fn use_threads(threads: ThreadsArg) -> anyhow::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.count());
    Ok(pool.build_global()?)
}

/// File names without their folders, each after a space.
fn file_names(paths: &[PathBuf]) -> String {
    let name = |path: &PathBuf| {
        let name = path.file_name().unwrap_or(path.as_os_str());
        format!(" {}", name.to_string_lossy())
    };
    paths.iter().map(name).collect()
}

/// The runs of files that are read together. Warns of other definitions of their game.
fn runs(stores: &[Store]) -> Vec<&dyn RecordedRun> {
    let runs: Vec<&dyn RecordedRun> = stores.iter().map(|store| store as &dyn RecordedRun).collect();
    other_definitions(&runs).iter().for_each(output::warning);
    runs
}

/// Shows a bar while the games of files are read.
fn read_games<T, E: Into<anyhow::Error>>(
    stores: &[Store],
    read: impl FnOnce(&[&dyn RecordedRun], ReadWatch<'_>) -> Result<T, E>,
) -> anyhow::Result<T> {
    let games = stores.iter().map(Store::count).sum::<Result<u64, _>>()?;
    let progress = Progress::new(games, "games");
    progress.set_message("reading");
    let mut show = |games| {
        progress.inc(games);
        ControlFlow::Continue(())
    };
    let read = read(&runs(stores), &mut show).map_err(Into::into)?;
    progress.finish();
    Ok(read)
}

/// Reads games and measures their values, those of a playtest by the second method; shows progress
/// on a terminal. A signal ends the program immediately. `csv` is the file for the design matrix.
fn measure(paths: &[PathBuf], options: &AnalysisOptions, csv: Option<&Path>) -> anyhow::Result<MeasurementReport> {
    without_stop_flag(|| {
        let stores = Store::open_all(paths)?.into_iter();
        let (playtest, values): (Vec<Store>, Vec<Store>) =
            stores.partition(|store| material_of(store) == Material::Playtest);
        let data = read_games(&values, Dataset::read_watched)?;
        let progress = Progress::spinner("fitting");
        let mut report = analyze(&data, options)?;
        if let Some(path) = csv {
            output_file::write(path, |out| Ok(write_csv(&data, report.fit.phase_model, out)?))
                .with_context(|| format!("--csv {}", path.display()))?;
        }
        progress.finish();
        if !playtest.is_empty() {
            let progress = Progress::spinner("measuring from the games of the playtest");
            let found = measure_playtest(&runs(&playtest));
            progress.finish();
            match found {
                Ok(found) => {
                    let (path, expected) = (playtest[0].path().display(), &data.game.name);
                    ensure!(found.game == *expected, "{path}: found games of {}, expected {expected}", found.game);
                    report.add_playtest(found);
                }
                // The regression is valid without the playtest.
                Err(error) => output::warning(format_args!("no playtest: {error}")),
            }
        }
        Ok(report)
    })
}

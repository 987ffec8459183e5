//! `assay-tuner fit`.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use assay_cli::Progress;
use assay_cli::interrupt::without_stop_flag;
use assay_selfplay::Store;
use assay_selfplay::settings::Material;

use super::{AnalysisArgs, JSON_HELP, Output, file_names, flag, measure, runs};
use crate::report;
use crate::values::data::material_of;
use crate::values::design::PhaseModel;
use crate::values::playtest;

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
    let stores = Store::open_all(&args.files)?;
    if stores.iter().all(|store| material_of(store) == Material::Playtest) {
        return args.measure_playtest(&stores);
    }
    drop(stores);
    let mut report = measure(&args.files, &args.options.into(), args.output.csv.as_deref())?;
    report.command = Some(command(&args.files, args.options.phase_model));
    args.output.write(&mut report, None, &[])
}

impl Args {
    /// Measures by the second method alone.
    fn measure_playtest(&self, stores: &[Store]) -> anyhow::Result<()> {
        for (option, is_given) in [
            ("--csv", self.output.csv.is_some()),
            ("--margin", self.output.text.margin.is_some()),
            ("--phase-model", self.options.phase_model != PhaseModel::default()),
        ] {
            ensure!(!is_given, "{option}: found only files of a playtest, expected games for the regression");
        }
        let progress = Progress::spinner("measuring from the games");
        let found = without_stop_flag(|| playtest::measure(&runs(stores)))?;
        progress.finish();
        let unit = self.output.text.unit.unwrap_or_default();
        let page = report::playtest(&found, unit)
            .with_context(|| format!("--unit: {} does not have the unit {}", found.game, unit.name()))?;
        self.output.report.write_page(&page, &found)
    }
}

/// The command that measures values from run files.
pub(crate) fn command(files: &[PathBuf], phase_model: PhaseModel) -> String {
    format!("assay-tuner fit{}{}", file_names(files), flag("phase-model", &phase_model))
}

//! Measurements as text for a terminal.

use assay_cli::format::{count, grouped};
use assay_cli::text::wrap;

use crate::report::{sentences, tables};
use crate::values::data::DataFile;
use crate::values::inference::units::Unit;
use crate::values::results::MeasurementReport;

/// Tables of values, first in `unit`, followed by the evidence for them.
pub fn measurement(report: &MeasurementReport, unit: Unit) -> String {
    let mut text = format!("{}: what the pieces are worth\n", report.title);
    text += &wrap("", &sentences::amount(report));
    text.push('\n');
    if let Some(table) = tables::units(report, unit) {
        text += &table.text().to_string();
        text += &wrap("", &sentences::units(report));
        text.push('\n');
    }
    text += "In pawns:\n";
    text += &tables::values(report).text().to_string();
    text.push('\n');
    text += &tables::phases(report).text().to_string();
    text.push('\n');
    let paragraphs = [
        Some(sentences::headline(report)),
        Some(format!("Verdicts. {}", sentences::VERDICTS)),
        Some(sentences::INTERVALS.to_owned()),
        sentences::joint_test(report),
        Some(sentences::held_out(report)),
        sentences::agreement(report),
        sentences::phase_model(report).map(str::to_owned),
        sentences::bootstrap(report),
        Some(sentences::calibration(report)),
        sentences::omitted(report),
        Some(sentences::scale(report)),
        Some(sentences::halving(report)),
    ];
    for paragraph in paragraphs.into_iter().flatten() {
        text += &wrap("- ", &paragraph);
    }
    for file in &report.files {
        text += &self::file(file);
    }
    text
}

/// A file of games on one line.
pub(crate) fn file(file: &DataFile) -> String {
    format!(
        "Games: {} ({}, seed {}, {} nodes per move, hash {})\n",
        file.path.display(),
        count(file.games as u64, "game", "games"),
        file.seed,
        grouped(file.nodes),
        &file.hash[..16]
    )
}

//! Measurements as text for a terminal.

use assay_cli::format::count;
use assay_cli::text::wrap;

use crate::report::{sentences, tables};
use crate::values::data::DataFile;
use crate::values::inference::units::Unit;
use crate::values::results::MeasurementReport;

/// The answer on one screen: the games, one table, and its verdicts in sentences. Values are on the inventor's scale, or
/// in pawns if fewer than two are published. `more` are lines about narrower intervals and other output.
pub fn summary(report: &MeasurementReport, more: &[String]) -> String {
    let games = &report.games;
    let mut text = format!("{}: {}", report.title, count(games.games as u64, "game", "games"));
    if let [file] = report.files.as_slice() {
        text += &format!(" of {}, seed {}", file.players_or_nodes(), file.seed);
    }
    text += &format!("\n\n{}\n", tables::summary(report).text());
    let sentences = [
        Some(sentences::headline(report)),
        sentences::phases_that_differ(report),
        sentences::second_method(report),
        sentences::few_openings(report),
    ];
    text += &wrap("", &sentences.into_iter().flatten().collect::<Vec<_>>().join(" "));
    text.extend(more.iter().map(|line| wrap("", line)));
    text
}

/// Everything that was measured: values in `unit` with their verdicts, then values in pawns and the evidence.
pub fn measurement(report: &MeasurementReport, unit: Unit) -> String {
    let mut text = format!("{}: what the pieces are worth\n", report.title);
    text += &wrap("", &sentences::amount(report));
    text.push('\n');
    if let Some(table) = tables::units(report, unit) {
        text += &table.text().to_string();
        text += &wrap("", &sentences::units(report));
        text.push('\n');
    }
    text += &list([
        Some(sentences::headline(report)),
        sentences::few_openings(report),
        Some(sentences::held_out(report)),
        sentences::agreement(report),
        report.playtest.as_ref().and_then(sentences::goodness_of_fit),
    ]);
    text.push('\n');
    if let Some(table) = tables::both_methods(report) {
        text += "First piece of its kind that a full army loses, in shares of the army:\n";
        text += &format!("{}\n", table.text());
    }
    if let Some(table) = tables::models(report) {
        text += "Other models, in shares of the army:\n";
        text += &format!("{}{}\n", table.text(), wrap("", &sentences::models(report)));
    }
    text += "In pawns:\n";
    text += &format!("{}\n", tables::values(report).text());
    text += &format!("{}\n", tables::phases(report).text());
    text += &list([
        Some(sentences::verdicts(report)),
        Some(sentences::INTERVALS.to_owned()),
        sentences::phase_model(report).map(str::to_owned),
        sentences::bootstrap(report),
        Some(sentences::calibration(report)),
        sentences::given_material(report),
        sentences::omitted(report),
        Some(sentences::scale(report)),
        Some(sentences::halving(report)),
    ]);
    for file in &report.files {
        text += &self::file(file);
    }
    text
}

/// Paragraphs of a list.
fn list(paragraphs: impl IntoIterator<Item = Option<String>>) -> String {
    paragraphs
        .into_iter()
        .flatten()
        .map(|paragraph| wrap("- ", &paragraph))
        .collect()
}

/// A file of games on one line.
pub(crate) fn file(file: &DataFile) -> String {
    format!(
        "Games: {} ({}, seed {}, {}, hash {})\n",
        file.path.display(),
        count(file.games as u64, "game", "games"),
        file.seed,
        file.players_or_nodes(),
        file.hash.chars().take(16).collect::<String>()
    )
}

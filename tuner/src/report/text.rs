//! Measurements as text for a terminal.

use assay_cli::format::{count, grouped};
use assay_cli::text::wrap;
use assay_cli::{Align, Table};

use crate::report::{format, sentences};
use crate::values::data::DataFile;
use crate::values::results::MeasurementReport;

/// Tables of values, followed by the evidence for them.
pub fn measurement(report: &MeasurementReport) -> String {
    let mut text = format!("{}: what the pieces are worth (pawn = 1)\n", report.title);
    text += &wrap("", &sentences::amount(report));
    text.push('\n');
    text += &values(report).to_string();
    text.push('\n');
    text += &phases(report).to_string();
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
    format::printable(&text)
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

/// Published and measured values.
fn values(report: &MeasurementReport) -> Table {
    let mut table = Table::new([
        ("piece", Align::Left),
        ("published", Align::Right),
        ("in pawns", Align::Right),
        ("measured", Align::Right),
        ("95% interval", Align::Right),
        ("measured value", Align::Left),
    ]);
    for value in &report.values {
        table.row([
            value.piece.clone(),
            format::published(value.published_raw),
            format::value(value.published),
            format::value(value.measured),
            format::interval(value.interval),
            value.verdict.text().to_owned(),
        ]);
    }
    table
}

/// Values by game phase and by other methods.
fn phases(report: &MeasurementReport) -> Table {
    let columns = [
        "full board",
        "1/4 of pieces",
        "bootstrap",
        "fract. logit",
        "games for ±0.1",
        "first lost",
        "playtest",
    ];
    let shown = if report.agreement.is_some() { 7 } else { 5 };
    let columns = columns.into_iter().take(shown).map(|column| (column, Align::Right));
    let mut table = Table::new([("piece", Align::Left)].into_iter().chain(columns));
    for value in report.values.iter().filter(|value| value.interval.is_some()) {
        let both = report
            .agreement
            .iter()
            .flat_map(|agreement| &agreement.values)
            .find(|both| both.piece == value.piece);
        let cells = [
            value.piece.clone(),
            format::measured(value.full_board),
            format::measured(value.few_pieces),
            format::range(value.bootstrap_interval),
            format::value(value.fractional_logit),
            format::games(value.games_needed),
            both.map_or_else(|| format::NONE.to_owned(), |both| format::pawns(&both.regression)),
            both.map_or_else(|| format::NONE.to_owned(), |both| format::pawns(&both.playtest)),
        ];
        table.row(cells.into_iter().take(shown + 1));
    }
    table
}

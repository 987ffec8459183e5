//! Measurements as text for a terminal.

use crate::report::{format, sentences};
use crate::values::data::DataFile;
use crate::values::results::MeasurementReport;

/// The tables of values, then what they rest on.
pub fn measurement(report: &MeasurementReport) -> String {
    let mut text = format!("{}: what the pieces are worth (pawn = 1)\n", report.title);
    text += &wrapped("", &sentences::amount(report));
    text.push('\n');
    text += &values(report);
    text.push('\n');
    text += &phases(report);
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
        text += &wrapped("- ", &paragraph);
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
        format::count(file.games as u64, "game"),
        file.seed,
        format::thousands(file.nodes),
        &file.hash[..16]
    )
}

fn values(report: &MeasurementReport) -> String {
    const HEADER: [&str; 6] = ["piece", "published", "in pawns", "measured", "95% interval", "verdict"];
    let mut rows = vec![HEADER.map(str::to_owned)];
    rows.extend(report.values.iter().map(|value| {
        [
            value.piece.clone(),
            format::published(value.inventor_raw),
            format::decimals(value.inventor),
            format::decimals(value.measured),
            format::interval(value.interval),
            value.verdict.text().to_owned(),
        ]
    }));
    // Numbers align at their ends, words at their beginnings.
    columns(&rows, |column| (1..=4).contains(&column))
}

/// Values by game phase, and by the other methods.
fn phases(report: &MeasurementReport) -> String {
    let header = [
        "piece",
        "full board",
        "1/4 of pieces",
        "bootstrap",
        "fract. logit",
        "games for ±0.1",
        "first lost",
        "playtest",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for value in report.values.iter().filter(|value| value.interval.is_some()) {
        let both = report
            .agreement
            .iter()
            .flat_map(|agreement| &agreement.values)
            .find(|both| both.piece == value.piece);
        rows.push(vec![
            value.piece.clone(),
            format::measured(value.full_board),
            format::measured(value.few_pieces),
            format::range(value.bootstrap_interval),
            format::decimals(value.fractional_logit),
            format::games(value.games_needed),
            both.map_or_else(|| format::NONE.to_owned(), |both| format::pawns(&both.regression)),
            both.map_or_else(|| format::NONE.to_owned(), |both| format::pawns(&both.playtest)),
        ]);
    }
    if report.agreement.is_none() {
        for row in &mut rows {
            row.truncate(6);
        }
    }
    columns(&rows, |column| column > 0)
}
/// Rows of cells as lines, in columns two spaces apart.
pub(crate) fn columns<R: AsRef<[String]>>(rows: &[R], is_number: impl Fn(usize) -> bool) -> String {
    let count = rows.first().map_or(0, |row| row.as_ref().len());
    let widths: Vec<usize> = (0..count)
        .map(|column| {
            rows.iter()
                .map(|row| row.as_ref()[column].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row
            .as_ref()
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, width))| {
                let space = " ".repeat(width - cell.chars().count());
                if is_number(column) {
                    space + cell
                } else {
                    format!("{cell}{space}")
                }
            })
            .collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// The longest line.
const WIDTH: usize = 110;

/// Breaks a paragraph into lines; `bullet` stands before the first, and the others are indented as far.
pub(crate) fn wrapped(bullet: &str, paragraph: &str) -> String {
    let mut text = String::new();
    let mut line = bullet.to_owned();
    for word in paragraph.split_whitespace() {
        if line.chars().count() + word.chars().count() > WIDTH {
            text += line.trim_end();
            text.push('\n');
            line = " ".repeat(bullet.len());
        }
        line += word;
        line.push(' ');
    }
    text + line.trim_end() + "\n"
}

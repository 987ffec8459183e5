//! Measurements of several games side by side, as a table for documents.

use assay_cli::format::{count, decimals};

use crate::report::format;
use crate::report::rows::first_rows;
use crate::report::tables::values_of_both_methods;
use crate::values::data::DataFile;
use crate::values::inference::units::UnitValue;
use crate::values::inference::verdict::ValueVerdict;
use crate::values::results::MeasurementReport;

/// Title of the game, and the games behind the measurement: `Gamma2 Chess (20,000 games, 500 nodes per move)`.
pub(super) fn heading(report: &MeasurementReport) -> String {
    let mut players: Vec<String> = report.files.iter().map(DataFile::players_or_nodes).collect();
    players.sort_unstable();
    players.dedup();
    format!(
        "{} ({}, {})",
        report.title,
        count(report.games.games as u64, "game", "games"),
        players.join(" and ")
    )
}

/// A Markdown table with a row for each piece, game by game: values on the inventor's scale, and what the first piece is worth that a
/// full army loses, by both methods, in shares of the army.
pub fn markdown(reports: &[MeasurementReport]) -> String {
    let mut text =
        "| piece | published | measured | 95% interval | verdict | first piece lost, regression | playtest |\n\
                    |---|--:|--:|--:|---|--:|--:|\n"
            .to_owned();
    for report in reports {
        text += &format!("| **{}** | | | | | | |\n", heading(report));
        for row in first_rows(report, None).rows {
            let both = values_of_both_methods(report, row.piece);
            text += &format!(
                "| {} | {} | {} | {} | {} | {} | {} |\n",
                row.label,
                format::value(row.published),
                format::value(Some(row.measured)),
                format::interval(Some(row.interval)),
                row.verdict_text(),
                both.map_or_else(
                    || format::NONE.to_owned(),
                    |both| format::measured(Some(both.regression))
                ),
                both.map_or_else(|| format::NONE.to_owned(), |both| format::measured(Some(both.playtest))),
            );
        }
    }
    text
}

/// A Markdown table of the units: mean relative standard error of a piece's value, and mean change from a full board to a quarter of the
/// pieces, in percent. The pawn is left out, because it is a unit.
pub fn units_markdown(reports: &[MeasurementReport]) -> String {
    let mut text = "| game | unit | standard error, % | change over the phases, % |\n|---|---|--:|--:|\n".to_owned();
    for report in reports {
        let pawn = report.values.iter().find(|value| value.verdict == ValueVerdict::Unit);
        for table in &report.units {
            let is_piece = |value: &UnitValue| pawn.is_none_or(|pawn| pawn.piece != value.piece);
            let pieces = table.values.iter().enumerate().filter(|(_, value)| is_piece(value));
            let (mut errors, mut changes, mut count) = (0.0, 0.0, 0.0);
            for (index, value) in pieces {
                errors += table.covariance[index][index].sqrt() / value.measured.value.abs();
                let [full, few] = [value.full_board.value, value.few_pieces.value];
                changes += (full / few).max(few / full) - 1.0;
                count += 1.0;
            }
            text += &format!(
                "| {} | {} | {} | {} |\n",
                report.title,
                table.unit.name(),
                decimals(100.0 * errors / count, 2),
                decimals(100.0 * changes / count, 0)
            );
        }
    }
    text
}

//! Measurements of several games side by side, as a table for documents.

use assay_cli::format::{count, decimals, grouped};

use crate::report::format;
use crate::report::tables::both_methods;
use crate::values::inference::estimate::PieceValue;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::verdict::ValueVerdict;
use crate::values::results::MeasurementReport;
use crate::values::units::UnitValue;

/// Title of the game, and the games behind the measurement: `Gamma2 Chess (20,000 games, 500 nodes per move)`.
pub(super) fn heading(report: &MeasurementReport) -> String {
    let mut nodes: Vec<u64> = report.files.iter().map(|file| file.nodes).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let nodes: Vec<String> = nodes.into_iter().map(grouped).collect();
    format!(
        "{} ({}, {} nodes per move)",
        report.title,
        count(report.games.games as u64, "game", "games"),
        nodes.join(" and ")
    )
}

/// Values worth comparing: measured pieces, and published bonuses.
pub(super) fn rows(report: &MeasurementReport) -> impl Iterator<Item = &PieceValue> {
    let is_shown = |value: &&PieceValue| {
        let is_unit = matches!(value.verdict, ValueVerdict::Unit | ValueVerdict::Unmeasurable);
        !is_unit && (value.letter.is_some() || value.published.is_some())
    };
    report.values.iter().filter(is_shown)
}

/// A Markdown table with a row for each piece, game by game.
pub fn markdown(reports: &[MeasurementReport]) -> String {
    let mut text = "| piece | published | measured | 95% interval | full board, regression | full board, playtest | measured value |\n\
                    |---|--:|--:|--:|--:|--:|---|\n"
        .to_owned();
    for report in reports {
        text += &format!("| **{}** | | | | | | |\n", heading(report));
        for value in rows(report) {
            let both = both_methods(report, &value.piece);
            text += &format!(
                "| {} | {} | {} | {} | {} | {} | {} |\n",
                value.piece,
                format::value(value.published),
                format::value(value.measured),
                format::interval(value.interval),
                both.map_or_else(|| format::NONE.to_owned(), |both| format::pawns(&both.regression)),
                both.map_or_else(|| format::NONE.to_owned(), |both| format::pawns(&both.playtest)),
                value.verdict.text()
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

/// Measured over published value with its interval, or `None` if nothing was published or the interval is unbounded.
pub(super) fn ratio(value: &PieceValue) -> Option<(f64, f64, f64)> {
    let published = value.published.filter(|&published| published > 0.0)?;
    match value.interval? {
        ConfidenceRegion::Bounded { low, high } => {
            Some((value.measured? / published, low / published, high / published))
        }
        ConfidenceRegion::Complement { .. } | ConfidenceRegion::WholeLine => None,
    }
}

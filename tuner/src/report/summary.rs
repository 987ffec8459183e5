//! The first screen of a measurement.

use assay_cli::format::count;
use assay_cli::text::wrap;

use super::format::{self, verdict_class};
use super::page::{Cell, Table, row};
use super::sentences;
use crate::values::design::PhaseModel;
use crate::values::inference::{Estimate, MeasuredValue, PieceValue, ValueTable, ValueVerdict};
use crate::values::results::MeasurementReport;

/// The answer on one screen: the games, one table, and its verdicts in sentences. Values are on the
/// published scale, or in pawns if fewer than two are published. `more` are lines about narrower
/// intervals and other output.
pub fn summary(report: &MeasurementReport, more: &[String]) -> String {
    let mut text = format!("{}: {}", report.title, count(report.games.games, "game", "games"));
    if let [file] = report.files.as_slice() {
        text += &match &file.imported {
            Some(_) => format!(", {}", file.players_or_nodes()),
            None => format!(" of {}, seed {}", file.players_or_nodes(), file.seed),
        };
    }
    text += &format!("\n\n{}\n", first_table(report).text());
    let sentences = [
        Some(sentences::headline(report)),
        sentences::unmeasured(report),
        sentences::values_that_change(report),
        sentences::second_method(report),
        sentences::few_openings(report),
        sentences::separated(report),
    ];
    text += &wrap("", &sentences::paragraph(sentences));
    text.extend(more.iter().map(|line| wrap("", line)));
    text
}

/// Heading of half-widths of intervals.
const HALF_WIDTH: &str = "\u{b1} 95%";

/// In two lines, so that the table fits 80 columns.
const PHASES: [&str; 2] = ["full\nboard", "few\npieces"];

/// Published and measured values on the published scale, or in pawns if there is none; in the order
/// of the ranks, if there are any.
pub(super) fn first_table(report: &MeasurementReport) -> Table {
    let (mut table, pieces) = match report.table(None) {
        Some(scale) => {
            let pieces = scale.values.iter().map(|value| &value.piece);
            (first_table_on_scale(scale), pieces.collect::<Vec<_>>())
        }
        None => first_table_in_pawns(report),
    };
    if let Some(ranking) = &report.ranking {
        table.headings.insert(1, "rank".to_owned());
        let mut rows: Vec<_> = pieces.into_iter().zip(table.rows).collect();
        let ranked = ranking.iter().filter_map(|ranked| {
            let index = rows.iter().position(|(piece, _)| **piece == ranked.piece)?;
            let mut row = rows.swap_remove(index).1;
            row.insert(1, format::ranks(ranked.ranks).into());
            Some(row)
        });
        table.rows = ranked.collect();
    }
    // The column of the measured value says so, and a sentence why.
    let is_on_scale = report.table(None).is_some();
    let measured = 1 + usize::from(report.ranking.is_some()) + usize::from(is_on_scale);
    for value in sentences::unmeasured_pieces(report) {
        let mut row = vec![Cell::from(format::NONE); table.headings.len()];
        row[0] = value.piece.as_str().into();
        row[measured] = "not measured".into();
        if is_on_scale {
            row[measured - 1] = format::published(value.published_raw).into();
        }
        table.rows.push(row);
    }
    table
}

fn first_table_on_scale(scale: &ValueTable) -> Table {
    let mut table = on_scale(scale, "measured");
    let phases = |value: &MeasuredValue| Some([value.full_board?, value.few_pieces?]);
    for (row, value) in table.rows.iter_mut().zip(&scale.values) {
        row.extend(phases(value).into_iter().flatten().map(|at| Cell::from(format::point(at, 1))));
        row.push(Cell::from(format::word(value)).class(verdict_class(value.verdict)));
    }
    let has_phases = scale.values.iter().any(|value| phases(value).is_some());
    table.headings.extend(PHASES.into_iter().filter(|_| has_phases).map(str::to_owned));
    table.headings.push(String::new());
    table
}

/// Published values beside measured ones.
pub fn on_scale(scale: &ValueTable, heading: &str) -> Table {
    let of_piece = |value: &MeasuredValue| {
        vec![
            format::piece(&value.piece, value.with_half_pair).into(),
            format::published(value.published).into(),
            Cell::from(format::point(value.measured, 2)).class("measured"),
            format::half_width(value.measured).into(),
        ]
    };
    Table::new("", ["piece", "published", heading, HALF_WIDTH], scale.values.iter().map(of_piece))
}

/// Measured values in pawns, without published ones, and the pieces of the rows.
fn first_table_in_pawns(report: &MeasurementReport) -> (Table, Vec<&String>) {
    let has_phases = report.fit.phase_model != PhaseModel::Constant;
    let is_measured_piece = |value: &&PieceValue| {
        let is_measured = !matches!(value.verdict, ValueVerdict::Unmeasurable | ValueVerdict::Unmeasured);
        value.letter.is_some() && is_measured
    };
    let values = || report.values.iter().filter(is_measured_piece);
    let rows = values().map(|value| {
        let half_width = value.uncertain().map_or_else(String::new, format::half_width);
        let at = |at: Option<Estimate>| at.map_or_else(|| format::NONE.to_owned(), |at| format::point(at, 2));
        let mut cells = vec![at(value.measured), half_width];
        if has_phases {
            cells.extend([value.full_board, value.few_pieces].map(at));
        }
        row(format::piece(&value.piece, value.with_half_pair), cells)
    });
    let phases = PHASES.into_iter().filter(|_| has_phases);
    let headings = ["piece", "in pawns", HALF_WIDTH].into_iter().chain(phases);
    (Table::new("", headings, rows), values().map(|value| &value.piece).collect())
}

//! The first screen of a measurement.

use assay_cli::format::{count, percent};
use assay_cli::text::wrap;
use assay_cli::{Align, Cell, Table};

use super::format::{self, verdict_class};
use super::sentences;
use crate::values::design::PhaseModel;
use crate::values::inference::{Estimate, MeasuredValue, Unit};
use crate::values::results::MeasurementReport;

/// The answer on one screen: the games, one table, and its verdicts in sentences. Values are shares
/// of the army. `more` are lines about narrower intervals and other output.
pub fn summary(report: &MeasurementReport, more: &[String]) -> String {
    let mut text = format!("{}: {}", report.title, count(report.games.games, "game", "games"));
    if let [file] = report.files.as_slice() {
        text += &match &file.imported {
            Some(_) => format!(", {}", file.players_or_nodes()),
            None => format!(" of {}, seed {}", file.players_or_nodes(), file.seed),
        };
    }
    text += &format!("\n\n{}\n", first_table(report));
    text += &wrap("", format!("{} {}", sentences::headline(report), remarks(report)).trim_end());
    text.extend(more.iter().map(|line| wrap("", line)));
    text
}

/// Sentences of the first screen that follow the headline.
pub fn remarks(report: &MeasurementReport) -> String {
    sentences::paragraph([
        sentences::by_moves(report),
        sentences::shares(report),
        sentences::unmeasured(report),
        sentences::values_that_change(report),
        sentences::second_method(report),
        sentences::few_openings(report),
        sentences::separated(&report.fit.separated),
    ])
}

/// Heading of values.
const MEASURED: &str = "measured";

/// Heading of half-widths of intervals.
const HALF_WIDTH: &str = "\u{b1} 95%";

/// In two lines, so that the table fits 80 columns.
const PHASES: [&str; 2] = ["full\nboard", "few\npieces"];

/// Published and measured values in shares of the army, all on the same scale, with the verdicts; in
/// the order of the ranks, if there are any.
pub(super) fn first_table(report: &MeasurementReport) -> Table {
    let values = report.table(Some(Unit::Army)).map_or(&[][..], |army| &army.values);
    let mut table = shares(values, MEASURED);
    let has_phases = report.fit.phase_model != PhaseModel::Constant;
    let is_judged = values.iter().any(|value| value.published.is_some());
    for (row, value) in table.rows.iter_mut().zip(values) {
        let phases = [value.full_board, value.few_pieces].into_iter().filter(|_| has_phases);
        let point = |at: Option<Estimate>| at.map_or_else(|| format::NONE.to_owned(), |at| format::point(at, 2));
        row.extend(phases.map(|at| Cell::from(point(at))));
        let on_scale = report.table(None).and_then(|scale| scale.of(&value.piece)).unwrap_or(value);
        row.extend(is_judged.then(|| Cell::from(format::word(on_scale)).class(verdict_class(value.verdict))));
    }
    let phases = PHASES.into_iter().filter(|_| has_phases).map(|phase| (phase.to_owned(), Align::Right));
    table.columns.extend(phases.chain(is_judged.then(|| (verdict_heading(report), Align::Left))));
    if let Some(ranking) = &report.ranking {
        table.columns.insert(1, ("rank".to_owned(), Align::Right));
        let mut rows: Vec<_> = values.iter().map(|value| &value.piece).zip(table.rows).collect();
        let ranked = ranking.iter().filter_map(|ranked| {
            let index = rows.iter().position(|(piece, _)| **piece == ranked.piece)?;
            let mut row = rows.swap_remove(index).1;
            row.insert(1, format::ranks(ranked.ranks).into());
            Some(row)
        });
        table.rows = ranked.collect();
    }
    // The column of the measured value says so, and a sentence why.
    let measured = table.columns.iter().position(|(heading, _)| heading == MEASURED).unwrap_or_default();
    let rules = report.rules();
    for piece in report.unmeasured().into_iter().map(|kind| rules.kind(kind)) {
        let mut row = vec![Cell::from(format::NONE); table.columns.len()];
        if is_judged {
            row[measured - 1] = format::published(piece.value).into();
        }
        row[measured] = "not measured".into();
        row[0] = piece.name.as_str().into();
        table.rows.push(row);
    }
    table
}

/// The heading of verdicts: what they are relative to, and the margin of `about the same`.
fn verdict_heading(report: &MeasurementReport) -> String {
    let margin = report.table(None).and_then(|scale| scale.margin);
    margin.map_or_else(String::new, |margin| format!("relative to the\nmedian, \u{b1}{}", percent(margin, 0)))
}

/// Measured values, with the published ones, if there are any, in one unit.
pub fn shares(values: &[MeasuredValue], heading: &str) -> Table {
    let is_published = values.iter().any(|value| value.published.is_some());
    let of_piece = |value: &MeasuredValue| {
        let piece = Cell::from(format::piece(&value.piece, value.with_half_pair));
        let published = is_published.then(|| Cell::from(format::published(value.published)));
        let measured = Cell::from(format::point(value.measured, 2)).class("measured");
        [Some(piece), published, Some(measured), Some(format::half_width(value.measured).into())]
            .into_iter()
            .flatten()
            .collect()
    };
    let published = is_published.then_some("published");
    let headings = ["piece"].into_iter().chain(published).chain([heading, HALF_WIDTH]);
    Table::of("", headings, values.iter().map(of_piece))
}

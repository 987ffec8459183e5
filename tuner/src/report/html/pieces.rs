//! The pieces as pictures and overviews show them: in the unit that was asked for, or on the
//! published scale.

use assay_cli::chart::forest::{self, Row};
use maud::{Markup, html};

use super::board;
use crate::report::format::{self, verdict_class};
use crate::values::inference::{Estimate, MeasuredValue, Unit, ValueVerdict};
use crate::values::results::MeasurementReport;

/// The pieces in `unit`, or without one on the published scale if there is one, else in pawns, with
/// the title of their axis.
pub(in crate::report) fn shown(report: &MeasurementReport, unit: Option<Unit>) -> (&[MeasuredValue], String) {
    // Without a published scale in pawns, as on a terminal.
    let units = [unit, Some(unit.unwrap_or(Unit::Pawns)), Some(Unit::Army)];
    match units.into_iter().find_map(|unit| report.table(unit)) {
        Some(table) => {
            let title =
                table.unit.map_or("value on the published scale".to_owned(), |unit| format!("value, {}", unit.name()));
            (&table.values, title)
        }
        None => (&[], String::new()),
    }
}

impl MeasuredValue {
    /// Measured over published value with its interval; `None` if nothing was published, the
    /// interval is unbounded or the piece is the unit.
    pub(in crate::report) fn ratio(&self) -> Option<Estimate> {
        let published = self.published.filter(|&published| published > 0.0 && self.verdict != ValueVerdict::Unit)?;
        self.measured.map(|number| number / published)
    }

    /// The measured value with its interval: `12.07 (11.46 to 12.68)`.
    pub(in crate::report) fn numbers(&self) -> String {
        let value = format::value(Some(self.measured.value), 2);
        match self.measured.ends() {
            _ if self.verdict == ValueVerdict::Unit => value,
            Some((low, _, high)) if high - low < format::NO_WIDTH => format!("{value} (reference)"),
            Some((low, _, high)) => format!("{value} ({})", format::range(low, high, 2)),
            None => "unbounded".to_owned(),
        }
    }

    /// A row of a forest plot that shows `estimate` and marks `published`.
    fn row(&self, report: &MeasurementReport, estimate: Estimate, mark: Option<f64>) -> Row {
        let class = verdict_class(self.verdict);
        Row {
            name: format::piece(&self.piece, self.with_half_pair),
            picture: None,
            estimates: vec![(class, estimate.all_ends())],
            mark,
            numbers: html! {
                div { b { (self.numbers()) } }
                div {
                    span.(class) { (format::verdict(report, self)) }
                    @if self.published.is_some() { " \u{b7} published " (format::value(self.published, 2)) }
                }
            },
        }
    }
}

/// The first picture of a report: the start position, and each piece with its moves and its value.
pub(in crate::report) fn picture(report: &MeasurementReport, unit: Option<Unit>) -> Markup {
    let rules = report.rules();
    let moves = |piece: &str| Some(board::moves(&rules, piece));
    let (pieces, title) = shown(report, unit);
    let measured = pieces
        .iter()
        .map(|piece| Row { picture: moves(&piece.piece), ..piece.row(report, piece.measured, piece.published) });
    let unmeasured = format::unmeasured(report).map(|(kind, reason)| Row {
        name: rules.kind(kind).name.clone(),
        picture: moves(&rules.kind(kind).name),
        numbers: html! { div { span.plain { (reason) } } },
        ..Row::default()
    });
    let rows: Vec<Row> = measured.chain(unmeasured).collect();
    html! {
        (board::sprites([rules.as_ref()]))
        div.with-board {
            (board::start(&rules, &report.title, true))
            div {
                p.legend { (forest::reference_legend("published value")) }
                (forest::plot("Measured and published values", &title, Some(0.0), &rows))
            }
        }
    }
}

/// A picture of measured over published values, beside the start position.
pub(in crate::report) fn ratios(report: &MeasurementReport) -> Markup {
    let (pieces, _) = shown(report, None);
    let rows = pieces.iter().filter_map(|piece| Some(piece.row(report, piece.ratio()?, Some(1.0))));
    let rows: Vec<Row> = rows.collect();
    let rules = report.rules();
    html! {
        div.with-board {
            (board::start(&rules, &report.title, false))
            @if rows.is_empty() { p { "No value has been published." } }
            @else { (forest::plot("Measured over published values", "measured value / published value", None, &rows)) }
        }
    }
}

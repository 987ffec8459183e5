//! The pieces as pictures and overviews show them: in the unit that was asked for, or on the
//! published scale.

use maud::{Markup, html};

use super::board;
use super::forest::{self, Row};
use crate::report::format::{self, verdict_class};
use crate::values::inference::{Estimate, Unit, UnitTable, ValueVerdict};
use crate::values::results::MeasurementReport;

/// A measured piece.
pub(in crate::report) struct ShownPiece<'r> {
    pub piece: &'r str,
    /// The piece, and with it half of its pair's bonus if that is included.
    pub label: String,
    pub published: Option<f64>,
    pub measured: Estimate,
    pub verdict: ValueVerdict,
}

/// The pieces in `unit`, or without one on the published scale if there is one, else in pawns, with
/// the title of their axis.
pub(in crate::report) fn shown(report: &MeasurementReport, unit: Option<Unit>) -> (Vec<ShownPiece<'_>>, String) {
    if let Some(scales) = report.published_scales.as_ref().filter(|_| unit.is_none()) {
        let values = scales.average.values.iter();
        let pieces = values.map(|value| ShownPiece {
            piece: &value.piece,
            label: format::piece(&value.piece, value.with_half_pair),
            published: value.published,
            measured: value.measured,
            verdict: value.verdict,
        });
        return (pieces.collect(), "value on the published scale".to_owned());
    }
    let in_unit = |unit: Unit| UnitTable::in_unit(&report.units, unit);
    // Without a published scale in pawns, as on a terminal.
    let Some(table) = in_unit(unit.unwrap_or(Unit::Pawns)).or_else(|| in_unit(Unit::Army)) else {
        return (Vec::new(), String::new());
    };
    let pieces = table.values.iter().map(|value| ShownPiece {
        piece: &value.piece,
        label: format::piece(&value.piece, value.with_half_pair),
        published: value.published,
        measured: value.measured,
        verdict: value.verdict,
    });
    (pieces.collect(), format!("value, {}", table.unit.name()))
}

impl ShownPiece<'_> {
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

    /// The verdict with the interval of the deviation from the published value.
    pub(in crate::report) fn verdict(&self, report: &MeasurementReport) -> String {
        format::verdict(report, self.piece, self.verdict)
    }

    /// A row of a forest plot that shows `estimate` and marks `published`.
    fn row(&self, report: &MeasurementReport, estimate: Estimate, mark: Option<f64>) -> Row {
        let class = verdict_class(self.verdict);
        Row {
            name: self.label.clone(),
            picture: None,
            estimates: vec![(class, estimate)],
            mark,
            numbers: html! {
                div { b { (self.numbers()) } }
                div {
                    span.(class) { (self.verdict(report)) }
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
        .map(|piece| Row { picture: moves(piece.piece), ..piece.row(report, piece.measured, piece.published) });
    let is_unmeasurable = |verdict| matches!(verdict, ValueVerdict::Unmeasurable | ValueVerdict::Unmeasured);
    let pieces = report.values.iter().filter(|value| value.letter.is_some() && is_unmeasurable(value.verdict));
    let unmeasurable = pieces.map(|value| Row {
        name: value.piece.clone(),
        picture: moves(&value.piece),
        numbers: html! { div { span.plain { (value.verdict.text()) } } },
        ..Row::default()
    });
    let rows: Vec<Row> = measured.chain(unmeasurable).collect();
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

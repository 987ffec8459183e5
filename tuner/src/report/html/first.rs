//! The first screen of a report: board, pieces with their moves, published and measured values.

use std::sync::Arc;

use assay_rules::GameDef;
use maud::{Markup, html};

use super::game;
use super::values::{self, ShownValue};
use crate::report::rows::{ValueRow, ValueRows, first_rows};
use crate::report::tables::verdict_class;
use crate::report::{format, sentences};
use crate::values::inference::estimate::PieceValue;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::units::Unit;
use crate::values::inference::verdict::ValueVerdict;
use crate::values::results::MeasurementReport;

pub(super) fn section(report: &MeasurementReport, rules: &Arc<GameDef>, unit: Option<Unit>) -> Markup {
    let shown = first_rows(report, unit);
    let pieces = shown.rows.iter().map(|row| value(row, rules));
    let unmeasurable = report
        .values
        .iter()
        .filter(|value| value.verdict == ValueVerdict::Unmeasurable);
    let values: Vec<ShownValue> = pieces
        .chain(unmeasurable.map(|value| self::unmeasurable(value, rules)))
        .collect();
    html! {
        section.first.with-board {
            figure.start aria-label="Start position and legend of the moves" {
                (game::sprites([rules.as_ref()]))
                (game::board(rules))
                (game::moves_legend(rules))
            }
            div {
                (values::legend())
                (values::plot(&values, Some(0.0), &axis_title(&shown)))
                @if shown.is_on_scale { p.note { (sentences::INVENTORS_SCALE) } }
                @else if let Some(definition) = sentences::unit(report, shown.unit) { p.note { "Unit: " (definition) "." } }
                p.note { "Measured by Assay from " (sentences::amount(report)) }
            }
        }
    }
}

/// Title of an axis of values.
fn axis_title(shown: &ValueRows<'_>) -> String {
    match shown.unit {
        Unit::Army if shown.is_on_scale => "value on the inventor's scale".to_owned(),
        Unit::Army => "value as a share of the army".to_owned(),
        Unit::Pawns | Unit::MinorPieces | Unit::Elo => format!("value in {}", shown.unit.name()),
    }
}

fn value(row: &ValueRow<'_>, rules: &Arc<GameDef>) -> ShownValue {
    ShownValue {
        label: row.label.clone(),
        picture: Some(game::moves(rules, row.piece).unwrap_or_default()),
        measured: Some(row.measured),
        interval: Some(row.interval),
        mark: row.published,
        class: verdict_class(row.verdict),
        numbers: numbers(row),
    }
}

/// A piece that each side always has.
fn unmeasurable(value: &PieceValue, rules: &Arc<GameDef>) -> ShownValue {
    ShownValue {
        label: value.piece.clone(),
        picture: Some(game::moves(rules, &value.piece).unwrap_or_default()),
        measured: None,
        interval: None,
        mark: None,
        class: verdict_class(value.verdict),
        // The table says why.
        numbers: html! { div { span.(verdict_class(value.verdict)) { "not measurable" } } },
    }
}

/// The measured value with its interval, the verdict and the published value.
pub(super) fn numbers(row: &ValueRow<'_>) -> Markup {
    let measured = format::value_in(row.unit, Some(row.measured));
    html! {
        div {
            @match row.interval {
                _ if row.verdict == ValueVerdict::Unit => { b { (measured) } }
                ConfidenceRegion::Bounded { .. } => { b { (measured) } " (" (format::interval_in(row.unit, Some(row.interval))) ")" }
                _ => { "unbounded" }
            }
        }
        div {
            span.(verdict_class(row.verdict)) { (row.verdict_text()) }
            @if row.published.is_some() { " \u{b7} published " (format::value_in(row.unit, row.published)) }
        }
    }
}

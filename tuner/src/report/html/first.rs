//! The first screen of a report: board, pieces with their moves, published and measured values.

use std::sync::Arc;

use assay_rules::GameDef;
use maud::{Markup, html};

use super::game;
use super::values::{self, ShownValue};
use crate::report::tables::verdict_class;
use crate::report::{format, sentences};
use crate::values::inference::estimate::PieceValue;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::verdict::ValueVerdict;
use crate::values::results::MeasurementReport;

/// Unit of the values.
pub(super) const UNIT: &str = "pawns";

pub(super) fn section(report: &MeasurementReport, rules: Option<&Arc<GameDef>>) -> Markup {
    // Effects of a second piece have no place on a first screen; the table has them.
    let shown = report
        .values
        .iter()
        .filter(|value| value.letter.is_some() || value.published.is_some());
    let values: Vec<ShownValue> = shown.map(|value| self::value(value, rules)).collect();
    html! {
        section.first.with-board[rules.is_some()] {
            @if let Some(rules) = rules {
                figure.start aria-label="Start position and legend of the moves" {
                    (game::sprites([rules.as_ref()]))
                    (game::board(rules))
                    (game::moves_legend(rules))
                }
            }
            div {
                (values::legend())
                (values::plot(&values, Some(0.0), &format!("value in {UNIT}")))
                p.note { "Measured by Assay from " (sentences::amount(report)) }
            }
        }
    }
}

fn value(value: &PieceValue, rules: Option<&Arc<GameDef>>) -> ShownValue {
    ShownValue {
        label: value.piece.clone(),
        picture: rules.map(|rules| game::moves(rules, &value.piece).unwrap_or_default()),
        measured: value.measured,
        interval: value.interval,
        mark: value.published.filter(|_| value.measured.is_some()),
        class: verdict_class(value.verdict),
        numbers: numbers(value),
    }
}

/// The measured value with its interval, the verdict and the published value.
pub(super) fn numbers(value: &PieceValue) -> Markup {
    let verdict = match value.verdict {
        // The table says why.
        ValueVerdict::Unmeasurable => "not measurable",
        verdict => verdict.text(),
    };
    html! {
        div {
            @match (value.measured, value.interval) {
                (None, _) => {}
                (Some(_), None) => { b { (format::value(value.measured)) } }
                (Some(_), Some(ConfidenceRegion::Bounded { .. })) => { b { (format::value(value.measured)) } " (" (format::interval(value.interval)) ")" }
                (Some(_), Some(_)) => { "unbounded" }
            }
        }
        div {
            span.(verdict_class(value.verdict)) { (verdict) }
            @if value.published.is_some() { " \u{b7} published " (format::value(value.published)) }
        }
    }
}

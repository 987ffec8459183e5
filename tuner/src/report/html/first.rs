//! The first screen of a report: board, pieces with their moves, published and measured values.

use std::sync::Arc;

use assay_rules::GameDef;
use maud::{Markup, html};

use super::game;
use super::values::{self, ShownValue};
use crate::report::sentences;
use crate::report::tables::verdict_class;
use crate::values::inference::estimate::PieceValue;
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
                    (game::sprites(rules))
                    (game::board(rules))
                    (game::moves_legend(rules))
                }
            }
            div {
                (values::plot(&values, UNIT))
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
        published: value.published,
        verdict: match value.verdict {
            // The table says why.
            ValueVerdict::Unmeasurable => "not measurable",
            verdict => verdict.text(),
        },
        class: verdict_class(value.verdict),
    }
}

//! Forest plot of measured values, each with a mark at the published one.

use assay_cli::chart::{Axis, Scale};
use maud::{Markup, html};

use super::forest::{self, MIDDLE, Row};
use crate::report::format;
use crate::report::tables::verdict_class;
use crate::values::inference::estimate::PieceValue;
use crate::values::inference::fieller::ConfidenceRegion;

pub(super) fn plot(values: &[PieceValue]) -> Markup {
    // The king has no interval; the table says why.
    let values: Vec<&PieceValue> = values.iter().filter(|value| value.measured.is_some()).collect();
    let scale = Scale::width(domain(&values));
    let axis = Axis::new(scale, 9.0, "value in pawns");
    let rows = values.iter().map(|value| row(value, &scale)).collect();
    html! {
        p.legend {
            span { svg width="44" height="16" { (forest::interval(&Scale::width((0.0, 1.0)), 8.0, "plain", (0.0, 0.5, 1.0))) } " measured, with 95% interval" }
            span { svg width="16" height="16" { (forest::reference(&Scale::width((0.0, 1.0)), 0.5, 14.0)) } " published by the inventor" }
        }
        (forest::with_axis("Measured values with 95% intervals, and the published values", &axis, rows))
    }
}

/// From zero to beyond the largest value. Intervals far wider than that are cut off and drawn with an arrow.
fn domain(values: &[&PieceValue]) -> (f64, f64) {
    let points = || {
        values
            .iter()
            .flat_map(|value| [value.measured, value.published])
            .flatten()
    };
    let greatest = points().fold(1.0, f64::max);
    let least = points().fold(0.0, f64::min);
    let ends = values.iter().filter_map(|value| match value.interval {
        Some(ConfidenceRegion::Bounded { low, high }) => Some((low, high)),
        _ => None,
    });
    let (low, high) = ends.fold((least, greatest), |(low, high), ends| {
        (low.min(ends.0), high.max(ends.1))
    });
    (low.max(least - 0.2 * greatest), high.min(1.6 * greatest) * 1.02)
}

fn row(value: &PieceValue, scale: &Scale) -> Row {
    let class = verdict_class(value.verdict);
    let drawing = html! {
        @match (value.interval, value.measured) {
            (Some(ConfidenceRegion::Bounded { low, high }), Some(measured)) => { (forest::interval(scale, MIDDLE, class, (low, measured, high))) }
            (Some(_), _) => { (forest::unbounded(MIDDLE, class)) }
            (None, Some(measured)) => { circle.dot.(class) cx=(scale.coordinate(measured)) cy=(MIDDLE) r="6" {} }
            (None, None) => {}
        }
        @if let Some(published) = value.published { (forest::reference(scale, published, MIDDLE - 5.0)) }
    };
    let numbers = html! {
        @match value.interval {
            None => { (format::value(value.measured)) }
            Some(ConfidenceRegion::Bounded { .. }) => { b { (format::value(value.measured)) } " (" (format::interval(value.interval)) ")" }
            Some(_) => { "unbounded" }
        }
        " " span.(class) { (value.verdict.text()) }
    };
    Row {
        name: value.piece.clone(),
        drawing,
        numbers,
    }
}

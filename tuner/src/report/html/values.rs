//! Forest plot of measured values, each with a mark at the published one.

use assay_cli::chart::{Axis, Scale};
use maud::{Markup, html};

use super::forest::{self, MIDDLE, Row};
use crate::report::format;
use crate::values::inference::fieller::ConfidenceRegion;

/// A value to draw, in any unit.
pub(super) struct ShownValue {
    pub(super) label: String,
    /// Picture before the label.
    pub(super) picture: Option<Markup>,
    pub(super) measured: Option<f64>,
    /// 95% confidence region; `None` for the unit and for what cannot be measured.
    pub(super) interval: Option<ConfidenceRegion>,
    pub(super) published: Option<f64>,
    /// What the numbers say, in a few words.
    pub(super) verdict: &'static str,
    /// CSS class of the verdict's color.
    pub(super) class: &'static str,
}

/// The values in `unit` (`pawns`).
pub(super) fn plot(values: &[ShownValue], unit: &str) -> Markup {
    let scale = Scale::width(domain(values));
    let axis = Axis::new(scale, 6.0, &format!("value in {unit}"));
    let rows = values.iter().map(|value| row(value, &scale)).collect();
    html! {
        p.legend {
            span { svg width="44" height="16" aria-hidden="true" { (forest::interval(&Scale::width((0.0, 1.0)), 8.0, "plain", (0.0, 0.5, 1.0))) } "measured, with 95% interval" }
            span { svg width="16" height="16" aria-hidden="true" { (forest::reference(&Scale::width((0.0, 1.0)), 0.5, 14.0)) } "published by the inventor" }
        }
        (forest::with_axis("Measured values with 95% intervals, and the published values", &axis, rows))
    }
}

/// From zero to beyond the largest value. Intervals far wider than that are cut off and drawn with an arrow.
fn domain(values: &[ShownValue]) -> (f64, f64) {
    // What is not measured has no place on the scale either.
    let measured = || values.iter().filter(|value| value.measured.is_some());
    let points = || measured().flat_map(|value| [value.measured, value.published]).flatten();
    let greatest = points().fold(1.0, f64::max);
    let least = points().fold(0.0, f64::min);
    let ends = measured().filter_map(|value| match value.interval {
        Some(ConfidenceRegion::Bounded { low, high }) => Some((low, high)),
        _ => None,
    });
    let (low, high) = ends.fold((least, greatest), |(low, high), ends| {
        (low.min(ends.0), high.max(ends.1))
    });
    (low.max(least - 0.2 * greatest), high.min(1.6 * greatest) * 1.02)
}

fn row(value: &ShownValue, scale: &Scale) -> Row {
    let class = value.class;
    let drawing = html! {
        @match (value.interval, value.measured) {
            (Some(ConfidenceRegion::Bounded { low, high }), Some(measured)) => { (forest::interval(scale, MIDDLE, class, (low, measured, high))) }
            (Some(_), _) => { (forest::unbounded(MIDDLE, class)) }
            (None, Some(measured)) => { circle.dot.(class) cx=(scale.coordinate(measured)) cy=(MIDDLE) r="6" {} }
            (None, None) => {}
        }
        @if let (Some(published), Some(_)) = (value.published, value.measured) { (forest::reference(scale, published, MIDDLE - 5.0)) }
    };
    let numbers = html! {
        div {
            @match (value.measured, value.interval) {
                (None, _) => { (value.verdict) }
                (Some(_), None) => { b { (format::value(value.measured)) } }
                (Some(_), Some(ConfidenceRegion::Bounded { .. })) => { b { (format::value(value.measured)) } " (" (format::interval(value.interval)) ")" }
                (Some(_), Some(_)) => { "unbounded" }
            }
        }
        @if value.measured.is_some() {
            div {
                span.(class) { (value.verdict) }
                @if value.published.is_some() { " \u{b7} published " (format::value(value.published)) }
            }
        }
    };
    Row {
        name: value.label.clone(),
        picture: value.picture.clone(),
        drawing,
        numbers,
    }
}

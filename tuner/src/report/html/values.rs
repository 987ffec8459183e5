//! Forest plot of measured values, each with a mark at the published one.

use assay_cli::chart::{Axis, Scale};
use maud::{Markup, html};

use super::forest::{self, MIDDLE, Row};
use crate::values::inference::fieller::ConfidenceRegion;

/// A value to draw, in any unit.
pub(super) struct ShownValue {
    pub(super) label: String,
    /// Picture before the label.
    pub(super) picture: Option<Markup>,
    pub(super) measured: Option<f64>,
    /// 95% confidence region; `None` for the unit and for what cannot be measured.
    pub(super) interval: Option<ConfidenceRegion>,
    /// Position of the triangle of the published value.
    pub(super) mark: Option<f64>,
    /// CSS class of the verdict's color.
    pub(super) class: &'static str,
    /// The numbers in words.
    pub(super) numbers: Markup,
}

/// Legend of the dots and triangles.
pub(super) fn legend() -> Markup {
    let scale = Scale::width((0.0, 1.0));
    html! {
        p.legend {
            span { svg width="44" height="16" aria-hidden="true" { (forest::interval(&scale, 8.0, "plain", (0.0, 0.5, 1.0))) } "measured, with 95% interval" }
            span { svg width="16" height="16" aria-hidden="true" { (forest::reference(&scale, 0.5, 14.0)) } "published by the inventor" }
        }
    }
}

/// The values on an axis with this title, which shows `origin` if there is one.
pub(super) fn plot(values: &[ShownValue], origin: Option<f64>, title: &str) -> Markup {
    let scale = Scale::width(domain(values, origin));
    let axis = Axis::new(scale, 6.0, title);
    let rows = values.iter().map(|value| row(value, &scale)).collect();
    forest::with_axis(
        "Measured values with 95% intervals, and the published values",
        &axis,
        rows,
    )
}

/// Wide enough for every value. Intervals far wider than that are cut off and drawn with an arrow.
fn domain(values: &[ShownValue], origin: Option<f64>) -> (f64, f64) {
    let points = || {
        values
            .iter()
            .flat_map(|value| [value.measured, value.mark])
            .flatten()
            .chain(origin)
    };
    let (least, most) = points().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), point| {
        (least.min(point), most.max(point))
    });
    if least >= most {
        return if least.is_finite() {
            (least - 1.0, least + 1.0)
        } else {
            (0.0, 1.0)
        };
    }
    let reach = most - least;
    let ends = values.iter().filter_map(|value| match value.interval {
        Some(ConfidenceRegion::Bounded { low, high }) => Some((low, high)),
        _ => None,
    });
    let (low, high) = ends.fold((least, most), |(low, high), ends| (low.min(ends.0), high.max(ends.1)));
    let margin = 0.02 * reach;
    (
        low.max(least - 0.25 * reach) - if origin == Some(low) { 0.0 } else { margin },
        high.min(most + 0.6 * reach) + margin,
    )
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
        @if let Some(mark) = value.mark { (forest::reference(scale, mark, MIDDLE - 5.0)) }
    };
    Row {
        name: value.label.clone(),
        picture: value.picture.clone(),
        drawing,
        numbers: value.numbers.clone(),
    }
}

//! Forest plots: one row for each estimate, with its name, its interval and its numbers.
//!
//! Wide windows show a row on one line; narrow ones put the interval below the name and the numbers.

use assay_cli::chart::{Axis, Scale, marker};
use maud::{Markup, html};

use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::fieller::IntervalEstimate;

/// Height of the part of a row that holds the interval, in pixels.
const STRIP: f64 = 44.0;

/// One row of a forest plot.
pub(in crate::report) struct Row {
    pub(in crate::report) name: String,
    /// Picture before the name.
    pub(in crate::report) picture: Option<Markup>,
    /// Intervals and markers; see [`interval`] and [`reference`].
    pub(in crate::report) drawing: Markup,
    /// Numbers and verdict.
    pub(in crate::report) numbers: Markup,
}

/// A row of a plot with an axis.
#[derive(Default)]
pub(in crate::report) struct Entry {
    pub name: String,
    pub picture: Option<Markup>,
    /// One estimate with the CSS class of its color, or several, which are drawn as series.
    pub estimates: Vec<(&'static str, IntervalEstimate)>,
    /// Place of the triangle that marks a published value.
    pub mark: Option<f64>,
    pub numbers: Markup,
}

/// Rows on an axis with this title, which shows `origin` if there is one.
pub(in crate::report) fn plot(description: &str, title: &str, origin: Option<f64>, entries: &[Entry]) -> Markup {
    let axis = Axis::new(Scale::width(domain(entries, origin)), 6.0, title);
    let grid = html! {
        @for (tick, _) in &axis.ticks {
            line.grid x1=(axis.scale.coordinate(*tick)) x2=(axis.scale.coordinate(*tick)) y1="0" y2="100%" {}
        }
    };
    let has_pictures = entries.iter().any(|entry| entry.picture.is_some());
    html! {
        figure.forest.pictures[has_pictures] aria-label=(description) {
            @for entry in entries {
                (row(&Row {
                    name: entry.name.clone(),
                    picture: entry.picture.clone(),
                    drawing: html! { (grid) (drawing(&axis.scale, entry)) },
                    numbers: entry.numbers.clone(),
                }))
            }
            div.row.axis {
                @if has_pictures { div.picture {} }
                div.name {}
                svg height="44" aria-hidden="true" {
                    line.axis x1="0" x2="100%" y1="0.5" y2="0.5" {}
                    @for (tick, label) in &axis.ticks {
                        text.soft x=(axis.scale.coordinate(*tick)) y="18" text-anchor="middle" { (label) }
                    }
                    text.soft x="50%" y="38" text-anchor="middle" { (axis.title) }
                }
            }
        }
    }
}

fn drawing(scale: &Scale, entry: &Entry) -> Markup {
    html! {
        @match entry.estimates.as_slice() {
            [(class, estimate)] if estimate.interval.width().is_none() => { (unbounded(MIDDLE, class)) }
            [(class, estimate)] => { (interval(scale, MIDDLE, class, ends(estimate))) }
            estimates => { @for (index, (_, estimate)) in estimates.iter().enumerate() {
                (series(scale, MIDDLE - 8.0 + 16.0 * index as f64, index, ends(estimate)))
            } }
        }
        @if let Some(mark) = entry.mark { (reference(scale, mark, MIDDLE - 5.0)) }
    }
}

/// The lower end, the estimate and the upper end.
fn ends(estimate: &IntervalEstimate) -> (f64, f64, f64) {
    match estimate.interval {
        ConfidenceRegion::Bounded { low, high } => (low, estimate.value, high),
        _ => (f64::NEG_INFINITY, estimate.value, f64::INFINITY),
    }
}

/// Wide enough for every estimate and mark. Intervals far wider than that are cut off and drawn with an arrow.
fn domain(entries: &[Entry], origin: Option<f64>) -> (f64, f64) {
    let estimates = || {
        entries
            .iter()
            .flat_map(|entry| &entry.estimates)
            .map(|(_, estimate)| estimate)
    };
    let marks = entries.iter().filter_map(|entry| entry.mark);
    let points = estimates().map(|estimate| estimate.value).chain(marks).chain(origin);
    let points: Vec<f64> = points.collect();
    let least = points.iter().copied().fold(f64::INFINITY, f64::min);
    let most = points.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= most {
        return if least.is_finite() {
            (least - 1.0, least + 1.0)
        } else {
            (0.0, 1.0)
        };
    }
    let reach = most - least;
    let bounded = estimates()
        .map(ends)
        .filter(|(low, _, high)| low.is_finite() && high.is_finite());
    let (low, high) = bounded.fold((least, most), |(low, high), ends| (low.min(ends.0), high.max(ends.2)));
    let margin = 0.02 * reach;
    (
        low.max(least - 0.25 * reach) - if origin == Some(low) { 0.0 } else { margin },
        high.min(most + 0.6 * reach) + margin,
    )
}

/// Rows that each have a scale of their own.
pub(in crate::report) fn without_axis(description: &str, rows: &[Row]) -> Markup {
    html! {
        figure.forest.claims aria-label=(description) { @for row in rows { (self::row(row)) } }
    }
}

fn row(row: &Row) -> Markup {
    html! {
        div.row {
            @if let Some(picture) = &row.picture { div.picture { (picture) } }
            div.name { (row.name) }
            // The numbers say the same in words.
            svg height=(STRIP) aria-hidden="true" { (row.drawing) }
            div.numbers { (row.numbers) }
        }
    }
}

/// Vertical middle of a row.
pub(in crate::report) const MIDDLE: f64 = STRIP / 2.0;

/// The bar of a bounded interval around the dot of its estimate. An arrow shows that an end lies outside the scale.
pub(in crate::report) fn interval(
    scale: &Scale,
    y: f64,
    class: &str,
    (low, estimate, high): (f64, f64, f64),
) -> Markup {
    let dot = html! { circle.dot.(class) r="5" {} };
    bar(scale, y, &format!("bar {class}"), &dot, (low, estimate, high))
}

/// The interval and marker of one of several series in a row.
fn series(scale: &Scale, y: f64, series: usize, ends: (f64, f64, f64)) -> Markup {
    bar(scale, y, &format!("whisker s{series}"), &marker(series), ends)
}

fn bar(scale: &Scale, y: f64, class: &str, dot: &Markup, (low, estimate, high): (f64, f64, f64)) -> Markup {
    html! {
        line class=(class) x1=(scale.coordinate(low)) x2=(scale.coordinate(high)) y1=(y) y2=(y) {}
        @if !scale.contains(high) { (arrow(scale, high, y, class, 1.0)) }
        @if !scale.contains(low) { (arrow(scale, low, y, class, -1.0)) }
        @if scale.contains(estimate) { svg x=(scale.coordinate(estimate)) y=(y) overflow="visible" { (dot) } }
    }
}

/// Legend of intervals and the triangles beside them.
pub(in crate::report) fn reference_legend(meaning: &str) -> Markup {
    let scale = Scale::width((0.0, 1.0));
    html! {
        p.legend {
            span { svg width="44" height="16" aria-hidden="true" { (interval(&scale, 8.0, "plain", (0.0, 0.5, 1.0))) } "measured, with 95% interval" }
            span { svg width="16" height="16" aria-hidden="true" { (reference(&scale, 0.5, 14.0)) } (meaning) }
        }
    }
}

/// Legend of several series.
pub(in crate::report) fn legend<'n>(names: impl IntoIterator<Item = &'n str>) -> Markup {
    let scale = Scale::width((0.0, 1.0));
    html! {
        p.legend {
            @for (index, name) in names.into_iter().enumerate() {
                span { svg width="36" height="16" aria-hidden="true" { (series(&scale, 8.0, index, (0.0, 0.5, 1.0))) } (name) }
            }
        }
    }
}

/// A dashed line over the whole scale: the interval is unbounded.
pub(in crate::report) fn unbounded(y: f64, class: &str) -> Markup {
    html! { line.bar.dashed.(class) x1="0" x2="100%" y1=(y) y2=(y) {} }
}

fn arrow(scale: &Scale, number: f64, y: f64, class: &str, direction: f64) -> Markup {
    html! {
        svg x=(scale.coordinate(number)) y=(y) overflow="visible" {
            path class=(format!("dot {class}")) d=(format!("M{} 0 l{} -8 v16 z", 5.0 * direction, -11.0 * direction)) {}
        }
    }
}

/// A triangle that points down at a published or claimed value; `y` is its tip.
pub(in crate::report) fn reference(scale: &Scale, number: f64, y: f64) -> Markup {
    html! {
        svg x=(scale.coordinate(number)) y=(y) overflow="visible" { path.reference d="M0 0 l-7 -12 h14 z" {} }
    }
}

//! Forest plots: one row for each estimate, with its name, its interval and its numbers.
//!
//! Wide windows show a row on one line; narrow ones put the interval below the name and the numbers.

use assay_cli::chart::{Axis, Scale, marker};
use maud::{Markup, html};

/// Height of the part of a row that holds the interval, in pixels.
const STRIP: f64 = 44.0;

/// One row of a forest plot.
pub(super) struct Row {
    pub(super) name: String,
    /// Picture before the name.
    pub(super) picture: Option<Markup>,
    /// Intervals and markers; see [`interval`] and [`reference`].
    pub(super) drawing: Markup,
    /// Numbers and verdict.
    pub(super) numbers: Markup,
}

/// Rows that share an axis.
pub(super) fn with_axis(description: &str, axis: &Axis, rows: Vec<Row>) -> Markup {
    let grid = html! {
        @for (tick, _) in &axis.ticks {
            line.grid x1=(axis.scale.coordinate(*tick)) x2=(axis.scale.coordinate(*tick)) y1="0" y2="100%" {}
        }
    };
    let has_pictures = rows.iter().any(|row| row.picture.is_some());
    html! {
        figure.forest.pictures[has_pictures] aria-label=(description) {
            @for row in rows {
                (self::row(&Row { drawing: html! { (grid) (row.drawing) }, ..row }))
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

/// Rows that each have a scale of their own.
pub(super) fn without_axis(description: &str, rows: &[Row]) -> Markup {
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
pub(super) const MIDDLE: f64 = STRIP / 2.0;

/// The bar of a bounded interval around the dot of its estimate. An arrow shows that an end lies outside the scale.
pub(super) fn interval(scale: &Scale, y: f64, class: &str, (low, estimate, high): (f64, f64, f64)) -> Markup {
    html! {
        line.bar.(class) x1=(scale.coordinate(low)) x2=(scale.coordinate(high)) y1=(y) y2=(y) {}
        @if !scale.contains(high) { (arrow(scale, high, y, class, 1.0)) }
        @if !scale.contains(low) { (arrow(scale, low, y, class, -1.0)) }
        @if scale.contains(estimate) { circle.dot.(class) cx=(scale.coordinate(estimate)) cy=(y) r="5" {} }
    }
}

/// The interval and marker of one of several series in a row.
pub(super) fn series(scale: &Scale, y: f64, series: usize, (low, estimate, high): (f64, f64, f64)) -> Markup {
    let class = format!("s{series}");
    html! {
        line.whisker.(class) x1=(scale.coordinate(low)) x2=(scale.coordinate(high)) y1=(y) y2=(y) {}
        @if !scale.contains(high) { (arrow(scale, high, y, &class, 1.0)) }
        @if !scale.contains(low) { (arrow(scale, low, y, &class, -1.0)) }
        @if scale.contains(estimate) { svg x=(scale.coordinate(estimate)) y=(y) overflow="visible" { (marker(series)) } }
    }
}

/// Legend of several series.
pub(super) fn legend<'n>(names: impl IntoIterator<Item = &'n str>) -> Markup {
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
pub(super) fn unbounded(y: f64, class: &str) -> Markup {
    html! { line.bar.dashed.(class) x1="0" x2="100%" y1=(y) y2=(y) {} }
}

fn arrow(scale: &Scale, number: f64, y: f64, class: &str, direction: f64) -> Markup {
    html! {
        svg x=(scale.coordinate(number)) y=(y) overflow="visible" {
            path.dot.(class) d=(format!("M{} 0 l{} -8 v16 z", 5.0 * direction, -11.0 * direction)) {}
        }
    }
}

/// A triangle that points down at a published or claimed value; `y` is its tip.
pub(super) fn reference(scale: &Scale, number: f64, y: f64) -> Markup {
    html! {
        svg x=(scale.coordinate(number)) y=(y) overflow="visible" { path.reference d="M0 0 l-7 -12 h14 z" {} }
    }
}

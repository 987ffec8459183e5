//! Forest plots: one row for each estimate, with its name, its interval and its numbers.
//!
//! Wide windows show a row on one line; narrow ones put the interval below the name and the
//! numbers.

use maud::{Markup, html};

use super::{Axis, Ends, Scale, extent, marker};

/// Height of the part of a row that holds the interval, in pixels.
const STRIP: f64 = 44.0;

/// Vertical middle of a row.
pub const MIDDLE: f64 = STRIP / 2.0;

/// One row of a forest plot.
#[derive(Default)]
pub struct Row {
    pub name: String,
    /// Picture before the name.
    pub picture: Option<Markup>,
    /// One estimate with the CSS class of its color, or several, which are drawn as series.
    pub estimates: Vec<(&'static str, Ends)>,
    /// Place of the triangle that marks a published or claimed value.
    pub mark: Option<f64>,
    /// Numbers and verdict.
    pub numbers: Markup,
}

impl Row {
    /// Draws the row above `ground`.
    pub fn draw(&self, scale: &Scale, ground: &Markup) -> Markup {
        html! {
            div.row {
                @if let Some(picture) = &self.picture { div.picture { (picture) } }
                div.name { (self.name) }
                // The numbers say the same in words.
                svg height=(STRIP) aria-hidden="true" {
                    (ground)
                    @match self.estimates.as_slice() {
                        [(class, (f64::NEG_INFINITY, _, f64::INFINITY))] => {
                            line.bar.dashed.(class) x1="0" x2="100%" y1=(MIDDLE) y2=(MIDDLE) {}
                        }
                        [(class, ends)] => { (interval(scale, MIDDLE, class, *ends)) }
                        estimates => { @for (index, &(_, ends)) in estimates.iter().enumerate() {
                            (series(scale, MIDDLE - 8.0 + 16.0 * index as f64, index, ends))
                        } }
                    }
                    @if let Some(mark) = self.mark { (reference(scale, mark, MIDDLE - 5.0)) }
                }
                div.numbers { (self.numbers) }
            }
        }
    }
}

/// Rows on an axis with this title, which shows `origin` if there is one.
pub fn plot(description: &str, title: &str, origin: Option<f64>, rows: &[Row]) -> Markup {
    plot_on(description, &Axis::new(Scale::width(domain(rows, origin)), 6.0, title), rows)
}

/// Rows on an axis over the whole width.
pub fn plot_on(description: &str, axis: &Axis, rows: &[Row]) -> Markup {
    let grid = html! {
        @for (tick, _) in &axis.ticks {
            line.grid x1=(axis.scale.coordinate(*tick)) x2=(axis.scale.coordinate(*tick)) y1="0" y2="100%" {}
        }
    };
    let has_pictures = rows.iter().any(|row| row.picture.is_some());
    html! {
        figure.forest.pictures[has_pictures] aria-label=(description) {
            @for row in rows { (row.draw(&axis.scale, &grid)) }
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

/// Wide enough for every estimate and mark. Intervals far wider than that are cut off and drawn
/// with an arrow.
pub fn domain(rows: &[Row], origin: Option<f64>) -> (f64, f64) {
    let estimates = || rows.iter().flat_map(|row| &row.estimates).map(|&(_, ends)| ends);
    let marks = rows.iter().filter_map(|row| row.mark).chain(origin);
    let points = estimates().map(|(_, value, _)| value).chain(marks);
    let Some((least, most)) = extent(points) else {
        return (0.0, 1.0);
    };
    if least >= most {
        return (least - 1.0, least + 1.0);
    }
    let reach = most - least;
    let bounded = estimates().flat_map(|(low, _, high)| [low, high]).filter(|end| end.is_finite());
    let (low, high) = extent(bounded.chain([least, most])).unwrap_or((least, most));
    let margin = 0.02 * reach;
    (
        low.max(least - 0.25 * reach) - if origin == Some(low) { 0.0 } else { margin },
        high.min(most + 0.6 * reach) + margin,
    )
}

/// The bar of a bounded interval around the dot of its estimate. An arrow shows that an end lies
/// outside the scale.
pub fn interval(scale: &Scale, y: f64, class: &str, ends: Ends) -> Markup {
    bar(scale, y, &format!("bar {class}"), &html! { circle.dot.(class) r="5" {} }, ends)
}

/// The interval and marker of one of several series in a row.
fn series(scale: &Scale, y: f64, series: usize, ends: Ends) -> Markup {
    bar(scale, y, &format!("whisker s{series}"), &marker(series), ends)
}

fn bar(scale: &Scale, y: f64, class: &str, dot: &Markup, (low, estimate, high): Ends) -> Markup {
    let place = |number: f64, mark: Markup| {
        html! { svg x=(scale.coordinate(number)) y=(y) overflow="visible" { (mark) } }
    };
    let arrow = |end: f64, direction: f64| {
        let outline = format!("M{} 0 l{} -8 v16 z", 5.0 * direction, -11.0 * direction);
        place(end, html! { path class=(format!("dot {class}")) d=(outline) {} })
    };
    html! {
        line class=(class) x1=(scale.coordinate(low)) x2=(scale.coordinate(high)) y1=(y) y2=(y) {}
        @if !scale.contains(high) { (arrow(high, 1.0)) }
        @if !scale.contains(low) { (arrow(low, -1.0)) }
        @if scale.contains(estimate) { (place(estimate, dot.clone())) }
    }
}

/// Legend of intervals and the triangles beside them, as spans.
pub fn reference_legend(meaning: &str) -> Markup {
    let scale = Scale::width((0.0, 1.0));
    html! {
        span { svg width="44" height="16" aria-hidden="true" { (interval(&scale, 8.0, "plain", (0.0, 0.5, 1.0))) } "measured, with its interval" }
        span { svg width="16" height="16" aria-hidden="true" { (reference(&scale, 0.5, 14.0)) } (meaning) }
    }
}

/// Legend of several series.
pub fn legend<'n>(names: impl IntoIterator<Item = &'n str>) -> Markup {
    let scale = Scale::width((0.0, 1.0));
    html! {
        p.legend {
            @for (index, name) in names.into_iter().enumerate() {
                span { svg width="36" height="16" aria-hidden="true" { (series(&scale, 8.0, index, (0.0, 0.5, 1.0))) } (name) }
            }
        }
    }
}

/// A triangle that points down at a published or claimed value; `y` is its tip.
fn reference(scale: &Scale, number: f64, y: f64) -> Markup {
    html! {
        svg x=(scale.coordinate(number)) y=(y) overflow="visible" { path.reference d="M0 0 l-7 -12 h14 z" {} }
    }
}

//! All pieces of several games in one picture: the measured value over the published one, so that 1 means the inventor was
//! right, whatever the piece is worth.

use maud::{Markup, PreEscaped, html};

use super::axis::Axis;
use super::class;
use crate::report::overview::{Measurement, ratio};
use crate::report::words;
use crate::values::inference::estimate::Value;

const WIDTH: f64 = 920.0;
const LEFT: f64 = 150.0;
const RIGHT: f64 = 620.0;
const TOP: f64 = 62.0;
const ROW: f64 = 25.0;
const HEADING: f64 = 38.0;

/// Plain colours: a picture that documents show is drawn by programs that know no more.
const CSS: &str = "
text { font: 14px system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif; fill: #1b1f24; }
.soft { fill: #5c6670; font-size: 13px; } .heading { font-weight: 600; font-size: 15px; }
.paper { fill: #fff; } .grid { stroke: #e8ebee; } .axis { stroke: #5c6670; } .one { stroke: #1b1f24; stroke-width: 1.5; }
.bar { stroke-width: 7; } .dot { stroke: #fff; stroke-width: 2; }
line.inside { stroke: #0b6e8a; } line.outside { stroke: #b4460c; } line.wide, line.plain { stroke: #707a84; }
circle.inside { fill: #0b6e8a; } circle.outside { fill: #b4460c; } circle.wide, circle.plain { fill: #707a84; }
tspan { font-weight: 600; } tspan.inside { fill: #0b6e8a; } tspan.outside { fill: #b4460c; } tspan.wide { fill: #707a84; }
";

/// An SVG file of its own.
pub fn overview(measurements: &[Measurement]) -> Markup {
    let shown: Vec<(&Measurement, Vec<&Value>)> = measurements
        .iter()
        .map(|measurement| {
            let rows = measurement.rows().filter(|value| ratio(value).is_some());
            (measurement, rows.collect())
        })
        .collect();
    let axis = Axis {
        range: range(shown.iter().flat_map(|(_, rows)| rows.iter().copied())),
        pixels: (LEFT, RIGHT),
    };
    let heights = shown.iter().map(|(_, rows)| HEADING + ROW * rows.len() as f64);
    let bottom = TOP + heights.sum::<f64>();
    let height = bottom + 50.0;
    let (ticks, step) = axis.ticks(8.0);
    // As many decimals as the ticks need.
    let decimals = if step < 0.1 { 2 } else { 1 };
    let mut y = TOP;
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {WIDTH} {height}")) width=(WIDTH) height=(height)
            role="img" aria-label="Measured values of pieces over the inventors' values" {
            style { (PreEscaped(CSS)) }
            rect.paper x="0" y="0" width=(WIDTH) height=(height) {}
            text x="14" y="26" { "Measured value over the inventor's, with 95% intervals: on the line the inventor was right." }
            @for &tick in &ticks {
                line.grid x1=(axis.at(tick)) x2=(axis.at(tick)) y1=(TOP) y2=(bottom) {}
                text.soft x=(axis.at(tick)) y=(bottom + 20.0) text-anchor="middle" { (format!("{tick:.decimals$}")) }
            }
            line.axis x1=(LEFT) x2=(RIGHT) y1=(bottom) y2=(bottom) {}
            line.one x1=(axis.at(1.0)) x2=(axis.at(1.0)) y1=(TOP) y2=(bottom) {}
            text.soft x=(f64::midpoint(LEFT, RIGHT)) y=(bottom + 40.0) text-anchor="middle" { "measured / inventor" }
            text.soft x=(RIGHT + 24.0) y=(TOP - 8.0) { "inventor" }
            text.soft x=(RIGHT + 100.0) y=(TOP - 8.0) { "measured, in pawns" }
            @for (measurement, rows) in &shown {
                text.heading x="14" y=(y + 26.0) { (measurement.heading()) }
                ({ y += HEADING; "" })
                @for (index, value) in rows.iter().enumerate() {
                    (line(value, &axis, y + ROW * (index as f64 + 0.5)))
                }
                ({ y += ROW * rows.len() as f64; "" })
            }
        }
    }
}

/// Wide enough for every estimate and for most intervals; what goes beyond is cut.
fn range<'v>(values: impl Iterator<Item = &'v Value>) -> (f64, f64) {
    let ends = values.filter_map(ratio);
    let (low, high) = ends.fold((0.9, 1.1), |(low, high): (f64, f64), (measured, from, to)| {
        (low.min(from.max(measured - 0.5)), high.max(to.min(measured + 0.5)))
    });
    (low - 0.03, high + 0.03)
}

fn line(value: &Value, axis: &Axis, y: f64) -> Markup {
    let class = class(value.verdict);
    let Some((measured, low, high)) = ratio(value) else {
        return html! {};
    };
    let (from, to) = (axis.at(low), axis.at(high));
    html! {
        text x=(LEFT - 14.0) y=(y + 5.0) text-anchor="end" { (value.piece) }
        line.bar.(class) x1=(from) x2=(to.max(from + 2.0)) y1=(y) y2=(y) {}
        circle.dot.(class) cx=(axis.at(measured)) cy=(y) r="6" {}
        text x=(RIGHT + 24.0) y=(y + 5.0) { (words::decimals(value.inventor)) }
        text x=(RIGHT + 100.0) y=(y + 5.0) {
            (words::decimals(value.measured)) " (" (words::interval(value.interval)) ") "
            tspan.(class) { (value.verdict.text()) }
        }
    }
}

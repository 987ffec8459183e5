//! Each piece on a line: its measured interval, and a mark where the inventor put it.

use maud::{Markup, html};

use super::axis::Axis;
use super::class;
use crate::report::words;
use crate::values::inference::estimate::Value;
use crate::values::inference::fieller::Region;

const WIDTH: f64 = 920.0;
const LEFT: f64 = 120.0;
const RIGHT: f64 = 590.0;
const TOP: f64 = 66.0;
const ROW: f64 = 44.0;

pub(super) fn plot(values: &[Value]) -> Markup {
    // The king has no interval, and the table says why.
    let values: Vec<&Value> = values.iter().filter(|value| value.measured.is_some()).collect();
    let axis = Axis {
        range: range(&values),
        pixels: (LEFT, RIGHT),
    };
    let bottom = TOP + ROW * values.len() as f64;
    let (ticks, _) = axis.ticks(9.0);
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {}", bottom + 46.0)) role="img" aria-label="Measured values with their intervals, and the inventor's values" {
            (legend())
            @for (index, _) in values.iter().enumerate() {
                @if index % 2 == 0 {
                    rect.row x="0" y=(TOP + ROW * index as f64) width=(WIDTH) height=(ROW) {}
                }
            }
            @for tick in ticks {
                line.grid x1=(axis.at(tick)) x2=(axis.at(tick)) y1=(TOP) y2=(bottom) {}
                text.soft x=(axis.at(tick)) y=(bottom + 18.0) text-anchor="middle" { (tick) }
            }
            line.axis x1=(LEFT) x2=(RIGHT) y1=(bottom) y2=(bottom) {}
            text.soft x=(f64::midpoint(LEFT, RIGHT)) y=(bottom + 38.0) text-anchor="middle" { "value in pawns (a pawn is 1)" }
            text.soft x=(RIGHT + 24.0) y=(TOP - 10.0) { "inventor" }
            text.soft x=(RIGHT + 94.0) y=(TOP - 10.0) { "measured (95% interval), verdict" }
            @for (index, value) in values.iter().enumerate() { (line(value, &axis, TOP + ROW * (index as f64 + 0.5))) }
        }
    }
}

/// From zero to beyond the greatest value; intervals without measure are cut, and drawn with an arrow.
fn range(values: &[&Value]) -> (f64, f64) {
    let points = || {
        values
            .iter()
            .flat_map(|value| [value.measured, value.inventor])
            .flatten()
    };
    let greatest = points().fold(1.0, f64::max);
    let least = points().fold(0.0, f64::min);
    let ends = values.iter().filter_map(|value| match value.interval {
        Some(Region::Bounded { low, high }) => Some((low, high)),
        _ => None,
    });
    let (low, high) = ends.fold((least, greatest), |(low, high), ends| {
        (low.min(ends.0), high.max(ends.1))
    });
    (low.max(least - 0.2 * greatest), high.min(1.6 * greatest) * 1.02)
}

fn legend() -> Markup {
    html! {
        line.bar.plain x1=(LEFT) x2=(LEFT + 60.0) y1="22" y2="22" {}
        circle.dot.plain cx=(LEFT + 30.0) cy="22" r="7" {}
        text x=(LEFT + 70.0) y="27" { "measured: best estimate and 95% interval" }
        (mark(LEFT + 396.0, 28.0))
        text x=(LEFT + 412.0) y="27" { "what the inventor said" }
    }
}

/// A triangle that points down at the inventor's value.
fn mark(x: f64, y: f64) -> Markup {
    html! { path.claim d=(format!("M{x:.1} {y:.1} l-8 -14 h16 z")) {} }
}

fn line(value: &Value, axis: &Axis, y: f64) -> Markup {
    let class = class(value.verdict);
    let numbers = match value.interval {
        None => words::decimals(value.measured),
        Some(Region::Bounded { .. }) => format!(
            "{} ({})",
            words::decimals(value.measured),
            words::interval(value.interval)
        ),
        Some(_) => "unbounded".to_owned(),
    };
    html! {
        text x=(LEFT - 14.0) y=(y + 5.0) text-anchor="end" { (value.piece) }
        @match value.interval {
            Some(Region::Bounded { low, high }) => { (interval(axis, y, class, low, high)) }
            Some(Region::Outside { .. } | Region::Everything) => {
                line.bar.(class).later x1=(axis.pixels.0) x2=(axis.pixels.1) y1=(y) y2=(y) {}
            }
            None => {}
        }
        @if let Some(measured) = value.measured.filter(|&measured| shows(axis, measured)) {
            circle.dot.(class) cx=(axis.at(measured)) cy=(y) r="7" {}
        }
        @if let Some(inventor) = value.inventor { (mark(axis.at(inventor), y - 5.0)) }
        text x=(RIGHT + 24.0) y=(y + 5.0) { (words::decimals(value.inventor)) }
        text x=(RIGHT + 94.0) y=(y - 3.0) { (numbers) }
        text.(class) x=(RIGHT + 94.0) y=(y + 14.0) { (value.verdict.text()) }
    }
}

fn shows(axis: &Axis, number: f64) -> bool {
    (axis.range.0..=axis.range.1).contains(&number)
}

fn interval(axis: &Axis, y: f64, class: &str, low: f64, high: f64) -> Markup {
    let (from, to) = (axis.at(low), axis.at(high));
    html! {
        line.bar.(class) x1=(from) x2=(to.max(from + 2.0)) y1=(y) y2=(y) {}
        @if !shows(axis, high) { path.dot.(class) d=(format!("M{:.1} {y:.1} l-12 -9 v18 z", to + 6.0)) {} }
        @if !shows(axis, low) { path.dot.(class) d=(format!("M{:.1} {y:.1} l12 -9 v18 z", from - 6.0)) {} }
    }
}

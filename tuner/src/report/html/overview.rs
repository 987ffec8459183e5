//! Picture of all pieces of several games: measured divided by published value, so 1 means agreement for any piece.
//!
//! It is an SVG file for documents, so it has a fixed width and no dark mode.

use assay_cli::chart::{Axis, SMALL_TEXT, Scale, TEXT, text_width, widest};
use maud::{PreEscaped, html};

use super::forest;
use crate::report::format;
use crate::report::overview::heading;
use crate::report::rows::{ValueRow, first_rows};
use crate::report::tables::verdict_class;
use crate::values::results::MeasurementReport;

const TITLE: &str = "Measured divided by published value, on the inventor's scale, with 95% intervals.";
const MARGIN: f64 = 14.0;
const GAP: f64 = 20.0;
const PLOT: f64 = 430.0;
const TOP: f64 = 66.0;
const ROW: f64 = 25.0;
const HEADING: f64 = 38.0;

const CSS: &str = "
text { font: 14px system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif; fill: #1b1f24; }
.soft { fill: #5c6670; font-size: 13px; } .heading { font-weight: 600; font-size: 15px; }
.paper { fill: #fff; } .grid { stroke: #e8ebee; } .axis { stroke: #5c6670; } .one { stroke: #1b1f24; stroke-width: 1.5; }
.bar { stroke-width: 7; } .dot { stroke: #fff; stroke-width: 2; }
line.inside { stroke: #0b6e8a; } line.outside { stroke: #b4460c; } line.wide, line.plain { stroke: #707a84; }
.dot.inside { fill: #0b6e8a; } .dot.outside { fill: #b4460c; } .dot.wide, .dot.plain { fill: #707a84; }
text.verdict { font-weight: 600; } text.inside { fill: #0b6e8a; } text.outside { fill: #b4460c; } text.wide { fill: #707a84; }
";

/// One line of the picture as texts.
struct Line<'a> {
    value: ValueRow<'a>,
    /// Measured over published value, and the ends of its interval.
    ratio: (f64, f64, f64),
    published: String,
    measured: String,
}

/// Draws the picture as an SVG file.
pub fn picture(reports: &[MeasurementReport]) -> String {
    let games: Vec<(String, Vec<Line<'_>>)> = reports
        .iter()
        .map(|report| {
            let rows = first_rows(report, None).rows;
            (heading(report), rows.into_iter().filter_map(line).collect())
        })
        .collect();
    let lines = || games.iter().flat_map(|(_, lines)| lines);
    // Columns from left to right: piece, plot, published value, measured value, verdict.
    let left = MARGIN + widest(lines().map(|line| &line.value.label), TEXT) + GAP / 2.0;
    let right = left + PLOT;
    let published =
        right + GAP + text_width("published", SMALL_TEXT).max(widest(lines().map(|line| &line.published), TEXT));
    let measured = published + GAP;
    let verdict =
        measured + GAP / 2.0 + text_width("measured", SMALL_TEXT).max(widest(lines().map(|line| &line.measured), TEXT));
    // Bold text is about a tenth wider.
    let width = (verdict + 1.1 * widest(lines().map(|line| line.value.verdict_text()), TEXT) + MARGIN).ceil();
    let scale = Scale::pixels(domain(lines()), (left, right));
    let axis = Axis::new(scale, 8.0, "measured / published");
    let bottom = TOP
        + games
            .iter()
            .map(|(_, lines)| HEADING + ROW * lines.len() as f64)
            .sum::<f64>();
    let height = bottom + 50.0;
    let mut y = TOP;
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height)
            role="img" aria-label="Measured values of pieces divided by the published values" {
            style { (PreEscaped(CSS)) }
            rect.paper x="0" y="0" width=(width) height=(height) {}
            text x=(MARGIN) y="26" { (TITLE) }
            @for (tick, label) in &axis.ticks {
                line.grid x1=(scale.at(*tick)) x2=(scale.at(*tick)) y1=(TOP) y2=(bottom) {}
                text.soft x=(scale.at(*tick)) y=(bottom + 20.0) text-anchor="middle" { (label) }
            }
            line.axis x1=(left) x2=(right) y1=(bottom) y2=(bottom) {}
            line.one x1=(scale.at(1.0)) x2=(scale.at(1.0)) y1=(TOP) y2=(bottom) {}
            text.soft x=(f64::midpoint(left, right)) y=(bottom + 40.0) text-anchor="middle" { (axis.title) }
            text.soft x=(published) y=(TOP - 8.0) text-anchor="end" { "published" }
            text.soft x=(measured) y=(TOP - 8.0) { "measured" }
            @for (heading, lines) in &games {
                text.heading x=(MARGIN) y=(y + 26.0) { (heading) }
                ({ y += HEADING; "" })
                @for line in lines {
                    @let class = verdict_class(line.value.verdict);
                    @let (ratio, low, high) = line.ratio;
                    @let middle = y + ROW / 2.0;
                    text x=(left - GAP / 2.0) y=(middle + 5.0) text-anchor="end" { (line.value.label) }
                    (forest::interval(&scale, middle, class, (low, ratio, high)))
                    text x=(published) y=(middle + 5.0) text-anchor="end" { (line.published) }
                    text x=(measured) y=(middle + 5.0) { (line.measured) }
                    text.verdict.(class) x=(verdict) y=(middle + 5.0) { (line.value.verdict_text()) }
                    ({ y += ROW; "" })
                }
            }
        }
    };
    super::finished(&picture)
}

fn line(value: ValueRow<'_>) -> Option<Line<'_>> {
    Some(Line {
        ratio: value.ratio()?,
        published: format::value(value.published),
        measured: format!(
            "{} ({})",
            format::value(Some(value.measured)),
            format::interval(Some(value.interval))
        ),
        value,
    })
}

/// Wide enough for every estimate and for most intervals; longer ones are cut off.
fn domain<'v>(lines: impl Iterator<Item = &'v Line<'v>>) -> (f64, f64) {
    let (low, high) = lines.fold((0.9, 1.1), |(least, most): (f64, f64), line| {
        let (measured, low, high) = line.ratio;
        (least.min(low.max(measured - 0.5)), most.max(high.min(measured + 0.5)))
    });
    (low - 0.03, high + 0.03)
}

//! Page with measurements of one game side by side.

use assay_cli::chart::{Axis, Plot, Scale, series_point};
use assay_cli::format::count;
use maud::{Markup, html};

use crate::report::{comparison as sentences, tables};
use crate::values::comparison::{ComparedPiece, Comparison};
use crate::values::inference::fieller::ConfidenceRegion;

/// Height of a panel.
const HEIGHT: f64 = 150.0;

/// The whole page.
pub fn page(comparison: &Comparison) -> String {
    let title = format!("{}: measurements side by side", comparison.title);
    let body = html! {
        header {
            h1 { (title) }
            ol { @for measurement in &comparison.measurements {
                li { (measurement.label) " (" (count(measurement.games as u64, "game", "games")) ")" }
            } }
        }
        main { (section(comparison)) }
    };
    super::page(&title, &body)
}

/// Picture, table and tests.
pub(super) fn section(comparison: &Comparison) -> Markup {
    html! {
        section {
            h2 { "Values by player" }
            p { "Each panel has the value of a piece in the numbered measurements, with its 95% interval." }
            div.panels { @for piece in &comparison.pieces { (panel(comparison, piece)) } }
            (tables::comparison(comparison).html("Values by measurement"))
            p.note { (sentences::definition(comparison)) }
            ul { @for test in &comparison.tests { li { (sentences::sentence(comparison, test)) } } }
        }
    }
}

fn panel(comparison: &Comparison, piece: &ComparedPiece) -> Markup {
    let points: Vec<(f64, (f64, f64, f64))> = (1_u32..)
        .zip(&piece.values)
        .filter_map(|(number, value)| match value.as_ref()?.interval {
            ConfidenceRegion::Bounded { low, high } => Some((f64::from(number), (low, value.as_ref()?.value, high))),
            ConfidenceRegion::Complement { .. } | ConfidenceRegion::WholeLine => None,
        })
        .collect();
    if points.is_empty() {
        return html! {};
    }
    let low = points.iter().map(|point| point.1.0).fold(f64::INFINITY, f64::min);
    let high = points.iter().map(|point| point.1.2).fold(f64::NEG_INFINITY, f64::max);
    let margin = (0.1 * (high - low)).max(0.05);
    let last = comparison.measurements.len() as f64;
    let x = Scale::width((0.5, last + 0.5));
    let y = Scale::pixels((low - margin, high + margin), (HEIGHT, 0.0));
    let numbers = (1..=comparison.measurements.len()).map(|number| (number as f64, number.to_string()));
    let plot = Plot {
        description: &format!("Value of the {} by measurement", piece.piece),
        x: Axis {
            scale: x,
            ticks: numbers.collect(),
            title: "measurement".to_owned(),
        },
        y: Axis::new(y, 4.0, comparison.unit.name()),
        height: HEIGHT,
        curves: Vec::new(),
        marks: html! { @for &(number, ends) in &points { (series_point((&x, &y), 0, number, ends)) } },
    };
    html! { figure { figcaption { (piece.piece) } (plot.draw()) } }
}

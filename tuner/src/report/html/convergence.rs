//! Interval widths by number of games, extrapolated to more games.

use assay_cli::chart::{Axis, Curve, Plot, Scale};
use assay_cli::format::grouped;
use maud::{Markup, html};

use crate::values::inference::convergence::{Convergence, HalfWidth};
use crate::values::inference::units::Unit;
use crate::values::results::MeasurementReport;

const HEIGHT: f64 = 120.0;

/// Half-widths over games, both logarithmic, so that the square-root law is a straight line.
pub(super) fn plot(report: &MeasurementReport) -> Markup {
    let convergence = &report.convergence;
    let (Some(first), Some(last)) = (convergence.steps.first(), convergence.steps.last()) else {
        return html! {};
    };
    // Files of earlier versions have widths in pawns only.
    let has_army = last.half_widths.iter().any(|half_width| half_width.army.is_some());
    let unit = if has_army { Unit::Army } else { Unit::Pawns };
    let pieces = pieces(convergence, unit);
    let widths = || pieces.iter().flat_map(|(_, points)| points).map(|&(_, width)| width);
    let Some(widest) = widths().reduce(f64::max) else {
        return html! { p.note { "No interval is bounded yet." } };
    };
    let narrowest = widths().fold(f64::INFINITY, f64::min);
    let target = convergence.games_to_halve as f64;
    let x = Scale::width((first.games * 0.9, target * 1.05)).logarithmic();
    let y = Scale::pixels((narrowest / 2.3, widest * 1.15), (HEIGHT, 0.0)).logarithmic();
    let ticks = vec![
        (last.games, grouped(last.games.round() as u64)),
        (target, grouped(target.round() as u64)),
    ];
    let panel = |piece: &str, points: Vec<(f64, f64)>| {
        let now = points.last().map_or(1.0, |&(_, width)| width);
        let plot = Plot {
            description: &format!("Half-width of the interval of the {piece} by number of games"),
            x: Axis {
                scale: x,
                ticks: ticks.clone(),
                title: "games".to_owned(),
            },
            y: Axis::new(y, 0.0, &format!("half-width, {}", unit.name())),
            height: HEIGHT,
            curves: vec![Curve {
                extension: vec![(last.games, now), (target, now / 2.0)],
                points,
                ..Curve::default()
            }],
            marks: html! {},
        };
        html! { figure { figcaption { (piece) " \u{b1}" (format!("{now:.2}")) } (plot.draw()) } }
    };
    html! {
        div.panels { @for (piece, points) in pieces { (panel(piece, points)) } }
        p.note { "Both scales are logarithmic. Solid: these games and parts of them. Dashed: the square-root law, down to half of the present width. \
                  The titles give the present half-widths." }
    }
}

/// Each piece with its bounded half-widths by number of games; pieces whose interval is still unbounded are left out.
fn pieces(convergence: &Convergence, unit: Unit) -> Vec<(&str, Vec<(f64, f64)>)> {
    let Some(last) = convergence.steps.last() else {
        return Vec::new();
    };
    let width = |half_width: &HalfWidth| match unit {
        Unit::Army => half_width.army,
        _ => half_width.pawns,
    };
    let bounded = last.half_widths.iter().filter(|half_width| width(half_width).is_some());
    bounded
        .map(|half_width| {
            let piece = half_width.piece.as_str();
            let steps = convergence.steps.iter();
            let points = steps.filter_map(|step| Some((step.games, width(step.of(piece)?)?)));
            (piece, points.collect())
        })
        .collect()
}

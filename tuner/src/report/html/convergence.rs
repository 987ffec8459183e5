//! Interval widths by number of games, extrapolated to more games.

use assay_cli::chart::{Axis, Curve, Plot, Scale};
use assay_cli::format::grouped;
use maud::{Markup, html};

use crate::values::inference::convergence::{Convergence, ConvergenceStep};
use crate::values::results::MeasurementReport;

const HEIGHT: f64 = 120.0;

/// Half-widths over games, both logarithmic, so that the square-root law is a straight line.
pub(super) fn plot(report: &MeasurementReport) -> Markup {
    let convergence = &report.convergence;
    let (Some(first), Some(last)) = (convergence.steps.first(), convergence.steps.last()) else {
        return html! {};
    };
    let pieces = pieces(convergence);
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
            y: Axis::new(y, 0.0, "half-width in pawns"),
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
fn pieces(convergence: &Convergence) -> Vec<(&str, Vec<(f64, f64)>)> {
    let Some(last) = convergence.steps.last() else {
        return Vec::new();
    };
    let known = |step: &ConvergenceStep, piece: usize| Some((step.games, step.half_widths[piece].pawns?));
    last.half_widths
        .iter()
        .enumerate()
        .filter(|(_, half_width)| half_width.pawns.is_some())
        .map(|(piece, half_width)| {
            let points = convergence.steps.iter().filter_map(|step| known(step, piece));
            (half_width.piece.as_str(), points.collect())
        })
        .collect()
}

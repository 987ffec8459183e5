//! Charts of Elo and LLR against the number of pairs (or games).

use assay_cli::chart::{Axis, Curve, Ends, Plot, Scale, extent};
use assay_cli::format::grouped;
use maud::{Markup, html};

use super::SprtReport;
use crate::statistics::EloEstimate;
use crate::tournament::score::MatchScore;

/// Height of the plotting area in pixels.
const HEIGHT: f64 = 254.0;

/// Ticks of an axis.
const TICKS: f64 = 6.0;

/// Limit on the points of a curve; more would not be visible.
const MAX_POINTS: usize = 400;

/// Elo is clamped to this: after the first pairs it may be infinite.
const MAX_ELO: f64 = 400.0;

/// The state of a match after some observations.
pub(super) struct Point {
    observations: f64,
    elo: Ends,
    llr: f64,
}

/// The history of a match: its state after each observation, or after each of a few hundred.
pub(super) fn history(score: &MatchScore) -> Vec<Point> {
    let history = &score.history;
    let step = history.len().div_ceil(MAX_POINTS).max(1);
    let mut counts = score.observation_counts.emptied();
    // The history of pairs does not hold the single games of a Bayesian test: interpolate to its
    // final LLR.
    let sprt = score.sprt.filter(|sprt| !sprt.tests_single_games());
    let mut points = Vec::new();
    for (index, &result) in history.iter().enumerate() {
        counts.add(result);
        let observations = index + 1;
        if !observations.is_multiple_of(step) && observations != history.len() {
            continue;
        }
        let Some(elo) = EloEstimate::from_counts(&counts).map(|estimate| estimate.elo) else {
            continue;
        };
        let llr = sprt.map_or_else(|| score.llr * observations as f64 / history.len() as f64, |sprt| sprt.llr(&counts));
        let (low, value, high) = elo.all_ends();
        let [low, value, high] = [low, value, high].map(|elo| elo.clamp(-MAX_ELO, MAX_ELO));
        points.push(Point { observations: observations as f64, elo: (low, value, high), llr });
    }
    points
}

/// Elo with its confidence interval; `unit` is `pair` or `game`.
pub(super) fn elo(history: &[Point], unit: &str) -> Markup {
    // The wide intervals of the first tenth would squeeze the rest.
    let settled = history[history.len() / 10..].iter().flat_map(|point| [point.elo.0, point.elo.2]);
    let (min, max) = extent(settled.chain([0.0])).unwrap_or_default();
    let room = ((max - min) * 0.05).max(1.0);
    let band = history.iter().map(|point| (point.observations, point.elo.0, point.elo.2));
    draw(history, "Elo", unit, (min - room, max + room), |point| point.elo.1, band.collect(), |_| html! {})
}

/// The log-likelihood ratio between its bounds.
pub(super) fn llr(history: &[Point], sprt: &SprtReport, unit: &str) -> Markup {
    let ends = history.iter().map(|point| point.llr).chain([sprt.lower, sprt.upper]);
    let (min, max) = extent(ends).unwrap_or_default();
    let bounds = |y: &Scale| {
        let (lower, upper) = (y.at(sprt.lower), y.at(sprt.upper));
        html! {
            @for bound in [upper, lower] { line.curve.dashed.c1 x1="0" x2="100%" y1=(bound) y2=(bound) {} }
            text x="8" y=(upper + 16.0) { "H1: " (sprt.test.elo1) }
            text x="8" y=(lower - 6.0) { "H0: " (sprt.test.elo0) }
        }
    };
    let name = "log-likelihood ratio";
    draw(history, name, unit, (min - 0.3, max + 0.3), |point| point.llr, Vec::new(), bounds)
}

/// A chart of one number by observations, with a dot at its end.
fn draw(
    history: &[Point],
    name: &str,
    unit: &str,
    domain: (f64, f64),
    value: impl Fn(&Point) -> f64,
    band: Vec<Ends>,
    marks: impl Fn(&Scale) -> Markup,
) -> Markup {
    let Some(last) = history.last() else {
        return html! { p { "No " (unit) " counts yet." } };
    };
    let x = Scale::width((0.0, last.observations));
    let y = Scale::pixels(domain, (HEIGHT, 0.0));
    let points = history.iter().map(|point| (point.observations, value(point)));
    let marks = html! {
        (marks(&y))
        line.claim x1="0" x2="100%" y1=(y.at(0.0)) y2=(y.at(0.0)) {}
        circle.dot.s0 cx=(x.coordinate(last.observations)) cy=(y.at(value(last))) r="5" {}
    };
    let mut x_axis = Axis::new(x, TICKS, &format!("number of {unit}s"));
    for (_, label) in &mut x_axis.ticks {
        *label = grouped(&label);
    }
    Plot {
        description: &format!("{name} by number of {unit}s"),
        x: x_axis,
        y: Axis::new(y, TICKS, name),
        height: HEIGHT,
        curves: vec![Curve { points: points.collect(), band, ..Curve::default() }],
        points: &[],
        marks,
    }
    .draw()
}

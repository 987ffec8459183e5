//! How the intervals narrowed, and how they would go on.

use maud::{Markup, html};

use super::axis::{Axis, apart};
use crate::report::words;
use crate::values::inference::convergence::{Convergence, Step};
use crate::values::results::Analysis;

const WIDTH: f64 = 920.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 730.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 380.0;

/// Half-widths over games, both logarithmic, so that the square-root law is a straight line.
pub(super) fn plot(analysis: &Analysis) -> Markup {
    let convergence = &analysis.convergence;
    let Some(last) = convergence.steps.last() else {
        return html! {};
    };
    let curves = curves(convergence);
    let widths: Vec<f64> = curves
        .iter()
        .flat_map(|curve| &curve.points)
        .map(|&(_, width)| width)
        .collect();
    if widths.is_empty() {
        return html! { p.note { "No interval is bounded yet." } };
    }
    let most = widths.iter().copied().fold(0.0, f64::max);
    let least = widths.iter().copied().fold(f64::INFINITY, f64::min);
    let first = convergence.steps.first().map_or(last.games, |step| step.games);
    let goal = convergence.games_to_halve as f64;
    let x = Axis {
        range: (first.ln() - 0.1, goal.ln() + 0.05),
        pixels: (LEFT, RIGHT),
    };
    let y = Axis {
        range: ((least / 2.3).ln(), (most * 1.15).ln()),
        pixels: (BOTTOM, TOP),
    };
    let labels: Vec<f64> = curves.iter().map(|curve| y.at((curve.end() / 2.0).ln())).collect();
    let labels = apart(&labels, 17.0, (TOP, BOTTOM - 10.0));
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {}", BOTTOM + 62.0)) role="img" aria-label="Half-width of each interval over the number of games" {
            text.soft x=(LEFT) y=(TOP - 16.0) { "half of the interval's width, in pawns: lower is sharper" }
            @for width in round_numbers(least / 2.3, most * 1.15) {
                line.grid x1=(LEFT) x2=(RIGHT) y1=(y.at(width.ln())) y2=(y.at(width.ln())) {}
                text.soft x=(LEFT - 8.0) y=(y.at(width.ln()) + 5.0) text-anchor="end" { (width) }
            }
            (upright(&x, last.games, "now"))
            (upright(&x, goal, "half as wide"))
            @if x.at(last.games.ln()) - x.at(first.ln()) > 90.0 { (upright(&x, first, "")) }
            line.axis x1=(LEFT) x2=(RIGHT) y1=(BOTTOM) y2=(BOTTOM) {}
            text.soft x=(f64::midpoint(LEFT, RIGHT)) y=(BOTTOM + 56.0) text-anchor="middle" { "games (both scales logarithmic); dashed: what the square-root law expects" }
            @for (index, curve) in curves.iter().enumerate() {
                path class=(format!("curve c{}", index % 8)) d=(path(&curve.points, &x, &y)) {}
                path class=(format!("curve later c{}", index % 8))
                    d=(path(&[(last.games, curve.end()), (goal, curve.end() / 2.0)], &x, &y)) {}
                circle class=(format!("f{}", index % 8)) cx=(x.at(last.games.ln())) cy=(y.at(curve.end().ln())) r="4" {}
                line class=(format!("curve c{}", index % 8)) x1=(RIGHT + 2.0) x2=(RIGHT + 14.0)
                    y1=(y.at((curve.end() / 2.0).ln())) y2=(labels[index]) {}
                text x=(RIGHT + 18.0) y=(labels[index] + 5.0) { (curve.piece) " ±" (format!("{:.2}", curve.end())) " now" }
            }
        }
    }
}

/// A piece's half-widths, as far as they are known; the last one always is.
struct Curve<'a> {
    piece: &'a str,
    /// Games and half-width.
    points: Vec<(f64, f64)>,
}

impl Curve<'_> {
    fn end(&self) -> f64 {
        self.points.last().map_or(1.0, |&(_, width)| width)
    }
}

fn curves(convergence: &Convergence) -> Vec<Curve<'_>> {
    let Some(last) = convergence.steps.last() else {
        return Vec::new();
    };
    let known = |step: &Step, piece: usize| Some((step.games, step.half_widths[piece].pawns?));
    last.half_widths
        .iter()
        .enumerate()
        .filter(|(_, half_width)| half_width.pawns.is_some())
        .map(|(piece, half_width)| Curve {
            piece: &half_width.piece,
            points: convergence.steps.iter().filter_map(|step| known(step, piece)).collect(),
        })
        .collect()
}

/// A line at a number of games, with the number below.
fn upright(x: &Axis, games: f64, what: &str) -> Markup {
    let at = x.at(games.ln());
    html! {
        line.grid x1=(at) x2=(at) y1=(TOP) y2=(BOTTOM) {}
        text.soft x=(at) y=(BOTTOM + 18.0) text-anchor="middle" { (words::thousands(games.round() as u64)) }
        text.soft x=(at) y=(BOTTOM + 35.0) text-anchor="middle" { (what) }
    }
}

fn path(points: &[(f64, f64)], x: &Axis, y: &Axis) -> String {
    let mut text = String::new();
    for &(games, width) in points {
        let command = if text.is_empty() { 'M' } else { 'L' };
        text += &format!("{command}{} {}", x.at(games.ln()), y.at(width.ln()));
    }
    text
}

/// 1, 2 and 5 times powers of ten between two numbers.
fn round_numbers(low: f64, high: f64) -> Vec<f64> {
    let powers = (low.log10().floor() as i32)..=(high.log10().ceil() as i32);
    let numbers = powers.flat_map(|power| {
        [1.0, 2.0, 5.0].map(|factor: f64| {
            // Division keeps 0.2 from being 0.20000000000000001.
            if power < 0 {
                factor / 10_f64.powi(-power)
            } else {
                factor * 10_f64.powi(power)
            }
        })
    });
    numbers.filter(|&number| (low..=high).contains(&number)).collect()
}

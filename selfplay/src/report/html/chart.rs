//! Charts of Elo and LLR against the number of pairs (or games).

use assay_cli::format::{decimals, grouped};
use maud::{Markup, html};

use crate::report::SprtReport;
use crate::statistics::{EloEstimate, ResultCounts};
use crate::tournament::score::MatchScore;

const WIDTH: f64 = 920.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 885.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 270.0;

/// Limit on the points of a curve; more would not be visible.
const MAX_POINTS: usize = 400;

/// Elo is clamped to this: after the first pairs it may be infinite.
const MAX_ELO: f64 = 400.0;

/// The course of a match: its state after each observation.
pub(super) struct History {
    points: Vec<Point>,
}

struct Point {
    observations: f64,
    elo: f64,
    low: f64,
    high: f64,
    llr: f64,
}

impl History {
    pub(super) fn new(score: &MatchScore) -> History {
        let history = score.history();
        let step = history.len().div_ceil(MAX_POINTS).max(1);
        let mut counts = if score.is_paired() {
            ResultCounts::of_pairs(score.results())
        } else {
            ResultCounts::of_games(score.results())
        };
        // The history of pairs does not hold the single games of a Bayesian test: interpolate to its final LLR.
        let sprt = score.sprt().filter(|_| !score.tests_single_games());
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
            let llr = sprt.map_or_else(
                || score.llr() * observations as f64 / history.len() as f64,
                |sprt| sprt.llr(&counts),
            );
            points.push(Point {
                observations: observations as f64,
                elo: elo.value.clamp(-MAX_ELO, MAX_ELO),
                low: elo.low.clamp(-MAX_ELO, MAX_ELO),
                high: elo.high.clamp(-MAX_ELO, MAX_ELO),
                llr,
            });
        }
        History { points }
    }
}

/// A linear scale from numbers to pixels.
struct Scale {
    from: f64,
    to: f64,
    pixels: (f64, f64),
}

impl Scale {
    fn at(&self, number: f64) -> f64 {
        let share = (number - self.from) / (self.to - self.from);
        let pixel = self.pixels.0 + share * (self.pixels.1 - self.pixels.0);
        (pixel * 10.0).round() / 10.0
    }

    /// About six round numbers on the scale.
    fn ticks(&self) -> Vec<f64> {
        let rough = (self.to - self.from) / 6.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|factor| factor * power)
            .find(|step| *step >= rough);
        let step = step.unwrap_or(10.0 * power);
        let (first, last) = ((self.from / step).ceil() as i64, (self.to / step).floor() as i64);
        (first..=last).map(|number| number as f64 * step).collect()
    }
}

fn frame(title: &str, x: &Scale, y: &Scale, inside: &Markup) -> Markup {
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(title) {
            @for tick in y.ticks() {
                line.grid x1=(LEFT) x2=(RIGHT) y1=(y.at(tick)) y2=(y.at(tick)) {}
                text.soft x=(LEFT - 8.0) y=(y.at(tick) + 4.0) text-anchor="end" { (label(tick)) }
            }
            @for tick in x.ticks() {
                text.soft x=(x.at(tick)) y=(BOTTOM + 20.0) text-anchor="middle" { (label(tick)) }
            }
            line.axis x1=(LEFT) x2=(RIGHT) y1=(BOTTOM) y2=(BOTTOM) {}
            (inside)
            text.soft x=(f64::midpoint(LEFT, RIGHT)) y=(BOTTOM + 42.0) text-anchor="middle" { (title) }
        }
    }
}

/// A number with at most two decimals.
fn label(number: f64) -> String {
    let text = decimals(number, 2);
    grouped(text.trim_end_matches('0').trim_end_matches('.'))
}

fn path(points: &[(f64, f64)]) -> String {
    points
        .iter()
        .enumerate()
        .map(|(at, (x, y))| format!("{}{x} {y}", if at == 0 { 'M' } else { 'L' }))
        .collect()
}

fn x_scale(history: &History) -> Scale {
    Scale {
        from: 0.0,
        to: history.points.last().map_or(1.0, |point| point.observations),
        pixels: (LEFT, RIGHT),
    }
}

/// Elo with its confidence interval; `unit` is `pair` or `game`.
pub(super) fn elo(history: &History, unit: &str) -> Markup {
    if history.points.is_empty() {
        return html! { p { "No " (unit) " counts yet." } };
    }
    // The wide intervals of the first tenth would squeeze the rest.
    let settled = &history.points[history.points.len() / 10..];
    let min = settled.iter().map(|point| point.low).fold(0.0, f64::min);
    let max = settled.iter().map(|point| point.high).fold(0.0, f64::max);
    let room = ((max - min) * 0.05).max(1.0);
    let x = x_scale(history);
    let y = Scale {
        from: min - room,
        to: max + room,
        pixels: (BOTTOM, TOP),
    };
    let within = |value: f64| y.at(value.clamp(y.from, y.to));
    let lower = history
        .points
        .iter()
        .map(|point| (x.at(point.observations), within(point.low)));
    let upper = history
        .points
        .iter()
        .map(|point| (x.at(point.observations), within(point.high)));
    let band: Vec<(f64, f64)> = upper.chain(lower.rev()).collect();
    let line: Vec<(f64, f64)> = history
        .points
        .iter()
        .map(|point| (x.at(point.observations), within(point.elo)))
        .collect();
    let inside = html! {
        path.band d=(path(&band) + "Z") {}
        line.zero x1=(LEFT) x2=(RIGHT) y1=(y.at(0.0)) y2=(y.at(0.0)) {}
        path.curve d=(path(&line)) {}
        @if let Some(&(at_x, at_y)) = line.last() { circle.dot cx=(at_x) cy=(at_y) r="4" {} }
    };
    frame(&format!("Elo by number of {unit}s"), &x, &y, &inside)
}

/// The log-likelihood ratio between its bounds.
pub(super) fn llr(history: &History, sprt: &SprtReport, unit: &str) -> Markup {
    let (lower, upper) = (sprt.lower, sprt.upper);
    let min = history.points.iter().map(|point| point.llr).fold(lower, f64::min);
    let max = history.points.iter().map(|point| point.llr).fold(upper, f64::max);
    let x = x_scale(history);
    let y = Scale {
        from: min - 0.3,
        to: max + 0.3,
        pixels: (BOTTOM, TOP),
    };
    let line: Vec<(f64, f64)> = history
        .points
        .iter()
        .map(|point| (x.at(point.observations), y.at(point.llr)))
        .collect();
    let inside = html! {
        line.bound x1=(LEFT) x2=(RIGHT) y1=(y.at(upper)) y2=(y.at(upper)) {}
        line.bound x1=(LEFT) x2=(RIGHT) y1=(y.at(lower)) y2=(y.at(lower)) {}
        text x=(LEFT + 8.0) y=(y.at(upper) + 16.0) { "H1: " (sprt.elo1) }
        text x=(LEFT + 8.0) y=(y.at(lower) - 6.0) { "H0: " (sprt.elo0) }
        line.zero x1=(LEFT) x2=(RIGHT) y1=(y.at(0.0)) y2=(y.at(0.0)) {}
        path.curve d=(path(&line)) {}
        @if let Some(&(at_x, at_y)) = line.last() { circle.dot cx=(at_x) cy=(at_y) r="4" {} }
    };
    frame(&format!("log-likelihood ratio by number of {unit}s"), &x, &y, &inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let scale = Scale {
            from: -13.0,
            to: 31.0,
            pixels: (0.0, 100.0),
        };
        assert_eq!(scale.ticks(), [-10.0, 0.0, 10.0, 20.0, 30.0]);
        assert_eq!(
            (label(-0.001), label(2.5), label(40.0)),
            ("0".to_owned(), "2.5".to_owned(), "40".to_owned())
        );
    }
}

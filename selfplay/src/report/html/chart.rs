//! Curves over the pairs that were played.

use maud::{Markup, html};

use crate::statistics::{EloEstimate, ResultCounts};
use crate::tournament::score::MatchScore;

const WIDTH: f64 = 920.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 900.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 270.0;

/// More points than this are thinned out: nobody sees them.
const MOST_POINTS: usize = 400;

/// Elo beyond this is cut off: the first pairs would hide the rest.
const MOST_ELO: f64 = 400.0;

/// How the match went.
pub(super) struct Course {
    points: Vec<Point>,
}

/// The state after so many rounds.
struct Point {
    rounds: f64,
    elo: f64,
    low: f64,
    high: f64,
    llr: f64,
}

impl Course {
    pub(super) fn of(standing: &MatchScore) -> Course {
        let history = standing.history();
        let step = history.len().div_ceil(MOST_POINTS).max(1);
        let mut sample = if standing.is_paired() {
            ResultCounts::of_pairs(standing.results())
        } else {
            ResultCounts::of_games(standing.results())
        };
        // A Bayesian test is of single games, which the course of pairs does not tell; only its end is known.
        let test = standing.sprt().filter(|_| !standing.tests_singles());
        let mut points = Vec::new();
        for (at, &score) in history.iter().enumerate() {
            sample.add(score);
            let rounds = at + 1;
            if !rounds.is_multiple_of(step) && rounds != history.len() {
                continue;
            }
            let Some(elo) = EloEstimate::from_counts(&sample).map(|estimate| estimate.elo) else {
                continue;
            };
            let llr = test.map_or_else(
                || standing.llr() * rounds as f64 / history.len() as f64,
                |test| test.llr(&sample),
            );
            points.push(Point {
                rounds: rounds as f64,
                elo: elo.value.clamp(-MOST_ELO, MOST_ELO),
                low: elo.low.clamp(-MOST_ELO, MOST_ELO),
                high: elo.high.clamp(-MOST_ELO, MOST_ELO),
                llr,
            });
        }
        Course { points }
    }
}

/// A scale: numbers to pixels.
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

    /// Round numbers on the scale, some six of them.
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

/// A number without a tail of rounding errors.
fn label(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn path(points: &[(f64, f64)]) -> String {
    points
        .iter()
        .enumerate()
        .map(|(at, (x, y))| format!("{}{x} {y}", if at == 0 { 'M' } else { 'L' }))
        .collect()
}

/// Round numbers as x axis.
fn rounds(course: &Course) -> Scale {
    Scale {
        from: 0.0,
        to: course.points.last().map_or(1.0, |point| point.rounds),
        pixels: (LEFT, RIGHT),
    }
}

/// Elo with its interval.
pub(super) fn elo(course: &Course) -> Markup {
    if course.points.is_empty() {
        return html! { p { "No pair is finished yet." } };
    }
    // The beginning tells nothing and would squeeze the rest.
    let settled = &course.points[course.points.len() / 10..];
    let least = settled.iter().map(|point| point.low).fold(0.0, f64::min);
    let most = settled.iter().map(|point| point.high).fold(0.0, f64::max);
    let room = ((most - least) * 0.05).max(1.0);
    let x = rounds(course);
    let y = Scale {
        from: least - room,
        to: most + room,
        pixels: (BOTTOM, TOP),
    };
    let within = |value: f64| y.at(value.clamp(y.from, y.to));
    let lower = course
        .points
        .iter()
        .map(|point| (x.at(point.rounds), within(point.low)));
    let upper = course
        .points
        .iter()
        .map(|point| (x.at(point.rounds), within(point.high)));
    let band: Vec<(f64, f64)> = upper.chain(lower.rev()).collect();
    let line: Vec<(f64, f64)> = course
        .points
        .iter()
        .map(|point| (x.at(point.rounds), within(point.elo)))
        .collect();
    let inside = html! {
        path.band d=(path(&band) + "Z") {}
        line.zero x1=(LEFT) x2=(RIGHT) y1=(y.at(0.0)) y2=(y.at(0.0)) {}
        path.curve d=(path(&line)) {}
        @if let Some(&(at_x, at_y)) = line.last() { circle.dot cx=(at_x) cy=(at_y) r="4" {} }
    };
    frame("Elo by pairs counted", &x, &y, &inside)
}

/// The log-likelihood ratio between its bounds.
pub(super) fn llr(course: &Course, standing: &MatchScore) -> Markup {
    let Some(sprt) = standing.sprt() else { return html! {} };
    let (lower, upper) = sprt.bounds();
    let least = course.points.iter().map(|point| point.llr).fold(lower, f64::min);
    let most = course.points.iter().map(|point| point.llr).fold(upper, f64::max);
    let x = rounds(course);
    let y = Scale {
        from: least - 0.3,
        to: most + 0.3,
        pixels: (BOTTOM, TOP),
    };
    let line: Vec<(f64, f64)> = course
        .points
        .iter()
        .map(|point| (x.at(point.rounds), y.at(point.llr)))
        .collect();
    let inside = html! {
        line.bound x1=(LEFT) x2=(RIGHT) y1=(y.at(upper)) y2=(y.at(upper)) {}
        line.bound x1=(LEFT) x2=(RIGHT) y1=(y.at(lower)) y2=(y.at(lower)) {}
        text x=(LEFT + 8.0) y=(y.at(upper) + 16.0) { "H1: " (sprt.elo1()) }
        text x=(LEFT + 8.0) y=(y.at(lower) - 6.0) { "H0: " (sprt.elo0()) }
        line.zero x1=(LEFT) x2=(RIGHT) y1=(y.at(0.0)) y2=(y.at(0.0)) {}
        path.curve d=(path(&line)) {}
        @if let Some(&(at_x, at_y)) = line.last() { circle.dot cx=(at_x) cy=(at_y) r="4" {} }
    };
    frame("log-likelihood ratio by pairs counted", &x, &y, &inside)
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

//! Values over the course of the game, and by the other methods.

use maud::{Markup, html};

use super::axis::{Axis, apart};
use super::playtest_plot;
use crate::report::words;
use crate::values::design::phase::PhaseModel;
use crate::values::inference::estimate::Value;
use crate::values::playtest::Playtest;
use crate::values::results::Analysis;

const WIDTH: f64 = 920.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 660.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 380.0;

/// Points of a curve.
const STEPS: u32 = 40;

pub(super) fn section(analysis: &Analysis) -> Markup {
    html! {
        section {
            h2 { "Values over the course of the game" }
            @if analysis.fit.phase_model != PhaseModel::Constant {
                p { "Each piece in pawns as they are worth at the same stage, from the full board to the bare one. The table above is for "
                    (words::percent(analysis.fit.pieces_left)) " of the pieces left, the average of these games. With few pieces the lines say little of a piece's power: \
                     a position in which somebody sees a mate is not quiet, so whoever has more and is about to win does not count." }
                (plot(analysis))
            }
            (table(analysis))
            @if let Some(agreement) = &analysis.agreement {
                h3 { "The two methods side by side" }
                (playtest_plot::both(agreement))
            }
            @if let Some(playtest) = &analysis.playtest { (curves(playtest)) }
        }
    }
}

fn table(analysis: &Analysis) -> Markup {
    let both = |value: &Value| {
        let mut all = analysis.agreement.iter().flat_map(|agreement| &agreement.values);
        all.find(|both| both.piece == value.piece)
    };
    html! {
        div.scroll { table {
            thead { tr {
                th { "piece" }
                th.number { "full board" }
                th.number { "1/4 of the pieces" }
                th.number { "average, pairs drawn anew" }
                th.number { "average, fractional fit" }
                th.number { "games for ±0.1, or 2%" }
                @if analysis.agreement.is_some() {
                    th.number { "full board, the first to go" }
                    th.number { "the same by playtest" }
                }
            } }
            tbody { @for value in analysis.values.iter().filter(|value| value.interval.is_some()) {
                tr {
                    td.piece { (value.piece) }
                    td.number { (words::measured(value.full)) }
                    td.number { (words::measured(value.few)) }
                    td.number { @match value.resampled { Some([low, high]) => { (format!("{low:.2} to {high:.2}")) } None => "—" } }
                    td.number { (words::decimals(value.cross_check)) }
                    td.number { (words::games(value.games_needed)) }
                    @if analysis.agreement.is_some() {
                        @match both(value) {
                            Some(both) => {
                                td.number { (words::pawns(&both.regression)) }
                                td.number.outside[!both.agrees] { (words::pawns(&both.playtest)) }
                            }
                            None => { td.number { "—" } td.number { "—" } }
                        }
                    }
                }
            } }
        } }
    }
}

/// A piece's value in pawns by the share of pieces left.
fn curve(analysis: &Analysis, value: &Value) -> Option<Vec<(f64, f64)>> {
    let estimate = &analysis.estimate;
    let term = estimate
        .columns
        .fitted_terms()
        .find(|&term| estimate.columns.name(term) == value.piece)?;
    let pawn = estimate.columns.pawn();
    let at = |left: f64| Some((left, estimate.ratio(term, pawn, left)?.estimate()));
    (0..=STEPS)
        .map(|step| at(1.0 - f64::from(step) / f64::from(STEPS)))
        .collect()
}

fn plot(analysis: &Analysis) -> Markup {
    let pieces = analysis
        .values
        .iter()
        .filter(|value| value.letter.is_some() && value.interval.is_some());
    let curves: Vec<(&Value, Vec<(f64, f64)>)> = pieces
        .filter_map(|value| Some((value, curve(analysis, value)?)))
        .collect();
    let numbers = || {
        curves
            .iter()
            .flat_map(|(_, points)| points.iter().map(|&(_, value)| value))
    };
    let greatest = numbers().fold(1.0, f64::max).min(40.0);
    let x = Axis {
        range: (-1.0, 0.0),
        pixels: (LEFT, RIGHT),
    };
    let y = Axis {
        range: (0.0, greatest * 1.05),
        pixels: (BOTTOM, TOP),
    };
    let wanted: Vec<f64> = curves
        .iter()
        .map(|(_, points)| points.last().map_or(BOTTOM, |&(_, value)| y.at(value)))
        .collect();
    let labels = apart(&wanted, 18.0, (TOP, BOTTOM));
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {}", BOTTOM + 50.0)) role="img" aria-label="Value of each piece by the share of pieces left" {
            text.soft x=(LEFT) y=(TOP - 16.0) { "value in pawns" }
            @for tick in y.ticks(8.0).0 {
                line.grid x1=(LEFT) x2=(RIGHT) y1=(y.at(tick)) y2=(y.at(tick)) {}
                text.soft x=(LEFT - 8.0) y=(y.at(tick) + 5.0) text-anchor="end" { (tick) }
            }
            @for (left, what) in [(1.0, "full board"), (0.75, "3/4 of the pieces"), (0.5, "half"), (0.25, "1/4"), (0.0, "bare board")] {
                text.soft x=(x.at(-left)) y=(BOTTOM + 20.0) text-anchor="middle" { (what) }
            }
            line.axis x1=(LEFT) x2=(RIGHT) y1=(BOTTOM) y2=(BOTTOM) {}
            @for (index, (value, points)) in curves.iter().enumerate() {
                path class=(format!("curve c{}", index % 8)) d=(path(points, &x, &y)) {}
                text x=(RIGHT + 18.0) y=(labels[index] + 5.0) { (value.piece) }
                line class=(format!("curve c{}", index % 8)) x1=(RIGHT + 2.0) x2=(RIGHT + 14.0) y1=(wanted[index]) y2=(labels[index]) {}
            }
        }
    }
}

fn path(points: &[(f64, f64)], x: &Axis, y: &Axis) -> String {
    let mut text = String::new();
    for &(left, value) in points {
        let command = if text.is_empty() { 'M' } else { 'L' };
        text += &format!("{command}{} {}", x.at(-left), y.at(value));
    }
    text
}

/// What each comparison scored, and what the values expect of it.
fn curves(playtest: &Playtest) -> Markup {
    html! {
        h3 { "Matches from unequal armies" }
        p { "What each comparison scored for the army that comes first, how many pawns that army is behind by its score, and by all values \
             together. A missing pawn costs " (format!("{:.3} ± {:.3}", playtest.pawn_log_odds, 2.0 * playtest.pawn_log_odds_error)) " log-odds." }
        (playtest_plot::curve(playtest))
        div.scroll { table {
            thead { tr {
                th { "missing / missing" } th.number { "pairs" } th.number { "score" } th.number { "pawns behind" } th.number { "by the values" }
            } }
            tbody { @for comparison in &playtest.comparisons { tr {
                td { (comparison.material) }
                td.number { (words::thousands(comparison.pairs)) }
                td.number { (format!("{:.3} ± {:.3}", comparison.score, 2.0 * comparison.score_error)) }
                td.number { @match comparison.pawns {
                    Some(pawns) => { (words::pawns(&pawns)) }
                    None => "—"
                } }
                td.number { (words::decimals(Some(comparison.fitted))) }
            } } }
        } }
    }
}

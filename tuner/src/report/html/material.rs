//! What a difference in material is worth: score and Elo.

use assay_cli::chart::{Axis, Curve, Plot, Scale, series_point};
use maud::{Markup, html};

use super::forest::{self, MIDDLE, Row};
use crate::values::design::phase::{FEW, FULL};
use crate::values::inference::diagnostics::MaterialScore;
use crate::values::inference::verdict::ValueVerdict;
use crate::values::results::MeasurementReport;

const HEIGHT: f64 = 320.0;

/// Points of a curve.
const STEPS: u32 = 48;

/// Stages of the game, with a share of pieces left that stands for each in files without groups by material.
const STAGES: [(&str, f64); 2] = [("at least 3/4 of the pieces left", 1.0), ("1/4 to 3/4", 0.5)];

fn stage_of(left: f64) -> usize {
    usize::from(left < FULL)
}

/// Elo difference at which a side scores this much on average.
fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

fn score_at(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The section; `None` without a pawn to measure differences in.
pub(super) fn section(report: &MeasurementReport) -> Option<Markup> {
    let unit = report.values.iter().find(|value| value.verdict == ValueVerdict::Unit)?;
    let elo = elo_of_pieces(report);
    Some(html! {
        section {
            h2 { "What material is worth in results" }
            p {
                "The expected score of the side that is ahead by so many " (unit.piece) "s, worth what they are at that stage of the game. "
                @if report.diagnostics.by_material.is_empty() { "Curves: the model, with all and with half of the pieces left." }
                @else { "Lines: the model. Points: positions with a similar difference, with 95% intervals." }
            }
            (forest::legend(STAGES.iter().take(stages(report)).map(|stage| stage.0)))
            (scores(report, &unit.piece))
            @if let Some(elo) = elo {
                h3 { "Elo of an extra piece" }
                p { "The Elo difference between players whose results differ as much as those of the two sides, when one has a piece more, \
                     at the strength of these players." }
                (forest::legend(["at least 3/4 of the pieces left", "1/4 of the pieces left"]))
                (elo)
            }
        }
    })
}

/// Number of stages from which there are positions; all if that is unknown.
fn stages(report: &MeasurementReport) -> usize {
    let reached = report
        .diagnostics
        .by_material
        .iter()
        .map(|group| stage_of(group.left) + 1);
    reached.max().unwrap_or(STAGES.len())
}

fn scores(report: &MeasurementReport, unit: &str) -> Markup {
    let fit = report.fitted();
    let log_odds_of_unit = |left: f64| Some(fit.log_odds(fit.regressor(unit)?, left)?.0);
    let in_units = |group: &MaterialScore| Some(group.log_odds / log_odds_of_unit(group.left)?);
    let groups: Vec<(usize, f64, &MaterialScore)> = report
        .diagnostics
        .by_material
        .iter()
        .filter_map(|group| Some((stage_of(group.left), in_units(group)?, group)))
        .collect();
    let farthest = groups
        .iter()
        .map(|&(_, units, _)| units)
        .reduce(f64::max)
        .unwrap_or(10.0);
    let farthest = (farthest * 1.05).min(25.0);
    // The share of pieces left differs within a stage, so the model's scores of the groups are joined; one share gives a smooth curve.
    let curve = |stage: usize| {
        let of_stage = groups.iter().filter(|group| group.0 == stage && group.1 <= farthest);
        let mut points: Vec<(f64, f64)> = of_stage.map(|&(_, units, group)| (units, group.expected)).collect();
        if points.is_empty() {
            let log_odds = log_odds_of_unit(STAGES[stage].1).unwrap_or_default();
            let at = |step: u32| f64::from(step) / f64::from(STEPS) * farthest;
            points.extend((0..=STEPS).map(|step| (at(step), report.expected_score(log_odds * at(step)))));
        }
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        Curve {
            points,
            ..Curve::default()
        }
    };
    let x = Scale::width((0.0, farthest));
    let y = Scale::pixels((0.45, 1.0), (HEIGHT, 0.0));
    let ticks = [0.0, 100.0, 200.0, 300.0, 400.0, 600.0];
    let tick = |elo: f64| (score_at(elo), format!("{:.0}% (+{elo:.0})", 100.0 * score_at(elo)));
    let plot = Plot {
        description: "Expected score of the side ahead by difference in material",
        x: Axis::new(x, 8.0, &format!("advantage in {unit}s")),
        y: Axis {
            scale: y,
            ticks: ticks.into_iter().map(tick).collect(),
            title: "score, and the Elo difference that gives it".to_owned(),
        },
        height: HEIGHT,
        curves: (0..stages(report)).map(curve).collect(),
        marks: html! {
            @for (stage, units, group) in groups.iter().filter(|group| x.contains(group.1)) {
                @let score = group.expected + group.residual.mean;
                @let half_width = report.fit.critical_value * group.residual.standard_error;
                (series_point((&x, &y), *stage, *units, (score - half_width, score, score + half_width)))
            }
        },
    };
    plot.draw()
}

/// Elo of each piece on a full board and with a quarter of the pieces left.
fn elo_of_pieces(report: &MeasurementReport) -> Option<Markup> {
    let fit = report.fitted();
    let at = |piece: &str, left: f64| {
        let (log_odds, error) = fit.log_odds(fit.regressor(piece)?, left)?;
        let half_width = report.fit.critical_value * error;
        let ends = [log_odds - half_width, log_odds, log_odds + half_width];
        let [low, middle, high] = ends.map(|log_odds| elo(report.expected_score(log_odds)));
        middle.is_finite().then_some((low, middle, high))
    };
    let pieces = report.values.iter().filter(|value| value.letter.is_some());
    let rows: Vec<(&str, [(f64, f64, f64); 2])> = pieces
        .filter_map(|value| Some((value.piece.as_str(), [at(&value.piece, 1.0)?, at(&value.piece, FEW)?])))
        .collect();
    let middles = || rows.iter().flat_map(|row| row.1).map(|(_, middle, _)| middle);
    let greatest = middles().reduce(f64::max)?;
    let least = middles().fold(0.0, f64::min);
    let scale = Scale::width((least * 1.1, greatest * 1.08));
    let rows = rows.into_iter().map(|(piece, stages)| Row {
        name: piece.to_owned(),
        picture: None,
        drawing: html! {
            (forest::series(&scale, MIDDLE - 8.0, 0, stages[0]))
            (forest::series(&scale, MIDDLE + 8.0, 1, stages[1]))
        },
        numbers: html! { (half_width(stages[0])) ", then " (half_width(stages[1])) },
    });
    let axis = Axis::new(scale, 6.0, "Elo");
    Some(forest::with_axis(
        "Elo of an extra piece in two stages of the game",
        &axis,
        rows.collect(),
    ))
}

/// Elo with the greater distance to an end of its interval. An expected score of 0 or 1 has no Elo.
fn half_width((low, middle, high): (f64, f64, f64)) -> String {
    let distance = (high - middle).max(middle - low);
    if distance.is_finite() {
        format!("{middle:.0} \u{b1} {distance:.0}")
    } else {
        format!("{middle:.0} (unbounded)")
    }
}

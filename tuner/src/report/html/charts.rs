//! The charts of a measurement, and what all charts share.

use assay_cli::chart::forest::{self, Row};
use assay_cli::chart::{Axis, Curve, Ends, Plot, Scale, extent, tick_label};
use assay_cli::format::{grouped, percent, plus_minus};
use assay_selfplay::statistics::elo::{elo_from_score, score_from_elo};
use maud::{Markup, html};

use super::pieces::shown;
use crate::report::format::{self, verdict_class};
use crate::values::data::Regressor;
use crate::values::design::{FEW, FULL};
use crate::values::inference::{Estimate, Fit, MaterialScore, MeasuredValue, Unit};
use crate::values::model::logistic;
use crate::values::playtest::Playtest;
use crate::values::playtest::agreement::Agreement;
use crate::values::results::MeasurementReport;

/// Height of a chart over the whole width.
const HEIGHT: f64 = 320.0;

/// Height of a small chart.
pub(in crate::report) const PANEL_HEIGHT: f64 = 160.0;

/// A chart with curves, and points with their intervals by series.
fn chart(
    description: &str,
    height: f64,
    axes: (Axis, Axis),
    curves: Vec<Curve>,
    points: &[Vec<(f64, Ends)>],
) -> Markup {
    let (x, y) = axes;
    let plot = Plot { description, x, y, height, curves, points, marks: html! {} };
    plot.draw()
}

/// A small chart with its name.
pub(in crate::report) fn panel(
    name: &str,
    axes: (Axis, Axis),
    curves: Vec<Curve>,
    points: &[Vec<(f64, Ends)>],
) -> Markup {
    let description = format!("{name} by {}", axes.0.title);
    html! { figure { figcaption { (name) } (chart(&description, PANEL_HEIGHT, axes, curves, points)) } }
}

/// An axis with these ticks.
pub(in crate::report) fn axis(scale: Scale, ticks: impl IntoIterator<Item = (f64, String)>, title: &str) -> Axis {
    Axis { ticks: ticks.into_iter().filter(|tick| scale.contains(tick.0)).collect(), scale, title: title.to_owned() }
}

/// A vertical scale of a panel with room around some numbers.
pub(in crate::report) fn around(numbers: impl IntoIterator<Item = f64>) -> Scale {
    let (least, most) = extent(numbers).unwrap_or_default();
    let margin = (0.1 * (most - least)).max(0.02);
    Scale::pixels((least - margin, most + margin), (PANEL_HEIGHT, 0.0))
}

/// A curve through points, without a label.
pub(in crate::report) fn line(points: Vec<(f64, f64)>) -> Curve {
    Curve { points, ..Curve::default() }
}

/// A curve of the value of each piece by the share of pieces left, on a scale of its own.
pub(in crate::report) fn phases(report: &MeasurementReport, unit: Unit) -> Markup {
    let fit = report.fitted();
    html! {
        div.panels { @for piece in shown(report, Some(unit)).0 { (phases_of(report, &fit, unit, piece)) } }
        p.note { "Each value is in units of the same phase. Line and band: the model with its 95% interval. Points: slices of the game, each \
                  measured by itself, without the model. Dashed: the published value. Values are measured with at least a quarter of the \
                  pieces left. Later, positions in which an extra piece is about to win are not quiet and are left out." }
    }
}

fn phases_of(report: &MeasurementReport, fit: &Fit, unit: Unit, piece: &MeasuredValue) -> Markup {
    let gone = (0..=40).map(|step| f64::from(step) / 40.0 * (1.0 - FEW));
    let values = gone.map(|gone| Some((gone, fit.value_in(unit, &piece.piece, 1.0 - gone)?)));
    let Some(values) = values.collect::<Option<Vec<_>>>() else {
        return html! {};
    };
    let points: Vec<(f64, f64)> = values.iter().map(|(gone, value)| (*gone, value.value)).collect();
    let band = values.iter().filter_map(|(gone, value)| value.ends().map(|(low, _, high)| (*gone, low, high)));
    let band: Vec<Ends> = band.collect();
    let slices = report
        .slices
        .iter()
        .filter_map(|slice| Some((1.0 - slice.left, slice.values.get(&piece.piece)?.get(&unit)?.ends()?)));
    let slices: Vec<(f64, Ends)> = slices.collect();
    let heights = points.iter().map(|point| point.1).chain(slices.iter().map(|slice| slice.1.1));
    let greatest = heights.chain(piece.published).fold(1.0, f64::max);
    // Wide bands and intervals are cut off at the top.
    let tops = band.iter().map(|band| band.2).chain(slices.iter().map(|slice| slice.1.2));
    let top = tops.filter(|&end| end < 1.5 * greatest).fold(greatest, f64::max);
    let ticks = [0.0, 0.25, 0.5, 0.75].map(|gone| (gone, percent(1.0 - gone, 0)));
    let x = axis(Scale::width((0.0, 1.0 - FEW)), ticks, "pieces left");
    let y = Axis::new(Scale::pixels((0.0, top * 1.05), (PANEL_HEIGHT, 0.0)), 4.0, unit.name());
    let mut curves = vec![Curve { band, ..line(points) }];
    curves.extend(
        piece
            .published
            .map(|published| Curve { extension: vec![(0.0, published), (1.0 - FEW, published)], ..Curve::default() }),
    );
    panel(&format::piece(&piece.piece, piece.with_half_pair), (x, y), curves, &[Vec::new(), slices])
}

const STAGES: [&str; 2] = ["at least 3/4 of the pieces left", "1/4 to 3/4"];

/// Score of the side ahead by its advantage in pawns, and the Elo of an extra piece; `None` without
/// a pawn to measure in.
pub(in crate::report) fn material(report: &MeasurementReport) -> Option<Markup> {
    let fit = report.fitted();
    let pawn = fit.game.first_pawn();
    let in_pawns = |group: &MaterialScore| Some(group.log_odds / fit.log_odds(Regressor::Kind(pawn), group.left)?.0);
    let groups = report.diagnostics.by_material.iter().filter_map(|group| {
        let stage = usize::from(group.left < FULL);
        Some((stage, in_pawns(group)?, group))
    });
    let groups: Vec<(usize, f64, &MaterialScore)> = groups.collect();
    let farthest = groups.iter().map(|group| group.1).reduce(f64::max)?;
    let x = Scale::width((0.0, (farthest * 1.05).min(25.0)));
    let y = Scale::pixels((0.45, 1.0), (HEIGHT, 0.0));
    let ticks = [0.0, 100.0, 200.0, 300.0, 400.0, 600.0];
    let tick = |elo: f64| (score_from_elo(elo), format!("{} (+{elo:.0})", percent(score_from_elo(elo), 0)));
    let of_stage = |stage: usize| groups.iter().filter(move |group| group.0 == stage && x.contains(group.1));
    // The share of pieces left differs within a stage, so the model's scores of the groups are
    // joined.
    let curve = |stage: usize| {
        let points = of_stage(stage).map(|&(_, pawns, group)| (pawns, group.expected));
        let mut points: Vec<(f64, f64)> = points.collect();
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        line(points)
    };
    let measured = |stage: usize| -> Vec<(f64, Ends)> {
        let ends = of_stage(stage).map(|&(_, pawns, group)| {
            let half_width = report.fit.critical_value * group.residual.standard_error;
            (pawns, Estimate::around(group.expected + group.residual.mean, half_width).all_ends())
        });
        ends.collect()
    };
    let pawn = &fit.game.kind(pawn).name;
    let x = Axis::new(x, 8.0, &format!("advantage in {pawn}s"));
    let y = axis(y, ticks.map(tick), "score, and the Elo difference that gives it");
    let description = "Expected score of the side ahead by difference in material";
    let points = [measured(0), measured(1)];
    let scores = chart(description, HEIGHT, (x, y), vec![curve(0), curve(1)], &points);
    Some(html! {
        p { "The expected score of the side that is ahead by so many " (pawn) "s, worth what they are at that stage of the game. Lines: the \
             model. Points: positions with a similar difference, with 95% intervals." }
        (forest::legend(STAGES))
        (scores)
        h3 { "Elo of an extra piece" }
        p { "The Elo difference between players whose results differ as much as those of the two sides, when one has a piece more, \
             at the strength of these players." }
        (forest::legend(["at least 3/4 of the pieces left", "1/4 of the pieces left"]))
        (elo_of_pieces(report))
    })
}

/// Elo of each piece on a full board and with a quarter of the pieces left.
fn elo_of_pieces(report: &MeasurementReport) -> Markup {
    let fit = report.fitted();
    let at = |piece: &str, left: f64| {
        let (log_odds, error) = fit.log_odds(fit.regressor(piece)?, left)?;
        let log_odds = Estimate::around(log_odds, report.fit.critical_value * error);
        let mut elo = log_odds.map(|log_odds| elo_from_score(report.expected_score(log_odds)))?;
        // An expected score of 0 or 1 has no Elo.
        if elo.width().is_none_or(|width| !width.is_finite()) {
            elo.interval = None;
        }
        elo.value.is_finite().then_some(elo)
    };
    let rows = fit.kinds().into_iter().filter_map(|kind| {
        let piece = &fit.game.kind(kind).name;
        let stages = [at(piece, 1.0)?, at(piece, FEW)?];
        // The greater distance to an end; the intervals are not symmetric.
        let numbers = stages.map(|stage| match stage.ends() {
            Some((low, value, high)) => plus_minus(value, (high - value).max(value - low), 0),
            None => format!("{:.0} (unbounded)", stage.value),
        });
        Some(Row {
            name: piece.clone(),
            estimates: stages.map(|stage| ("", stage.all_ends())).to_vec(),
            numbers: html! { (numbers[0]) ", then " (numbers[1]) },
            ..Row::default()
        })
    });
    let rows: Vec<Row> = rows.collect();
    forest::plot("Elo of an extra piece in two stages of the game", "Elo", Some(0.0), &rows)
}

/// Each piece by both methods.
pub(in crate::report) fn both_methods(agreement: &Agreement) -> Markup {
    let rows = agreement.values.iter().map(|value| Row {
        name: value.piece.clone(),
        estimates: [value.regression, value.playtest].map(|value| ("", value.all_ends())).to_vec(),
        numbers: html! { span.(verdict_class(value.verdict)) { (format::method_word(value.verdict)) } },
        ..Row::default()
    });
    let rows: Vec<Row> = rows.collect();
    let title = "first piece lost from a full board, in shares of the army";
    html! {
        (forest::legend(["regression", "playtest"]))
        (forest::plot("Value of each piece by both methods, with 95% intervals", title, Some(0.0), &rows))
    }
}

/// Score of each comparison of a playtest by the material that its first army is behind, with the
/// score expected for it.
pub(in crate::report) fn playtest_scores(playtest: &Playtest) -> Markup {
    let expected = |behind: f64| logistic(-playtest.unit_log_odds * behind);
    let scores = playtest.comparisons.iter().map(|comparison| (comparison.fitted, comparison.score.all_ends()));
    let scores: Vec<(f64, Ends)> = scores.collect();
    let (least, most) = extent(scores.iter().map(|score| score.0).chain([-0.5, 0.5])).unwrap_or_default();
    let (least, most) = (least - 0.25, most + 0.25);
    let ends = scores.iter().flat_map(|score| [score.1.0, score.1.2]);
    let (lowest, highest) = extent(ends.chain([expected(least), expected(most)])).unwrap_or_default();
    let curve = (0..=48).map(|step| least + f64::from(step) / 48.0 * (most - least));
    let curve = line(curve.map(|behind| (behind, expected(behind))).collect());
    let x = Axis::new(Scale::width((least, most)), 8.0, "behind by the measured values, in shares of the army");
    let y =
        Axis::new(Scale::pixels((lowest.max(0.0), highest.min(1.0)), (HEIGHT, 0.0)), 6.0, "score of the first army");
    html! {
        p { "Each dot is a comparison of two armies, with its 95% interval. The curve is the score that the values lead to expect." }
        (chart("Score of each comparison by the difference in material", HEIGHT, (x, y), vec![curve], &[scores]))
    }
}

/// Actual by predicted scores.
pub(in crate::report) fn calibration(report: &MeasurementReport) -> Markup {
    let ticks = || [0.0, 0.25, 0.5, 0.75, 1.0].map(|tick| (tick, tick_label(tick)));
    let x = axis(Scale::width((0.0, 1.0)), ticks(), "predicted score of White");
    let y = axis(Scale::pixels((0.0, 1.0), (HEIGHT, 0.0)), ticks(), "actual score of White");
    let scores = report.diagnostics.calibration.iter().map(|bin| {
        let half_width = bin.residual.half_width().unwrap_or_default();
        (bin.expected, Estimate::around(bin.expected + bin.residual.mean, half_width).all_ends())
    });
    let diagonal = line(vec![(0.0, 0.0), (1.0, 1.0)]);
    let scores = [scores.collect()];
    html! {
        p { "Positions are grouped by the score that the model predicts for White; a dot on the diagonal means that White scored exactly as \
             predicted. Bars are 95% intervals." }
        div.square { (chart("Actual score by predicted score", HEIGHT, (x, y), vec![diagonal], &scores)) }
        p { "In the table, residuals above zero have a " b { "blue" } " ground and those below zero an " b { "orange" } " one, the stronger the \
             farther they are from zero in standard errors." }
    }
}

/// Half-widths over games, both logarithmic, so that the square-root law is a straight line. Pieces
/// whose interval is still unbounded are left out.
pub(in crate::report) fn convergence(report: &MeasurementReport) -> Option<Markup> {
    let steps = &report.convergence.steps;
    let (first, last) = (steps.first()?, steps.last()?);
    let pieces = last.half_widths.iter().filter_map(|half_width| {
        let now = half_width.army?;
        let width = |piece: &str| {
            let points = steps.iter().filter_map(|step| Some((step.games, step.of(piece)?.army?)));
            points.collect::<Vec<(f64, f64)>>()
        };
        Some((half_width.piece.as_str(), now, width(&half_width.piece)))
    });
    let pieces: Vec<(&str, f64, Vec<(f64, f64)>)> = pieces.collect();
    let widths = pieces.iter().flat_map(|piece| &piece.2).map(|point| point.1);
    let (narrowest, widest) = extent(widths)?;
    let target = report.convergence.games_to_halve as f64;
    let x = Scale::width((first.games * 0.9, target * 1.05)).logarithmic();
    let y = Scale::pixels((narrowest / 2.3, widest * 1.15), (PANEL_HEIGHT, 0.0)).logarithmic();
    let panels = pieces.into_iter().map(|(piece, now, points)| {
        let games = [last.games, target].map(|games| (games, grouped(games.round())));
        let axes = (axis(x, games, "games"), Axis::new(y, 0.0, "half-width, army"));
        let extension = vec![(last.games, now), (target, now / 2.0)];
        panel(&format!("{piece} \u{b1}{now:.2}"), axes, vec![Curve { extension, ..line(points) }], &[])
    });
    Some(html! {
        div.panels { @for panel in panels { (panel) } }
        p.note { "Both scales are logarithmic. Solid: these games and parts of them. Dashed: the square-root law, down to half of the present width. \
                  The titles give the present half-widths." }
    })
}

/// Results of the games as a stacked bar.
pub(in crate::report) fn results(report: &MeasurementReport) -> Markup {
    let total = report.games.games.max(1) as f64;
    let mut from = 0.0;
    let parts = report.games.results.iter().map(|result| {
        let share = result.games as f64 / total;
        from += share;
        let quarters = ((result.white * 4.0).round() as usize).min(4);
        (quarters, from - share, share, result.games)
    });
    let parts: Vec<_> = parts.collect();
    html! {
        svg.results height="30" role="img" aria-label="Results" {
            @for (quarters, from, share, _) in &parts {
                rect class=(format!("r{quarters}")) x=(percent(*from, 2)) y="0" width=(percent(*share, 2)) height="30" {}
            }
        }
        p.legend {
            @for &(quarters, _, share, games) in &parts {
                span {
                    svg width="14" height="14" { rect class=(format!("r{quarters}")) width="14" height="14" {} }
                    " " (RESULTS[quarters]) ": " (grouped(games)) " (" (percent(share, 1)) ")"
                }
            }
        }
    }
}

/// Results by White's points in quarters.
const RESULTS: [&str; 5] = ["Black won", "White scored 1/4", "Draw", "White scored 3/4", "White won"];

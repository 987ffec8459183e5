//! Values by phase of the game, the cross-checks, and the playtest.

use assay_cli::chart::{Axis, Curve, Plot, Scale};
use assay_cli::format::percent;
use maud::{Markup, html};

use super::playtest;
use crate::report::tables;
use crate::values::design::phase::PhaseModel;
use crate::values::playtest::Playtest;
use crate::values::results::MeasurementReport;

const HEIGHT: f64 = 340.0;

/// Points of a curve.
const STEPS: u32 = 40;

/// Values by share of the pieces left.
pub(super) fn section(report: &MeasurementReport) -> Markup {
    html! {
        section {
            h2 { "Values by game phase" }
            @if report.fit.phase_model != PhaseModel::Constant {
                p { "A piece's value changes as pieces leave the board. The table at the top gives values with "
                    (percent(report.fit.pieces_left, 1)) " of the pieces left, the average of these games. All values are in pawns of the same phase." }
                (plot(report))
                p.note { "Read the right end of the chart with care. Positions close to mate are not quiet and are left out, so values near \
                          the bare board understate the pieces that win such endings." }
            }
            (tables::phases(report).html())
        }
        @if let (Some(agreement), Some(playtest)) = (&report.agreement, &report.playtest) {
            section {
                h2 { "Check by a second method" }
                p { "The playtest measures values without a regression: Assay plays matches between armies that differ by a few pieces, and \
                     converts their scores to pawns. It measures the first piece of a kind that a full army loses, so the regression's value \
                     here includes what the piece contributes together with a second one of its kind." }
                (playtest::both_methods(agreement))
                (comparisons(playtest))
            }
        }
    }
}

/// Value of a piece in pawns by the share of pieces left.
fn curve(report: &MeasurementReport, piece: &str) -> Option<Vec<(f64, f64)>> {
    let pawn = report
        .values
        .iter()
        .find(|value| value.verdict == crate::values::inference::verdict::ValueVerdict::Unit)?;
    let at = |left: f64| {
        Some((
            1.0 - left,
            report.fit.log_odds(piece, left)? / report.fit.log_odds(&pawn.piece, left)?,
        ))
    };
    (0..=STEPS)
        .map(|step| at(1.0 - f64::from(step) / f64::from(STEPS)))
        .collect()
}

fn plot(report: &MeasurementReport) -> Markup {
    let pieces = report
        .values
        .iter()
        .filter(|value| value.letter.is_some() && value.interval.is_some());
    let curves: Vec<Curve> = pieces
        .filter_map(|value| {
            Some(Curve {
                points: curve(report, &value.piece)?,
                extension: Vec::new(),
                label: value.piece.clone(),
            })
        })
        .collect();
    let values = curves
        .iter()
        .flat_map(|curve| curve.points.iter().map(|&(_, value)| value));
    let greatest = values.fold(1.0, f64::max).min(40.0);
    let y = Scale::pixels((0.0, greatest * 1.05), (HEIGHT, 0.0));
    let ticks = [(0.0, "100%"), (0.25, "75%"), (0.5, "50%"), (0.75, "25%"), (1.0, "0%")];
    let plot = Plot {
        description: "Value of each piece by share of pieces left",
        x: Axis {
            scale: Scale::width((0.0, 1.0)),
            ticks: ticks.map(|(gone, label)| (gone, label.to_owned())).to_vec(),
            title: "pieces left on the board".to_owned(),
        },
        y: Axis::new(y, 8.0, "value in pawns"),
        height: HEIGHT,
        curves,
        marks: html! {},
    };
    plot.draw()
}

/// Scores of the comparisons, and the scores that the values lead to expect.
fn comparisons(playtest: &Playtest) -> Markup {
    html! {
        p { "Each dot below is one comparison, with its 95% interval. The curve is the score expected of an army that many pawns behind, when a \
             missing pawn costs " (format!("{:.3} ± {:.3}", playtest.pawn_log_odds, 2.0 * playtest.pawn_log_odds_standard_error)) " log-odds." }
        (playtest::scores(playtest))
        details {
            summary { "All comparisons" }
            (tables::comparisons(playtest).html())
            p.note { "-N means that a knight is missing, +N that one is added. Every opening is played twice with the armies swapped." }
        }
    }
}

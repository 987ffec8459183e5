//! Values by phase of the game, the cross-checks, and the playtest.

use assay_cli::format::{grouped, percent};
use maud::{Markup, html};

use super::chart::{Axis, Curve, Plot, Scale};
use super::playtest;
use crate::report::format;
use crate::values::design::phase::PhaseModel;
use crate::values::inference::estimate::PieceValue;
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
            (table(report))
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

fn table(report: &MeasurementReport) -> Markup {
    let both = |value: &PieceValue| {
        let mut all = report.agreement.iter().flat_map(|agreement| &agreement.values);
        all.find(|both| both.piece == value.piece)
    };
    html! {
        div.scroll { table {
            thead { tr {
                th { "piece" }
                th.number { "full board" }
                th.number { "1/4 of pieces left" }
                th.number { "average, bootstrap interval" }
                th.number { "average, fractional logit" }
                th.number { "games for ±0.1 or 2%" }
                @if report.agreement.is_some() {
                    th.number { "first piece lost, regression" }
                    th.number { "first piece lost, playtest" }
                }
            } }
            tbody { @for value in report.values.iter().filter(|value| value.interval.is_some()) {
                tr {
                    td.piece { (value.piece) }
                    td.number { (format::measured(value.full_board)) }
                    td.number { (format::measured(value.few_pieces)) }
                    td.number { (format::range(value.bootstrap_interval)) }
                    td.number { (format::value(value.fractional_logit)) }
                    td.number { (format::games(value.games_needed)) }
                    @if report.agreement.is_some() {
                        @match both(value) {
                            Some(both) => {
                                td.number { (format::pawns(&both.regression)) }
                                td.number.outside[!both.agrees] { (format::pawns(&both.playtest)) }
                            }
                            None => { td.number { "—" } td.number { "—" } }
                        }
                    }
                }
            } }
        } }
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
            div.scroll { table {
                thead { tr {
                    th { "first army / second army" } th.number { "pairs" } th.number { "score of the first" }
                    th.number { "pawns behind, by score" } th.number { "by the values" }
                } }
                tbody { @for comparison in &playtest.comparisons { tr {
                    td { (comparison.material) }
                    td.number { (grouped(comparison.pairs)) }
                    td.number { (format!("{:.3} ± {:.3}", comparison.score, 2.0 * comparison.score_standard_error)) }
                    td.number { @match comparison.pawns {
                        Some(pawns) => { (format::pawns(&pawns)) }
                        None => "—"
                    } }
                    td.number { (format::value(Some(comparison.fitted))) }
                } } }
            } }
            p.note { "-N means that a knight is missing, +N that one is added. Every opening is played twice with the armies swapped." }
        }
    }
}

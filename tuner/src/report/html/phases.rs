//! Values by phase of the game, the cross-checks, and the playtest.

use assay_cli::chart::{Axis, Curve, Plot, Scale, series_point};
use maud::{Markup, html};

use super::playtest;
use crate::report::rows::{ValueRow, rows};
use crate::report::{sentences, tables};
use crate::values::design::phase::{FEW, PhaseModel};
use crate::values::fit::Fit;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::units::Unit;
use crate::values::playtest::Playtest;
use crate::values::results::MeasurementReport;

const HEIGHT: f64 = 170.0;

/// Points of a curve.
const STEPS: u32 = 40;

/// Values by share of the pieces left.
pub(super) fn section(report: &MeasurementReport, unit: Unit) -> Markup {
    html! {
        section {
            h2 { "Values by game phase" }
            @if report.fit.phase_model != PhaseModel::Constant {
                p { "A piece's value changes as pieces leave the board. The first picture gives averages over the positions of these games. \
                     Here each value is in units of the same phase. Line and band: the model with its 95% interval."
                    @if !report.slices.is_empty() { " Points: each slice of the game measured by itself, without the model." }
                    " Dashed: the published value." }
                (panels(report, unit))
                p.note { "Values are measured with at least a quarter of the pieces left. Later, positions in which an extra piece is about to \
                          win are not quiet and are left out." }
            }
            (tables::phases(report).html("Values in pawns by game phase"))
            @if let Some(models) = tables::models(report) {
                (models.html("Shares of the army by other models"))
                p.note { (sentences::models(report)) }
            }
        }
        @if let (Some(agreement), Some(playtest)) = (&report.agreement, &report.playtest) {
            section {
                h2 { "Check by a second method" }
                p { "The playtest measures values without a regression: Assay plays matches between armies that differ by a few pieces, and \
                     computes values from their scores. It measures the first piece of a kind that a full army loses, so the regression's value \
                     here includes what the piece contributes together with a second one of its kind." }
                (playtest::both_methods(agreement))
                (comparisons(playtest))
            }
        }
    }
}

/// A curve for each piece, on a scale of its own.
fn panels(report: &MeasurementReport, unit: Unit) -> Markup {
    let fit = report.fitted();
    html! {
        div.panels { @for row in &rows(report, unit).rows {
            @if let Some(curve) = curve(&fit, row.piece, unit) {
                figure { figcaption { (row.label) } (panel(report, row, unit, curve)) }
            }
        } }
    }
}

/// The value of a piece by the share of pieces that are gone, with its band.
fn curve(fit: &Fit, piece: &str, unit: Unit) -> Option<Curve> {
    let mut curve = Curve::default();
    for step in 0..=STEPS {
        let gone = (1.0 - FEW) * f64::from(step) / f64::from(STEPS);
        let estimate = fit.value_in(unit, piece, 1.0 - gone)?;
        curve.points.push((gone, estimate.value));
        if let ConfidenceRegion::Bounded { low, high } = estimate.interval {
            curve.band.push((gone, low, high));
        }
    }
    Some(curve)
}

fn panel(report: &MeasurementReport, row: &ValueRow<'_>, unit: Unit, curve: Curve) -> Markup {
    let slices = report.slices.iter().filter_map(|slice| {
        let values = slice.values.iter().find(|value| value.piece == row.piece)?;
        let estimate = values.units.get(&unit)?;
        match estimate.interval {
            ConfidenceRegion::Bounded { low, high } => Some((1.0 - slice.left, (low, estimate.value, high))),
            ConfidenceRegion::Complement { .. } | ConfidenceRegion::WholeLine => None,
        }
    });
    let slices: Vec<(f64, (f64, f64, f64))> = slices.collect();
    let greatest = curve
        .points
        .iter()
        .map(|&(_, value)| value)
        .chain(slices.iter().map(|slice| slice.1.1))
        .chain(row.published)
        .fold(1.0, f64::max);
    // Wide bands and intervals are cut off at the top.
    let ends = curve
        .band
        .iter()
        .map(|&(.., high)| high)
        .chain(slices.iter().map(|slice| slice.1.2));
    let top = ends.filter(|&end| end < 1.5 * greatest).fold(greatest, f64::max);
    let x = Scale::width((0.0, 1.0 - FEW));
    let y = Scale::pixels((0.0, top * 1.05), (HEIGHT, 0.0));
    let ticks = [(0.0, "100%"), (0.25, "75%"), (0.5, "50%"), (0.75, "25%"), (1.0, "0%")];
    let plot = Plot {
        description: &format!("Value of the {} by share of pieces left", row.label),
        x: Axis {
            scale: x,
            ticks: ticks
                .into_iter()
                .filter(|tick| x.contains(tick.0))
                .map(|(gone, label)| (gone, label.to_owned()))
                .collect(),
            title: "pieces left".to_owned(),
        },
        y: Axis::new(y, 4.0, unit.name()),
        height: HEIGHT,
        curves: vec![curve],
        marks: html! {
            @if let Some(published) = row.published {
                line.claim x1="0" x2="100%" y1=(y.at(published)) y2=(y.at(published)) {}
            }
            @for &(gone, ends) in slices.iter().filter(|slice| x.contains(slice.0) && y.contains(slice.1.1)) { (series_point((&x, &y), 1, gone, ends)) }
        },
    };
    plot.draw()
}

/// Scores of the comparisons, and the scores that the values lead to expect.
fn comparisons(playtest: &Playtest) -> Markup {
    html! {
        p { "Each dot below is one comparison, with its 95% interval. The curve is the score expected of an army that is so far behind, when one \
             unit is worth " (format!("{:.3}", playtest.unit_log_odds)) " log-odds (standard error " (format!("{:.3}", playtest.unit_log_odds_standard_error)) ")." }
        (playtest::scores(playtest))
        @if let Some(fit) = sentences::goodness_of_fit(playtest) { p { (fit) } }
        details {
            summary { "All comparisons" }
            (tables::comparisons(playtest).html("Comparisons of the playtest"))
            p.note { "-N means that a knight is missing, +N that one is added. Every opening is played twice with the armies swapped." }
        }
    }
}

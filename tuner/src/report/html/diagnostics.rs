//! Calibration and residuals of the regression.

use assay_cli::chart::{Axis, Curve, Plot, Scale, error_bar, tick_label};
use maud::{Markup, html};

use crate::values::inference::clustered_mean::ClusteredMean;
use crate::values::inference::diagnostics::{CalibrationBin, Diagnostics, GroupResidual};
use crate::values::results::MeasurementReport;

const HEIGHT: f64 = 340.0;

/// The section on calibration and residuals.
pub(super) fn section(report: &MeasurementReport) -> Markup {
    let diagnostics = &report.diagnostics;
    html! {
        section {
            h2 { "Calibration and residuals" }
            p { "Calibration compares predicted with actual scores. Positions are grouped by the score that the model predicts for White; a \
                 dot on the diagonal means that White scored exactly as predicted. Bars are 95% intervals." }
            div.square { (calibration(&diagnostics.calibration)) }
            p { "A residual is the actual score minus the predicted one, in points per game, for the side that has more of a piece or more \
                 material: " b { "blue" } " where it scored more than predicted, " b { "orange" } " where it scored less, in stronger \
                 color the further it is from zero in standard errors. Below each residual stands its 95% interval; bold ones are beyond 3 standard errors." }
            (residuals(diagnostics))
        }
    }
}

/// Residuals by piece and phase as a heat map.
fn residuals(diagnostics: &Diagnostics) -> Markup {
    let mut pieces: Vec<&str> = Vec::new();
    let mut phases: Vec<&str> = diagnostics
        .by_phase
        .iter()
        .map(|residual| residual.group.as_str())
        .collect();
    for GroupResidual { group, phase, .. } in &diagnostics.by_kind {
        if !pieces.contains(&group.as_str()) {
            pieces.push(group);
        }
        if let Some(phase) = phase.as_deref().filter(|phase| !phases.contains(phase)) {
            phases.push(phase);
        }
    }
    let of_piece = |piece: &str, phase: Option<&str>| {
        let mut residuals = diagnostics.by_kind.iter();
        let found = residuals.find(|residual| residual.group == piece && residual.phase.as_deref() == phase);
        found.map(|found| found.residual)
    };
    let of_material = |phase: &str| {
        let found = diagnostics.by_phase.iter().find(|residual| residual.group == phase);
        found.map(|found| found.residual)
    };
    html! {
        table.heat {
            caption { "Residuals of the side ahead, in points per game" }
            thead { tr {
                th scope="col" { "ahead in" }
                th.number scope="col" { "all phases" }
                @for phase in &phases { th.number scope="col" { (phase.trim_end_matches(" of the pieces left").replace("at least", "\u{2265}")) } }
            } }
            tbody {
                @for piece in &pieces { tr {
                    th scope="row" { (piece) }
                    (cell(of_piece(piece, None)))
                    @for phase in &phases { (cell(of_piece(piece, Some(phase)))) }
                } }
                tr {
                    th scope="row" { "any material" }
                    (cell(None))
                    @for phase in &phases { (cell(of_material(phase))) }
                }
            }
        }
        p.note { "Columns: share of the pieces left." }
    }
}

/// A residual on a ground whose color is the stronger the further it lies from zero in standard errors, up to 6.
fn cell(residual: Option<ClusteredMean>) -> Markup {
    let Some(residual) = residual else {
        return html! { td.number { "\u{2014}" } };
    };
    let errors = (residual.mean / residual.standard_error).clamp(-6.0, 6.0);
    let errors = if errors.is_finite() { errors } else { 0.0 };
    let color = if errors < 0.0 { "minus" } else { "plus" };
    html! {
        td.number style=(format!("background: color-mix(in srgb, var(--{color}) {:.0}%, var(--paper))", errors.abs() / 6.0 * 40.0)) {
            span.beyond[residual.is_beyond(3.0)] { (format!("{:+.3}", residual.mean)) }
            @if let Some(half_width) = residual.half_width() {
                div.note { (format!("\u{b1}{half_width:.3}")) }
            }
        }
    }
}

fn calibration(bins: &[CalibrationBin]) -> Markup {
    let x = Scale::width((0.0, 1.0));
    let y = Scale::pixels((0.0, 1.0), (HEIGHT, 0.0));
    let ticks: Vec<(f64, String)> = [0.0, 0.25, 0.5, 0.75, 1.0]
        .map(|tick| (tick, tick_label(tick)))
        .to_vec();
    let axis = |scale: Scale, title: &str| Axis {
        scale,
        ticks: ticks.clone(),
        title: title.to_owned(),
    };
    let plot = Plot {
        description: "Actual score by predicted score",
        x: axis(x, "predicted score of White"),
        y: axis(y, "actual score of White"),
        height: HEIGHT,
        curves: vec![Curve {
            points: vec![(0.0, 0.0), (1.0, 1.0)],
            ..Curve::default()
        }],
        marks: html! {
            @for bin in bins {
                @let score = bin.expected + bin.residual.mean;
                @let half_width = bin.residual.half_width().unwrap_or_default();
                (error_bar((&x, &y), bin.expected, (score - half_width, score, score + half_width), None))
            }
        },
    };
    plot.draw()
}

//! Calibration and residuals of the regression.

use assay_cli::chart::{Axis, Curve, Plot, Scale, error_bar, tick_label};
use assay_cli::format::grouped;
use maud::{Markup, html};

use crate::values::inference::clustered_mean::ClusteredMean;
use crate::values::inference::diagnostics::{CalibrationBin, GroupResidual};
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
                 material. Residuals beyond 3 standard errors are highlighted." }
            details {
                summary { "All residuals" }
                div.scroll { table {
                    thead { tr { th { "side ahead in" } th { "pieces left" } th.number { "games" } th.number { "residual, 95%" } } }
                    tbody {
                        @for residual in &diagnostics.by_phase { (row("material", &residual.group, &residual.residual)) }
                        @for GroupResidual { group, phase, residual } in &diagnostics.by_kind {
                            (row(group, phase.as_deref().unwrap_or("any"), residual))
                        }
                    }
                } }
            }
        }
    }
}

fn row(ahead_in: &str, pieces_left: &str, residual: &ClusteredMean) -> Markup {
    html! {
        tr {
            td { (ahead_in) }
            td { (pieces_left) }
            td.number { (grouped(residual.weight.round() as u64)) }
            td.number.outside[residual.is_beyond(3.0)] {
                (format!("{:+.3} ± {:.3}", residual.mean, 1.96 * residual.standard_error))
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
            extension: Vec::new(),
            label: String::new(),
        }],
        marks: html! {
            @for bin in bins {
                @let score = bin.expected + bin.residual.mean;
                @let half_width = 1.96 * bin.residual.standard_error;
                (error_bar((&x, &y), bin.expected, (score - half_width, score, score + half_width), None))
            }
        },
    };
    plot.draw()
}

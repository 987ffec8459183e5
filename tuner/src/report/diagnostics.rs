//! Does the model describe the games? Calibration and residuals.

use maud::{Markup, html};

use super::axis::Axis;
use crate::report::words;
use crate::values::inference::clustered::Mean;
use crate::values::inference::diagnostics::Bin;
use crate::values::results::Analysis;

const SIDE: f64 = 340.0;
const MARGIN: f64 = 60.0;

pub(super) fn section(analysis: &Analysis) -> Markup {
    let found = &analysis.diagnostics;
    html! {
        section {
            h2 { "Does the model describe the games?" }
            p { "Positions are grouped by the score that White is expected to make; the points are what White made, with 95% intervals. \
                 On the line both are the same." }
            (plot(&found.calibration))
            p { "What whoever has more scores beyond what is expected, in points a game, with 95% intervals. Marked: more than 3 standard \
                 errors from nothing." }
            div.scroll { table {
                thead { tr { th { "more of" } th { "with" } th.number { "games" } th.number { "beyond expectation" } } }
                tbody {
                    @for residual in found.by_stretch.iter().chain(&found.by_kind) {
                        tr {
                            td { @if residual.stretch.is_some() || found.by_kind.contains(residual) { (residual.of) } @else { "material" } }
                            td { @match &residual.stretch {
                                Some(stretch) => { (stretch) }
                                None => { @if found.by_kind.contains(residual) { "any number of pieces" } @else { (residual.of) } }
                            } }
                            td.number { (words::thousands(residual.residual.weight.round() as u64)) }
                            td.number.outside[is_far(&residual.residual)] {
                                (format!("{:+.3} ± {:.3}", residual.residual.mean, 1.96 * residual.residual.standard_error))
                            }
                        }
                    }
                }
            } }
        }
    }
}

fn is_far(residual: &Mean) -> bool {
    residual.mean.abs() > 3.0 * residual.standard_error
}

fn plot(bins: &[Bin]) -> Markup {
    let x = Axis {
        range: (0.0, 1.0),
        pixels: (MARGIN, MARGIN + SIDE),
    };
    let y = Axis {
        range: (0.0, 1.0),
        pixels: (20.0 + SIDE, 20.0),
    };
    html! {
        svg viewBox=(format!("0 0 920 {}", SIDE + 76.0)) role="img" aria-label="Score against expected score" {
            @for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
                line.grid x1=(x.at(0.0)) x2=(x.at(1.0)) y1=(y.at(tick)) y2=(y.at(tick)) {}
                line.grid x1=(x.at(tick)) x2=(x.at(tick)) y1=(y.at(0.0)) y2=(y.at(1.0)) {}
                text.soft x=(MARGIN - 8.0) y=(y.at(tick) + 5.0) text-anchor="end" { (tick) }
                text.soft x=(x.at(tick)) y=(SIDE + 38.0) text-anchor="middle" { (tick) }
            }
            line.axis x1=(x.at(0.0)) x2=(x.at(1.0)) y1=(y.at(0.0)) y2=(y.at(1.0)) {}
            text.soft x=(x.at(0.5)) y=(SIDE + 60.0) text-anchor="middle" { "score expected of White" }
            text.soft x=(x.at(1.0) + 16.0) y="34" { "score made by White: points; as expected: line" }
            @for bin in bins {
                line.bar.inside x1=(x.at(bin.expected)) x2=(x.at(bin.expected))
                    y1=(y.at(bin.expected + bin.residual.mean - 1.96 * bin.residual.standard_error))
                    y2=(y.at(bin.expected + bin.residual.mean + 1.96 * bin.residual.standard_error)) {}
                circle.dot.inside cx=(x.at(bin.expected)) cy=(y.at(bin.expected + bin.residual.mean)) r="5" {}
            }
        }
    }
}

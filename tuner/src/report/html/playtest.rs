//! Charts of the playtest: what each comparison scored, and both methods side by side.

use assay_cli::chart::{Axis, Curve, Plot, Scale, error_bar};
use assay_cli::format::decimals;
use maud::{Markup, html};

use super::forest::{self, MIDDLE, Row};
use crate::report::format;
use crate::values::inference::distributions::critical_value;
use crate::values::inference::estimate::IntervalEstimate;
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::model::logistic;
use crate::values::playtest::agreement::{Agreement, MethodVerdict};
use crate::values::playtest::{Playtest, PlaytestComparison};

const HEIGHT: f64 = 320.0;

/// Points of the curve.
const STEPS: u32 = 60;

/// Score of each comparison by the material that its first army is behind, with the score expected for it.
pub(super) fn scores(playtest: &Playtest) -> Markup {
    let deficits = || playtest.comparisons.iter().map(|comparison| comparison.fitted);
    let domain = (
        deficits().fold(-0.5, f64::min) - 0.25,
        deficits().fold(0.5, f64::max) + 0.25,
    );
    let expected = |behind: f64| logistic(-playtest.unit_log_odds * behind);
    let half_width = |comparison: &PlaytestComparison| {
        comparison.score_standard_error * critical_value((comparison.pairs as usize).max(2))
    };
    let interval = |comparison: &PlaytestComparison| {
        let half_width = half_width(comparison);
        (
            comparison.score - half_width,
            comparison.score,
            comparison.score + half_width,
        )
    };
    let intervals = || playtest.comparisons.iter().map(interval);
    let x = Scale::width(domain);
    let lowest = intervals().map(|(low, ..)| low).fold(expected(domain.1), f64::min);
    let highest = intervals().map(|(.., high)| high).fold(expected(domain.0), f64::max);
    let y = Scale::pixels((lowest.max(0.0), highest.min(1.0)), (HEIGHT, 0.0));
    let points = (0..=STEPS).map(|step| {
        let behind = domain.0 + f64::from(step) / f64::from(STEPS) * (domain.1 - domain.0);
        (behind, expected(behind))
    });
    let plot = Plot {
        description: "Score of each comparison by the difference in material",
        x: Axis::new(x, 8.0, "behind by the measured values, in shares of the army"),
        y: Axis::new(y, 6.0, "score of the first army"),
        height: HEIGHT,
        curves: vec![Curve {
            points: points.collect(),
            ..Curve::default()
        }],
        marks: html! {
            @for comparison in &playtest.comparisons {
                (error_bar((&x, &y), comparison.fitted, interval(comparison), Some(&comparison.material)))
            }
        },
    };
    plot.draw()
}

/// Forest plot of each piece by both methods.
pub(super) fn both_methods(agreement: &Agreement) -> Markup {
    let all = || {
        agreement
            .values
            .iter()
            .flat_map(|value| [value.regression, value.playtest])
    };
    let greatest = all().map(|estimate| estimate.value).fold(1.0, f64::max);
    // An unbounded interval runs from edge to edge.
    let ends = |estimate: IntervalEstimate| match estimate.interval {
        ConfidenceRegion::Bounded { low, high } => (low, high),
        _ => (-greatest, 2.0 * greatest),
    };
    let scale = Scale::width((
        all()
            .map(|estimate| ends(estimate).0)
            .fold(0.0, f64::min)
            .max(-0.2 * greatest),
        all()
            .map(|estimate| ends(estimate).1)
            .fold(1.0, f64::max)
            .min(1.6 * greatest),
    ));
    let bar = |estimate: IntervalEstimate, y: f64, series: usize| {
        let (low, high) = ends(estimate);
        forest::series(&scale, y, series, (low, estimate.value, high))
    };
    let rows = agreement.values.iter().map(|value| Row {
        name: value.piece.clone(),
        picture: None,
        drawing: html! {
            (bar(value.regression, MIDDLE - 8.0, 0))
            (bar(value.playtest, MIDDLE + 8.0, 1))
        },
        numbers: html! {
            div { (format::measured(Some(value.regression))) ", " (format::measured(Some(value.playtest))) }
            div.outside[value.verdict == MethodVerdict::Differ] {
                (value.verdict.text())
                @if let Some(z) = value.z { " (difference: " (decimals(z.abs(), 1)) " standard errors)" }
            }
        },
    });
    let axis = Axis::new(scale, 6.0, "first piece lost from a full board, in shares of the army");
    html! {
        (forest::legend(["regression", "playtest"]))
        (forest::with_axis("Value of each piece by both methods, with 95% intervals", &axis, rows.collect()))
    }
}

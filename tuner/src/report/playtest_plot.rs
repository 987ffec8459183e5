//! The second method: what comparisons scored, on the curve that pawns have; and both methods side by side.

use maud::{Markup, html};

use super::axis::Axis;
use crate::values::inference::quantile::reach;
use crate::values::model::logistic;
use crate::values::playtest::agreement::Agreement;
use crate::values::playtest::{Pawns, Playtest};

const WIDTH: f64 = 920.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 700.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 350.0;

/// Points of the curve.
const STEPS: u32 = 60;

/// Each comparison's score with its error against the pawns that its first army is behind by all values together, on the curve by
/// which pawns cost score.
pub(super) fn curve(playtest: &Playtest) -> Markup {
    let lead = |step: f64, (low, high): (f64, f64)| low + step * (high - low);
    let behind = || playtest.comparisons.iter().map(|comparison| comparison.fitted);
    let range = (
        behind().fold(-0.5, f64::min) - 0.25,
        behind().fold(0.5, f64::max) + 0.25,
    );
    let score = |pawns: f64| logistic(-playtest.pawn_log_odds * pawns);
    let error = |comparison: &crate::values::playtest::Comparison| {
        comparison.score_error * reach((comparison.pairs as usize).max(2))
    };
    let ends = || {
        let points = playtest.comparisons.iter();
        points.flat_map(|comparison| {
            [
                comparison.score - error(comparison),
                comparison.score + error(comparison),
            ]
        })
    };
    let x = Axis {
        range,
        pixels: (LEFT, RIGHT),
    };
    let y = Axis {
        range: (
            ends().chain([score(range.1)]).fold(0.5, f64::min).max(0.0),
            ends().chain([score(range.0)]).fold(0.5, f64::max).min(1.0),
        ),
        pixels: (BOTTOM, TOP),
    };
    let path: Vec<String> = (0..=STEPS)
        .map(|step| {
            let pawns = lead(f64::from(step) / f64::from(STEPS), range);
            format!(
                "{}{} {}",
                if step == 0 { 'M' } else { 'L' },
                x.at(pawns),
                y.at(score(pawns))
            )
        })
        .collect();
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {}", BOTTOM + 56.0)) role="img" aria-label="Score of each comparison by the difference in pawns" {
            text.soft x=(LEFT) y=(TOP - 12.0) { "score of the army that comes first" }
            @for tick in y.ticks(6.0).0 {
                line.grid x1=(LEFT) x2=(RIGHT) y1=(y.at(tick)) y2=(y.at(tick)) {}
                text.soft x=(LEFT - 8.0) y=(y.at(tick) + 5.0) text-anchor="end" { (format!("{tick:.2}")) }
            }
            @for tick in x.ticks(8.0).0 {
                line.grid x1=(x.at(tick)) x2=(x.at(tick)) y1=(TOP) y2=(BOTTOM) {}
                text.soft x=(x.at(tick)) y=(BOTTOM + 20.0) text-anchor="middle" { (format!("{tick:.1}")) }
            }
            line.axis x1=(LEFT) x2=(RIGHT) y1=(BOTTOM) y2=(BOTTOM) {}
            text.soft x=(f64::midpoint(LEFT, RIGHT)) y=(BOTTOM + 44.0) text-anchor="middle" { "pawns behind, by all values together" }
            path class="curve c1" d=(path.join("")) {}
            text.soft x=(RIGHT + 16.0) y=(TOP + 14.0) { "points: comparisons, 95%" }
            text.soft x=(RIGHT + 16.0) y=(TOP + 34.0) { "curve: what pawns cost" }
            @for comparison in &playtest.comparisons {
                g {
                    title { (comparison.material) }
                    line.thin x1=(x.at(comparison.fitted)) x2=(x.at(comparison.fitted))
                        y1=(y.at(comparison.score - error(comparison))) y2=(y.at(comparison.score + error(comparison))) {}
                    circle.dot.inside cx=(x.at(comparison.fitted)) cy=(y.at(comparison.score)) r="5" {}
                }
            }
        }
    }
}

/// Each piece by both methods, one line above the other.
pub(super) fn both(agreement: &Agreement) -> Markup {
    const ROW: f64 = 44.0;
    const PIECES: f64 = 120.0;
    let all = || {
        agreement
            .values
            .iter()
            .flat_map(|value| [value.regression, value.playtest])
    };
    let greatest = all().map(|pawns| pawns.value).fold(1.0, f64::max);
    let axis = Axis {
        range: (
            all().map(|pawns| pawns.low).fold(0.0, f64::min).max(-0.2 * greatest),
            all().map(|pawns| pawns.high).fold(1.0, f64::max).min(1.6 * greatest),
        ),
        pixels: (PIECES, RIGHT),
    };
    let bottom = TOP + ROW * agreement.values.len() as f64;
    let mark = |pawns: Pawns, y: f64, class: &str| {
        html! {
            line.bar.(class) x1=(axis.at(pawns.low)) x2=(axis.at(pawns.high).max(axis.at(pawns.low) + 2.0)) y1=(y) y2=(y) {}
            circle.dot.(class) cx=(axis.at(pawns.value)) cy=(y) r="6" {}
        }
    };
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {}", bottom + 46.0)) role="img" aria-label="Each piece by both methods, with intervals" {
            @for tick in axis.ticks(9.0).0 {
                line.grid x1=(axis.at(tick)) x2=(axis.at(tick)) y1=(TOP) y2=(bottom) {}
                text.soft x=(axis.at(tick)) y=(bottom + 18.0) text-anchor="middle" { (tick) }
            }
            line.axis x1=(PIECES) x2=(RIGHT) y1=(bottom) y2=(bottom) {}
            text.soft x=(f64::midpoint(PIECES, RIGHT)) y=(bottom + 38.0) text-anchor="middle" {
                "value on a full board of the piece that goes first, in pawns: above by regression, below by playtest"
            }
            @for (index, value) in agreement.values.iter().enumerate() {
                @let y = TOP + ROW * (index as f64 + 0.5);
                text x=(PIECES - 14.0) y=(y + 5.0) text-anchor="end" { (value.piece) }
                (mark(value.regression, y - 8.0, "inside"))
                (mark(value.playtest, y + 8.0, "plain"))
                text.outside[!value.agrees] x=(RIGHT + 16.0) y=(y + 5.0) {
                    (if value.agrees { "agree" } else { "differ" }) ", " (format!("{:.1}", value.z.abs())) " standard errors"
                }
            }
        }
    }
}

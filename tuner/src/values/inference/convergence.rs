//! Width of the intervals as a function of the number of games.

use serde::{Deserialize, Serialize};

use super::{Fit, MeasuredValue, Unit, ValueTable, ValueVerdict, range};
use crate::values::design::DesignMatrix;

/// Shares of the opening pairs, in numerical order, on which the fit is repeated.
const SHARES: [f64; 4] = [0.25, 0.354, 0.5, 0.707];

/// Widths of the intervals after part of the games.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ConvergenceStep {
    /// Opening pairs fitted.
    #[serde(deserialize_with = "range::count")]
    pub pairs: usize,
    /// Games fitted.
    #[serde(deserialize_with = "range::count")]
    pub games: f64,
    /// One entry for each measured value.
    pub half_widths: Vec<HalfWidth>,
}

impl ConvergenceStep {
    /// Half-widths of a piece. Its place in the list can differ between steps, since pieces without
    /// a published value are sorted by the measured one.
    pub fn of(&self, piece: &str) -> Option<&HalfWidth> {
        self.half_widths.iter().find(|half_width| half_width.piece == piece)
    }
}

/// Half-widths of a value's intervals.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct HalfWidth {
    /// Name of the row in the value table.
    pub piece: String,
    /// Half-width in the unit army; `None` if the interval is unbounded or the value has none:
    /// effects of pairs, and a piece that is the unit by itself.
    #[serde(deserialize_with = "range::non_negative")]
    pub army: Option<f64>,
    /// Half-width in pawns; `None` if the interval is unbounded, and for the pawn.
    #[serde(deserialize_with = "range::non_negative")]
    pub pawns: Option<f64>,
}

/// Half-widths of a fit's intervals.
fn half_widths(fit: &Fit) -> Vec<HalfWidth> {
    let [army, pawns] = [Unit::Army, Unit::Pawns].map(|unit| fit.unit_table(unit));
    let half_width = |table: &Option<ValueTable>, piece: &str| of_value(table.as_ref()?.of(piece)?);
    let pieces = fit.kinds().into_iter().map(|kind| {
        let piece = fit.game.kind(kind).name.clone();
        HalfWidth { army: half_width(&army, &piece), pawns: half_width(&pawns, &piece), piece }
    });
    let bonus = |bonus: MeasuredValue| HalfWidth { army: None, pawns: of_value(&bonus), piece: bonus.piece };
    pieces.chain(fit.bonuses().into_iter().map(bonus)).collect()
}

fn of_value(value: &MeasuredValue) -> Option<f64> {
    value.measured.half_width().filter(|_| value.verdict != ValueVerdict::Unit)
}

/// Convergence of the intervals.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Convergence {
    /// Widths from few games to all games.
    pub steps: Vec<ConvergenceStep>,
    /// Exponent `b` of the power law `width ~ games^b`, fitted to the widths in the unit army;
    /// theory gives -0.5. `None` if too few widths are known.
    #[serde(deserialize_with = "range::any")]
    pub exponent: Option<f64>,
    /// Total number of games that would halve the intervals: four times the current number.
    #[serde(deserialize_with = "range::positive_count")]
    pub games_to_halve: u64,
}

/// Repeats a fit on growing parts of the data. `fit` fits one part, if it can be fitted; `games` is
/// the number of all games, including those without quiet positions.
pub fn measure_convergence(
    design: &DesignMatrix,
    games: usize,
    fit: impl Fn(&DesignMatrix) -> Option<Fit>,
) -> Convergence {
    let pairs = design.cluster_count();
    let mut sizes: Vec<usize> = SHARES.iter().map(|share| (pairs as f64 * share).round() as usize).collect();
    sizes.push(pairs);
    sizes.dedup();
    let steps: Vec<ConvergenceStep> = sizes
        .into_iter()
        .filter_map(|size| {
            let part = design.subset(|cluster| cluster < size);
            // Assumes that games without quiet positions are spread evenly.
            let share = part.total_weight() / design.total_weight();
            Some(ConvergenceStep {
                pairs: size,
                games: (share * games as f64).round(),
                half_widths: half_widths(&fit(&part)?),
            })
        })
        .collect();
    Convergence { exponent: exponent(&steps), steps, games_to_halve: 4 * games as u64 }
}

/// Least-squares slope of log half-width on log games, common to all pieces, with one intercept for
/// each piece.
fn exponent(steps: &[ConvergenceStep]) -> Option<f64> {
    let in_army = steps.last()?.half_widths.iter().filter(|last| last.army.is_some());
    let (mut products, mut squares, mut degrees_of_freedom) = (0.0, 0.0, 0);
    for last in in_army {
        let width = |step: &ConvergenceStep| Some((step.games.ln(), step.of(&last.piece)?.army?.ln()));
        let points: Vec<(f64, f64)> = steps.iter().filter_map(width).collect();
        // Deviations from the piece's mean, because each piece has its own intercept.
        let center = points.iter().map(|(games, _)| games).sum::<f64>() / points.len() as f64;
        for (games, width) in &points {
            products += (games - center) * width;
            squares += (games - center).powi(2);
        }
        degrees_of_freedom += points.len() - 1;
    }
    (degrees_of_freedom >= 2).then(|| products / squares).filter(|exponent| exponent.is_finite())
}

#[cfg(test)]
mod tests {
    use super::{ConvergenceStep, HalfWidth, exponent};

    #[test]
    fn recovers_square_root_law_with_missing_widths() {
        let steps: Vec<ConvergenceStep> = [100.0, 200.0, 400.0, 800.0_f64]
            .into_iter()
            .map(|games| {
                // Those in pawns fall faster, because the pawn becomes more certain, too.
                let width = |piece: &str, army: Option<f64>| HalfWidth {
                    piece: piece.into(),
                    army: army.map(|level| level / games.sqrt()),
                    pawns: Some(100.0 / games),
                };
                let mut half_widths = vec![
                    width("knight", Some(8.0)),
                    width("queen", (games > 300.0).then_some(30.0)),
                    width("bishop pair", None),
                ];
                if games > 500.0 {
                    half_widths.reverse();
                }
                ConvergenceStep { pairs: 0, games, half_widths }
            })
            .collect();
        assert!((exponent(&steps).unwrap() + 0.5).abs() < 1e-9);
        assert_eq!(exponent(&steps[..1]), None);
    }
}

//! Width of the intervals as a function of the number of games.

use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};

use crate::values::design::matrix::DesignMatrix;

/// Shares of the opening pairs, in numerical order, on which the fit is repeated.
const SHARES: [f64; 4] = [0.25, 0.354, 0.5, 0.707];

/// Widths of the intervals after part of the games.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ConvergenceStep {
    /// Opening pairs fitted.
    pub pairs: usize,
    /// Games fitted.
    pub games: f64,
    /// One entry for each row of the value table with an interval, in the table's order.
    pub half_widths: Vec<HalfWidth>,
}

/// Half-width of an interval.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct HalfWidth {
    /// Name of the row in the value table.
    pub piece: String,
    /// Half-width in pawns; `None` if the interval is unbounded.
    pub pawns: Option<f64>,
}

/// Convergence of the intervals.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Convergence {
    /// Widths from few games to all games.
    pub steps: Vec<ConvergenceStep>,
    /// Exponent `b` of the fitted power law `width ~ games^b`; theory gives -0.5. `None` if too few widths are known.
    pub exponent: Option<f64>,
    /// Total number of games that would halve the intervals: four times the current number.
    pub games_to_halve: u64,
}

/// Repeats a fit on growing parts of the data. `measure` returns the half-widths of one part, or `None` if it cannot be fitted; `games`
/// is the number of all games, including those without quiet positions.
pub fn measure_convergence(
    design: &DesignMatrix,
    games: usize,
    measure: impl Fn(&DesignMatrix) -> Option<Vec<HalfWidth>>,
) -> Convergence {
    let pairs = design.cluster_count();
    let mut sizes: Vec<usize> = SHARES
        .iter()
        .map(|share| (pairs as f64 * share).round() as usize)
        .collect();
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
                half_widths: measure(&part)?,
            })
        })
        .collect();
    Convergence {
        exponent: exponent(&steps),
        steps,
        games_to_halve: 4 * games as u64,
    }
}

/// Least-squares slope of log half-width on log games, common to all pieces, with one intercept for each piece.
fn exponent(steps: &[ConvergenceStep]) -> Option<f64> {
    let pieces = steps.last()?.half_widths.len();
    let mut points = Vec::new();
    for piece in 0..pieces {
        let widths = steps
            .iter()
            .map(|step| (step.games.ln(), step.half_widths[piece].pawns.map(f64::ln)));
        points.extend(widths.filter_map(|(games, width)| Some((piece, games, width?))));
    }
    if points.len() < pieces + 2 {
        return None;
    }
    let mut matrix = DMatrix::<f64>::zeros(points.len(), pieces + 1);
    for (row, &(piece, games, _)) in points.iter().enumerate() {
        matrix[(row, piece)] = 1.0;
        matrix[(row, pieces)] = games;
    }
    let widths = nalgebra::DVector::from_iterator(points.len(), points.iter().map(|&(_, _, width)| width));
    let solution = matrix.svd(true, true).solve(&widths, 1e-9).ok()?;
    Some(solution[pieces])
}

#[cfg(test)]
mod tests {
    use super::{ConvergenceStep, HalfWidth, exponent};

    #[test]
    fn recovers_square_root_law_with_missing_widths() {
        let steps: Vec<ConvergenceStep> = [100.0, 200.0, 400.0, 800.0_f64]
            .into_iter()
            .map(|games| {
                let width = |piece: &str, level: f64| HalfWidth {
                    piece: piece.into(),
                    pawns: Some(level / games.sqrt()),
                };
                let unbounded = HalfWidth {
                    piece: "queen".into(),
                    pawns: None,
                };
                let queen = if games < 300.0 { unbounded } else { width("queen", 30.0) };
                ConvergenceStep {
                    pairs: 0,
                    games,
                    half_widths: vec![width("knight", 8.0), queen],
                }
            })
            .collect();
        assert!((exponent(&steps).unwrap() + 0.5).abs() < 1e-9);
        assert_eq!(exponent(&steps[..1]), None);
    }
}

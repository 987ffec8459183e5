//! Game phase, measured by the share of pieces left, and how values may depend on it.
//!
//! Shares count all pieces but kings and run from 1 (start of the game) to 0 (bare board). Piecewise-linear values have knots at
//! three quarters, at one quarter and at zero pieces left, and are constant above the first knot. Two knots would not suffice: a pawn's value
//! grows over the whole game, while the other pieces keep theirs until a quarter of the pieces is left and then lose most of it.

use serde::{Deserialize, Serialize};

/// Share of pieces left at and above which the board counts as full: the first knot.
pub const FULL: f64 = 0.75;

/// Share of pieces left at the middle knot.
pub const FEW: f64 = 0.25;

/// Names of the knots: at least [`FULL`] of the pieces left, [`FEW`], none.
pub const KNOTS: [&str; 3] = ["full board", "few pieces", "bare board"];

/// How a piece's value may depend on the game phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PhaseModel {
    /// Three values per piece (at least 3/4, 1/4 and none of the pieces left), interpolated linearly
    #[default]
    #[serde(rename = "piecewise")]
    #[value(name = "piecewise")]
    PiecewiseLinear,
    /// Two values per piece (at least 3/4 and none of the pieces left), interpolated linearly; needs fewer games
    Linear,
    /// One value per piece
    Constant,
}

impl PhaseModel {
    /// Indices of the model's knots; none if values are constant.
    pub fn knots(self) -> &'static [usize] {
        match self {
            PhaseModel::PiecewiseLinear => &[0, 1, 2],
            PhaseModel::Linear => &[0, 2],
            PhaseModel::Constant => &[],
        }
    }

    /// Weights of the values at the three knots (full board, few pieces, bare board) when the share `left` of the pieces is left.
    ///
    /// The weights are at least 0 and sum to 1. A model without a knot gives it weight 0; the constant model's one value
    /// counts as the first knot.
    ///
    /// ```
    /// use assay_tuner::values::design::phase::PhaseModel;
    ///
    /// assert_eq!(PhaseModel::PiecewiseLinear.knot_weights(0.5), [0.5, 0.5, 0.0]);
    /// assert_eq!(PhaseModel::PiecewiseLinear.knot_weights(0.125), [0.0, 0.5, 0.5]);
    /// assert_eq!(PhaseModel::Linear.knot_weights(0.375), [0.5, 0.0, 0.5]);
    /// assert_eq!(PhaseModel::Constant.knot_weights(0.1), [1.0, 0.0, 0.0]);
    /// ```
    pub fn knot_weights(self, left: f64) -> [f64; 3] {
        let left = left.min(FULL);
        let between = |low: f64, high: f64| (left - low) / (high - low);
        match self {
            PhaseModel::PiecewiseLinear if left >= FEW => [between(FEW, FULL), between(FULL, FEW), 0.0],
            PhaseModel::PiecewiseLinear => [0.0, between(0.0, FEW), between(FEW, 0.0)],
            PhaseModel::Linear => [between(0.0, FULL), 0.0, between(FULL, 0.0)],
            PhaseModel::Constant => [1.0, 0.0, 0.0],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PhaseModel;

    #[test]
    fn knot_weights_are_nonnegative_and_sum_to_one() {
        for model in [PhaseModel::Linear, PhaseModel::PiecewiseLinear, PhaseModel::Constant] {
            for step in 0..=20 {
                let weights = model.knot_weights(f64::from(step) / 20.0);
                assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{model:?} {step}");
                assert!(
                    weights.iter().all(|weight| (0.0..=1.0).contains(weight)),
                    "{model:?} {step}"
                );
            }
        }
    }

    #[test]
    fn each_knot_has_all_the_weight_at_its_own_phase() {
        for (knot, left) in [0.75, 0.25, 0.0].into_iter().enumerate() {
            assert!((PhaseModel::PiecewiseLinear.knot_weights(left)[knot] - 1.0).abs() < 1e-12);
        }
    }
}

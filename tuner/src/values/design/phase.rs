//! Game phase, measured by the share of pieces left, and how values may depend on it.
//!
//! Shares count all pieces but kings and run from 1 (start of the game) to 0 (bare board). Values
//! are measured in positions with at least a quarter of the pieces left. With fewer, one side's
//! extra piece often decides the game, so that its coefficient diverges in small samples, and the
//! positions in which it is about to win are not quiet. Piecewise-linear values have knots at three
//! quarters and at one quarter and are constant above the first knot.
//!
//! [`crate::values::analysis`] fits the other model, too, and reports how much the values depend on
//! the choice.

/// Share of pieces left at and above which the board counts as full: the first knot.
pub const FULL: f64 = 0.75;

/// Least share of pieces left at which values are measured: the second knot.
pub const FEW: f64 = 0.25;

/// Names of the knots: at least [`FULL`] of the pieces left, [`FEW`].
pub const KNOTS: [&str; 2] = ["full board", "few pieces"];

/// How a piece's value may depend on the game phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PhaseModel {
    /// Two values per piece (at least 3/4 and 1/4 of the pieces left), interpolated linearly
    #[default]
    Piecewise,
    /// One value per piece
    Constant,
}

assay_cli::named!(PhaseModel: Piecewise = "piecewise", Constant = "constant");

impl PhaseModel {
    /// The knots of a value: indices in [`KNOTS`], or `None` alone if it is constant.
    pub fn knots(self) -> &'static [Option<usize>] {
        match self {
            PhaseModel::Piecewise => &[Some(0), Some(1)],
            PhaseModel::Constant => &[None],
        }
    }

    /// Weights of the values at the knots (full board, few pieces) when the share `left` of the
    /// pieces is left, at least [`FEW`].
    ///
    /// The weights are at least 0 and sum to 1. The constant model's one value counts as the first
    /// knot.
    ///
    /// ```
    /// use assay_tuner::values::design::phase::PhaseModel;
    ///
    /// assert_eq!(PhaseModel::Piecewise.knot_weights(0.9), [1.0, 0.0]);
    /// assert_eq!(PhaseModel::Piecewise.knot_weights(0.375), [0.25, 0.75]);
    /// assert_eq!(PhaseModel::Constant.knot_weights(0.5), [1.0, 0.0]);
    /// ```
    pub fn knot_weights(self, left: f64) -> [f64; 2] {
        match self {
            PhaseModel::Piecewise => {
                let weight = (self.limited(left) - FEW) / (FULL - FEW);
                [weight, 1.0 - weight]
            }
            PhaseModel::Constant => [1.0, 0.0],
        }
    }

    /// The share of pieces left, limited to the range in which values change. Values are linear in
    /// it, so the mean value of some positions is the value at their mean limited share.
    pub fn limited(self, left: f64) -> f64 {
        match self {
            PhaseModel::Piecewise => left.clamp(FEW, FULL),
            PhaseModel::Constant => left,
        }
    }
}

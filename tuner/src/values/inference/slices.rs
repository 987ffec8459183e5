//! Values in slices of the game: raw estimates to hold the phase model against.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Estimate, Unit, range};

/// Share of the pieces that leave the board in a slice.
pub const SLICE: f64 = 0.125;

/// Least shares of pieces left of the slices. See [`is_in_slice`].
pub const SLICES: [f64; 8] = [0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.125, 0.0];

/// Returns true if a share of pieces left, 0 to 1, belongs to the slice from `low`. The lower end
/// does, as the knots of the phase model belong to the phases above them; the upper end only if it
/// is the full board.
pub fn is_in_slice(low: f64, left: f64) -> bool {
    let high = low + SLICE;
    left >= low && (left < high || high >= 1.0)
}

/// Values fitted to the positions of one slice alone, without a phase model.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct PhaseSlice {
    /// Least share of pieces left, inclusive.
    #[serde(deserialize_with = "range::share")]
    pub low: f64,
    /// Greatest share of pieces left; exclusive unless it is 1.
    #[serde(deserialize_with = "range::share")]
    pub high: f64,
    /// Mean share of pieces left.
    #[serde(deserialize_with = "range::share")]
    pub left: f64,
    /// Games with quiet positions in this slice.
    #[serde(deserialize_with = "range::count")]
    pub games: usize,
    /// Weight of this slice's positions in the fit of the whole game; 0 for those with less than a
    /// quarter of the pieces left.
    #[serde(deserialize_with = "range::non_negative")]
    pub weight: f64,
    /// By piece, the value in each unit, at the prices of the same slice.
    pub values: BTreeMap<String, BTreeMap<Unit, Estimate>>,
}

#[cfg(test)]
mod tests {
    use super::{SLICES, is_in_slice};

    #[test]
    fn every_share_is_in_one_slice_and_a_quarter_is_measured() {
        for pieces in 0..=48_u8 {
            let left = f64::from(pieces) / 48.0;
            let slices = SLICES.iter().filter(|&&slice| is_in_slice(slice, left)).count();
            assert_eq!(slices, 1, "{pieces} of 48");
        }
        assert!(is_in_slice(0.25, 12.0 / 48.0));
        assert!(is_in_slice(0.75, 36.0 / 48.0));
    }
}

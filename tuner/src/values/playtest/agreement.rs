//! Agreement of the two methods: the regression's values on a full board against those of the playtest, as shares of the army.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::values::inference::distributions::CONFIDENCE_LEVEL;
use crate::values::inference::estimate::IntervalEstimate;
use crate::values::inference::units::{Unit, UnitMeasure};
use crate::values::playtest::Playtest;

/// Values of the first piece of a kind that a full army loses, by both methods, in the unit [`Unit::Army`].
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct MethodComparison {
    pub piece: String,
    pub regression: IntervalEstimate,
    pub playtest: IntervalEstimate,
    /// The difference in standard errors.
    pub z: f64,
    /// True if the difference is at most [`Agreement::critical_z`] standard errors.
    pub agrees: bool,
}

/// Comparison of the two methods over all pieces.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Agreement {
    /// One row for each piece measured by both methods.
    pub values: Vec<MethodComparison>,
    /// Largest difference in standard errors that still agrees, at a family-wise level of 95% (Bonferroni).
    pub critical_z: f64,
    /// True if all pieces agree.
    pub agrees: bool,
}

/// Compares a regression with a playtest of the same game; `None` if they did not measure the same army. `army` has the number of pieces of each kind
/// in a full army.
pub fn compare(regression: &UnitMeasure<'_>, army: &[usize], playtest: &Playtest) -> Option<Agreement> {
    let regression = regression.first_piece_lost(army).table(Unit::Army)?;
    let playtest = playtest.values(Unit::Army)?;
    if regression.definition != playtest.definition {
        return None;
    }
    let mut values: Vec<MethodComparison> = Vec::new();
    for (row, one) in regression.values.iter().enumerate() {
        let Some(column) = playtest.values.iter().position(|other| other.piece == one.piece) else {
            continue;
        };
        let (one, other) = (one.measured, playtest.values[column].measured);
        let variance = regression.covariance[row][row] + playtest.covariance[column][column];
        values.push(MethodComparison {
            piece: regression.values[row].piece.clone(),
            regression: one,
            playtest: other,
            z: (one.value - other.value) / variance.sqrt(),
            agrees: true,
        });
    }
    // Bonferroni correction for the number of pieces.
    let tail = (1.0 - CONFIDENCE_LEVEL) / (2.0 * values.len().max(1) as f64);
    let critical_z = Normal::standard().inverse_cdf(1.0 - tail);
    for value in &mut values {
        value.agrees = value.z.abs() <= critical_z;
    }
    Some(Agreement {
        agrees: values.iter().all(|value| value.agrees),
        critical_z,
        values,
    })
}

//! Tables of measured values beside published ones.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use super::{Estimate, Fit, Quantity, Sample, Unit, ValueVerdict};
use assay_selfplay::statistics::range;

/// Values of all pieces in one unit, or on the published scale.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ValueTable {
    /// `None` for the published scale.
    pub unit: Option<Unit>,
    /// Definition of the unit in this game.
    pub definition: String,
    /// Total value of the pieces that define the unit; on the published scale, of all pieces with a
    /// published value.
    #[serde(deserialize_with = "range::positive")]
    pub total: f64,
    /// Deviation, as a share of the published value, up to which a piece is worth about the same;
    /// only on the published scale, on which pieces are judged.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "range::non_negative")]
    pub margin: Option<f64>,
    /// The measured pieces, by descending published (else measured) value.
    pub values: Vec<MeasuredValue>,
    /// Covariance of the measured values averaged over the game, by rows (delta method).
    #[serde(deserialize_with = "range::covariance")]
    pub covariance: Vec<Vec<f64>>,
}

/// Value of a piece in a unit, or on the published scale. On the published scale, the
/// intervals of all pieces hold together in 95% of measurements.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct MeasuredValue {
    pub piece: String,
    /// True if the piece is measured together with half of its pair's bonus, because one value is
    /// published for both pieces of the pair.
    pub with_half_pair: bool,
    /// Published value in this unit.
    #[serde(deserialize_with = "range::positive")]
    pub published: Option<f64>,
    /// The published value as the inventor also gives it, rounded; on the published scale only.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "range::positive")]
    pub rounded: Option<f64>,
    /// Value averaged over the positions of the fit.
    pub measured: Estimate,
    /// Value with at least 3/4 of the pieces left; on the published scale, `None` if values do not
    /// depend on the phase.
    pub full_board: Option<Estimate>,
    /// Value with 1/4 of the pieces left.
    pub few_pieces: Option<Estimate>,
    /// The value on the full board minus the value with few pieces. The intervals of all pieces
    /// hold together. `None` for a piece that is the unit, or the reference of both phases. Each phase has its own scale, so it is a change in comparison with the other pieces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Estimate>,
    /// Verdict on the published value.
    pub verdict: ValueVerdict,
}

impl ValueTable {
    /// The table in a unit, or without one on the published scale; `None` if the game does not have
    /// it.
    pub fn in_unit(tables: &[ValueTable], unit: Option<Unit>) -> Option<&ValueTable> {
        tables.iter().find(|table| table.unit == unit)
    }

    pub fn of(&self, piece: &str) -> Option<&MeasuredValue> {
        self.values.iter().find(|value| value.piece == piece)
    }

    /// The measured values averaged over the game, from the games of this many opening pairs.
    pub fn quantities(&self, pairs: usize) -> Vec<Quantity> {
        let size = self.values.len();
        let covariance = DMatrix::from_fn(size, size, |row, column| self.covariance[row][column]);
        let values = self.values.iter().map(|value| value.measured.value);
        Quantity::all(&Sample::new(covariance, pairs, 0), &DVector::from_iterator(size, values))
    }
}

/// For each piece, its value on the full board minus the value with few pieces, from both values.
/// The intervals hold together. `None` if the difference has no error: then the piece is the unit of
/// both phases, and differs by rounding errors only.
pub(super) fn changes(phases: Vec<Option<[Quantity; 2]>>) -> Vec<Option<Estimate>> {
    let change = |phases: Option<[Quantity; 2]>| {
        let [full, few] = phases?;
        Some(&full - &few).filter(|change| change.standard_error() > 1e-9 * full.value)
    };
    let changes: Vec<Option<Quantity>> = phases.into_iter().map(change).collect();
    let confidence = Quantity::joint_confidence(&changes.iter().flatten().cloned().collect::<Vec<_>>());
    changes.into_iter().map(|change| Some(change?.estimate_at(confidence))).collect()
}

impl Fit {
    /// The values on the published scale and in all units; what the game does not have is left out.
    pub fn tables(&self) -> Vec<ValueTable> {
        let units = Unit::ALL.into_iter().filter_map(|unit| self.unit_table(unit));
        self.published_table(None).into_iter().chain(units).collect()
    }
}

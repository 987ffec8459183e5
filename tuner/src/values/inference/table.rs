//! Tables of measured values beside published ones.
//!
//! A value in a unit is a ratio of two linear combinations of the coefficients and has Fieller's
//! interval.

use std::collections::BTreeMap;

use assay_rules::Kind;
use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use super::units::published_sum;
use super::{CONFIDENCE_LEVEL, Estimate, Fit, Quantity, Sample, Unit, ValueVerdict, range};
use crate::values::data::Regressor;
use crate::values::data::material::kind_named;
use crate::values::design::{FEW, PhaseModel};

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

impl Fit {
    /// The values on the published scale and in all units; what the game does not have is left out.
    pub fn tables(&self) -> Vec<ValueTable> {
        let units = Unit::ALL.into_iter().filter_map(|unit| self.unit_table(unit));
        self.published_table().into_iter().chain(units).collect()
    }

    /// The values of all [kinds](Fit::kinds), averaged over the game, on the full board and with
    /// few pieces, with intervals of this confidence. `published` returns the published value of a
    /// kind, its rounded value, and the verdict on an estimate.
    pub(super) fn measured_values(
        &self,
        average: &[Quantity],
        phases: &[Option<Vec<Quantity>>; 2],
        confidence: f64,
        published: impl Fn(Kind, Estimate) -> ([Option<f64>; 2], ValueVerdict),
    ) -> Vec<MeasuredValue> {
        let at = |phase: usize, index: usize| Some(&phases[phase].as_ref()?[index]);
        // A difference without an error has only rounding errors: the piece is the unit of both
        // phases.
        let change = |index: usize| {
            let (full, few) = (at(0, index)?, at(1, index)?);
            Some(full - few).filter(|change| change.standard_error() > 1e-9 * full.value)
        };
        let changes =
            (0..average.len()).map(|index| change(index).filter(|_| self.phase_model != PhaseModel::Constant));
        let changes: Vec<Option<Quantity>> = changes.collect();
        let change_confidence = Quantity::joint_confidence(&changes.iter().flatten().cloned().collect::<Vec<_>>());
        let value = |(index, kind): (usize, Kind)| {
            let measured = average[index].estimate_at(confidence);
            let ([published, rounded], verdict) = published(kind, measured);
            MeasuredValue {
                piece: self.game.kind(kind).name.clone(),
                with_half_pair: self.has_half_pair(Regressor::Kind(kind)),
                published,
                rounded,
                measured,
                full_board: at(0, index).map(|value| value.estimate_at(confidence)),
                few_pieces: at(1, index).map(|value| value.estimate_at(confidence)),
                change: changes[index].as_ref().map(|change| change.estimate_at(change_confidence)),
                verdict,
            }
        };
        self.kinds().into_iter().enumerate().map(value).collect()
    }

    /// Value of a piece in a unit when the share `left` of the pieces is left; `None` if the game
    /// does not have the unit or the piece is not measured.
    pub fn value_in(&self, unit: Unit, piece: &str, left: f64) -> Option<Estimate> {
        Some(self.value(unit, kind_named(&self.game, piece)?, left)?.estimate())
    }

    /// Values of the measured pieces that someone else published, in a unit: `published` gives them
    /// in any unit, with half of the pair's bonus. `None` for a unit that the game does not have, or
    /// if a piece that defines the unit has no value.
    pub fn published_in(&self, unit: Unit, published: impl Fn(Kind) -> Option<f64>) -> Option<BTreeMap<String, f64>> {
        let (reference, total) = unit.reference(&self.game, &self.kinds())?;
        let sum: f64 = reference.iter().map(|&kind| published(kind)).sum::<Option<f64>>()?;
        let kinds = self.kinds().into_iter();
        let values = kinds.filter_map(|kind| Some((self.game.kind(kind).name.clone(), published(kind)? * total / sum)));
        Some(values.collect())
    }

    /// One unit in log-odds when the share `left` of the pieces is left; `None` if the game does
    /// not have the unit.
    pub fn log_odds_of_unit(&self, unit: Unit, left: f64) -> Option<Quantity> {
        let (reference, sum) = unit.reference(&self.game, &self.kinds())?;
        let mut contrast = DVector::zeros(self.coefficients.len());
        for part in reference {
            contrast += self.worth(Regressor::Kind(part), left)? / sum;
        }
        Some(self.quantity(contrast))
    }

    /// Effects of pairs, second pieces and hands in pawns, as if they were pieces.
    pub fn bonuses(&self) -> Vec<MeasuredValue> {
        let bonuses = self.regressors().into_iter();
        let bonuses =
            bonuses.filter(|regressor| !matches!(regressor, Regressor::Kind(_)) && regressor.kind().is_some());
        let bonus = |regressor: Regressor| {
            let is_pair = matches!(regressor, Regressor::Pair(_));
            let measured = self.in_pawns(regressor, self.mean_left)?;
            let published = regressor.published_in_pawns(&self.game);
            let at = |left: f64| self.in_pawns(regressor, left).filter(|_| self.phase_model != PhaseModel::Constant);
            Some(MeasuredValue {
                piece: regressor.name(&self.game),
                with_half_pair: false,
                published,
                rounded: None,
                measured,
                full_board: at(1.0),
                few_pieces: at(FEW),
                change: None,
                // The bonus for a pair is small compared with the pieces.
                verdict: ValueVerdict::of(measured, published, if is_pair { 2.0 } else { 1.0 }),
            })
        };
        bonuses.filter_map(bonus).collect()
    }

    /// The values in a unit; `None` if the game does not have it.
    pub fn unit_table(&self, unit: Unit) -> Option<ValueTable> {
        let (reference, sum) = unit.reference(&self.game, &self.kinds())?;
        let published_sum = published_sum(&self.game, &reference);
        let kinds = self.kinds();
        let at = |left: f64| kinds.iter().map(|&kind| self.value(unit, kind, left)).collect::<Option<Vec<_>>>();
        let average = at(self.mean_left)?;
        let values = self.measured_values(&average, &[at(1.0), at(FEW)], CONFIDENCE_LEVEL, |kind, measured| {
            let published = self.game.kind(kind).value.zip(published_sum).map(|(value, all)| value * sum / all);
            let is_unit = reference == [kind];
            ([published, None], if is_unit { ValueVerdict::Unit } else { ValueVerdict::of(measured, published, 1.0) })
        });
        Some(ValueTable {
            unit: Some(unit),
            definition: unit.definition(&self.game, &reference, sum),
            total: sum,
            margin: None,
            values,
            covariance: Quantity::covariances(&average),
        })
    }

    /// Value of a kind.
    fn value(&self, unit: Unit, kind: Kind, left: f64) -> Option<Quantity> {
        let log_odds = self.quantity(self.worth(Regressor::Kind(kind), left)?);
        Some(&log_odds / &self.log_odds_of_unit(unit, left)?)
    }
}

#[cfg(test)]
mod tests {
    use assay_rules::{GameDef, Kind};
    use nalgebra::{DMatrix, DVector};

    use crate::values::inference::{Fit, Sample, Unit};

    const CLUSTERS: usize = 100;

    /// Chess by made-up coefficients, with two thresholds as in games with five results.
    fn fit(values: &DVector<f64>) -> Fit {
        let game = GameDef::builtin("chess").unwrap();
        let kinds: Vec<Kind> = "QRBNP".chars().map(|letter| game.kinds.by_letter(letter).unwrap()).collect();
        let covariance =
            DMatrix::from_fn(
                values.len(),
                values.len(),
                |row, column| {
                    if row == column { 0.01 + 0.001 * row as f64 } else { 0.002 }
                },
            );
        Fit::of_kinds(&game, &kinds, values.clone(), Sample::new(covariance, CLUSTERS, 0))
    }

    /// Variances of the delta method equal those by numerical derivatives, in every unit.
    #[test]
    fn covariance_is_that_of_numerical_derivatives() {
        const STEP: f64 = 1e-6;
        let values = DVector::from_vec(vec![4.0, 2.2, 1.5, 1.4, 0.5, 0.4, 1.1]);
        let here = fit(&values);
        for unit in Unit::ALL {
            let table = here.unit_table(unit).unwrap();
            let at = |index: usize, step: f64| {
                let mut moved = values.clone();
                moved[index] += step;
                let table = fit(&moved).unit_table(unit).unwrap();
                DVector::from_iterator(table.values.len(), table.values.iter().map(|value| value.measured.value))
            };
            let derivatives: Vec<DVector<f64>> =
                (0..values.len()).map(|index| (at(index, STEP) - at(index, -STEP)) / (2.0 * STEP)).collect();
            let derivatives = DMatrix::from_columns(&derivatives);
            let expected = &derivatives * &here.sample.covariance * derivatives.transpose();
            let size = 1.0 + expected.amax();
            for (row, numbers) in table.covariance.iter().enumerate() {
                for (column, &found) in numbers.iter().enumerate() {
                    let expected = expected[(row, column)];
                    assert!(
                        (found - expected).abs() < 1e-6 * size,
                        "{unit:?} {row} {column}: {found}, expected {expected}"
                    );
                }
            }
        }
    }
}

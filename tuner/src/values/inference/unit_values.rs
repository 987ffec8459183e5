//! Values in units.
//!
//! A value is a ratio of two linear combinations of the coefficients and has Fieller's interval.

use std::collections::BTreeMap;

use assay_rules::Kind;
use nalgebra::DVector;

use super::table::changes;
use super::units::published_sum;
use super::{Estimate, Fit, MeasuredValue, Quantity, Unit, ValueTable, ValueVerdict};
use crate::values::data::Regressor;
use crate::values::data::material::kind_named;
use crate::values::design::{FEW, PhaseModel};

impl Fit {
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
                verdict: match regressor {
                    Regressor::Pair(_) => ValueVerdict::of_pair(measured, published),
                    _ => ValueVerdict::of(measured, published),
                },
            })
        };
        bonuses.filter_map(bonus).collect()
    }

    /// The values in a unit; `None` if the game does not have it.
    pub fn unit_table(&self, unit: Unit) -> Option<ValueTable> {
        let (reference, sum) = unit.reference(&self.game, &self.kinds())?;
        let published_sum = published_sum(&self.game, &reference);
        let kinds = self.kinds();
        let measured = kinds.iter().map(|&kind| self.value(unit, kind, self.mean_left));
        let measured: Vec<Quantity> = measured.collect::<Option<_>>()?;
        let has_phases = self.phase_model != PhaseModel::Constant;
        let phases = |&kind: &Kind| Some([self.value(unit, kind, 1.0)?, self.value(unit, kind, FEW)?]);
        let changes = changes(kinds.iter().map(|kind| phases(kind).filter(|_| has_phases)).collect());
        let values = kinds.iter().zip(&measured).zip(changes).map(|((&kind, measured), change)| {
            let published = self.game.kind(kind).value;
            let published = published.zip(published_sum).map(|(value, all)| value * sum / all);
            let at = |left: f64| Some(self.value(unit, kind, left)?.estimate());
            let measured = measured.estimate();
            Some(MeasuredValue {
                piece: self.game.kind(kind).name.clone(),
                with_half_pair: self.has_half_pair(Regressor::Kind(kind)),
                published,
                rounded: None,
                measured,
                full_board: at(1.0),
                few_pieces: at(FEW),
                change,
                verdict: if reference == [kind] { ValueVerdict::Unit } else { ValueVerdict::of(measured, published) },
            })
        });
        Some(ValueTable {
            unit: Some(unit),
            definition: unit.definition(&self.game, &reference, sum),
            total: sum,
            margin: None,
            values: values.collect::<Option<_>>()?,
            covariance: Quantity::covariances(&measured),
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

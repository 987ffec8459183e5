//! Values in units that do not depend on one cheap pawn.
//!
//! The army is the primary unit: of the three, values in it have the smallest standard errors in all
//! six games (half of those in pawns), and they change least or nearly least over the phases of the
//! game.
//!
//! A value is a ratio of two linear combinations of the coefficients and has Fieller's interval.

use std::collections::BTreeMap;

use assay_rules::def::PieceClass;
use assay_rules::{GameDef, Kind};
use nalgebra::DVector;
use serde::{Deserialize, Serialize};

use super::{Estimate, Fit, MeasuredValue, Quantity, ValueTable, ValueVerdict};
use crate::values::data::Regressor;
use crate::values::data::material::kind_named;
use crate::values::design::FEW;

/// A unit of piece values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Share of the army: one piece of each kind with a published value, without king and pawn,
    /// scaled to the sum of these values; 100 for one of each kind if none is published
    ///
    /// The pawn is left out so that a wrong published pawn does not change the judgment of the
    /// pieces.
    #[default]
    Army,
    /// The pawn
    Pawns,
    /// Mean of the minor pieces: the kinds of class minor, in chess bishop and knight
    MinorPieces,
}

impl Unit {
    /// All units, the primary one first.
    pub const ALL: [Unit; 3] = [Unit::Army, Unit::Pawns, Unit::MinorPieces];

    /// Heading of a column.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Army => "army",
            Unit::Pawns => "pawns",
            Unit::MinorPieces => "minor pieces",
        }
    }

    /// Those of some kinds whose sum is the unit, and the value of that sum in the unit; `None` if
    /// the game does not have the unit.
    pub fn reference(self, game: &GameDef, kinds: &[Kind]) -> Option<(Vec<Kind>, f64)> {
        let of_class = |includes: fn(PieceClass) -> bool| -> Vec<Kind> {
            let kinds = kinds.iter().copied();
            kinds.filter(|&kind| includes(game.kind(kind).class)).collect()
        };
        let (kinds, sum) = match self {
            Unit::Army => {
                let mut army = of_class(|class| class != PieceClass::Pawn);
                // A piece without a published value, such as a joker, is measured against those
                // that have one.
                if army.iter().any(|&kind| game.kind(kind).value.is_some()) {
                    army.retain(|&kind| game.kind(kind).value.is_some());
                }
                let sum = published_sum(game, &army).map_or(100.0, |sum| sum / divisor(game, &army));
                (army, sum)
            }
            Unit::Pawns => (of_class(|class| class == PieceClass::Pawn), 1.0),
            Unit::MinorPieces => {
                let minors = of_class(|class| class == PieceClass::Minor);
                let count = minors.len() as f64;
                (minors, count)
            }
        };
        (!kinds.is_empty()).then_some((kinds, sum))
    }

    /// What the unit of this [`Unit::reference`] is, in words.
    pub fn definition(self, game: &GameDef, reference: &[Kind], sum: f64) -> String {
        let names: Vec<&str> = reference.iter().map(|&kind| game.kind(kind).name.as_str()).collect();
        match self {
            Unit::Army if published_sum(game, reference).is_some() => {
                let divided = match divisor(game, reference) {
                    1.0 => String::new(),
                    divisor => format!(" divided by {divisor}"),
                };
                format!("{} together are worth {sum}, the sum of their published values{divided}", names.join(", "))
            }
            Unit::Army => format!("{} together are worth 100", names.join(", ")),
            Unit::Pawns => "a pawn is worth 1".to_owned(),
            Unit::MinorPieces => format!("{} are worth 1 on average", names.join(", ")),
        }
    }
}

/// Sum of the published values of some kinds; `None` if one has none.
pub fn published_sum(game: &GameDef, kinds: &[Kind]) -> Option<f64> {
    kinds.iter().map(|&kind| game.kind(kind).value).sum()
}

/// The [`published_divisor`] of some kinds.
fn divisor(game: &GameDef, kinds: &[Kind]) -> f64 {
    published_divisor(kinds.iter().filter_map(|&kind| game.kind(kind).value))
}

/// Power of ten by which published values are divided, so that the least is below 10: inventors may
/// count in hundredths. 1 if there are no values.
pub(in crate::values) fn published_divisor(values: impl Iterator<Item = f64>) -> f64 {
    let least = values.reduce(f64::min).unwrap_or(1.0);
    10_f64.powf(least.max(1.0).log10().floor())
}

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

    /// The values in a unit; `None` if the game does not have it.
    pub fn unit_table(&self, unit: Unit) -> Option<ValueTable> {
        let (reference, sum) = unit.reference(&self.game, &self.kinds())?;
        let published_sum = published_sum(&self.game, &reference);
        let kinds = self.kinds();
        let measured = kinds.iter().map(|&kind| self.value(unit, kind, self.mean_left));
        let measured: Vec<Quantity> = measured.collect::<Option<_>>()?;
        let values = kinds.iter().zip(&measured).map(|(&kind, measured)| {
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
                change: None,
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

    use super::Unit;
    use crate::values::inference::{Fit, Sample};

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

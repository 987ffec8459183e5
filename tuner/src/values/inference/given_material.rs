//! Test of whether material given by the opening and material won in play are worth the same.
//!
//! Games start from unequal armies, and play changes the difference further. A value is estimated
//! from both, so it assumes that a piece which the opening gave and a piece which was won in play
//! have the same effect on the result. They need not: who wins a piece usually has other
//! advantages, too, and may still lose it back. The test adds to the regression, for each kind,
//! White's minus Black's pieces at the start, with the same knots as the kind's value. If x is the
//! difference on the board and g the difference at the start, then
//! `v x + d g = v (x - g) + (v + d) g`: the added coefficient d is the value of a given piece minus
//! that of one won in play.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use super::{Estimate, Fit, JointTest, Quantity, Sample, Unit};
use crate::values::data::{Dataset, Regressor};
use crate::values::design::{Column, DesignMatrix, DesignSpec, FEW, KNOTS};
use crate::values::model::{FitError, Logit, fit_from};

/// Outcome of the test.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum GivenMaterial {
    /// The test was made.
    Tested(GivenMaterialTest),
    /// The games do not allow the test.
    NotPossible { reason: String },
}

/// Wald tests that a given piece is worth as much as one won in play, with the differences.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct GivenMaterialTest {
    /// All kinds and stages together.
    pub overall: JointTest,
    /// The value of given pieces if it is the same multiple of that of won pieces for all kinds and
    /// stages; `None` if the games do not determine it.
    pub factor: Option<GivenFactor>,
    /// All kinds together in each stage of the phase model.
    pub stages: Vec<StageTest>,
    /// One entry for each stage and kind.
    pub differences: Vec<GivenDifference>,
    /// Kinds of which no opening gives one side more.
    pub never_given: Vec<String>,
}

/// One factor for all kinds and stages.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct GivenFactor {
    /// Value of a given piece over that of one won in play.
    pub factor: Estimate,
    /// Tests the hypothesis that the factor is the same for all kinds and stages; `None` if there
    /// is only one.
    pub test: Option<JointTest>,
}

impl GivenFactor {
    /// The factor from the values of won pieces in log-odds, and what given ones are worth more.
    /// With weights that make the most precise combination of the differences, it is a ratio of two
    /// linear combinations.
    fn new(won: &[Quantity], more: &[Quantity]) -> Option<GivenFactor> {
        let covariance = DMatrix::from_fn(won.len(), won.len(), |row, column| more[row].covariance(&more[column]));
        let weights = covariance.cholesky()?.solve(&DVector::from_iterator(won.len(), won.iter().map(|won| won.value)));
        let combined = |parts: &[Quantity]| Quantity::weighted_sum(parts.iter().zip(weights.iter().copied()));
        let share = &combined(more) / &combined(won);
        let left: Vec<Quantity> = won.iter().zip(more).map(|(won, more)| more - &(&share * won)).collect();
        Some(GivenFactor { factor: share.estimate().map(|share| 1.0 + share)?, test: Quantity::joint_test(&left) })
    }
}

/// Test of one stage of the phase model.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct StageTest {
    /// Name of the stage: a knot of the phase model, or `whole game`.
    pub stage: String,
    #[serde(flatten)]
    pub test: JointTest,
}

/// Value of a given piece minus that of one won in play.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct GivenDifference {
    pub piece: String,
    /// Name of the stage, as in [`StageTest`].
    pub stage: String,
    /// Difference in log-odds.
    pub log_odds: Estimate,
    /// Difference in the unit [`Unit::Army`] of the same stage, whose own error is left out; `None`
    /// if the game has no such unit.
    pub army: Option<Estimate>,
}

impl GivenDifference {
    /// Returns true if the difference is significant by itself: its interval does not contain 0.
    pub fn is_significant(&self) -> bool {
        self.army.is_some_and(|army| !army.contains(0.0))
    }
}

/// Makes the test on the rows of `design`, which `spec` built from the games of `data`. `values` is
/// the fit without the test.
pub fn test(data: &Dataset, spec: &DesignSpec, design: &DesignMatrix, values: &Fit) -> GivenMaterial {
    let is_kind = |column: &Column| matches!(column.regressor, Regressor::Kind(_));
    let (given, never): (Vec<Column>, Vec<Column>) = spec.columns.iter().copied().filter(is_kind).partition(|column| {
        let games = data.games.iter();
        let mut starts = games.map(|game| spec.value_of(column.regressor, &game.start));
        starts.any(|balance| balance != 0.0)
    });
    if given.is_empty() {
        return GivenMaterial::NotPossible { reason: "all games start with equal armies".to_owned() };
    }
    match fit_with(data, spec, design, values, &given) {
        Ok(mut test) => {
            test.never_given = never.iter().map(|column| column.regressor.name(spec.game())).collect();
            test.never_given.dedup();
            GivenMaterial::Tested(test)
        }
        Err(error) => GivenMaterial::NotPossible { reason: error.to_string() },
    }
}

/// Fits the regression with the columns `given` added for the material at the start.
fn fit_with(
    data: &Dataset,
    spec: &DesignSpec,
    design: &DesignMatrix,
    values: &Fit,
    given: &[Column],
) -> Result<GivenMaterialTest, FitError> {
    let names = given.iter().map(|column| format!("{} at the start", column.name(spec.game())));
    let mut extended = DesignMatrix::new(design.columns().iter().cloned().chain(names).collect());
    let games = data.games.iter();
    let samples = games.flat_map(|game| spec.samples(game).map(move |sample| (game, sample)));
    for (row, (game, sample)) in design.rows().zip(samples) {
        let entry = |column: &Column| spec.entry(column, sample.pieces, &game.start);
        let mut values = spec.row(&game.conditions, sample.pieces, &sample.values);
        values.extend(given.iter().map(entry));
        extended.push(&values, row.observation);
    }
    let fit = fit_from(&Logit::of(&extended), &extended, None)?;
    let clusters = extended.cluster_count();
    let sample = Sample::of_fit(&fit, data.games.len() as u64);
    let all = Quantity::all(&sample, &fit.coefficients);
    let added = &all[design.columns().len()..][..given.len()];
    let won =
        given.iter().filter_map(|column| Some(all[spec.columns.iter().position(|known| known == column)?].clone()));
    let won: Vec<Quantity> = won.collect();
    // The fit has more clusters than coefficients and a regular information matrix, so there are
    // too few clusters.
    let joint = |differences: &[Quantity]| {
        Quantity::joint_test(differences)
            .ok_or_else(|| FitError::TooFewClusters { found: clusters, coefficients: fit.coefficients.len() })
    };
    let (mut stages, mut by_piece) = (Vec::new(), Vec::new());
    for knot in [None, Some(0), Some(1)] {
        let of_stage = given.iter().zip(added).filter(|(column, _)| column.knot == knot);
        let (columns, differences): (Vec<Column>, Vec<Quantity>) =
            of_stage.map(|(column, added)| (*column, added.clone())).unzip();
        if columns.is_empty() {
            continue;
        }
        let stage = knot.map_or("whole game", |knot| KNOTS[knot]);
        let left = knot.map_or(values.mean_left, |knot| [1.0, FEW][knot]);
        stages.push(StageTest { stage: stage.to_owned(), test: joint(&differences)? });
        let unit = values.log_odds_of_unit(Unit::Army, left).map(|unit| unit.value);
        let unit = unit.filter(|&unit| unit > 0.0).map(Quantity::constant);
        let difference = |(column, difference): (Column, Quantity)| GivenDifference {
            piece: column.regressor.name(spec.game()),
            stage: stage.to_owned(),
            log_odds: difference.estimate(),
            army: unit.as_ref().map(|unit| (&difference / unit).estimate()),
        };
        by_piece.extend(columns.into_iter().zip(differences).map(difference));
    }
    Ok(GivenMaterialTest {
        overall: joint(added)?,
        factor: GivenFactor::new(&won, added),
        stages,
        differences: by_piece,
        never_given: Vec::new(),
    })
}

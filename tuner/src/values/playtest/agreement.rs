//! Do the two methods agree? The regression's values on a full board against those of the playtest.
//!
//! A playtest takes a piece off, the last of its kind to go. So the regression is asked for the same: the kind's value, and of a
//! kind of which there are two what the second one is worth besides, or the pair.

use std::sync::Arc;

use assay_rules::GameDef;
use assay_selfplay::material;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::values::data::regressor::Regressor;
use crate::values::inference::distributions::LEVEL;
use crate::values::inference::estimate::Estimate;
use crate::values::playtest::{PawnEstimate, Playtest};

/// A kind by both methods, in pawns on a full board, of the piece that goes first.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct MethodComparison {
    /// The kind's name.
    pub piece: String,
    /// By regression.
    pub regression: PawnEstimate,
    /// By playtest.
    pub playtest: PawnEstimate,
    /// The difference in standard errors.
    pub z: f64,
    /// Is the difference no larger than chance makes it somewhere among all kinds, 95 times in 100?
    pub agrees: bool,
}

/// All kinds by both methods.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Agreement {
    /// A row for each kind that both measured.
    pub values: Vec<MethodComparison>,
    /// How many standard errors a difference may have among so many kinds.
    pub critical_z: f64,
    /// Do all agree?
    pub agrees: bool,
}

/// Compares.
pub fn compare(game: &Arc<GameDef>, estimate: &Estimate, playtest: &Playtest) -> Agreement {
    let mut values: Vec<MethodComparison> = playtest
        .values
        .iter()
        .filter_map(|value| {
            let kind = game.all_kinds().find(|&kind| game.kind(kind).name == value.piece)?;
            let regression = first_to_go(game, estimate, Regressor::Kind(kind))?;
            let error = regression.standard_error.hypot(value.measured.standard_error);
            Some(MethodComparison {
                piece: value.piece.clone(),
                regression,
                playtest: value.measured,
                z: (regression.value - value.measured.value) / error,
                agrees: true,
            })
        })
        .collect();
    // Bonferroni: the largest of so many differences.
    let tail = (1.0 - LEVEL) / (2.0 * values.len().max(1) as f64);
    let critical_z = Normal::standard().inverse_cdf(1.0 - tail);
    for value in &mut values {
        value.agrees = value.z.abs() <= critical_z;
    }
    Agreement {
        agrees: values.iter().all(|value| value.agrees),
        critical_z,
        values,
    }
}

/// What a full army loses with the first piece of a kind, in pawns.
fn first_to_go(game: &Arc<GameDef>, estimate: &Estimate, term: Regressor) -> Option<PawnEstimate> {
    let Regressor::Kind(kind) = term else { return None };
    let parameters = estimate.coefficients.len();
    let at = |term: Regressor| estimate.columns.contrast(term, 1.0, parameters);
    let mut above = at(term)?;
    if material::largest(game)[kind.index()] >= 2 {
        if let Some(pair) = at(Regressor::Pair(kind)) {
            above += pair;
        }
        if let Some(second) = at(Regressor::SecondPiece(kind)) {
            above += second * 0.5;
        }
    }
    let below = at(Regressor::Kind(game.pawn))?;
    let ratio = estimate.ratio_of(&above, &below);
    let value = ratio.estimate();
    // The error of the numerator less the ratio times the denominator, over the denominator.
    let variance =
        ratio.numerator_variance - 2.0 * value * ratio.covariance + value * value * ratio.denominator_variance;
    let standard_error = variance.max(0.0).sqrt() / ratio.denominator.abs();
    Some(PawnEstimate {
        value,
        standard_error,
        low: value - estimate.critical_value * standard_error,
        high: value + estimate.critical_value * standard_error,
    })
}

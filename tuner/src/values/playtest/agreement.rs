//! Agreement of the two methods: the regression's values on a full board against those of the playtest.
//!
//! A playtest removes one piece of a full army. The regression's estimate of the same quantity is the piece's value plus the pair bonus or
//! half of the second piece's extra value, if the army has two of them.

use std::sync::Arc;

use assay_rules::GameDef;
use assay_selfplay::material;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::values::data::regressor::Regressor;
use crate::values::inference::distributions::CONFIDENCE_LEVEL;
use crate::values::inference::estimate::Estimate;
use crate::values::playtest::{PawnEstimate, Playtest};

/// Values of the first piece to be removed from a full army by both methods, in pawns.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct MethodComparison {
    pub piece: String,
    pub regression: PawnEstimate,
    pub playtest: PawnEstimate,
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

/// Compares the regression's values on a full board with a playtest's.
pub fn compare(game: &Arc<GameDef>, estimate: &Estimate, playtest: &Playtest) -> Agreement {
    let mut values: Vec<MethodComparison> = playtest
        .values
        .iter()
        .filter_map(|value| {
            let kind = game.all_kinds().find(|&kind| game.kind(kind).name == value.piece)?;
            let regression = first_piece_lost(game, estimate, Regressor::Kind(kind))?;
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
    // Bonferroni correction for the number of pieces.
    let tail = (1.0 - CONFIDENCE_LEVEL) / (2.0 * values.len().max(1) as f64);
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

/// Value in pawns of the first piece of a kind that a full army loses.
fn first_piece_lost(game: &Arc<GameDef>, estimate: &Estimate, term: Regressor) -> Option<PawnEstimate> {
    let Regressor::Kind(kind) = term else { return None };
    let parameters = estimate.coefficients.len();
    let at = |term: Regressor| estimate.spec.contrast(term, 1.0, parameters);
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
    let ratio = estimate.contrast_ratio(&above, &below);
    Some(PawnEstimate::new(
        ratio.estimate(),
        ratio.delta_method_standard_error(),
        estimate.critical_value,
    ))
}

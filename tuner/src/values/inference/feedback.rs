//! How much of what the players believe pieces to be worth comes back in the values, and the values
//! without it.
//!
//! A player who overvalues a piece protects it well, and is careful to trade it, which makes it worth
//! more. If a kind is worth `true` to players whose own value of it is right, players with the own
//! value `own` make it worth `measured = true^(1 - f) own^f`: a change of the own value by 1% changes
//! the measured one by `f` percent. The random factors of the players' values ([`Regressor::OwnValues`])
//! tell `f`, with an error that is often larger than `f`. It is therefore shrunk to what `f` was in
//! other games ([`Prior`]).
//!
//! The values without feedback are `log true = (log measured - f log own) / (1 - f)`, where own and
//! measured values are on one scale: those of the army ([`Unit::Army`]) have the same sum.

use serde::{Deserialize, Serialize};

use super::{Estimate, range};
use crate::values::data::OwnValues;
#[cfg(doc)]
use crate::values::{data::Regressor, inference::Unit};

/// A normal prior of the feedback.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct Prior {
    #[serde(deserialize_with = "range::any")]
    pub mean: f64,
    #[serde(deserialize_with = "range::non_negative")]
    pub standard_deviation: f64,
}

impl Prior {
    /// The feedback in the six games with documents, from pairs of runs with values moved by 25% in
    /// both directions (`testdata/values/feedback.py`, `docs/statistics.md`). The random factors
    /// multiply all of a linear evaluation's values, and a part of a network's.
    pub fn of(own: &OwnValues) -> Prior {
        let is_linear = own.0.values().all(|own| (own.value - own.varied).abs() <= f64::EPSILON * own.value);
        Prior { mean: if is_linear { 0.17 } else { 0.08 }, standard_deviation: 0.06 }
    }
}

/// The feedback of a run.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Feedback {
    /// From the games of the run alone; `None` if the players' values were not varied.
    pub run: Option<Estimate>,
    pub prior: Prior,
    /// Run and prior together: what the values are corrected by.
    pub used: Estimate,
    /// What the players believed.
    pub own: OwnValues,
}

//! Piece values from the scores of matches between unequal armies, after Muller; the positions of
//! the games do not count.
//!
//! Games start from armies that differ by a few known pieces. On the logistic scale the values of
//! the pieces of a comparison add up, so a fractional logit over all opening pairs gives the cost
//! of each piece in log-odds, including the pawn; a value is a piece's cost divided by that of the
//! unit. The two games of an opening are one observation, and errors are robust to how scores
//! vary. A test of the goodness of fit shows whether the costs do add up.
//!
//! The piece that is removed is the first that an army loses; for a color-bound kind the pair
//! bonus is lost with it.

pub mod agreement;
mod measure;

use serde::{Deserialize, Serialize};

use crate::values::data::DataFile;
use crate::values::inference::{Estimate, Unit, ValueTable, range};

pub use measure::{measure, measure_watched, pawn_cost};

/// Games from one pair of unequal armies.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct PlaytestComparison {
    /// Pieces removed from (`-`) and added to (`+`) the first army, a slash, and those of the
    /// second army: `-N/-PPP`.
    pub material: String,
    /// Complete pairs.
    #[serde(deserialize_with = "range::count")]
    pub pairs: u64,
    /// Number of pairs by the first army's score, ascending.
    #[serde(deserialize_with = "range::count")]
    pub counts: Vec<u64>,
    /// Mean score of the first army, 0 to 1, with errors clustered by pair.
    pub score: Estimate,
    /// Measured advantage of the second army in the unit [`Unit::Army`]; `None` if one side always
    /// won or all pairs scored equally. The interval leaves out the error of the unit, which all
    /// comparisons share.
    pub advantage: Option<Estimate>,
    /// The second army's advantage by the fitted values, in the same unit.
    #[serde(deserialize_with = "range::any")]
    pub fitted: f64,
}

/// Test of the hypothesis that costs of single pieces, added up, explain the mean scores of all
/// comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct GoodnessOfFit {
    /// Pearson's statistic: squared differences between the comparisons' mean scores and the
    /// fitted ones, each divided by its variance.
    #[serde(deserialize_with = "range::non_negative")]
    pub chi_square: f64,
    /// Comparisons minus estimated costs.
    #[serde(deserialize_with = "range::count")]
    pub degrees_of_freedom: usize,
    /// Probability of a statistic at least as large if costs add up.
    #[serde(deserialize_with = "range::share")]
    pub p: f64,
}

/// Result of a playtest.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Playtest {
    pub assay: String,
    /// The game's protocol name.
    pub game: String,
    /// The files of games; none for games that are not from a file.
    pub files: Vec<DataFile>,
    /// Games in complete pairs.
    #[serde(deserialize_with = "range::count")]
    pub games: u64,
    /// One unit of [`Unit::Army`] in log-odds of the score.
    #[serde(deserialize_with = "range::any")]
    pub unit_log_odds: f64,
    #[serde(deserialize_with = "range::non_negative")]
    pub unit_log_odds_standard_error: f64,
    /// Values on the published scale and in three units: of the first piece of a kind that a full
    /// army loses.
    pub tables: Vec<ValueTable>,
    /// Test of whether the costs of pieces add up; `None` if there are too few comparisons.
    pub goodness_of_fit: Option<GoodnessOfFit>,
    /// Comparisons with at least two pairs.
    pub comparisons: Vec<PlaytestComparison>,
}

impl Playtest {
    /// The values in a unit; `None` if the game does not have it.
    pub fn values(&self, unit: Unit) -> Option<&ValueTable> {
        ValueTable::in_unit(&self.tables, Some(unit))
    }
}

#[cfg(test)]
mod tests;

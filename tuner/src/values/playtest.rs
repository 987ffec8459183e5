//! Piece values without a regression on positions: matches between unequal armies, after Muller.
//!
//! Games start from armies that differ by a few known pieces. On the logistic scale the values of the pieces of a comparison add up, so
//! weighted least squares over all comparisons gives the cost of each piece in log-odds, including the pawn; a value is a piece's cost
//! divided by the pawn's. Errors come from the scores of opening pairs (pentanomial: the two games of an opening are one observation).
//!
//! The piece that is removed is the first that an army loses; for a color-bound kind the pair bonus is lost with it.

pub mod agreement;
mod least_squares;
mod measure;
mod pair_scores;
mod results;

pub use measure::{measure, measure_watched, pawn_cost};
pub use results::{PawnCost, Playtest, PlaytestComparison, PlaytestError};

#[cfg(test)]
mod tests;

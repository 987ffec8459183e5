//! Piece values without a regression on positions: matches between unequal armies, after Muller.
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
mod results;

pub use measure::{measure, measure_watched, pawn_cost};
pub use results::{GoodnessOfFit, Playtest, PlaytestComparison};

#[cfg(test)]
mod tests;

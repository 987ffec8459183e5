//! Piece values measured from games, with confidence intervals.
//!
//! [`data`] reads games and selects quiet positions, [`design`] turns them into a design matrix,
//! and [`model`] fits a regression. [`inference`] keeps the coefficients as one `Fit` and computes
//! values in three units from it, with intervals, tests and diagnostics. [`analysis`] runs all of it
//! and returns [`results`]; [`stored_result`] reads the result of any command.
//!
//! [`playtest`] measures values by matches between unequal armies instead. [`inference::quantity`]
//! does arithmetic with measured numbers, [`claims`] tests the inventors' statements with it,
//! and [`comparison`] puts measurements by several players side by side. [`atlas`] measures many
//! pieces, and [`estimate`] predicts from them what a piece is worth by its moves.

pub mod analysis;
pub mod armies;
pub mod atlas;
pub mod candidate;
pub mod claims;
pub mod comparison;
pub mod data;
pub mod design;
pub mod estimate;
pub mod inference;
pub mod ladder;
pub mod model;
pub mod playtest;
pub mod results;
pub mod stored_result;

/// Different things in the order in which they first occur.
pub(crate) fn distinct<T: PartialEq>(things: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for thing in things {
        if !found.contains(&thing) {
            found.push(thing);
        }
    }
    found
}

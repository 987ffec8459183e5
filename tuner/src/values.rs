//! Piece values measured from games, with confidence intervals.
//!
//! [`data`] reads games and selects quiet positions; [`design`] turns them into a design matrix; [`model`] fits a regression;
//! [`inference`] computes values in four units with intervals, tests and diagnostics. [`analysis`] runs all of it and [`results`] is what it returns; [`stored_result`] reads
//! the result of any command.
//! [`quantity`] does arithmetic with measured numbers. [`playtest`] measures values by matches between unequal armies instead. [`simulate`] checks the intervals on data with known values and [`coverage`] on real games, [`claims`]
//! tests what inventors say, [`comparison`] puts measurements by several players side by side, and [`game_stats`] describes games.

pub mod analysis;
pub mod candidate;
pub mod claims;
pub mod comparison;
pub mod coverage;
pub mod data;
pub mod design;
pub mod game_stats;
pub mod inference;
pub mod ladder;
pub mod model;
pub mod playtest;
pub mod quantity;
pub mod results;
pub mod simulate;
pub mod stored_result;

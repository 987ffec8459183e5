//! Piece values measured from games, with confidence intervals, and training of the engine's evaluation.
//!
//! - [`values`]: games become the rows of a design matrix; a regression explains results by material, with errors clustered
//!   by opening pair; ratios to the pawn are the values. The playtest measures the same without a regression.
//! - [`training`]: the same games tune the evaluation's linear weights or train a network.
//! - [`report`]: the results as text, HTML and plots.

pub mod report;
pub mod training;
pub mod values;

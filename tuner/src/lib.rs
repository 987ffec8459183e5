//! What chess pieces are worth, measured from games, with honest error bars.
//!
//! Games become rows of material differences ([`positions`], [`terms`], [`design`]); a [`model`] explains results by
//! them; errors are clustered by opening pair ([`cluster`]); values are ratios to the pawn with Fieller's intervals
//! ([`fieller`], [`values`]) and are held against the inventor's ([`verdict`], [`joint`], [`folds`]). [`convergence`]
//! says how many games a sharper answer needs. [`evaluation`] and [`network`] ask another question of the same games: how
//! should the engine evaluate?

pub mod analysis;
pub mod cluster;
pub mod convergence;
pub mod data;
pub mod design;
pub mod evaluation;
pub mod fieller;
pub mod folds;
pub mod joint;
pub mod model;
pub mod network;
pub mod positions;
pub mod quantile;
pub mod replay;
pub mod report;
pub mod simulate;
pub mod table;
pub mod terms;
pub mod values;
pub mod verdict;
pub mod words;

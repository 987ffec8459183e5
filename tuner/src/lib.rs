//! What chess pieces are worth, measured from games, with honest error bars.
//!
//! Games become rows of material differences ([`positions`], [`terms`], [`columns`], [`design`]); a [`model`] explains
//! results by them; errors are clustered by opening pair ([`cluster`]) and checked by resampling ([`mod@bootstrap`]); values
//! are ratios to the pawn with Fieller's intervals ([`fieller`], [`values`]) and are held against the inventor's
//! ([`verdict`], [`joint`], [`folds`]). [`diagnostics`] says whether the model describes the games, [`convergence`] how many
//! a sharper answer needs, [`mod@coverage`] whether intervals hold what they promise. [`playtest`] measures the same without
//! a regression, and [`agreement`] compares. [`evaluation`] and [`network`] ask another question of the same games: how should
//! the engine evaluate?

pub mod agreement;
pub mod analysis;
pub mod bootstrap;
pub mod candidate;
pub mod claims;
pub mod cluster;
pub mod clustered;
pub mod columns;
pub mod convergence;
pub mod coverage;
pub mod data;
pub mod design;
pub mod diagnostics;
pub mod evaluation;
pub mod export;
pub mod fieller;
pub mod folds;
pub mod joint;
pub mod model;
pub mod network;
pub mod overview;
pub mod playtest;
pub mod positions;
pub mod quantile;
pub mod quiet_rows;
pub mod replay;
pub mod report;
pub mod simulate;
pub mod stats;
pub mod table;
pub mod terms;
pub mod values;
pub mod verdict;
pub mod words;

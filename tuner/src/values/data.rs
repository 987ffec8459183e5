//! Data: run files, their quiet positions and the regressors of each.

mod dataset;
mod description;
pub mod export;
mod files;
pub mod material;
pub mod positions;
pub mod regressor;
mod sample_games;

pub use dataset::{Dataset, SampledGame};
pub use description::{DataFile, DataPlayer, clusters_of_imports};
pub use files::{DataError, ReadWatch, count_games, material_of};
pub(crate) use files::{PairNumber, ReadRuns, RunFile, join_paths, read_runs, unwatched};
pub use positions::{MaterialSample, Ply};
pub use regressor::Regressor;
pub use sample_games::{SampleGame, SampleReason};

//! Data: runs, their quiet positions and the regressors of each.

mod dataset;
mod description;
pub mod material;
pub mod own_values;
pub mod regressor;
mod runs;
mod sample_games;

pub use dataset::{Conditions, Dataset, MaterialSample, SampledGame};
pub use description::{DataFile, DataPlayer, clusters_of_imports};
pub use own_values::{OwnValue, OwnValues};
pub use regressor::Regressor;
pub use runs::{DataError, ReadWatch, material_of, other_definitions};
pub(crate) use runs::{PairNumber, ReadRuns, RunReader, join_names, read_runs, unwatched};
pub use sample_games::{SampleGame, SampleReason};

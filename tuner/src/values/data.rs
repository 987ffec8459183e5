//! Data: files of games, their quiet positions and the regressors of each.

mod dataset;
mod files;
pub mod material;
mod players;
pub mod positions;
pub mod regressor;
pub mod replay;
mod sample_games;

pub use dataset::{Dataset, SampledGame};
pub use files::{DataError, DataFile, ReadWatch, count_games, material_of};
pub(crate) use files::{PairNumbers, RunFile, open_runs, unwatched};
pub use players::DataPlayer;
pub use sample_games::{SampleGame, SampleReason};

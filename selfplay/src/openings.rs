//! Where games begin: random quiet moves, planned material imbalances, or a file of positions or games.

pub mod book;
mod candidates;
mod imbalance;
pub mod mirror;
mod plan;
mod playtest;
mod quiet;
mod random;
pub mod source;

pub use imbalance::{Change, Imbalance};
pub use plan::{Plan, PlanError};
pub use random::{Opening, OpeningError, Openings, OpeningsError, Unfit};

//! Where games begin: random quiet moves, planned material imbalances, or a book of positions or games.

mod book;
mod candidates;
mod imbalance;
pub mod mirror;
mod plan;
mod playtest;
mod quiet;
mod random;
mod rejected;
mod source;

pub use book::{Book, BookError};
pub use imbalance::{Change, Imbalance};
pub use plan::{Plan, PlanError};
pub use random::{Opening, OpeningError, OpeningGenerator};
pub use rejected::Rejected;
pub use source::{Openings, PairStarts, SourceError};

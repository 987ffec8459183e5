//! Search: iterative deepening with principal variation search, on one thread or several.
//!
//! `searcher` is the entry point. It owns the threads, each of which runs `root`: iterative
//! deepening, aspiration windows and the search of the root moves. `node` lists the steps of an
//! inner node in order, with the quiescence search and the conditions of pruning and extensions
//! beside it; `ordering` picks the moves. The tunable numbers are in `parameters`, the numbers of
//! weaker play in `strength`.

mod context;
mod correction;
mod info;
mod limits;
mod node;
mod ordering;
mod parameters;
mod reductions;
mod root;
mod searcher;
mod strength;
mod thread;
mod tt;

pub use info::{Bound, PvInfo, SearchInfo, SearchResult};
pub use limits::{ClockLimits, Limits};
pub use ordering::see;
#[cfg(feature = "tune")]
pub use parameters::{PARAMETERS, Parameter, ParameterError};
pub use searcher::Searcher;
pub use searcher::compiled::CompiledSearch;
pub use strength::Strength;
pub use thread::SearchThread;
pub use tt::HashError;

#[cfg(test)]
mod tests;

//! Search: iterative deepening with principal variation search, on one thread or several.
//!
//! The steps of a node are listed in order in `node.rs`, those of the quiescence search in `quiescence.rs`; `pruning.rs` and
//! `reductions.rs` hold their conditions and margins, `parameters.rs` all numbers. `searcher.rs` is the entry point: it owns
//! the threads, each of which runs `iterative_deepening.rs` and `root.rs`.

mod compiled;
mod context;
mod correction;
mod extensions;
mod game_end;
mod history;
mod info;
mod iterative_deepening;
mod limits;
mod movepick;
mod node;
mod parameters;
mod pruning;
mod pv;
mod quiescence;
mod reductions;
mod root;
mod root_move;
mod searcher;
pub mod see;
mod smp;
mod thread;
mod time;
mod tt;

pub use compiled::CompiledSearch;
pub use info::{Bound, PvInfo, SearchInfo, SearchResult};
pub use limits::{ClockLimits, Limits};
#[cfg(feature = "tune")]
pub use parameters::{PARAMETERS, Parameter, ParameterError};
pub use searcher::Searcher;
pub use thread::SearchThread;

#[cfg(test)]
mod tests;

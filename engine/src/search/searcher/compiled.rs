//! The search function that is compiled once for each ruleset.

use std::sync::atomic::AtomicBool;

use crate::position::{CompiledPosition, Position};
use crate::search::info::{SearchInfo, SearchResult};
use crate::search::limits::Limits;
use crate::search::thread::SearchThread;

/// A ruleset whose search is compiled in this crate, for the reason given at [`CompiledPosition`].
pub trait CompiledSearch: CompiledPosition {
    /// Runs iterative deepening until a limit is reached or `stop` is set.
    fn iterative_deepening(
        thread: &mut SearchThread<Self>,
        position: &mut Position<Self>,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> SearchResult;
}

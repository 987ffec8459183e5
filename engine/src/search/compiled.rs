//! The search function that is compiled once for each ruleset.

use std::sync::atomic::AtomicBool;

use super::{Limits, SearchInfo, SearchResult, Searcher};
use crate::position::{CompiledPosition, Position};

/// A ruleset whose search is compiled in this crate, for the reason given at [`CompiledPosition`].
pub trait CompiledSearch: CompiledPosition {
    /// Runs iterative deepening until a limit is reached or `stop` is set.
    fn iterate(
        searcher: &mut Searcher<Self>,
        position: &mut Position<Self>,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> SearchResult;
}

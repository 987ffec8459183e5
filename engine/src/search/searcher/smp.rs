//! Lazy SMP: all threads search the same root independently and share results through the
//! transposition table.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::compiled::CompiledSearch;
use crate::eval::MAX_PLY;
use crate::position::Position;
use crate::search::info::{Bound, PvInfo, SearchInfo, SearchResult};
use crate::search::limits::Limits;
use crate::search::thread::SearchThread;
use crate::search::thread::time::TimeManager;

/// Stack size of a helper thread; the search recurses several hundred levels deep.
pub(crate) const STACK_BYTES: usize = 16 << 20;

/// The threads of a searcher.
pub(crate) struct SmpPool<R: CompiledSearch> {
    pub(crate) main: SearchThread<R>,
    helpers: Vec<SearchThread<R>>,
}

/// Sets a stop flag when dropped, even by a panic.
struct StopOnDrop<'s>(&'s AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl<R: CompiledSearch> SmpPool<R> {
    pub(crate) fn new(main: SearchThread<R>) -> SmpPool<R> {
        SmpPool { main, helpers: Vec::new() }
    }

    /// Number of threads, including the main thread.
    pub(crate) fn len(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Sets the number of threads, at least 1. `new_helper` creates the helper thread with the
    /// given id.
    pub(crate) fn resize(&mut self, threads: usize, mut new_helper: impl FnMut(u32) -> SearchThread<R>) {
        let helpers = threads.max(1) - 1;
        self.helpers.truncate(helpers);
        while self.helpers.len() < helpers {
            self.helpers.push(new_helper(self.helpers.len() as u32 + 1));
        }
    }

    pub(crate) fn for_each_thread(&mut self, mut f: impl FnMut(&mut SearchThread<R>)) {
        f(&mut self.main);
        self.helpers.iter_mut().for_each(f);
    }

    /// Searches a position with the main thread alone, which must have been started with the
    /// limits.
    pub(crate) fn search_on_main(
        &mut self,
        position: &Position<R>,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> SearchResult {
        self.main.shared_nodes.store(0, Ordering::Relaxed);
        R::iterative_deepening(&mut self.main, &mut position.clone(), limits, stop, report)
    }

    /// Searches a position with all threads. The main thread must have been started with the
    /// limits.
    pub(crate) fn search(
        &mut self,
        position: &Position<R>,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> SearchResult {
        if self.helpers.is_empty() {
            return self.search_on_main(position, limits, stop, report);
        }
        self.main.shared_nodes.store(0, Ordering::Relaxed);
        // Helpers search until the main thread has finished or the nodes of all threads reach the
        // limit.
        let helper_limits = Limits { infinite: true, search_moves: limits.search_moves.clone(), ..Limits::default() };
        let stop_helpers = AtomicBool::new(false);
        let (main_result, helper_results) = thread::scope(|scope| {
            let guard = StopOnDrop(&stop_helpers);
            let mut handles = Vec::new();
            let wanted = self.helpers.len() + 1;
            for helper in &mut self.helpers {
                helper.start_search(
                    TimeManager::start(&helper_limits, Duration::ZERO, None),
                    limits.nodes.unwrap_or(u64::MAX),
                );
                helper.shared_nodes.clone_from(&self.main.shared_nodes);
                let (helper_limits, stop_helpers) = (&helper_limits, &stop_helpers);
                let mut position = position.clone();
                let spawned = thread::Builder::new()
                    .name("search helper".to_owned())
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || {
                        let result =
                            R::iterative_deepening(helper, &mut position, helper_limits, stop_helpers, &mut |_| {});
                        helper.publish_nodes();
                        result
                    });
                match spawned {
                    Ok(handle) => handles.push(handle),
                    Err(error) => {
                        report(&SearchInfo::MissingThreads { started: handles.len() + 1, wanted, error: &error });
                        break;
                    }
                }
            }
            let main_result = R::iterative_deepening(&mut self.main, &mut position.clone(), limits, stop, report);
            drop(guard);
            let helper_results: Vec<SearchResult> =
                handles.into_iter().filter_map(|handle| handle.join().ok()).collect();
            (main_result, helper_results)
        });
        let result = self.choose_result(main_result, helper_results, limits, report);
        SearchResult { nodes: self.main.total_nodes(), ..result }
    }

    /// Chooses the best result: a helper's if it is at least as deep and scores higher. A search
    /// for a depth, a mate or several lines returns the main thread's result.
    fn choose_result(
        &self,
        main_result: SearchResult,
        helper_results: Vec<SearchResult>,
        limits: &Limits,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> SearchResult {
        let main = &self.main;
        if limits.depth.is_some() || limits.mate.is_some() || main.multi_pv > 1 || main_result.best_move.is_none() {
            return main_result;
        }
        let main_move = main_result.best_move;
        let better = |best: SearchResult, other: SearchResult| {
            let is_better = other.best_move.is_some() && other.depth >= best.depth && other.score > best.score;
            if is_better { other } else { best }
        };
        let chosen = helper_results.into_iter().fold(main_result, better);
        if chosen.best_move != main_move {
            report(&SearchInfo::Pv(PvInfo {
                depth: chosen.depth,
                seldepth: (main.seldepth as u32).max(chosen.depth).min(MAX_PLY as u32),
                multipv: 1,
                score: chosen.score,
                bound: Bound::Exact,
                nodes: main.total_nodes(),
                elapsed: main.time.elapsed(),
                hashfull: main.tt.hashfull(),
                pv: &chosen.pv,
            }));
        }
        chosen
    }
}

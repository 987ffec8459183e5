//! Several threads on one search (lazy SMP): each searches the same root by itself, and what one finds the others read in the
//! transposition table that they share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::CompiledSearch;
use super::info::{Bound, PvInfo, SearchInfo};
use super::time::TimeManager;
use super::tt::TranspositionTable;
use super::{Limits, SearchResult, Searcher};
use crate::eval::MAX_PLY;
use crate::position::Position;

/// The stack of a helper: the search goes some hundred levels deep.
const STACK_BYTES: usize = 16 << 20;
/// Helpers begin at iterations 1 to this.
const STAGGER: u32 = 3;

/// What a searcher knows of those that it searches with.
pub(super) struct SmpPool<R: CompiledSearch> {
    /// Those that help this one; none for a helper itself.
    helpers: Vec<Searcher<R>>,
    /// Where the helpers tell how many nodes they have visited.
    counts: Vec<Arc<AtomicU64>>,
    /// Its number: 0, or that of a helper.
    number: u32,
    /// Nodes that this one has visited, told now and then.
    published: Arc<AtomicU64>,
}

impl<R: CompiledSearch> Default for SmpPool<R> {
    fn default() -> SmpPool<R> {
        SmpPool {
            helpers: Vec::new(),
            counts: Vec::new(),
            number: 0,
            published: Arc::default(),
        }
    }
}

impl<R: CompiledSearch> SmpPool<R> {
    /// Tells how many nodes this one has visited.
    pub(super) fn publish(&self, nodes: u64) {
        if self.number > 0 {
            self.published.store(nodes, Ordering::Relaxed);
        }
    }

    /// The iteration to begin with: not the same for all, so that they are not all at the same place at the same time.
    pub(super) fn first_iteration(&self) -> u32 {
        1 + self.number % STAGGER
    }
}

/// Tells helpers to stop when it goes, also by a panic.
struct Halt<'h>(&'h AtomicBool);

impl Drop for Halt<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl<R: CompiledSearch> Searcher<R> {
    /// The number of threads of a search.
    pub fn threads(&self) -> usize {
        self.pool.counts.len() + 1
    }

    /// Says how many threads a search has; at least 1. With more than one a limit of nodes is kept only about, and no two
    /// searches are quite the same.
    pub fn set_threads(&mut self, threads: usize) {
        let helpers = threads.max(1) - 1;
        self.pool.helpers.truncate(helpers);
        while self.pool.helpers.len() < helpers {
            let mut helper = Searcher::with_parts(
                &self.tables,
                self.hash_mb,
                self.weights.clone(),
                self.evaluator.clone(),
                self.table.clone(),
            );
            helper.network.clone_from(&self.network);
            helper.pool.number = self.pool.helpers.len() as u32 + 1;
            self.pool.helpers.push(helper);
        }
        self.pool.counts = self
            .pool
            .helpers
            .iter()
            .map(|helper| helper.pool.published.clone())
            .collect();
    }

    pub(super) fn each_helper(&mut self, work: impl FnMut(&mut Searcher<R>)) {
        self.pool.helpers.iter_mut().for_each(work);
    }

    /// From now on all threads use this table.
    pub(super) fn share_table(&mut self, table: &Arc<TranspositionTable>) {
        self.table = table.clone();
        self.each_helper(|helper| helper.table = table.clone());
    }

    /// Nodes visited by all threads; those of the others as they told last.
    pub(super) fn all_nodes(&self) -> u64 {
        let others: u64 = self.pool.counts.iter().map(|count| count.load(Ordering::Relaxed)).sum();
        self.nodes + others
    }

    /// Searches on all threads.
    pub(super) fn search_together(
        &mut self,
        position: &Position<R>,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> SearchResult {
        // Helpers go on until this thread has finished.
        let unlimited = Limits {
            infinite: true,
            search_moves: limits.search_moves.clone(),
            ..Limits::default()
        };
        let mut helpers = std::mem::take(&mut self.pool.helpers);
        let halt = AtomicBool::new(false);
        let (own, others) = thread::scope(|scope| {
            let halted = Halt(&halt);
            let mut running = Vec::new();
            for helper in &mut helpers {
                helper.begin(TimeManager::start(&unlimited, self.overhead, None), u64::MAX);
                helper.pool.publish(0);
                let (unlimited, halt) = (&unlimited, &halt);
                let mut position = position.clone();
                let spawned = thread::Builder::new()
                    .name("helper".to_owned())
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || {
                        let result = R::iterate(helper, &mut position, unlimited, halt, &mut |_| {});
                        helper.pool.publish(helper.nodes);
                        result
                    });
                // Where the system has no thread left, it is searched with fewer.
                running.extend(spawned);
            }
            let own = R::iterate(self, &mut position.clone(), limits, stop, report);
            drop(halted);
            let others: Vec<SearchResult> = running.into_iter().filter_map(|thread| thread.join().ok()).collect();
            (own, others)
        });
        self.pool.helpers = helpers;
        let chosen = self.choose(own, others, limits, report);
        SearchResult {
            nodes: self.all_nodes(),
            ..chosen
        }
    }

    /// The result of the thread that has seen most: another one's counts when it is at least as deep and better. What was
    /// asked for in plies, mates or lines is this thread's own.
    fn choose(
        &self,
        own: SearchResult,
        others: Vec<SearchResult>,
        limits: &Limits,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> SearchResult {
        if limits.depth.is_some() || limits.mate.is_some() || self.multi_pv > 1 || own.best.is_none() {
            return own;
        }
        let own_best = own.best;
        let better = |best: SearchResult, other: SearchResult| {
            let wins = other.best.is_some() && other.depth >= best.depth && other.score > best.score;
            if wins { other } else { best }
        };
        let chosen = others.into_iter().fold(own, better);
        if chosen.best != own_best {
            report(&SearchInfo::Pv(PvInfo {
                depth: chosen.depth,
                selective_depth: (self.selective_depth as u32).max(chosen.depth).min(MAX_PLY as u32),
                number: 1,
                score: chosen.score,
                bound: Bound::Exact,
                nodes: self.all_nodes(),
                elapsed: self.clock.elapsed(),
                table_permill: self.table.permill_full(),
                pv: &chosen.pv,
            }));
        }
        chosen
    }
}

#[cfg(test)]
mod tests;

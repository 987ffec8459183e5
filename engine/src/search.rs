//! The search: iterative deepening of a principal variation alpha-beta search, on one thread or several.
//!
//! With the same state, position and limit of nodes or depth one thread always finds the same; several threads, which help
//! each other through the transposition table alone, do not.

mod compiled;
mod correction;
mod ending;
mod evaluate;
mod history;
mod info;
mod iterate;
mod limits;
mod movepick;
mod node;
mod parameters;
mod prune;
mod pv;
mod quiescence;
mod root_move;
pub mod see;
mod shortcuts;
mod smp;
mod time;
mod tt;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::eval::{Evaluator, MAX_PLY, Score, Weights};
use crate::moves::Move;
use crate::nnue::{Accumulators, Network};
use crate::position::Position;
use crate::tables::Tables;
use correction::CorrectionHistory;
use history::{History, Moved};
use movepick::ScoredMove;
use parameters::time as tm;
use prune::Reductions;
use pv::PvTable;
use root_move::RootMove;
use smp::SmpPool;
use time::TimeManager;
use tt::TranspositionTable;

pub use compiled::CompiledSearch;
pub use info::{Bound, PvInfo, SearchInfo};
pub use limits::{ClockLimits, Limits};
#[cfg(feature = "tune")]
pub use parameters::{PARAMETERS, Parameter};

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move; `None` only when there is no legal move.
    pub best: Option<Move>,
    /// The answer expected to it.
    pub ponder: Option<Move>,
    /// The score from the side to move's point of view.
    pub score: Score,
    /// The last iteration that was finished, in plies.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// The line of best play, the best move first.
    pub pv: Vec<Move>,
}

/// What is remembered of each ply on the way from the root to the node being searched.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    /// The position's evaluation without search; none in check.
    evaluation: Option<Score>,
    /// The piece that moved from here, and where it went; none for a pass.
    moved: Option<Moved>,
    /// The move that is left out, while it is tested for being the only good one.
    excluded: Option<Move>,
}

/// Searches positions of one game. What it has learned (transposition table, history of moves) stays from search to search
/// until [`Searcher::clear`].
pub struct Searcher<R: CompiledSearch> {
    tables: Arc<Tables<R>>,
    evaluator: Evaluator<R>,
    weights: Weights,
    /// Judges positions in the evaluator's place.
    network: Option<Accumulators<R::Word>>,
    /// MiB of the transposition table.
    hash_mb: usize,
    table: Arc<TranspositionTable>,
    history: History,
    corrections: CorrectionHistory,
    reductions: Reductions,
    /// Time lost with each move outside of the search.
    overhead: Duration,
    /// How many lines of play are wanted.
    multi_pv: usize,
    /// Set as long as the next search is on the opponent's time.
    pondering: Option<Arc<AtomicBool>>,
    pool: SmpPool<R>,
    // The present search, made anew by each.
    clock: TimeManager,
    /// The number of nodes at which it stops.
    last_node: u64,
    /// It looks around when these bits of the number of nodes are zero.
    check_mask: u64,
    nodes: u64,
    stopped: bool,
    /// The iteration, in plies.
    iteration: i32,
    /// The depth of the root, less than the iteration's after the score was above the window.
    root_depth: i32,
    /// The index of the line being looked for.
    line: usize,
    selective_depth: usize,
    /// No pass is tried nearer to the root than this, while a cutoff by a pass is being confirmed.
    no_pass_before: usize,
    root_moves: Vec<RootMove>,
    frames: Vec<Frame>,
    variations: PvTable,
    /// The moves of all nodes on the way, the root's first.
    ranked: Vec<ScoredMove>,
}

impl<R: CompiledSearch> Searcher<R> {
    /// A searcher as the game is played: with its network where it has one, its weights, and a table of at most `hash_mb` MiB.
    pub fn new(tables: &Arc<Tables<R>>, hash_mb: usize) -> Searcher<R> {
        let weights = Weights::for_game(tables.game());
        let mut searcher = Searcher::with_weights(tables, hash_mb, weights);
        searcher.network = Network::builtin(tables.game()).as_ref().map(Accumulators::new);
        searcher
    }

    /// A searcher with these weights and no network.
    ///
    /// # Panics
    /// When the weights are another game's.
    pub fn with_weights(tables: &Arc<Tables<R>>, hash_mb: usize, weights: Weights) -> Searcher<R> {
        let evaluator = Evaluator::new(tables, &weights);
        let table = Arc::new(TranspositionTable::new(hash_mb));
        Searcher::with_parts(tables, hash_mb, weights, evaluator, table)
    }

    fn with_parts(
        tables: &Arc<Tables<R>>,
        hash_mb: usize,
        weights: Weights,
        evaluator: Evaluator<R>,
        table: Arc<TranspositionTable>,
    ) -> Searcher<R> {
        Searcher {
            tables: tables.clone(),
            evaluator,
            weights,
            network: None,
            hash_mb,
            table,
            history: History::new(tables.game()),
            corrections: CorrectionHistory::new(),
            reductions: Reductions::new(),
            overhead: Duration::from_millis(10),
            multi_pv: 1,
            pondering: None,
            pool: SmpPool::default(),
            clock: TimeManager::start(&Limits::default(), Duration::ZERO, None),
            last_node: u64::MAX,
            check_mask: 0,
            nodes: 0,
            stopped: false,
            iteration: 0,
            root_depth: 0,
            line: 0,
            selective_depth: 0,
            no_pass_before: 0,
            root_moves: Vec::new(),
            frames: vec![Frame::default(); MAX_PLY + 2],
            variations: PvTable::new(),
            ranked: Vec::with_capacity(4096),
        }
    }

    /// Forgets everything learned, as before a new game.
    pub fn clear(&mut self) {
        self.clear_table();
        self.forget();
        self.each_helper(Searcher::forget);
    }

    /// Forgets what this thread has learned of moves and evaluations.
    fn forget(&mut self) {
        self.history.clear();
        self.corrections.clear();
    }

    /// Makes the transposition table anew, with at most `hash_mb` MiB, empty.
    pub fn resize(&mut self, hash_mb: usize) {
        self.hash_mb = hash_mb;
        // The old one goes first, so that there are never two.
        self.share_table(&Arc::new(TranspositionTable::new(0)));
        self.share_table(&Arc::new(TranspositionTable::new(hash_mb)));
    }

    /// Forgets the transposition table.
    pub fn clear_table(&mut self) {
        // New memory is empty, and given by the system only where it is used.
        self.resize(self.hash_mb);
    }

    /// Searches with other weights and no network from now on.
    ///
    /// # Panics
    /// When the weights are another game's.
    pub fn set_weights(&mut self, weights: Weights) {
        self.evaluator = Evaluator::new(&self.tables, &weights);
        self.weights = weights;
        self.network = None;
        self.forget_evaluations();
    }

    /// Says how many lines of play a search looks for, the best first; at least 1.
    pub fn set_multi_pv(&mut self, lines: usize) {
        self.multi_pv = lines.max(1);
    }

    /// The next search is on the opponent's time as long as `pondering` is set: its clock stands still, and it does not end
    /// by itself.
    pub fn set_pondering(&mut self, pondering: Arc<AtomicBool>) {
        self.pondering = Some(pondering);
    }

    /// Says how much time passes outside of the search with each move.
    pub fn set_move_overhead(&mut self, overhead: Duration) {
        self.overhead = overhead;
    }

    /// The weights that it searches with.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The evaluator that it searches with.
    pub fn evaluator(&self) -> &Evaluator<R> {
        &self.evaluator
    }

    /// Searches a position until a limit is reached or `stop` is set. `report` is called after each iteration, and now and
    /// then between.
    pub fn search(
        &mut self,
        position: &Position<R>,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> SearchResult {
        self.table.new_search();
        let pondering = self.pondering.take();
        self.begin(
            TimeManager::start(limits, self.overhead, pondering),
            limits.nodes.unwrap_or(u64::MAX),
        );
        if self.threads() == 1 {
            R::iterate(self, &mut position.clone(), limits, stop, report)
        } else {
            self.search_together(position, limits, stop, report)
        }
    }

    /// Makes ready for a search.
    fn begin(&mut self, clock: TimeManager, last_node: u64) {
        let interval = if clock.is_short() {
            tm::HURRIED_INTERVAL
        } else {
            tm::CHECK_INTERVAL
        };
        self.check_mask = interval - 1;
        self.clock = clock;
        self.last_node = last_node;
        self.nodes = 0;
        self.stopped = false;
        self.line = 0;
        self.selective_depth = 0;
        self.no_pass_before = 0;
        self.ranked.clear();
        self.history.new_search();
        if cfg!(feature = "tune") {
            self.reductions = Reductions::new();
        }
    }

    /// Counts a node about to be visited. Says no when the search has to stop instead.
    #[inline]
    fn enter(&mut self, stop: &AtomicBool) -> bool {
        if self.nodes >= self.last_node {
            self.stopped = true;
        } else {
            self.nodes += 1;
            if self.nodes & self.check_mask == 0 {
                self.look_around(stop);
            }
        }
        !self.stopped
    }

    /// Looks at the stop flag, the clock, and what the other threads have done.
    #[cold]
    fn look_around(&mut self, stop: &AtomicBool) {
        self.pool.publish(self.nodes);
        let enough = self.threads() > 1 && self.all_nodes() >= self.last_node;
        if enough || stop.load(Ordering::Relaxed) || self.clock.is_over() {
            self.stopped = true;
        }
    }
}

#[cfg(test)]
mod tests;

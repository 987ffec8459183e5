//! The search: iterative deepening of a principal variation alpha-beta search, on one thread.
//!
//! With the same state, position and limit of nodes or depth it always finds the same.

mod clock;
mod compiled;
mod ending;
mod history;
mod iterate;
mod limits;
mod node;
mod ordering;
mod parameters;
mod prune;
mod quiescence;
mod root;
mod table;
mod variation;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::eval::{Evaluator, Weights};
use crate::mv::Move;
use crate::position::Position;
use crate::ruleset::Ruleset;
use crate::score::{MAX_PLY, Score};
use crate::tables::Tables;
use clock::Clock;
use history::{History, Moved};
use ordering::Ranked;
use parameters::time;
use prune::Reductions;
use root::RootMove;
use table::Table;
use variation::Variations;

pub use compiled::CompiledSearch;
pub use limits::{ClockLimits, Limits};

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

/// News from a search that goes on: an iteration is finished.
#[derive(Clone, Debug)]
pub struct Report<'s> {
    /// The iteration, in plies.
    pub depth: u32,
    /// The deepest ply that was looked at.
    pub selective_depth: u32,
    /// The score from the side to move's point of view.
    pub score: Score,
    /// Nodes visited so far.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// How full the transposition table is, in thousandths.
    pub table_permill: u32,
    /// The line of best play.
    pub pv: &'s [Move],
}

/// What is remembered of each ply on the way from the root to the node being searched.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    /// The position's evaluation without search; none in check.
    evaluation: Option<Score>,
    /// The man that moved from here, and where it went; none for a pass.
    moved: Option<Moved>,
}

/// Searches positions of one game. What it has learned (transposition table, history of moves) stays from search to search
/// until [`Searcher::clear`].
pub struct Searcher<R: Ruleset> {
    evaluator: Evaluator<R>,
    weights: Weights,
    table: Table,
    history: History,
    reductions: Reductions,
    /// Time lost with each move outside of the search.
    overhead: Duration,
    // The present search, made anew by each.
    clock: Clock,
    /// The number of nodes at which it stops.
    last_node: u64,
    nodes: u64,
    stopped: bool,
    /// The iteration, in plies.
    iteration: i32,
    selective_depth: usize,
    /// No pass is tried nearer to the root than this, while a cutoff by a pass is being confirmed.
    no_pass_before: usize,
    root_moves: Vec<RootMove>,
    frames: Vec<Frame>,
    variations: Variations,
    /// The moves of all nodes on the way, the root's first.
    ranked: Vec<Ranked>,
}

impl<R: Ruleset> Searcher<R> {
    /// A searcher with the game's own weights and a table of at most `hash_mb` MiB.
    pub fn new(tables: &Arc<Tables<R>>, hash_mb: usize) -> Searcher<R> {
        let weights = Weights::of(tables.game());
        Searcher::with_weights(tables, hash_mb, weights)
    }

    /// A searcher with other weights.
    ///
    /// # Panics
    /// When the weights are another game's.
    pub fn with_weights(tables: &Arc<Tables<R>>, hash_mb: usize, weights: Weights) -> Searcher<R> {
        let game = tables.game();
        Searcher {
            evaluator: Evaluator::new(tables, &weights),
            weights,
            table: Table::new(hash_mb),
            history: History::new(game),
            reductions: Reductions::new(),
            overhead: Duration::from_millis(10),
            clock: Clock::start(&Limits::default(), Duration::ZERO),
            last_node: u64::MAX,
            nodes: 0,
            stopped: false,
            iteration: 0,
            selective_depth: 0,
            no_pass_before: 0,
            root_moves: Vec::new(),
            frames: vec![Frame::default(); MAX_PLY + 2],
            variations: Variations::new(),
            ranked: Vec::with_capacity(4096),
        }
    }

    /// Forgets everything learned, as before a new game.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history.clear();
    }

    /// Makes the transposition table anew, with at most `hash_mb` MiB, empty.
    pub fn resize(&mut self, hash_mb: usize) {
        self.table = Table::new(hash_mb);
    }

    /// Forgets the transposition table.
    pub fn clear_table(&mut self) {
        self.table.clear();
    }

    /// Says how much time passes outside of the search with each move.
    pub fn set_overhead(&mut self, overhead: Duration) {
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

    /// Searches a position until a limit is reached or `stop` is set. `report` is called after each iteration.
    pub fn search(
        &mut self,
        position: &Position<R>,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Report<'_>),
    ) -> SearchResult {
        self.clock = Clock::start(limits, self.overhead);
        self.last_node = limits.nodes.unwrap_or(u64::MAX);
        self.nodes = 0;
        self.stopped = false;
        self.selective_depth = 0;
        self.no_pass_before = 0;
        self.ranked.clear();
        self.table.new_search();
        self.history.new_search();
        let mut position = position.clone();
        R::iterate(self, &mut position, limits, stop, report)
    }

    /// Counts a node about to be visited. Says no when the search has to stop instead.
    #[inline]
    fn enter(&mut self, stop: &AtomicBool) -> bool {
        if self.nodes >= self.last_node {
            self.stopped = true;
        } else {
            self.nodes += 1;
            if self.nodes.is_multiple_of(time::CHECK_INTERVAL) && (stop.load(Ordering::Relaxed) || self.clock.is_over())
            {
                self.stopped = true;
            }
        }
        !self.stopped
    }
}

#[cfg(test)]
mod tests;

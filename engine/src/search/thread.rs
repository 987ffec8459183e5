//! One thread of a search: everything that it learns, and the state of the current search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use assay_rules::GameDef;

use super::correction::CorrectionHistory;
use super::history::{History, PieceTo, PreviousMoves};
use super::limits::Limits;
use super::movepick::{GenType, MovePicker, MoveStack};
use super::parameters::time as tm;
use super::pv::PvTable;
use super::reductions::Reductions;
use super::root_move::RootMove;
use super::time::TimeManager;
use super::tt::TranspositionTable;
use crate::eval::{Evaluator, MAX_PLY, Score};
use crate::moves::Move;
use crate::nnue::{AccumulatorStack, Network};
use crate::position::{CompiledPosition, Position};

/// A ply of the path from the root to the current node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StackEntry {
    /// Corrected static evaluation; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// The move made from this node; `None` for a null move.
    pub(super) piece_to: Option<PieceTo>,
    /// The move excluded while it is tested for singularity.
    pub(super) excluded_move: Option<Move>,
}

/// A search thread. The main thread of a search runs on the caller's thread; see [`super::Searcher`].
pub struct SearchThread<R: CompiledPosition> {
    /// 0 for the main thread.
    pub(super) id: u32,
    evaluator: Evaluator<R>,
    /// Evaluates in place of the linear terms.
    network: Option<AccumulatorStack<R::Word>>,
    pub(super) tt: Arc<TranspositionTable>,
    pub(super) history: History,
    pub(super) correction_history: CorrectionHistory,
    pub(super) reductions: Reductions,
    /// Number of principal variations to search for.
    pub(super) multi_pv: usize,
    /// The nodes of this thread, as the main thread sees them.
    pub(super) shared_nodes: Arc<AtomicU64>,
    /// The nodes of the helper threads; empty for a helper.
    pub(super) helper_nodes: Vec<Arc<AtomicU64>>,

    // The current search.
    pub(super) time: TimeManager,
    node_limit: u64,
    /// Limits are checked if the node count has none of these bits.
    check_mask: u64,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
    /// Depth of the iteration in plies.
    pub(super) iteration: i32,
    /// Depth at the root, reduced after a fail high.
    pub(super) root_depth: i32,
    /// Index of the principal variation being searched.
    pub(super) pv_index: usize,
    pub(super) seldepth: usize,
    /// No null move is made at lower plies while a null-move cutoff is verified.
    pub(super) nmp_min_ply: usize,
    pub(super) root_moves: Vec<RootMove>,
    pub(super) stack: Vec<StackEntry>,
    pub(super) pv_table: PvTable,
    move_stack: MoveStack,
}

impl<R: CompiledPosition> SearchThread<R> {
    pub(super) fn new(
        id: u32,
        game: &GameDef,
        evaluator: Evaluator<R>,
        tt: Arc<TranspositionTable>,
    ) -> SearchThread<R> {
        SearchThread {
            id,
            evaluator,
            network: None,
            tt,
            history: History::new(game),
            correction_history: CorrectionHistory::new(),
            reductions: Reductions::new(),
            multi_pv: 1,
            shared_nodes: Arc::default(),
            helper_nodes: Vec::new(),
            time: TimeManager::start(&Limits::default(), Duration::ZERO, None),
            node_limit: u64::MAX,
            check_mask: 0,
            nodes: 0,
            stopped: false,
            iteration: 0,
            root_depth: 0,
            pv_index: 0,
            seldepth: 0,
            nmp_min_ply: 0,
            root_moves: Vec::new(),
            stack: vec![StackEntry::default(); MAX_PLY + 2],
            pv_table: PvTable::new(),
            move_stack: Vec::with_capacity(4096),
        }
    }

    /// Forgets what this thread has learned about moves and evaluations.
    pub(super) fn clear(&mut self) {
        self.history.clear();
        self.correction_history.clear();
    }

    pub(super) fn evaluator(&self) -> &Evaluator<R> {
        &self.evaluator
    }

    pub(super) fn set_evaluator(&mut self, evaluator: Evaluator<R>) {
        self.evaluator = evaluator;
    }

    pub(super) fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref().map(AccumulatorStack::network)
    }

    pub(super) fn set_network(&mut self, network: Option<&Arc<Network>>) {
        self.network = network.map(AccumulatorStack::new);
    }

    /// Prepares a new search.
    pub(super) fn start_search(&mut self, time: TimeManager, node_limit: u64) {
        let interval = if time.is_short() {
            tm::SHORT_CHECK_INTERVAL
        } else {
            tm::CHECK_INTERVAL
        };
        self.check_mask = interval - 1;
        self.time = time;
        self.node_limit = node_limit;
        self.nodes = 0;
        self.stopped = false;
        self.pv_index = 0;
        self.seldepth = 0;
        self.nmp_min_ply = 0;
        self.move_stack.clear();
        self.history.clear_killers();
        if cfg!(feature = "tune") {
            self.reductions = Reductions::new();
        }
    }

    /// Counts a node that is about to be visited. Returns false if the search must stop instead.
    #[inline]
    pub(super) fn count_node(&mut self, stop: &AtomicBool) -> bool {
        if self.nodes >= self.node_limit {
            self.stopped = true;
        } else {
            self.nodes += 1;
            if self.nodes & self.check_mask == 0 {
                self.check_limits(stop);
            }
        }
        !self.stopped
    }

    /// Checks the stop flag, the clock and the nodes of all threads.
    #[cold]
    fn check_limits(&mut self, stop: &AtomicBool) {
        if self.id > 0 {
            self.publish_nodes();
        }
        let out_of_nodes = !self.helper_nodes.is_empty() && self.total_nodes() >= self.node_limit;
        if out_of_nodes || stop.load(Ordering::Relaxed) || self.time.is_over() {
            self.stopped = true;
        }
    }

    /// Makes this thread's node count visible to the main thread.
    pub(super) fn publish_nodes(&self) {
        self.shared_nodes.store(self.nodes, Ordering::Relaxed);
    }

    /// Nodes visited by all threads; those of the helpers as last published.
    pub(super) fn total_nodes(&self) -> u64 {
        let helpers = self.helper_nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed));
        self.nodes + helpers.sum::<u64>()
    }

    /// Static evaluation of a position `ply` plies from the root, from the point of view of the side to move.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position<R>, ply: usize) -> Score {
        match &mut self.network {
            Some(accumulators) => {
                let score = accumulators.evaluate(position, ply);
                self.evaluator.scale_drawish(position, score)
            }
            None => self.evaluator.evaluate(position),
        }
    }

    /// The moves that led to the node at `ply`.
    #[inline]
    pub(super) fn previous_moves(&self, ply: usize) -> PreviousMoves {
        let piece_to = |plies| self.stack[ply.checked_sub(plies)?].piece_to;
        PreviousMoves {
            one_ply_ago: piece_to(1),
            two_plies_ago: piece_to(2),
        }
    }
}

/// The move pickers of the nodes on the current path.
impl<R: CompiledPosition> SearchThread<R> {
    pub(super) fn pick_moves(
        &self,
        position: &Position<R>,
        gen_type: GenType,
        ply: usize,
        tt_move: Option<Move>,
    ) -> MovePicker {
        let previous = self.previous_moves(ply);
        MovePicker::new(position, &self.move_stack, gen_type, ply, previous, tt_move)
    }

    #[inline]
    pub(super) fn next_move(&mut self, picker: &mut MovePicker, position: &Position<R>) -> Option<Move> {
        picker.next(position, &mut self.move_stack, &self.evaluator, &self.history)
    }

    /// Returns true if the node had no moves. Valid only after the last move has been picked.
    pub(super) fn had_no_moves(&self, picker: &MovePicker) -> bool {
        picker.is_empty(&self.move_stack)
    }

    /// Removes the moves of a finished node.
    pub(super) fn finish_moves(&mut self, picker: &MovePicker) {
        picker.finish(&mut self.move_stack);
    }
}

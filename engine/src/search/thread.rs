//! One thread of a search: its histories and the state of the current search.

mod pv_table;
pub(super) mod root_move;
pub(super) mod time;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use assay_rules::{GameDef, Kind};

use super::correction::CorrectionHistory;
use super::limits::Limits;
use super::ordering::history::{History, PieceTo, PreviousMoves};
use super::ordering::movepick::{GenType, MovePicker, MoveStack, PickedMove};
use super::parameters::time as tm;
use super::reductions::Reductions;
use super::strength::EvalNoise;
use super::tt::TranspositionTable;
use crate::eval::{Evaluator, MAX_PLY, Score};
use crate::moves::Move;
use crate::nnue::{AccumulatorStack, Network};
use crate::position::{CompiledPosition, Position};
use pv_table::PvTable;
use root_move::RootMove;
use time::TimeManager;

/// A ply of the path from the root to the current node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StackEntry {
    /// Corrected static evaluation; `None` in check.
    pub(crate) static_eval: Option<Score>,
    /// The move made from this node; `None` for a null move.
    pub(crate) piece_to: Option<PieceTo>,
    /// The move excluded while it is tested for singularity.
    pub(crate) excluded_move: Option<Move>,
}

/// A search thread. The main thread of a search runs on the caller's thread; see
/// [`super::Searcher`].
pub struct SearchThread<R: CompiledPosition> {
    /// 0 for the main thread.
    pub(crate) id: u32,
    evaluator: Evaluator<R>,
    /// Evaluates in place of the linear terms.
    network: Option<AccumulatorStack>,
    /// Kinds with centipawns added to the network's evaluation for each piece; see
    /// [`super::Searcher::set_piece_offsets`].
    piece_offsets: Vec<(Kind, i32)>,
    /// Errors of the evaluation in searches of limited strength.
    pub(crate) noise: Option<EvalNoise>,
    pub(crate) tt: Arc<TranspositionTable>,
    pub(crate) history: History,
    pub(crate) correction_history: CorrectionHistory,
    pub(crate) reductions: Reductions,
    /// Number of principal variations to search for.
    pub(crate) multi_pv: usize,
    /// The published nodes of all threads of the searcher.
    pub(crate) shared_nodes: Arc<AtomicU64>,

    // The current search.
    pub(crate) time: TimeManager,
    node_limit: u64,
    /// Limits are checked if the node count has none of these bits.
    check_mask: u64,
    pub(crate) nodes: u64,
    /// The part of `nodes` that is in `shared_nodes`.
    published_nodes: u64,
    pub(crate) stopped: bool,
    /// Depth of the iteration in plies.
    pub(crate) iteration: i32,
    /// Depth at the root, reduced after a fail high.
    pub(crate) root_depth: i32,
    /// Index of the principal variation being searched.
    pub(crate) pv_index: usize,
    pub(crate) seldepth: usize,
    /// No null move is made at lower plies while a null-move cutoff is verified.
    pub(crate) nmp_min_ply: usize,
    pub(crate) root_moves: Vec<RootMove>,
    pub(crate) stack: Vec<StackEntry>,
    pub(crate) pv_table: PvTable,
    move_stack: MoveStack,
}

impl<R: CompiledPosition> SearchThread<R> {
    pub(crate) fn new(
        id: u32,
        game: &GameDef,
        evaluator: Evaluator<R>,
        tt: Arc<TranspositionTable>,
    ) -> SearchThread<R> {
        SearchThread {
            id,
            evaluator,
            network: None,
            piece_offsets: Vec::new(),
            noise: None,
            tt,
            history: History::new(game),
            correction_history: CorrectionHistory::new(),
            reductions: Reductions::new(),
            multi_pv: 1,
            shared_nodes: Arc::default(),
            time: TimeManager::start(&Limits::default(), Duration::ZERO, None),
            node_limit: u64::MAX,
            check_mask: 0,
            nodes: 0,
            published_nodes: 0,
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

    /// Clears the histories of this thread.
    pub(crate) fn clear(&mut self) {
        self.history.clear();
        self.correction_history.clear();
    }

    pub(crate) fn evaluator(&self) -> &Evaluator<R> {
        &self.evaluator
    }

    pub(crate) fn set_evaluator(&mut self, evaluator: Evaluator<R>) {
        self.evaluator = evaluator;
    }

    pub(crate) fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref().map(AccumulatorStack::network)
    }

    /// Sets or removes the network, without piece offsets.
    pub(crate) fn set_network(&mut self, network: Option<&Arc<Network>>) {
        self.network = network.map(AccumulatorStack::new);
        self.piece_offsets.clear();
    }

    pub(crate) fn piece_offsets(&self) -> &[(Kind, i32)] {
        &self.piece_offsets
    }

    pub(crate) fn set_piece_offsets(&mut self, offsets: &[(Kind, i32)]) {
        offsets.clone_into(&mut self.piece_offsets);
    }

    /// Prepares a new search. `node_limit` is for all threads together.
    pub(crate) fn start_search(&mut self, time: TimeManager, node_limit: u64) {
        let interval =
            if time.is_short() || node_limit < tm::FEW_NODES { tm::SHORT_CHECK_INTERVAL } else { tm::CHECK_INTERVAL };
        self.check_mask = interval - 1;
        self.time = time;
        self.node_limit = node_limit;
        self.nodes = 0;
        self.published_nodes = 0;
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
    pub(crate) fn count_node(&mut self, stop: &AtomicBool) -> bool {
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
        self.publish_nodes();
        if self.total_nodes() > self.node_limit || stop.load(Ordering::Relaxed) || self.time.is_over() {
            self.stopped = true;
            // `count_node` is still called on the way back to the root and must not count any more.
            self.node_limit = self.nodes;
        }
    }

    /// Makes this thread's nodes visible to the other threads.
    pub(crate) fn publish_nodes(&mut self) {
        self.shared_nodes.fetch_add(self.nodes - self.published_nodes, Ordering::Relaxed);
        self.published_nodes = self.nodes;
    }

    /// Nodes visited by all threads; the other threads count as last published.
    pub(crate) fn total_nodes(&self) -> u64 {
        self.shared_nodes.load(Ordering::Relaxed) + self.nodes - self.published_nodes
    }

    /// Static evaluation of a position `ply` plies from the root, from the point of view of the
    /// side to move.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position<R>, ply: usize) -> Score {
        let score = match &mut self.network {
            Some(accumulators) => {
                let mut score = accumulators.evaluate(position, ply);
                if !self.piece_offsets.is_empty() {
                    score = offset(score, position, &self.piece_offsets);
                }
                self.evaluator.adjust_ending(position, score)
            }
            None => self.evaluator.evaluate(position),
        };
        match self.noise {
            Some(noise) => noise.add_to(score, position.hash()),
            None => score,
        }
    }

    /// The moves that led to the node at `ply`.
    #[inline]
    pub(crate) fn previous_moves(&self, ply: usize) -> PreviousMoves {
        let piece_to = |plies| self.stack[ply.checked_sub(plies)?].piece_to;
        PreviousMoves { one_ply_ago: piece_to(1), two_plies_ago: piece_to(2), four_plies_ago: piece_to(4) }
    }
}

/// Adds the offset of each piece of the side to move, and subtracts the offset of each piece of the
/// opponent, on the board and in pockets.
fn offset<R: CompiledPosition>(score: Score, position: &Position<R>, offsets: &[(Kind, i32)]) -> Score {
    let Some(centipawns) = score.centipawns() else {
        return score;
    };
    let us = position.side_to_move();
    let pieces = |color, kind| (position.pieces(color, kind).count() + position.in_pocket(color, kind)) as i32;
    let offsets = offsets.iter().map(|&(kind, offset)| offset * (pieces(us, kind) - pieces(!us, kind)));
    Score::from_centipawns(centipawns + offsets.sum::<i32>())
}

/// The move pickers of the nodes on the current path.
impl<R: CompiledPosition> SearchThread<R> {
    pub(crate) fn pick_moves(
        &self,
        position: &Position<R>,
        gen_type: GenType,
        ply: usize,
        tt_move: Option<Move>,
    ) -> MovePicker<R> {
        let previous = self.previous_moves(ply);
        MovePicker::new(position, &self.move_stack, gen_type, ply, previous, tt_move)
    }

    #[inline]
    pub(crate) fn next_move(&mut self, picker: &mut MovePicker<R>, position: &Position<R>) -> Option<PickedMove> {
        picker.next(position, &mut self.move_stack, &self.evaluator, &self.history)
    }

    /// Returns true if the node had no moves. Valid only after the last move has been picked.
    pub(crate) fn had_no_moves(&self, picker: &MovePicker<R>) -> bool {
        picker.is_empty(&self.move_stack)
    }

    /// Removes the moves of a finished node.
    pub(crate) fn finish_moves(&mut self, picker: &MovePicker<R>) {
        picker.finish(&mut self.move_stack);
    }
}

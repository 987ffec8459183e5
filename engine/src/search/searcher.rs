//! The searcher: threads, transposition table and settings of the searches of one player.

pub(super) mod compiled;
mod smp;

use std::collections::TryReserveError;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use assay_rules::Kind;

use super::info::{SearchInfo, SearchResult};
use super::limits::Limits;
use super::strength::Strength;
use super::thread::SearchThread;
use super::thread::time::TimeManager;
use super::tt::{HashError, TranspositionTable};
use crate::eval::{Evaluator, Score, Weights};
use crate::moves::MoveList;
use crate::nnue::Network;
use crate::position::Position;
use crate::tables::Tables;
use compiled::CompiledSearch;
use smp::{STACK_BYTES, SmpPool};

/// Searches positions of one game. Transposition table and histories are kept from search to search
/// until [`Searcher::clear`].
///
/// A searcher works with any game. [`dispatch`](crate::dispatch()) chooses the ruleset:
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::AtomicBool;
///
/// use assay_engine::{CompiledRuleset, Limits, Position, Searcher, Tables, Visitor, dispatch};
/// use assay_rules::GameDef;
///
/// struct MateInOne;
///
/// impl Visitor for MateInOne {
///     type Output = Option<i32>;
///
///     fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Option<i32> {
///         let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
///         let start = assay_rules::Position::from_fen(tables.game(), fen).unwrap();
///         let mut searcher = Searcher::new(&tables, 1).unwrap();
///         let position = Position::new(&tables, &start);
///         let result = searcher.search(&position, &Limits::nodes(1000), &AtomicBool::new(false), &mut |_| {});
///         result.score.mate()
///     }
/// }
///
/// let chess = GameDef::builtin("chess").unwrap();
/// assert_eq!(dispatch(&chess, MateInOne), Some(1));
/// ```
pub struct Searcher<R: CompiledSearch> {
    tables: Arc<Tables<R>>,
    weights: Weights,
    hash_mb: usize,
    tt: Arc<TranspositionTable>,
    move_overhead: Duration,
    pondering: Option<Arc<AtomicBool>>,
    strength: Option<Strength>,
    pool: SmpPool<R>,
}

/// Upper bound of the memory of a thread: its stack, histories, correction histories and
/// accumulators.
const THREAD_BYTES: usize = STACK_BYTES + (10 << 20);

impl<R: CompiledSearch> Searcher<R> {
    /// Creates a searcher with the game's own evaluation (its network if it has one, otherwise its
    /// weights) and a transposition table of `hash_mb` MiB.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(tables: &Arc<Tables<R>>, hash_mb: usize) -> Result<Searcher<R>, HashError> {
        let weights = Weights::for_game(tables.game());
        let mut searcher = Searcher::with_weights(tables, hash_mb, weights)?;
        if let Some(network) = Network::builtin(tables.game()) {
            searcher.set_network(Some(&network));
        }
        Ok(searcher)
    }

    /// Creates a searcher with these weights and no network.
    ///
    /// # Errors
    /// If there is no memory for the table.
    ///
    /// # Panics
    /// Panics if the weights belong to another game.
    pub fn with_weights(tables: &Arc<Tables<R>>, hash_mb: usize, weights: Weights) -> Result<Searcher<R>, HashError> {
        let tt = Arc::new(TranspositionTable::new(hash_mb)?);
        let evaluator = Evaluator::new(tables, &weights);
        Ok(Searcher {
            tables: tables.clone(),
            weights,
            hash_mb,
            pool: SmpPool::new(SearchThread::new(0, tables.game(), evaluator, tt.clone())),
            tt,
            move_overhead: Duration::from_millis(10),
            pondering: None,
            strength: None,
        })
    }

    /// Size of the transposition table in MiB.
    pub fn hash_mb(&self) -> usize {
        self.hash_mb
    }

    /// Clears the transposition table and all histories, as before a new game.
    pub fn clear(&mut self) {
        self.clear_tt();
        self.pool.for_each_thread(SearchThread::clear);
    }

    /// Replaces the transposition table by an empty one of `hash_mb` MiB.
    ///
    /// # Errors
    /// If there is not enough memory. The size is unchanged, unless another process has taken the
    /// memory meanwhile: then it is 0, a single bucket.
    pub fn set_hash(&mut self, hash_mb: usize) -> Result<(), HashError> {
        let table = TranspositionTable::new(hash_mb).or_else(|_| {
            // Both tables at once may be too much.
            self.set_tt(TranspositionTable::new(0)?);
            TranspositionTable::new(hash_mb)
        });
        match table {
            Ok(table) => {
                self.set_tt(table);
                self.hash_mb = hash_mb;
                Ok(())
            }
            Err(error) => {
                let wanted = std::mem::take(&mut self.hash_mb);
                self.set_tt(TranspositionTable::new(wanted)?);
                self.hash_mb = wanted;
                Err(error)
            }
        }
    }

    /// Clears the transposition table.
    pub fn clear_tt(&mut self) {
        // A new table is faster than zeroing: the system provides pages when they are used.
        if self.set_hash(self.hash_mb).is_err() {
            self.tt.zero();
        }
    }

    fn set_tt(&mut self, tt: TranspositionTable) {
        self.tt = Arc::new(tt);
        let tt = &self.tt;
        self.pool.for_each_thread(|thread| thread.tt = tt.clone());
    }

    /// The weights of the linear evaluation.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The linear evaluation.
    pub fn evaluator(&self) -> &Evaluator<R> {
        self.pool.main.evaluator()
    }

    /// Sets the weights, removes the network, and clears the transposition table and all histories.
    ///
    /// # Panics
    /// Panics if the weights belong to another game.
    pub fn set_weights(&mut self, weights: Weights) {
        let evaluator = Evaluator::new(&self.tables, &weights);
        self.weights = weights;
        self.pool.for_each_thread(|thread| {
            thread.set_evaluator(evaluator.clone());
            thread.set_network(None);
        });
        self.clear();
    }

    /// The network; `None` if the linear evaluation is used.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.pool.main.network()
    }

    /// Sets or removes the network, without piece offsets, and clears the transposition table and
    /// all histories. The weights still determine exchange values, drawish endings and bare kings.
    ///
    /// # Panics
    /// Panics if the network belongs to another game.
    pub fn set_network(&mut self, network: Option<&Arc<Network>>) {
        if let Some(network) = network {
            assert!(network.is_for(self.tables.game()), "the network belongs to another game");
        }
        self.pool.for_each_thread(|thread| thread.set_network(network));
        self.clear();
    }

    /// Adds to the network's evaluation, for the side to move, these centipawns for each own piece
    /// of the kind and subtracts them for each piece of the opponent, on the board and in pockets.
    /// Clears the transposition table and all histories. The linear evaluation ignores offsets;
    /// change its weights instead.
    pub fn set_piece_offsets(&mut self, offsets: &[(Kind, i32)]) {
        self.pool.for_each_thread(|thread| thread.set_piece_offsets(offsets));
        self.clear();
    }

    /// Static evaluation of a position from the point of view of the side to move, by network or
    /// weights.
    pub(crate) fn evaluate(&mut self, position: &Position<R>) -> Score {
        self.pool.main.evaluate(position, 0)
    }

    /// Number of threads of a search.
    pub fn threads(&self) -> usize {
        self.pool.len()
    }

    /// Sets the number of threads, at least 1. With more than one thread the node limit is
    /// approximate and searches are not reproducible.
    ///
    /// # Errors
    /// If there is not enough memory. The number of threads is unchanged.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), TryReserveError> {
        let added = threads.saturating_sub(self.threads());
        Vec::<u8>::new().try_reserve_exact(added.saturating_mul(THREAD_BYTES))?;
        let evaluator = self.evaluator().clone();
        let network = self.network().cloned();
        let piece_offsets = self.pool.main.piece_offsets().to_vec();
        let (game, tt) = (self.tables.game(), &self.tt);
        self.pool.resize(threads, |id| {
            let mut helper = SearchThread::new(id, game, evaluator.clone(), tt.clone());
            helper.set_network(network.as_ref());
            helper.set_piece_offsets(&piece_offsets);
            helper
        });
        Ok(())
    }

    /// Sets the number of principal variations to search for, at least 1.
    pub fn set_multi_pv(&mut self, lines: usize) {
        self.pool.main.multi_pv = lines.max(1);
    }

    /// Sets the time that each move costs outside the search, which the time manager reserves.
    pub fn set_move_overhead(&mut self, move_overhead: Duration) {
        self.move_overhead = move_overhead;
    }

    /// Lets the next search ponder while `pondering` is set: the player's clock is stopped, and the
    /// search does not end by itself.
    pub fn set_pondering(&mut self, pondering: Arc<AtomicBool>) {
        self.pondering = Some(pondering);
    }

    /// Limits the strength of play: searches run on one thread, visit few nodes and misjudge
    /// positions. `None` is full strength. A change clears the transposition table and all
    /// histories.
    pub fn set_strength(&mut self, strength: Option<Strength>) {
        if self.strength != strength {
            self.strength = strength;
            self.clear();
        }
    }

    /// Searches a position until a limit is reached or `stop` is set. `report` receives information
    /// after each iteration, and in long searches also during iterations.
    ///
    /// With one thread and a limit of nodes or depth, the result depends only on the position, the
    /// limits and the searches since the last [`Searcher::clear`].
    pub fn search(
        &mut self,
        position: &Position<R>,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> SearchResult {
        self.tt.new_search();
        let time = TimeManager::start(limits, self.move_overhead, self.pondering.take());
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let Some(strength) = self.strength else {
            self.pool.main.start_search(time, nodes);
            return self.pool.search(position, limits, stop, report);
        };
        let mut legal_moves = MoveList::new();
        position.legal_moves(&mut legal_moves);
        let main = &mut self.pool.main;
        main.start_search(time, nodes.min(strength.nodes(legal_moves.len(), main.multi_pv)));
        main.noise = Some(strength.noise);
        let result = self.pool.search_on_main(position, limits, stop, report);
        self.pool.main.noise = None;
        result
    }
}

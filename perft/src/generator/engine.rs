//! The engine's generator.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_engine::{CompiledRuleset, MoveList, Tables, Visitor};
use assay_rules::{GameDef, Move, Outcome, Position};

use super::{CountMode, Generator, Node};

/// Subtrees of this depth are counted without checking the stop flag.
const UNINTERRUPTED: u32 = 4;

/// The engine's generator in the game's ruleset.
pub(super) fn generator(game: &Arc<GameDef>) -> Box<dyn Generator> {
    assay_engine::dispatch(game, Build)
}

struct Build;

impl Visitor for Build {
    type Output = Box<dyn Generator>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Box<dyn Generator> {
        Box::new(Engine { tables })
    }
}

struct Engine<R: CompiledRuleset> {
    tables: Arc<Tables<R>>,
}

impl<R: CompiledRuleset> Generator for Engine<R> {
    fn node(&self, position: &Position) -> Box<dyn Node> {
        Box::new(EngineNode(assay_engine::Position::<R>::new(&self.tables, position)))
    }
}

struct EngineNode<R: CompiledRuleset>(assay_engine::Position<R>);

impl<R: CompiledRuleset> EngineNode<R> {
    fn move_list(&self) -> MoveList {
        let mut list = MoveList::new();
        self.0.legal_moves(&mut list);
        list
    }

    fn sorted(&self, list: &MoveList) -> Vec<Move> {
        let mut moves: Vec<Move> = list.into_iter().map(|mv| self.0.to_rules_move(mv)).collect();
        moves.sort_unstable();
        moves
    }
}

impl<R: CompiledRuleset> Node for EngineNode<R> {
    fn position(&self) -> Position {
        self.0.to_rules()
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.sorted(&self.move_list())
    }

    fn checks(&self) -> Option<Vec<Move>> {
        let mut checks = MoveList::new();
        self.0.legal_checks(&self.0.check_squares(), &mut checks);
        Some(self.sorted(&checks))
    }

    fn for_each_child(&mut self, visit: &mut dyn FnMut(Move, &mut dyn Node)) {
        for &mv in self.move_list().as_slice() {
            let rules_move = self.0.to_rules_move(mv);
            self.0.make(mv);
            visit(rules_move, self);
            self.0.unmake();
        }
    }

    fn make(&mut self, mv: Move) {
        self.0.make(self.0.from_rules_move(mv));
    }

    fn in_check(&self) -> bool {
        self.0.in_check()
    }

    fn outcome(&mut self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn hash(&self) -> Option<u64> {
        Some(self.0.hash())
    }

    fn hash_from_scratch(&self) -> Option<u64> {
        Some(self.0.hash_from_scratch())
    }

    fn perft(&mut self, depth: u32, mode: &CountMode, stop: &AtomicBool) -> Option<u64> {
        perft(&mut self.0, depth, mode, stop)
    }
}

/// Searches the upper plies here, so that a long count can be interrupted, and leaves the lower
/// ones to the engine.
fn perft<R: CompiledRuleset>(
    position: &mut assay_engine::Position<R>,
    depth: u32,
    mode: &CountMode,
    stop: &AtomicBool,
) -> Option<u64> {
    if depth > UNINTERRUPTED && stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth == 0 {
        return Some(1);
    }
    if depth <= UNINTERRUPTED {
        return Some(match (&mode.table, mode.full) {
            (Some(table), _) => position.perft_with(depth, table),
            (None, true) => position.perft_full(depth),
            (None, false) => position.perft(depth),
        });
    }
    if let Some(count) = mode.table.as_ref().and_then(|table| position.probe_perft(depth, table)) {
        return Some(count);
    }
    let mut list = MoveList::new();
    position.legal_moves(&mut list);
    let mut sum = 0;
    for &mv in list.as_slice() {
        position.make(mv);
        let below = perft(position, depth - 1, mode, stop);
        position.unmake();
        sum += below?;
    }
    if let Some(table) = &mode.table {
        position.store_perft(depth, table, sum);
    }
    Some(sum)
}

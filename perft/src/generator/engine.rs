//! The engine's generator.

use std::sync::Arc;

use assay_engine::{CompiledRuleset, MoveList, Tables, Visitor};
use assay_rules::{GameDef, Move, Outcome, Position};

use super::{Counting, Generator, Node, Which};
use crate::interrupt;

/// Subtrees of this depth are counted without asking whether somebody wants to stop.
const UNINTERRUPTED: u32 = 3;

/// The engine's generator in the ruleset made for the game.
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
    fn which(&self) -> Which {
        Which::Engine
    }

    fn node(&self, position: &Position) -> Box<dyn Node> {
        Box::new(EngineNode(assay_engine::Position::<R>::new(&self.tables, position)))
    }
}

struct EngineNode<R: CompiledRuleset>(assay_engine::Position<R>);

impl<R: CompiledRuleset> EngineNode<R> {
    fn list(&self) -> MoveList {
        let mut list = MoveList::new();
        self.0.legal_moves(&mut list);
        list
    }
}

impl<R: CompiledRuleset> Node for EngineNode<R> {
    fn position(&self) -> Position {
        self.0.to_rules()
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves: Vec<Move> = self
            .list()
            .as_slice()
            .iter()
            .map(|&mv| self.0.to_rules_move(mv))
            .collect();
        moves.sort_unstable();
        moves
    }

    fn each_child(&mut self, visit: &mut dyn FnMut(Move, &mut dyn Node)) {
        for &mv in self.list().as_slice() {
            let shown = self.0.to_rules_move(mv);
            self.0.make(mv);
            visit(shown, self);
            self.0.unmake();
        }
    }

    fn play(&mut self, mv: Move) {
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

    fn hash_anew(&self) -> Option<u64> {
        Some(self.0.hash_from_scratch())
    }

    fn count(&mut self, depth: u32, how: &Counting) -> Option<u64> {
        count(&mut self.0, depth, how)
    }
}

/// Walks the upper plies itself, so that a long count can be interrupted, and leaves the lower ones to the engine.
fn count<R: CompiledRuleset>(position: &mut assay_engine::Position<R>, depth: u32, how: &Counting) -> Option<u64> {
    if depth > UNINTERRUPTED && interrupt::requested() {
        return None;
    }
    if depth == 0 {
        return Some(1);
    }
    if depth <= UNINTERRUPTED {
        return Some(match (&how.table, how.full) {
            (Some(table), _) => position.perft_with(depth, table),
            (None, true) => position.perft_full(depth),
            (None, false) => position.perft(depth),
        });
    }
    if let Some(count) = how.table.as_ref().and_then(|table| position.probe_perft(depth, table)) {
        return Some(count);
    }
    let mut list = MoveList::new();
    position.legal_moves(&mut list);
    let mut sum = 0;
    for &mv in list.as_slice() {
        position.make(mv);
        let below = count(position, depth - 1, how);
        position.unmake();
        sum += below?;
    }
    if let Some(table) = &how.table {
        position.store_perft(depth, table, sum);
    }
    Some(sum)
}

//! The reference generator.

use std::sync::atomic::{AtomicBool, Ordering};

use assay_rules::{Move, Outcome, Position};

use super::count::CountMode;
use super::node::{Generator, Node};

/// Subtrees of this depth are counted without checking the stop flag.
const UNINTERRUPTED: u32 = 2;

pub(super) struct Rules;

struct RulesNode(Position);

impl Generator for Rules {
    fn node(&self, position: &Position) -> Box<dyn Node> {
        Box::new(RulesNode(position.clone()))
    }
}

impl Node for RulesNode {
    fn position(&self) -> Position {
        self.0.clone()
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.0.legal_moves()
    }

    fn for_each_child(&mut self, visit: &mut dyn FnMut(Move, &mut dyn Node)) {
        for mv in self.0.legal_moves() {
            visit(mv, &mut RulesNode(self.0.play(mv)));
        }
    }

    fn make(&mut self, mv: Move) {
        self.0 = self.0.play(mv);
    }

    fn in_check(&self) -> bool {
        self.0.in_check()
    }

    fn outcome(&mut self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn hash(&self) -> Option<u64> {
        None
    }

    fn hash_from_scratch(&self) -> Option<u64> {
        None
    }

    fn perft(&mut self, depth: u32, mode: &CountMode, stop: &AtomicBool) -> Option<u64> {
        perft(&self.0, depth, mode.full, stop)
    }
}

fn perft(position: &Position, depth: u32, full: bool, stop: &AtomicBool) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if depth == 1 && !full {
        return Some(position.legal_moves().len() as u64);
    }
    if depth > UNINTERRUPTED && stop.load(Ordering::Relaxed) {
        return None;
    }
    let mut sum = 0;
    for mv in position.legal_moves() {
        sum += perft(&position.play(mv), depth - 1, full, stop)?;
    }
    Some(sum)
}

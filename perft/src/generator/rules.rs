//! The reference generator.

use assay_rules::{Move, Outcome, Position};

use super::{Counting, Generator, Node, Which};
use crate::interrupt;

/// Subtrees of this depth are counted without asking whether somebody wants to stop.
const UNINTERRUPTED: u32 = 2;

/// The reference generator; it needs nothing built.
pub(super) struct Reference;

struct ReferenceNode(Position);

impl Generator for Reference {
    fn which(&self) -> Which {
        Which::Rules
    }

    fn node(&self, position: &Position) -> Box<dyn Node> {
        Box::new(ReferenceNode(position.clone()))
    }
}

impl Node for ReferenceNode {
    fn position(&self) -> Position {
        self.0.clone()
    }

    fn moves(&self) -> Vec<Move> {
        self.0.legal_moves()
    }

    fn each_child(&mut self, visit: &mut dyn FnMut(Move, &mut dyn Node)) {
        for mv in self.0.legal_moves() {
            visit(mv, &mut ReferenceNode(self.0.play(mv)));
        }
    }

    fn play(&mut self, mv: Move) {
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

    fn hash_anew(&self) -> Option<u64> {
        None
    }

    fn count(&mut self, depth: u32, how: &Counting) -> Option<u64> {
        count(&self.0, depth, how.full)
    }
}

fn count(position: &Position, depth: u32, full: bool) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if depth == 1 && !full {
        return Some(position.legal_moves().len() as u64);
    }
    if depth > UNINTERRUPTED && interrupt::requested() {
        return None;
    }
    let mut sum = 0;
    for mv in position.legal_moves() {
        sum += count(&position.play(mv), depth - 1, full)?;
    }
    Some(sum)
}

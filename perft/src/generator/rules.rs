//! The reference generator.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_rules::def::Rights;
use assay_rules::position::RepetitionKey;
use assay_rules::{Color, Kind, Move, Outcome, Position};

use super::{CountMode, Generator, Node};

/// Subtrees of this depth are counted without checking the stop flag.
const UNINTERRUPTED: u32 = 2;

/// Fewer plies rarely transpose.
const FIRST_TRANSPOSITION: u32 = 3;

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

    fn perft(&mut self, depth: u32, mode: &CountMode, stop: &AtomicBool) -> Option<u64> {
        let mut count = Count { full: mode.full, stop, counts: HashMap::new() };
        count.perft(&self.0, depth, 0)
    }
}

/// Maximum number of cached counts of one perft, about 250 bytes each.
const MAX_CACHED: usize = 1 << 19;

/// What moves from a position depend on, apart from the move number, which is equal for equal
/// depths below one root. All parts are compared, not a hash of them, so that no collision can hide
/// a difference.
#[derive(PartialEq, Eq, Hash)]
struct Transposition {
    depth: u32,
    key: RepetitionKey,
    // The repetition rule leaves out what has no effect at present.
    rights: Rights,
    last_moved_as: [Option<Kind>; 2],
}

impl Transposition {
    fn new(position: &Position, depth: u32) -> Transposition {
        Transposition {
            depth,
            key: position.repetition_key(),
            rights: position.rights(),
            last_moved_as: Color::ALL.map(|color| position.last_moved_as(color)),
        }
    }
}

/// A count from one root. Subtrees of transpositions are counted once, unless every move is to be
/// made.
struct Count<'a> {
    full: bool,
    stop: &'a AtomicBool,
    counts: HashMap<Transposition, u64>,
}

impl Count<'_> {
    /// `ply` plies below the root.
    fn perft(&mut self, position: &Position, depth: u32, ply: u32) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        if depth > UNINTERRUPTED && self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let transposition = (!self.full && ply >= FIRST_TRANSPOSITION).then(|| Transposition::new(position, depth));
        if let Some(&count) = transposition.as_ref().and_then(|key| self.counts.get(key)) {
            return Some(count);
        }
        let moves = position.legal_moves();
        let count = if depth == 1 && !self.full {
            moves.len() as u64
        } else {
            let mut sum = 0;
            for mv in moves {
                sum += self.perft(&position.play(mv), depth - 1, ply + 1)?;
            }
            sum
        };
        if let Some(key) = transposition
            && self.counts.len() < MAX_CACHED
        {
            self.counts.insert(key, count);
        }
        Some(count)
    }
}

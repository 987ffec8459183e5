//! Search for the first difference between the generators below a position whose count is wrong.

use std::collections::BTreeMap;

use assay_cli::interrupt;
use assay_rules::{Move, Position, uci};
use serde::Serialize;

use crate::difference::{Difference, compare_moves, compare_position};
use crate::generator::{CountMode, Generators, Node};

/// Positions that are compared before the search gives up.
const MAX_POSITIONS: u64 = 300_000;

/// A difference and where it was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LocatedDifference {
    /// Moves from the root of the search, as UCI.
    pub path: Vec<String>,
    /// Position after these moves.
    pub fen: String,
    #[serde(flatten)]
    pub difference: Difference,
}

/// Result of [`find_first_difference`]: one of the three.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FirstDifference {
    /// A difference at the smallest distance from the root.
    #[serde(rename = "first_difference")]
    pub located: Option<LocatedDifference>,
    /// The engine's counts below each root move, if the generators agree in all positions down to
    /// the depth.
    pub divide: Option<BTreeMap<String, u64>>,
    /// The search gave up after this many positions without a difference.
    pub positions_compared: Option<u64>,
}

impl From<LocatedDifference> for FirstDifference {
    fn from(located: LocatedDifference) -> FirstDifference {
        FirstDifference { located: Some(located), ..FirstDifference::default() }
    }
}

/// Compares the generators in all positions in which a perft of `depth` plies generates moves, by
/// iterative deepening.
pub fn find_first_difference(generators: &Generators, root: &Position, depth: u32) -> FirstDifference {
    let mut search = Search::default();
    match search.compare(generators, root, depth) {
        Ok(()) => {}
        Err(Stop::Difference(located)) => return (*located).into(),
        Err(Stop::Budget) => {
            return FirstDifference { positions_compared: Some(search.compared), ..FirstDifference::default() };
        }
    }
    let mut counts = BTreeMap::new();
    if depth > 0 {
        generators.engine.node(root).for_each_child(&mut |mv, child| {
            let count = child.perft(depth - 1, &CountMode::default(), interrupt::stop_flag());
            counts.extend(count.map(|count| (uci::format(root.game(), mv), count)));
        });
    }
    FirstDifference { divide: Some(counts), ..FirstDifference::default() }
}

/// Compares the generators in the root and, if `depth` is at least 2, after each of its moves:
/// counts can be right although a move is missing, if another one is too many.
pub fn find_shallow_difference(generators: &Generators, root: &Position, depth: u32) -> Option<LocatedDifference> {
    match Search::default().compare(generators, root, depth.min(2)) {
        Err(Stop::Difference(difference)) => Some(*difference),
        Ok(()) | Err(Stop::Budget) => None,
    }
}

/// Why a search stops.
enum Stop {
    Difference(Box<LocatedDifference>),
    /// Out of positions, or interrupted.
    Budget,
}

#[derive(Default)]
struct Search {
    path: Vec<Move>,
    compared: u64,
}

impl Search {
    /// Compares all positions fewer than `depth` plies below the root, the nearest first.
    fn compare(&mut self, generators: &Generators, root: &Position, depth: u32) -> Result<(), Stop> {
        (0..depth).try_for_each(|plies| self.compare_at(plies, generators.engine.node(root).as_mut(), root))
    }

    /// Compares all positions exactly `plies` below this one.
    fn compare_at(&mut self, plies: u32, engine: &mut dyn Node, rules: &Position) -> Result<(), Stop> {
        if plies == 0 {
            self.compared += 1;
            if self.compared > MAX_POSITIONS || interrupt::requested() {
                return Err(Stop::Budget);
            }
            return compare_position(engine, rules).map_err(|difference| self.located(rules, difference));
        }
        let mut result = Ok(());
        let mut made = Vec::new();
        engine.for_each_child(&mut |mv, child| {
            made.push(mv);
            if result.is_ok() {
                self.path.push(mv);
                result = self.compare_at(plies - 1, child, &rules.play(mv));
                self.path.pop();
            }
        });
        result?;
        // Making and unmaking the moves must not change the position.
        let compared = compare_moves(rules, made, &rules.legal_moves()).and_then(|()| compare_position(engine, rules));
        compared.map_err(|difference| self.located(rules, difference))
    }

    fn located(&self, position: &Position, difference: Difference) -> Stop {
        Stop::Difference(Box::new(LocatedDifference {
            path: self.path.iter().map(|&mv| uci::format(position.game(), mv)).collect(),
            fen: position.fen(),
            difference,
        }))
    }
}

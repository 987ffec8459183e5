//! A fixed amount of search in every game: its number of nodes is a signature of evaluation and search.

mod positions;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use assay_rules::{GameDef, Position as RulesPosition};

use crate::nnue::Network;
use crate::position::Position;
use crate::registry::CompiledRuleset;
use crate::registry::{Visitor, dispatch};
use crate::search::{Limits, Searcher};
use crate::tables::Tables;

pub use positions::POSITIONS;

/// The depth of the searches when none is given, in plies.
pub const DEPTH: u32 = 12;
/// MiB of the transposition table.
const HASH_MB: usize = 16;

/// What was searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Nodes visited.
    pub nodes: u64,
    /// Time spent.
    pub elapsed: Duration,
}

impl Count {
    /// Nodes per second.
    pub fn speed(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)) as u64
    }
}

/// Searches all positions of [`POSITIONS`] to a depth, and hands a line for each game and one for all to `print`. The same
/// program gives the same numbers of nodes each time.
pub fn run(depth: Option<u32>, stop: &AtomicBool, print: &mut dyn FnMut(&str)) -> Count {
    let depth = depth.unwrap_or(DEPTH);
    let mut total = Count::default();
    for (name, fens) in POSITIONS {
        let Some(game) = GameDef::builtin(name) else { continue };
        let count = dispatch(&game, Searches { fens, depth, stop });
        let evaluation = if Network::builtin(&game).is_some() {
            "network"
        } else {
            "linear"
        };
        print(&format!(
            "{name:<12} depth {depth} {:>10} nodes {:>9} nps  {evaluation}",
            count.nodes,
            count.speed()
        ));
        total.nodes += count.nodes;
        total.elapsed += count.elapsed;
        if stop.load(Ordering::Relaxed) {
            print("stopped: the numbers are no signature");
            break;
        }
    }
    print(&format!("{} nodes {} nps", total.nodes, total.speed()));
    total
}

struct Searches<'b> {
    fens: &'b [&'b str],
    depth: u32,
    stop: &'b AtomicBool,
}

impl Visitor for Searches<'_> {
    type Output = Count;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Count {
        let mut searcher = Searcher::new(&tables, HASH_MB);
        let mut count = Count::default();
        let limits = Limits::depth(self.depth);
        for fen in self.fens {
            let Ok(start) = RulesPosition::from_fen(tables.game(), fen) else {
                continue;
            };
            let position = Position::new(&tables, &start);
            searcher.clear();
            let begin = Instant::now();
            count.nodes += searcher.search(&position, &limits, self.stop, &mut |_| {}).nodes;
            count.elapsed += begin.elapsed();
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_positions_and_counts_are_the_same_each_time() {
        for (name, fens) in POSITIONS {
            let game = GameDef::builtin(name).unwrap();
            for fen in fens {
                let position =
                    RulesPosition::from_fen(&game, fen).unwrap_or_else(|error| panic!("{name}: {fen}: {error}"));
                assert!(position.outcome().is_none(), "{name}: {fen}");
            }
        }
        let nodes = || run(Some(3), &AtomicBool::new(false), &mut |_| {}).nodes;
        assert_eq!(nodes(), nodes());
    }
}

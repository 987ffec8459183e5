//! Fixed searches of every built-in game. Their node count is a signature of search and evaluation.

use std::collections::TryReserveError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use assay_rules::def::BUILTIN_FILES;
use assay_rules::{GameDef, Position as RulesPosition};
use thiserror::Error;
use web_time::Instant;

use crate::nnue::Network;
use crate::position::Position;
use crate::registry::{CompiledRuleset, Visitor, dispatch};
use crate::search::{HashError, Limits, Searcher};
use crate::tables::Tables;

/// Default depth of the searches, in plies.
pub const DEFAULT_DEPTH: u32 = 12;
/// Size of the transposition table in MiB.
const HASH_MB: usize = 16;

/// How the bench positions are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchSettings {
    /// Depth in plies.
    pub depth: u32,
    /// Number of threads. With more than one, node counts are not reproducible.
    pub threads: usize,
}

impl Default for BenchSettings {
    fn default() -> BenchSettings {
        BenchSettings { depth: DEFAULT_DEPTH, threads: 1 }
    }
}

/// Why a bench fails.
#[derive(Debug, Error)]
pub enum BenchError {
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error("not enough memory for {threads} threads: {source}")]
    Threads { threads: usize, source: TryReserveError },
}

/// Node count and search time of a bench.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchResult {
    /// Number of visited nodes.
    pub nodes: u64,
    /// Search time.
    pub elapsed: Duration,
}

impl BenchResult {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)) as u64
    }
}

/// FENs of the bench positions, with the game of each.
pub fn positions() -> impl Iterator<Item = (Arc<GameDef>, Vec<&'static str>)> {
    BUILTIN_FILES.into_iter().filter_map(|files| {
        let lines = files.bench.lines().map(str::trim);
        let fens = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        Some((GameDef::builtin(files.name)?, fens.collect()))
    })
}

/// Searches all [`positions`] and passes a line for each game and one for the total to `print`.
/// Node counts of one thread are reproducible.
///
/// # Errors
/// If there is no memory for the transposition table or the threads.
pub fn run(settings: BenchSettings, stop: &AtomicBool, print: &mut dyn FnMut(&str)) -> Result<BenchResult, BenchError> {
    let mut total = BenchResult::default();
    for (game, fens) in positions() {
        let name = &game.name;
        let count = search_positions(&game, &fens, settings, stop)?;
        let evaluation = if Network::builtin(&game).is_some() { "network" } else { "linear" };
        print(&format!(
            "{name:<12} depth {} {:>10} nodes {:>9} nps {:>8.3} s  {evaluation}",
            settings.depth,
            count.nodes,
            count.nps(),
            count.elapsed.as_secs_f64()
        ));
        total.nodes += count.nodes;
        total.elapsed += count.elapsed;
        if stop.load(Ordering::Relaxed) {
            print("stopped: no total");
            return Ok(total);
        }
    }
    print(&format!("{} nodes {} nps", total.nodes, total.nps()));
    Ok(total)
}

/// Searches positions of a game, each with an empty transposition table.
///
/// # Errors
/// If there is no memory for the transposition table or the threads.
///
/// # Panics
/// Panics if a FEN is not a position of the game.
pub fn search_positions(
    game: &Arc<GameDef>,
    fens: &[&str],
    settings: BenchSettings,
    stop: &AtomicBool,
) -> Result<BenchResult, BenchError> {
    dispatch(game, BenchSearch { fens, settings, stop })
}

struct BenchSearch<'a> {
    fens: &'a [&'a str],
    settings: BenchSettings,
    stop: &'a AtomicBool,
}

impl Visitor for BenchSearch<'_> {
    type Output = Result<BenchResult, BenchError>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
        let mut searcher = Searcher::new(&tables, HASH_MB)?;
        let BenchSettings { depth, threads } = self.settings;
        let reserved = searcher.set_threads(threads);
        reserved.map_err(|source| BenchError::Threads { threads, source })?;
        let mut count = BenchResult::default();
        let limits = Limits::depth(depth);
        for fen in self.fens {
            let start = RulesPosition::from_fen(tables.game(), fen).expect("the FEN is a position of the game");
            let position = Position::new(&tables, &start);
            searcher.clear();
            let start_time = Instant::now();
            count.nodes += searcher.search(&position, &limits, self.stop, &mut |_| {}).nodes;
            count.elapsed += start_time.elapsed();
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_valid_and_node_counts_reproducible() {
        for (game, fens) in positions() {
            let name = &game.name;
            assert!(!fens.is_empty(), "{name}");
            for fen in fens {
                let position =
                    RulesPosition::from_fen(&game, fen).unwrap_or_else(|error| panic!("{name}: {fen}: {error}"));
                assert!(position.outcome().is_none(), "{name}: {fen}");
            }
        }
        let settings = BenchSettings { depth: 3, threads: 1 };
        let nodes = || run(settings, &AtomicBool::new(false), &mut |_| {}).unwrap().nodes;
        assert_eq!(nodes(), nodes());
    }
}

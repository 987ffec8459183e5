//! A common interface to the two generators.

mod engine;
mod rules;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use assay_engine::PerftTable;
use assay_rules::{GameDef, Move, Outcome, Position};
use clap::ValueEnum;

/// A move generator of one game.
pub trait Generator: Send + Sync {
    /// Starts from a position.
    fn node(&self, position: &Position) -> Box<dyn Node>;
}

/// A position in one of the generators.
pub trait Node: Send {
    /// The position in the representation of the rules.
    fn position(&self) -> Position;

    /// Legal moves in ascending order.
    fn legal_moves(&self) -> Vec<Move>;

    /// Makes each legal move, calls `visit` with the result, and unmakes the move.
    fn for_each_child(&mut self, visit: &mut dyn FnMut(Move, &mut dyn Node));

    /// Makes a legal move. It cannot be unmade.
    fn make(&mut self, mv: Move);

    /// Returns true if the side to move is in check.
    fn in_check(&self) -> bool;

    /// Legal moves that give check, in ascending order, found without making them; `None` in the
    /// rules.
    fn checks(&self) -> Option<Vec<Move>> {
        None
    }

    /// Outcome of the game if it is over. The engine detects repetitions among the moves made on
    /// this node; the rules see only the position.
    fn outcome(&mut self) -> Option<Outcome>;

    /// The engine's incremental hash; `None` in the rules.
    fn hash(&self) -> Option<u64> {
        None
    }

    /// The engine's hash computed from the position alone; `None` in the rules.
    fn hash_from_scratch(&self) -> Option<u64> {
        None
    }

    /// Number of move sequences of `depth` plies; `None` if `stop` is raised.
    fn perft(&mut self, depth: u32, mode: &CountMode, stop: &AtomicBool) -> Option<u64>;
}

/// One of the two generators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GeneratorKind {
    /// The bitboard engine: fast
    Engine,
    /// The reference generator: slow, written for clarity
    Rules,
}

impl GeneratorKind {
    /// Both, the engine first.
    pub const ALL: [GeneratorKind; 2] = [GeneratorKind::Engine, GeneratorKind::Rules];

    /// Name on the command line and in results.
    pub const fn name(self) -> &'static str {
        match self {
            GeneratorKind::Engine => "engine",
            GeneratorKind::Rules => "rules",
        }
    }
}

/// Builds a generator for a game. The engine's ruleset is chosen here, once.
pub fn new(kind: GeneratorKind, game: &Arc<GameDef>) -> Box<dyn Generator> {
    match kind {
        GeneratorKind::Engine => engine::generator(game),
        GeneratorKind::Rules => Box::new(rules::Rules),
    }
}

/// Both generators of a game.
pub struct Generators {
    /// The engine's generator.
    pub engine: Box<dyn Generator>,
    /// The reference generator.
    pub rules: Box<dyn Generator>,
}

impl Generators {
    /// Builds both generators.
    pub fn new(game: &Arc<GameDef>) -> Generators {
        Generators { engine: new(GeneratorKind::Engine, game), rules: new(GeneratorKind::Rules, game) }
    }

    pub fn get(&self, kind: GeneratorKind) -> &dyn Generator {
        match kind {
            GeneratorKind::Engine => self.engine.as_ref(),
            GeneratorKind::Rules => self.rules.as_ref(),
        }
    }
}

/// Counting options from the command line.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountOptions {
    /// Make every move of the last ply too, instead of counting the legal moves before it.
    pub full: bool,
    /// Size of the hash table in MiB; 0 for none (engine only).
    pub hash_mb: usize,
}

impl CountOptions {
    /// Allocates the hash table for one count from one root: a table serves one root and one depth
    /// only.
    ///
    /// `perft` counts from that root; positions are looked up at most `plies` plies below it.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn prepare(self, perft: impl Fn(u32) -> u64, plies: u32) -> Result<CountMode> {
        let table = match self.hash_mb {
            0 => None,
            limit => {
                let mb = table_mb(limit, perft, plies);
                let table = PerftTable::new(mb)
                    .with_context(|| format!("--hash {limit}: not enough memory for a table of {mb} MiB"))?;
                Some(Arc::new(table))
            }
        };
        Ok(CountMode { full: self.full, table })
    }
}

/// Size in MiB of a table that a count can fill, at most `limit`: clearing unused memory costs
/// time.
///
/// There are two slots for each path to a position that is looked up, so that positions rarely
/// collide.
fn table_mb(limit: usize, perft: impl Fn(u32) -> u64, plies: u32) -> usize {
    let mb = |positions: u64| (positions.saturating_mul(2 * PerftTable::ENTRY_BYTES as u64) >> 20) as usize + 1;
    // Counts of the last two plies; their ratio predicts the next one.
    let mut paths = [1_u64, 1];
    for plies in 1..=plies {
        let predicted = paths[1].saturating_mul(paths[1]) / paths[0].max(1);
        if mb(predicted) > 4 * limit {
            return limit;
        }
        paths = [paths[1], perft(plies)];
    }
    limit.min(mb(paths[1]))
}

/// Method of counting from one root to one depth.
#[derive(Clone, Debug, Default)]
pub struct CountMode {
    /// Make every move of the last ply too, instead of counting the legal moves before it.
    pub full: bool,
    /// Hash table of subtree counts, shared by all threads (engine only).
    pub table: Option<Arc<PerftTable>>,
}

//! The two generators behind one face.
//!
//! The engine's ruleset is chosen once, when [`new`] builds its tables; above this module nobody asks which game,
//! or which generator, it is.

mod engine;
mod rules;

use std::sync::Arc;

use anyhow::{Context, Result};
use assay_rules::{GameDef, Move, Outcome, Position};
use clap::ValueEnum;

/// Which generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Which {
    /// The bitboard engine: fast
    Engine,
    /// The reference generator: slow and obviously right
    Rules,
}

impl Which {
    /// Both, the engine first.
    pub const ALL: [Which; 2] = [Which::Engine, Which::Rules];

    /// Its name on command lines and in results.
    pub const fn name(self) -> &'static str {
        match self {
            Which::Engine => "engine",
            Which::Rules => "rules",
        }
    }
}

/// How to count, as asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Make every move of the last ply too, instead of counting the legal moves before it.
    pub full: bool,
    /// Size of a table of counts already made, in MB; 0 for none (engine only).
    pub table_mb: usize,
}

impl Manner {
    /// Made ready for one count: a table serves one root and one depth only. `perft` counts from that root; positions are
    /// looked up after `plies` plies at most.
    ///
    /// # Errors
    /// When the system has not so much memory.
    pub fn ready(self, perft: impl Fn(u32) -> u64, plies: u32) -> Result<Counting> {
        let table = match self.table_mb {
            0 => None,
            limit => {
                let mb = table_size(limit, perft, plies);
                let table = assay_engine::PerftTable::new(mb)
                    .with_context(|| format!("--hash {limit}: the system has no memory for a table of {mb} MB"))?;
                Some(Arc::new(table))
            }
        };
        Ok(Counting { full: self.full, table })
    }
}

/// The MB of a table that a count can fill, `limit` at most: memory that is not needed costs time.
///
/// All paths to where positions are looked up have room twice over, so that positions rarely meet in a slot.
fn table_size(limit: usize, perft: impl Fn(u32) -> u64, plies: u32) -> usize {
    let size = |positions: u64| {
        (positions.saturating_mul(2 * assay_engine::PerftTable::ENTRY_BYTES as u64) >> 20) as usize + 1
    };
    let mut paths = [1_u64, 1];
    for plies in 1..=plies {
        let expected = paths[1].saturating_mul(paths[1]) / paths[0].max(1);
        if size(expected) > 4 * limit {
            return limit;
        }
        paths = [paths[1], perft(plies)];
    }
    limit.min(size(paths[1]))
}

/// How to count, made ready for one root and one depth.
#[derive(Clone, Debug, Default)]
pub struct Counting {
    /// Make every move of the last ply too, instead of counting the legal moves before it.
    pub full: bool,
    /// A table of counts already made, shared by all threads (engine only).
    pub table: Option<Arc<assay_engine::PerftTable>>,
}

/// A game in one of the generators.
pub trait Generator: Send + Sync {
    /// Which one it is.
    fn which(&self) -> Which;

    /// A position, to be played on.
    fn node(&self, position: &Position) -> Box<dyn Node>;
}

/// A position in one of the generators.
pub trait Node: Send {
    /// The position as the rules hold it.
    fn position(&self) -> Position;

    /// The legal moves in ascending order.
    fn moves(&self) -> Vec<Move>;

    /// Plays each legal move, shows the result, and takes the move back.
    fn each_child(&mut self, visit: &mut dyn FnMut(Move, &mut dyn Node));

    /// Plays a legal move for good.
    fn play(&mut self, mv: Move);

    /// Is the side to move in check?
    fn in_check(&self) -> bool;

    /// How the game is over. The engine remembers the moves played since it was set up and sees repetitions, the reference
    /// has the position alone.
    fn outcome(&mut self) -> Option<Outcome>;

    /// The engine's hash of the position as kept up move by move; `None` in the rules.
    fn hash(&self) -> Option<u64>;

    /// The same hash computed from nothing.
    fn hash_anew(&self) -> Option<u64>;

    /// Perft; `None` when interrupted.
    fn count(&mut self, depth: u32, how: &Counting) -> Option<u64>;
}

/// Builds a generator for a game.
pub fn new(which: Which, game: &Arc<GameDef>) -> Box<dyn Generator> {
    match which {
        Which::Engine => engine::generator(game),
        Which::Rules => Box::new(rules::Reference),
    }
}

/// Both generators of a game.
pub struct Pair {
    /// The engine.
    pub engine: Box<dyn Generator>,
    /// The reference.
    pub rules: Box<dyn Generator>,
}

impl Pair {
    /// Builds both.
    pub fn new(game: &Arc<GameDef>) -> Pair {
        Pair {
            engine: new(Which::Engine, game),
            rules: new(Which::Rules, game),
        }
    }

    /// One of the two.
    pub fn get(&self, which: Which) -> &dyn Generator {
        match which {
            Which::Engine => self.engine.as_ref(),
            Which::Rules => self.rules.as_ref(),
        }
    }
}

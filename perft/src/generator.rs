//! A common interface to the two generators.

#[cfg(feature = "program")]
mod count_options;
mod engine;
mod rules;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_engine::PerftTable;
use assay_rules::{GameDef, Move, Outcome, Position};

#[cfg(feature = "program")]
pub use count_options::CountOptions;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
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

/// Method of counting from one root to one depth.
#[derive(Clone, Debug, Default)]
pub struct CountMode {
    /// Make every move of the last ply too, instead of counting the legal moves before it.
    pub full: bool,
    /// Hash table of subtree counts, shared by all threads (engine only).
    pub table: Option<Arc<PerftTable>>,
}

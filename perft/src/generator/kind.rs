//! Choice of a generator.

use std::sync::Arc;

use assay_rules::GameDef;
use clap::ValueEnum;

use super::node::Generator;
use super::{engine, rules};

/// One of the two generators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
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
        Generators {
            engine: new(GeneratorKind::Engine, game),
            rules: new(GeneratorKind::Rules, game),
        }
    }

    pub fn get(&self, kind: GeneratorKind) -> &dyn Generator {
        match kind {
            GeneratorKind::Engine => self.engine.as_ref(),
            GeneratorKind::Rules => self.rules.as_ref(),
        }
    }
}

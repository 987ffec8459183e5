//! Weights of a game's evaluation terms: built in, computed, or read from a TOML file.

mod computed;
mod toml;

use std::sync::Arc;

use assay_rules::GameDef;
use assay_rules::text::escaped;

use super::terms::{Term, Terms};
use crate::ruleset::EvaluationFiles;

/// Weight of a term in centipawns of the game's pawn, for the side that has the term.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weight {
    /// Weight with all pieces on the board.
    pub middlegame: f64,
    /// Weight with kings and pawns alone.
    pub endgame: f64,
}

impl Weight {
    /// Creates a weight from its middlegame and endgame values.
    pub const fn new(middlegame: f64, endgame: f64) -> Weight {
        Weight { middlegame, endgame }
    }

    /// Creates a weight that is the same in all phases.
    pub const fn constant(centipawns: f64) -> Weight {
        Weight::new(centipawns, centipawns)
    }
}

/// Weights of all evaluation terms of a game.
#[derive(Clone, Debug)]
pub struct Weights {
    game: Arc<GameDef>,
    terms: Arc<Terms>,
    values: Vec<Weight>,
    source: String,
}

impl Weights {
    /// Returns the weights that the game is played with: tuned ones for a built-in game, computed
    /// ones for any other.
    pub fn for_game(game: &Arc<GameDef>) -> Weights {
        let file = EvaluationFiles::of(game).weights;
        file.and_then(|toml| Weights::from_toml(game, toml).ok()).unwrap_or_else(|| Weights::computed(game))
    }

    /// Weights of zero for every term.
    pub fn zero(game: &Arc<GameDef>, source: &str) -> Weights {
        let terms = Arc::new(Terms::new(game));
        let values = vec![Weight::default(); terms.len()];
        Weights { game: game.clone(), terms, values, source: escaped(source).into_owned() }
    }

    pub fn game(&self) -> &Arc<GameDef> {
        &self.game
    }

    /// The terms of the game.
    pub fn terms(&self) -> &Arc<Terms> {
        &self.terms
    }

    /// Description of the origin of the weights.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Sets the description of the origin; control characters are escaped.
    pub fn set_source(&mut self, source: &str) {
        self.source = escaped(source).into_owned();
    }

    /// Returns the weight of a term.
    ///
    /// # Panics
    /// Panics if the term belongs to another game and its index is out of range.
    pub fn get(&self, term: Term) -> Weight {
        self.values[term.index()]
    }

    /// Sets the weight of a term.
    ///
    /// # Panics
    /// Panics if the term belongs to another game and its index is out of range.
    pub fn set(&mut self, term: Term, weight: Weight) {
        self.values[term.index()] = weight;
    }

    /// All weights in the order of the terms.
    pub fn values(&self) -> &[Weight] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builtin_weights_parse_and_round_trip() {
        for name in assay_rules::def::BUILTIN_NAMES {
            let game = GameDef::builtin(name).unwrap();
            let Some(file) = EvaluationFiles::of(&game).weights else {
                continue;
            };
            let weights = Weights::from_toml(&game, file).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!weights.source().is_empty());
            let again = Weights::from_toml(&game, &weights.to_toml()).unwrap();
            assert_eq!(weights.values(), again.values(), "{name}");
        }
    }
}

//! Weights of a game's terms: read from TOML, written to TOML, compiled in for the built-in games.

mod builtin;
mod computed;
mod error;
mod text;

use std::sync::Arc;

use assay_rules::GameDef;

use super::terms::{Term, Terms};
pub(in crate::eval) use computed::value as computed_value;

pub use error::WeightsError;

/// The weight of a term in centipawns of the game's pawn, for the side that has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weight {
    /// With all pieces on the board.
    pub middlegame: f64,
    /// With pawns and kings alone.
    pub endgame: f64,
}

impl Weight {
    /// The same in all phases.
    pub const fn flat(centipawns: f64) -> Weight {
        Weight {
            middlegame: centipawns,
            endgame: centipawns,
        }
    }
}

/// The weights of all terms of a game.
#[derive(Clone, Debug)]
pub struct Weights {
    game: Arc<GameDef>,
    terms: Arc<Terms>,
    values: Vec<Weight>,
    source: String,
}

impl Weights {
    /// The weights that the game is played with: those compiled in for a built-in game, computed ones for any other.
    pub fn for_game(game: &Arc<GameDef>) -> Weights {
        builtin::text(game)
            .and_then(|text| Weights::from_toml(game, text).ok())
            .unwrap_or_else(|| Weights::computed(game))
    }

    /// Weights computed from how the pieces move.
    pub fn computed(game: &Arc<GameDef>) -> Weights {
        computed::computed(game)
    }

    /// Zero for every term.
    pub fn zero(game: &Arc<GameDef>, source: &str) -> Weights {
        let terms = Arc::new(Terms::of(game));
        let values = vec![Weight::default(); terms.len()];
        Weights {
            game: game.clone(),
            terms,
            values,
            source: source.to_owned(),
        }
    }

    /// Reads a weights file. `[general]` holds the terms about no single kind, `[pieces.NAME]` those about a kind; a term is
    /// `[middle, end]` in centipawns, a series a list of such pairs. `game` and `source` stand above.
    ///
    /// # Errors
    /// When the text is no TOML, is another game's, or lacks a term, has one too many, or has one of another form.
    pub fn from_toml(game: &Arc<GameDef>, toml: &str) -> Result<Weights, WeightsError> {
        text::read(game, toml)
    }

    /// The weights as such a file.
    pub fn to_toml(&self) -> String {
        text::write(self)
    }

    /// The game they are for.
    pub fn game(&self) -> &Arc<GameDef> {
        &self.game
    }

    /// The game's terms.
    pub fn terms(&self) -> &Arc<Terms> {
        &self.terms
    }

    /// Where they come from, in words.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Says where they come from.
    pub fn set_source(&mut self, source: impl Into<String>) {
        self.source = source.into();
    }

    /// The weight of a term.
    ///
    /// # Panics
    /// When the term is not one of this game.
    pub fn get(&self, term: Term) -> Weight {
        self.values[term.index()]
    }

    /// Sets the weight of a term.
    ///
    /// # Panics
    /// When the term is not one of this game.
    pub fn set(&mut self, term: Term, weight: Weight) {
        self.values[term.index()] = weight;
    }

    /// All weights, in the order of the terms.
    pub fn values(&self) -> &[Weight] {
        &self.values
    }
}

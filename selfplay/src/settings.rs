//! Everything that decides the games of a run, and the few things that do not.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use assay_engine::LoadError;
use assay_rules::GameDef;
use assay_rules::def::{BUILTIN_NAMES, DefError};

use crate::players::eval_jitter::EvalJitter;

/// Which start the games of a run have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartChoice {
    /// Any of the game's starts, each with the same probability.
    Random,
    /// One start by its id, with handicaps behind it if wanted (`14+pawn:e4`).
    Named(String),
}

impl fmt::Display for StartChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StartChoice::Random => "random",
            StartChoice::Named(text) => text,
        })
    }
}

impl From<&str> for StartChoice {
    fn from(text: &str) -> StartChoice {
        if text == "random" {
            StartChoice::Random
        } else {
            StartChoice::Named(text.to_owned())
        }
    }
}

/// What is done to the armies before a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Material {
    /// Nothing.
    None,
    /// Pieces are taken off, so that the games tell what kinds are worth.
    Odds,
    /// Pieces are taken off or exchanged by a plan that tells most about what kinds are worth; up to two random plies are added
    /// to those asked for.
    Values,
    /// Each kind is held against lighter ones and pawns, and pawns alone are missing; plies as for values.
    Playtest,
}

impl Material {
    /// Its name on command lines and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Material::None => "none",
            Material::Odds => "odds",
            Material::Values => "values",
            Material::Playtest => "playtest",
        }
    }

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Material> {
        [Material::None, Material::Odds, Material::Values, Material::Playtest]
            .into_iter()
            .find(|material| material.name() == name)
    }
}

/// How the openings of a run are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningSettings {
    /// The start before the random moves.
    pub start: StartChoice,
    /// Random plies before the engine takes over.
    pub plies: u32,
    /// The most centipawns that either side may be better by before any odds, behind which no capture may be the player's
    /// first move; `None`: not looked at.
    pub balance: Option<u32>,
    /// What is done to the armies behind the random moves.
    pub material: Material,
}

/// A game definition with the text it was read from, so that a file of games can hold all that is needed to read it.
#[derive(Clone, Debug)]
pub struct GameSource {
    /// The definition.
    pub game: Arc<GameDef>,
    /// The text of a user's definition file; `None` for a built-in game.
    pub text: Option<String>,
}

impl GameSource {
    /// Loads a built-in game by name, or a definition file by path.
    ///
    /// # Errors
    /// When there is neither, or the file is unreadable or wrong.
    pub fn load(name_or_path: &str) -> Result<GameSource, LoadError> {
        let game = assay_engine::load_game(name_or_path)?;
        if BUILTIN_NAMES.contains(&name_or_path) {
            return Ok(GameSource { game, text: None });
        }
        let path = Path::new(name_or_path);
        let text = std::fs::read_to_string(path).map_err(|source| LoadError::Read {
            path: path.to_owned(),
            source,
        })?;
        // Once more from the very text that is kept.
        Ok(GameSource {
            game: Arc::new(GameDef::from_toml(&text, name_or_path)?),
            text: Some(text),
        })
    }

    /// A built-in game by its name.
    pub fn builtin(name: &str) -> Option<GameSource> {
        Some(GameSource {
            game: GameDef::builtin(name)?,
            text: None,
        })
    }

    /// A game from the text of its definition; `file` is its name for error messages.
    ///
    /// # Errors
    /// When the text is no definition.
    pub fn from_text(text: String, file: &str) -> Result<GameSource, DefError> {
        Ok(GameSource {
            game: Arc::new(GameDef::from_toml(&text, file)?),
            text: Some(text),
        })
    }

    /// A BLAKE3 hash, in hexadecimal, of everything in the definition that decides which games can be played: titles,
    /// sources and the inventor's values of pieces do not count.
    pub fn fingerprint(&self) -> String {
        let game = &self.game;
        let kinds: Vec<_> = game
            .kinds
            .iter()
            .map(|kind| (kind.letter, &kind.betza, kind.class))
            .collect();
        let starts: Vec<_> = game.starts.iter().map(|start| (&start.id, &start.fen)).collect();
        let rules = format!(
            "{:?}",
            (
                (
                    &game.name,
                    &game.board,
                    kinds,
                    game.king,
                    game.pawn,
                    game.pawn_home_rank,
                    game.pawn_cannon
                ),
                (
                    &game.promotion,
                    &game.castling,
                    &game.gating,
                    game.joker,
                    game.handicaps,
                    &game.endings,
                    starts
                ),
            )
        );
        blake3::hash(rules.as_bytes()).to_hex().to_string()
    }
}

/// Everything that decides the games of a run: two runs with equal settings and the same player play the same games.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// The game that is played.
    pub source: GameSource,
    /// The seed of all random choices.
    pub seed: u64,
    /// Nodes a move.
    pub nodes: u64,
    /// Megabytes of the search's table.
    pub hash_mb: usize,
    /// How openings are drawn.
    pub opening: OpeningSettings,
    /// How the engine's own piece values are changed.
    pub eval_jitter: EvalJitter,
}

/// The settings of a run, how many games it is to have, and what does not change them.
#[derive(Clone, Debug)]
pub struct GenerateSettings {
    /// What decides the games.
    pub run: RunSettings,
    /// How many games the file is to hold in the end; those it has already are not played again.
    pub games: u64,
    /// Games played at a time; 0 means one for each processor.
    pub threads: usize,
}

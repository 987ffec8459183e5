//! Game definitions: reads TOML files, validates them, and provides the built-in games.
//!
//! [`GameDef::from_toml`] reads a definition file. The built-in games are such files, compiled into
//! the crate, and come from [`GameDef::builtin`]. Everything else in Assay works on a [`GameDef`]
//! and treats all games alike.

mod builtin;
mod error;
pub mod fairy_ini;
mod file;
pub mod keys;
mod validate;

pub use crate::types::definition::{
    BoardCount, Captured, Castling, CastlingWing, CountingRule, Drops, Endings, Explosions, Extinction, GameDef,
    Gating, Goal, KindDef, MAX_CHECKS, MaterialCount, PieceClass, PiecePromotion, PromotionRank, RepetitionResult,
    Results, Start, WallRule, Walls,
};
pub use crate::types::rights::{Right, RightKind, Rights};
pub use builtin::{
    BUILTIN_FILES, BUILTIN_NAMES, BuiltinFiles, DATA_NAMES, builtin_variant, definition_text, game_names, known_games,
};
pub use error::{DefError, parse_toml};
pub use keys::schema;

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

pub use crate::types::rights::{Right, RightKind, Rights};
pub use crate::variant::endings::{Endings, MaterialCount, RepetitionResult};
pub use crate::variant::kinds::{KindDef, Kinds, PieceClass};
pub use crate::variant::mechanism::Mechanisms;
pub use crate::variant::mechanism::castling::{Castling, CastlingWing};
pub use crate::variant::mechanism::check_count::{CheckCount, MAX_CHECKS};
pub use crate::variant::mechanism::counting::{BoardCount, CountingRule};
pub use crate::variant::mechanism::drops::{Captured, Drops};
pub use crate::variant::mechanism::explosions::Explosions;
pub use crate::variant::mechanism::extinction::Extinction;
pub use crate::variant::mechanism::gating::Gating;
pub use crate::variant::mechanism::goal::Goal;
pub use crate::variant::mechanism::piece_promotion::PiecePromotion;
pub use crate::variant::mechanism::walls::{WallRule, Walls};
pub use crate::variant::pawns::{Pawns, PromotionRank};
pub use crate::variant::{GameDef, Start};
pub use builtin::{
    BUILTIN_FILES, BUILTIN_NAMES, BuiltinFiles, DATA_NAMES, builtin_variant, definition_text, game_names, known_games,
};
pub use error::{DefError, parse_toml};
pub use keys::{GameKeys, schema};

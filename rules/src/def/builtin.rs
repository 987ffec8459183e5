//! The built-in games: definition files compiled into the crate.

use std::sync::{Arc, OnceLock};

use crate::types::definition::GameDef;

/// Names of the built-in games.
pub const BUILTIN_NAMES: [&str; 6] = ["chess", "berolina", "gamma2", "gunnery", "scorpion", "apothecary2"];

const TEXTS: [&str; 6] = [
    include_str!("../../variants/chess.toml"),
    include_str!("../../variants/berolina.toml"),
    include_str!("../../variants/gamma2.toml"),
    include_str!("../../variants/gunnery.toml"),
    include_str!("../../variants/scorpion.toml"),
    include_str!("../../variants/apothecary2.toml"),
];

/// The definition file of a built-in game.
pub(super) fn text(name: &str) -> Option<&'static str> {
    let index = BUILTIN_NAMES.iter().position(|&known| known == name)?;
    Some(TEXTS[index])
}

impl GameDef {
    /// Returns a built-in game by its name; see [`BUILTIN_NAMES`].
    ///
    /// # Panics
    /// Panics if a built-in definition file is invalid, which the tests rule out.
    ///
    /// ```
    /// use assay_rules::GameDef;
    ///
    /// let chess = GameDef::builtin("chess").unwrap();
    /// assert_eq!((chess.board.files(), chess.kinds.len()), (8, 6));
    /// assert!(GameDef::builtin("shogi").is_none());
    /// ```
    pub fn builtin(name: &str) -> Option<Arc<GameDef>> {
        static LOADED: [OnceLock<Arc<GameDef>>; 6] = [const { OnceLock::new() }; 6];
        let index = BUILTIN_NAMES.iter().position(|&known| known == name)?;
        let game = LOADED[index].get_or_init(|| {
            let file = format!("{name}.toml");
            Arc::new(GameDef::from_toml(TEXTS[index], &file).unwrap_or_else(|error| panic!("{error}")))
        });
        Some(Arc::clone(game))
    }
}

/// Returns the built-in game that the `Variant` tag of a PGN names: by its name or title, in any case. Orthodox chess also has
/// the names that other programs use for it.
pub fn builtin_variant(name: &str) -> Option<Arc<GameDef>> {
    let same = |other: &str| other.eq_ignore_ascii_case(name.trim());
    if ["standard", "normal", "from position"].into_iter().any(same) {
        return GameDef::builtin("chess");
    }
    BUILTIN_NAMES
        .iter()
        .filter_map(|known| GameDef::builtin(known))
        .find(|game| same(&game.name) || same(&game.title))
}

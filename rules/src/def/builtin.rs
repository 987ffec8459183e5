//! The six built-in games: definition files compiled in.

use std::sync::{Arc, OnceLock};

use super::GameDef;

/// The names of the built-in games, calibration game first.
pub const BUILTIN_NAMES: [&str; 6] = ["chess", "berolina", "gamma2", "gunnery", "scorpion", "apothecary2"];

const TEXTS: [&str; 6] = [
    include_str!("../../variants/chess.toml"),
    include_str!("../../variants/berolina.toml"),
    include_str!("../../variants/gamma2.toml"),
    include_str!("../../variants/gunnery.toml"),
    include_str!("../../variants/scorpion.toml"),
    include_str!("../../variants/apothecary2.toml"),
];

/// The definition file of a built-in game, as it is compiled in.
pub(super) fn text(name: &str) -> Option<&'static str> {
    let index = BUILTIN_NAMES.iter().position(|&known| known == name)?;
    Some(TEXTS[index])
}

impl GameDef {
    /// A built-in game by its protocol name.
    ///
    /// # Panics
    /// When a built-in definition file is wrong, which the tests rule out.
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

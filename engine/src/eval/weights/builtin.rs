//! The weights compiled in.

use std::sync::Arc;

use assay_rules::GameDef;

/// The weights file of a built-in game; `None` for a user's, even when it bears the same name.
pub(super) fn text(game: &Arc<GameDef>) -> Option<&'static str> {
    let known = GameDef::builtin(&game.name)?;
    if known != *game {
        return None;
    }
    Some(match game.name.as_str() {
        "chess" => include_str!("../../../weights/chess.toml"),
        "berolina" => include_str!("../../../weights/berolina.toml"),
        "gamma2" => include_str!("../../../weights/gamma2.toml"),
        "gunnery" => include_str!("../../../weights/gunnery.toml"),
        "scorpion" => include_str!("../../../weights/scorpion.toml"),
        "apothecary2" => include_str!("../../../weights/apothecary2.toml"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;

    #[test]
    fn every_built_in_game_has_sound_weights() {
        for name in assay_rules::def::BUILTIN_NAMES {
            let game = GameDef::builtin(name).unwrap();
            let weights =
                Weights::from_toml(&game, text(&game).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!weights.source().is_empty());
            let again = Weights::from_toml(&game, &weights.to_toml()).unwrap();
            assert_eq!(weights.values(), again.values(), "{name}");
        }
    }
}

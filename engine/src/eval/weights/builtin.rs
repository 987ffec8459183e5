//! The weights compiled in.

use std::sync::Arc;

use assay_rules::GameDef;

use crate::ruleset::for_each_builtin;

/// The weights file of a built-in game; `None` for a user's, even when it bears the same name.
pub(super) fn text(game: &Arc<GameDef>) -> Option<&'static str> {
    let known = GameDef::builtin(&game.name)?;
    if known != *game {
        return None;
    }
    macro_rules! weights_file {
        ($($ruleset:ident $name:literal,)+) => {
            match game.name.as_str() {
                $($name => Some(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/weights/", $name, ".toml"))),)+
                _ => None,
            }
        };
    }
    for_each_builtin!(weights_file)
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

//! Built-in weights.

use std::sync::Arc;

use assay_rules::GameDef;

use super::Weights;
use crate::ruleset::for_each_builtin;

impl Weights {
    /// Returns the weights that the game is played with: tuned ones for a built-in game, computed ones for any other.
    pub fn for_game(game: &Arc<GameDef>) -> Weights {
        builtin_toml(game)
            .and_then(|toml| Weights::from_toml(game, toml).ok())
            .unwrap_or_else(|| Weights::computed(game))
    }
}

/// Weights file of a built-in game; `None` for a user's game, even if it has the name of a built-in one.
fn builtin_toml(game: &Arc<GameDef>) -> Option<&'static str> {
    let builtin = GameDef::builtin(&game.name)?;
    if builtin != *game {
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

    #[test]
    fn builtin_weights_parse_and_round_trip() {
        for name in assay_rules::def::BUILTIN_NAMES {
            let game = GameDef::builtin(name).unwrap();
            let weights = Weights::from_toml(&game, builtin_toml(&game).unwrap())
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!weights.source().is_empty());
            let again = Weights::from_toml(&game, &weights.to_toml()).unwrap();
            assert_eq!(weights.values(), again.values(), "{name}");
        }
    }
}

//! Built-in weights.

use std::sync::Arc;

use assay_rules::GameDef;

use super::Weights;
use crate::ruleset::EvaluationFiles;

impl Weights {
    /// Returns the weights that the game is played with: tuned ones for a built-in game, computed ones for any other.
    pub fn for_game(game: &Arc<GameDef>) -> Weights {
        let file = EvaluationFiles::of(game).weights;
        file.and_then(|toml| Weights::from_toml(game, toml).ok())
            .unwrap_or_else(|| Weights::computed(game))
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

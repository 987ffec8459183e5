//! Built-in networks.

use std::sync::{Arc, OnceLock};

use assay_rules::GameDef;
use assay_rules::def::BUILTIN_NAMES;

use super::Network;
use crate::ruleset::EvaluationFiles;

/// Networks of the built-in games, read on first use.
static NETWORKS: [OnceLock<Option<Arc<Network>>>; BUILTIN_NAMES.len()] =
    [const { OnceLock::new() }; BUILTIN_NAMES.len()];

impl Network {
    /// Returns the network that the game is played with, if it has one. A user's game never has.
    pub fn builtin(game: &GameDef) -> Option<Arc<Network>> {
        let bytes = EvaluationFiles::of(game).network?;
        let index = BUILTIN_NAMES.iter().position(|&name| name == game.name)?;
        let read = || Network::read(game, bytes).ok().map(Arc::new);
        NETWORKS[index].get_or_init(read).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_network_is_read() {
        for name in BUILTIN_NAMES {
            let game = GameDef::builtin(name).unwrap();
            let bytes = EvaluationFiles::of(&game).network;
            let read = bytes.map(|bytes| Network::read(&game, bytes).unwrap_or_else(|error| panic!("{name}: {error}")));
            assert_eq!(Network::builtin(&game).as_deref(), read.as_ref(), "{name}");
            assert!(read.is_none_or(|network| !network.source().is_empty()), "{name}");
            // Another game of that name has neither weights nor a network.
            let other = GameDef {
                title: "another".to_owned(),
                ..(*game).clone()
            };
            assert_eq!(Network::builtin(&other), None);
            assert_eq!(EvaluationFiles::of(&other).weights, None);
        }
    }
}

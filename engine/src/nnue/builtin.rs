//! Built-in networks.

use std::sync::{Arc, OnceLock};

use assay_rules::GameDef;

use super::Network;

/// The built-in games with their network files (`include_bytes!("../../networks/NAME.network")`), where they have one.
const FILES: [(&str, Option<&[u8]>); 6] = [
    ("chess", None),
    ("berolina", None),
    ("gamma2", None),
    ("gunnery", None),
    ("scorpion", None),
    ("apothecary2", None),
];

/// Each is read once, when it is first asked for, and shared by all searches.
static READ: [OnceLock<Option<Arc<Network>>>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];

impl Network {
    /// The network that a built-in game is played with; `None` where there is none, and for a user's game, even when it bears
    /// a built-in one's name.
    pub fn builtin(game: &GameDef) -> Option<Arc<Network>> {
        let index = FILES.iter().position(|(name, _)| *name == game.name)?;
        let bytes = FILES[index].1?;
        if *GameDef::builtin(&game.name)? != *game {
            return None;
        }
        let read = || Network::read(game, bytes).ok().map(Arc::new);
        READ[index].get_or_init(read).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_network_is_read() {
        assert_eq!(FILES.map(|(name, _)| name), assay_rules::def::BUILTIN_NAMES);
        for (name, bytes) in FILES {
            let game = GameDef::builtin(name).unwrap();
            let read = bytes.map(|bytes| Network::read(&game, bytes).unwrap_or_else(|error| panic!("{name}: {error}")));
            assert_eq!(Network::builtin(&game).as_deref(), read.as_ref(), "{name}");
            assert!(read.is_none_or(|network| !network.source().is_empty()), "{name}");
            // Another game of that name has no network.
            let other = GameDef {
                title: "another".to_owned(),
                ..(*game).clone()
            };
            assert_eq!(Network::builtin(&other), None);
        }
    }
}

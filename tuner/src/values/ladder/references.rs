//! Published values of a game's pieces that are not the inventor's, such as those of Kaufman or
//! AlphaZero for chess.

use std::collections::BTreeMap;

use assay_rules::{GameDef, Kind};
use assay_selfplay::statistics::range;
use serde::{Deserialize, Serialize};

/// The files of published values, by game.
const FILES: [(&str, &str); 1] = [("chess", include_str!("../../../../rules/variants/chess.references.toml"))];

/// Published values of a game's pieces.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// Author and year.
    pub name: String,
    /// Where the values were published.
    pub source: String,
    /// By piece, in any unit.
    #[serde(deserialize_with = "range::any")]
    pub values: BTreeMap<String, f64>,
    /// Bonus for both pieces of a pair, in the unit of `values`. Without a bonus, values contain
    /// their share of it.
    #[serde(default, deserialize_with = "range::any")]
    pub pairs: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    references: Vec<Reference>,
}

impl Reference {
    /// The references of a built-in game; none for other games.
    ///
    /// # Panics
    /// If a file of this crate is wrong, which the tests rule out.
    pub fn of_game(game: &str) -> Vec<Reference> {
        let text = FILES.iter().find(|file| file.0 == game).map(|file| file.1);
        let parse = |text| toml::from_str::<File>(text).expect("the files of this crate are valid");
        text.map_or_else(Vec::new, |text| parse(text).references)
    }

    /// Value of a piece, with half of the pair's bonus if that is published separately.
    pub fn with_half_pair(&self, game: &GameDef, kind: Kind) -> Option<f64> {
        let name = &game.kind(kind).name;
        let pair = self.pairs.get(name).copied().unwrap_or_default();
        Some(self.values.get(name)? + pair / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_name_the_pieces_of_their_game() {
        for (name, _) in FILES {
            let game = GameDef::builtin(name).unwrap();
            let found = Reference::of_game(name);
            assert!(!found.is_empty());
            for reference in found {
                let is_kind = |piece: &String| game.kinds.iter().any(|kind| kind.name == *piece);
                assert!(reference.values.keys().all(is_kind) && reference.pairs.keys().all(is_kind), "{reference:?}");
                assert_eq!(reference.values.len(), game.kinds.len() - 1, "all pieces but the king");
            }
        }
        assert!(Reference::of_game("my-game").is_empty());
    }
}

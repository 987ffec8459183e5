use assay_rules::Color;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// The PGN tags of an imported game in their order, without those that the record derives:
/// `Result`, `Variant`, `Score`, `SetUp` and `FEN`. Unknown values (`?`) are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GameTags(pub IndexMap<String, String>);

impl GameTags {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// White's and Black's ratings, from the tags `WhiteElo` and `BlackElo`; `None` unless both are
    /// numbers. Some writers put 0 for an unknown rating.
    pub fn ratings(&self) -> Option<[u32; 2]> {
        let rating = |name: &str| self.get(name)?.trim().parse().ok().filter(|&rating| rating > 0);
        Some([rating("WhiteElo")?, rating("BlackElo")?])
    }

    /// The name of a player.
    pub fn player(&self, color: Color) -> Option<&str> {
        self.get(match color {
            Color::White => "White",
            Color::Black => "Black",
        })
    }

    /// Returns true for a value that says nothing.
    pub(crate) fn is_unknown(value: &str) -> bool {
        value.chars().all(|c| matches!(c, '?' | '.' | '-' | ' '))
    }
}

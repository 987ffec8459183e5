//! Variant files for Fairy-Stockfish: a converted variant is a definition as those of `definition`,
//! one that can be written again is read as a game with the same moves, and errors have a place in
//! the file.

use std::collections::BTreeSet;
use std::sync::Arc;

use assay_rules::def::{fairy_ini, game_names};
use assay_rules::{GameDef, Position, uci};

use super::{common, definition};
use crate::seeds;

/// Number of variants of a file that are converted.
const VARIANTS: usize = 2;

pub fn target(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(variants) = fairy_ini::variants(&text, "fuzz.ini") else {
        assert!(convert(&text, None).is_none());
        return;
    };
    for name in variants.into_iter().take(VARIANTS) {
        let Some(converted) = convert(&text, Some(name)) else {
            continue;
        };
        let game = GameDef::from_toml(&converted, "converted.toml").map(Arc::new);
        let game = game.unwrap_or_else(|error| panic!("{error}:\n{converted}"));
        definition::check_starts(&game);
        let Ok(written) = fairy_ini::from_game(&game) else {
            continue;
        };
        let again = convert(&written, None).unwrap_or_else(|| panic!("not read again:\n{written}"));
        let again = GameDef::from_toml(&again, "again.toml").unwrap_or_else(|error| panic!("{error}:\n{written}"));
        let moves = |game: &Arc<GameDef>| {
            let position = Position::start(game);
            // Not as they are: the numbers of kinds depend on their order in the file.
            let moves = position.legal_moves().into_iter().map(|mv| uci::format(game, mv));
            (position.fen(), moves.collect::<BTreeSet<_>>())
        };
        assert_eq!(moves(&Arc::new(again)), moves(&game), "{written}");
    }
}

/// The definition of a variant; `None` if the file has an error, whose place is inside.
fn convert(text: &str, variant: Option<&str>) -> Option<String> {
    match fairy_ini::to_toml(text, "fuzz.ini", variant) {
        Ok(converted) => Some(converted),
        Err(error) => {
            common::check_error(text, &error);
            None
        }
    }
}

/// The repository's file, and all built-in games that such a file can express.
pub fn seeds() -> Vec<Vec<u8>> {
    let built_in = game_names().filter_map(GameDef::builtin);
    let written = built_in.filter_map(|game| fairy_ini::from_game(&game).ok());
    let mut seeds = seeds::files("ini", &["python/tests", "testdata/ini"]);
    seeds.extend(written.map(String::into_bytes));
    seeds
}

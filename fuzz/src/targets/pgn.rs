//! PGN: a game is printed and read back, and errors have a place in the text.

use std::sync::Arc;

use assay_rules::GameDef;
use assay_rules::def::builtin_variant;
use assay_rules::pgn::{PgnError, PgnGame, PgnReader};

use super::common;
use crate::seeds;

pub fn target(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    // A byte order mark is not part of the text.
    let body = text.strip_prefix('\u{feff}').unwrap_or(&text);
    for game in read(&text) {
        match game {
            Ok(game) => {
                let printed = game.to_string();
                assert_eq!(read(&printed), [Ok(game)], "{printed}");
            }
            Err(error) => common::assert_place(body, error.line, error.column),
        }
    }
}

fn read(text: &str) -> Vec<Result<PgnGame, PgnError>> {
    let chess: Arc<GameDef> = GameDef::builtin("chess").expect("built in");
    PgnReader::new(text, &chess, builtin_variant).collect()
}

pub fn seeds() -> Vec<Vec<u8>> {
    // Whole files, and each game of them.
    let files = seeds::files("pgn", &["testdata/pgn"]);
    let games: Vec<Vec<u8>> = files
        .iter()
        .flat_map(|file| {
            let text = String::from_utf8_lossy(file);
            let games: Vec<Vec<u8>> = text
                .split("\n[Event")
                .map(|game| format!("[Event{game}").into_bytes())
                .collect();
            games
        })
        .collect();
    files
        .into_iter()
        .chain(games)
        .filter(|seed| seed.len() < 8000)
        .collect()
}

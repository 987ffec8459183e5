//! PGN: a game with its variations is printed and read back, and errors have a place in the text.

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
    let games = read(&text, None);
    let openings = read(&text, Some(PLIES));
    if games.iter().all(Result::is_ok) {
        let begins = |(opening, game): (&Result<PgnGame, PgnError>, &Result<PgnGame, PgnError>)| {
            let [opening, game] = [opening, game].map(|read| read.as_ref().expect("all games can be read").moves());
            opening == &game[..game.len().min(PLIES)]
        };
        assert!(openings.len() == games.len() && openings.iter().zip(&games).all(begins));
    }
    for error in openings.iter().filter_map(|opening| opening.as_ref().err()) {
        common::assert_place(body, error.line, error.column);
    }
    for game in games {
        match game {
            Ok(game) => {
                let printed = game.to_string();
                assert_eq!(read(&printed, None), [Ok(game)], "{printed}");
            }
            Err(error) => common::assert_place(body, error.line, error.column),
        }
    }
}

/// Plies of openings.
const PLIES: usize = 3;

fn read(text: &str, plies: Option<usize>) -> Vec<Result<PgnGame, PgnError>> {
    let chess: Arc<GameDef> = GameDef::builtin("chess").expect("built in");
    let reader = PgnReader::new(text, &chess, builtin_variant);
    match plies {
        Some(plies) => reader.with_plies(plies).collect(),
        None => reader.with_variations().collect(),
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    // Whole files, and each game of them.
    let files = seeds::files("pgn", &["testdata/pgn"]);
    let games: Vec<Vec<u8>> = files
        .iter()
        .flat_map(|file| {
            let text = String::from_utf8_lossy(file);
            let games: Vec<Vec<u8>> = text.split("\n[Event").map(|game| format!("[Event{game}").into_bytes()).collect();
            games
        })
        .collect();
    files.into_iter().chain(games).filter(|seed| seed.len() < 8000).collect()
}

//! Definition files: the starts of a valid game are positions, both generators agree in them, and errors have a place in the file.

use std::sync::Arc;

use assay_perft::difference::compare_position;
use assay_perft::generator::Generators;
use assay_rules::{GameDef, Position};

use super::common;
use crate::seeds;

/// Number of starts, and of moves from each start, that the generators are compared in.
const STARTS: usize = 2;
const MOVES: usize = 6;

pub fn target(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let game = match GameDef::from_toml(&text, "fuzz.toml") {
        Ok(game) => Arc::new(game),
        Err(error) => {
            assert!(!error.message.is_empty());
            if let (Some(line), Some(column)) = (error.line, error.column) {
                common::assert_place(&text, line, column);
            }
            return;
        }
    };
    assert_eq!(Ok(&*game), GameDef::from_toml(&text, "fuzz.toml").as_ref());
    check_starts(&game);
}

/// Checks starts of a game, and moves from them.
pub(super) fn check_starts(game: &Arc<GameDef>) {
    let generators = Generators::new(game);
    for start in game.starts.iter().take(STARTS) {
        let position = Position::from_start(game, &start.id).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(Position::from_fen(game, &position.fen()).as_ref(), Ok(&position));
        let legal = position.legal_moves();
        compare(&generators, &position);
        for &mv in legal.iter().step_by(legal.len().div_ceil(MOVES).max(1)) {
            compare(&generators, &position.play(mv));
        }
    }
}

fn compare(generators: &Generators, position: &Position) {
    let mut engine = generators.engine.node(position);
    if let Err(difference) = compare_position(engine.as_mut(), position) {
        panic!("{}: {difference:?}", position.fen());
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    seeds::files(
        "toml",
        &["rules/variants", "perft/suites", "testdata/games", "testdata/bad/games", "engine/tests/games"],
    )
}

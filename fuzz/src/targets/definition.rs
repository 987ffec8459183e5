//! Definition files: the starts of a valid game are positions, both generators agree in them, the
//! engine plays the game, and errors have a place in the file.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_engine::{CompiledRuleset, Limits, Searcher, Tables, Visitor, dispatch};
use assay_perft::difference::compare_position;
use assay_perft::generator::Generators;
use assay_rules::{GameDef, Position};

use super::common;
use crate::seeds;

/// Number of starts, and of moves from each start, that the generators are compared in.
const STARTS: usize = 2;
const MOVES: usize = 6;

/// Number of plies that the engine plays, and of nodes that it searches for each.
const PLIES: usize = 6;
const NODES: u64 = 60;

pub fn target(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let game = match GameDef::from_toml(&text, "fuzz.toml") {
        Ok(game) => Arc::new(game),
        Err(error) => return common::check_error(&text, &error),
    };
    assert_eq!(Ok(&*game), GameDef::from_toml(&text, "fuzz.toml").as_ref());
    check_starts(&game);
}

/// Checks starts of a game, moves from them, and a short game of the engine.
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
    dispatch(game, Play);
}

/// Plays from the default start. The moves that the search returns must be legal.
struct Play;

impl Visitor for Play {
    type Output = ();

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) {
        let mut searcher = Searcher::new(&tables, 0).expect("memory for a single bucket");
        let mut position = Position::start(tables.game());
        for _ in 0..PLIES {
            if position.outcome().is_some() {
                break;
            }
            let searched = assay_engine::Position::new(&tables, &position);
            let found = searcher.search(&searched, &Limits::nodes(NODES), &AtomicBool::new(false), &mut |_| {});
            let mv = searched.to_rules_move(found.best_move.expect("a move, as the game is not over"));
            assert!(position.legal_moves().contains(&mv), "{}: {mv:?} is not legal", position.fen());
            position = position.play(mv);
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

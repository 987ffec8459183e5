//! Both move generators, from any position that a FEN describes: legal moves, check, outcome and
//! hash agree.
//!
//! The input is a line with a FEN, then one byte for each move.

use std::sync::{Arc, OnceLock};

use assay_perft::difference::compare_position;
use assay_perft::generator::Generators;
use assay_rules::{Game, GameDef, Position};

use super::{common, fen};

/// Longest game in plies.
const MAX_PLIES: usize = 24;

pub fn target(data: &[u8]) {
    let line_end = data.iter().position(|&byte| byte == b'\n').unwrap_or(data.len());
    let (line, moves) = data.split_at(line_end);
    let Some((game, fen)) = common::game_and_text(line) else {
        return;
    };
    let Ok(start) = Position::from_fen(&game, &fen) else {
        return;
    };
    let generators = generators(&game);
    let mut engine = generators.engine.node(&start);
    let mut rules = Game::new(start);
    for byte in moves.iter().skip(1).map(Some).chain([None]).take(MAX_PLIES) {
        let position = rules.position();
        if let Err(difference) = compare_position(engine.as_mut(), position) {
            panic!("{}: {difference:?}", position.fen());
        }
        assert_eq!(engine.hash(), engine.hash_from_scratch(), "hash of {}", position.fen());
        let outcome = rules.outcome();
        assert_eq!(engine.outcome(), outcome, "outcome of {}", position.fen());
        let legal = position.legal_moves();
        let Some(&byte) = byte else { break };
        if outcome.is_some() || legal.is_empty() {
            break;
        }
        let mv = legal[usize::from(byte) % legal.len()];
        engine.make(mv);
        rules.play(mv);
    }
}

/// The generators of a built-in game, built once.
fn generators(game: &Arc<GameDef>) -> &'static Generators {
    static BUILT: [OnceLock<Generators>; 6] = [const { OnceLock::new() }; 6];
    let index = common::games().iter().position(|known| known == game).expect("a built-in game");
    BUILT[index].get_or_init(|| Generators::new(game))
}

pub fn seeds() -> Vec<Vec<u8>> {
    let moves: Vec<u8> = (0..20).map(|ply: u8| ply.wrapping_mul(37)).collect();
    let seeds = fen::seeds();
    seeds.into_iter().map(|fen| [&fen, b"\n".as_slice(), &moves].concat()).collect()
}

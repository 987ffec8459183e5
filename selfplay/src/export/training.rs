//! A game as training data for networks: bullet's text format and Stockfish's plain format.

use std::fmt::Write as _;

use assay_rules::{Color, Points};

use super::ExportedGame;
use super::epd::centipawns;
use crate::game::Eval;

/// Stockfish's score of a checkmate; one in N plies counts N less.
const MATE: i32 = 32_000;

/// `FEN | SCORE | RESULT`: centipawns and points of White. bullet does not filter positions, so
/// those are left out that no trainer wants: the side to move is in check, the move captures or
/// promotes, or a mate is in sight.
pub(super) fn bullet_text(game: &ExportedGame<'_>) -> String {
    let result = ["0.0", "0.5", "1.0"][usize::from(thirds(game.record.result))];
    let mut text = String::new();
    for &ply in &game.exported {
        let (position, played) = (&game.replayed.positions()[ply], game.record.moves.get(ply));
        let Some(eval @ Eval::Centipawns(_)) = played.and_then(|played| played.eval) else {
            continue;
        };
        let mv = game.replayed.moves()[ply];
        if position.in_check() || position.is_capture(mv) || mv.promotion().is_some() {
            continue;
        }
        let score = centipawns(eval, MATE);
        let score = if position.side_to_move() == Color::White { score } else { -score };
        writeln!(text, "{} | {score} | {result}", position.fen()).expect("writing to a string cannot fail");
    }
    text
}

/// Lines `fen`, `move`, `score`, `ply`, `result` and `e` for each position with a score; score and
/// result are those of the side to move. Stockfish's tools filter the positions.
pub(super) fn plain_text(game: &ExportedGame<'_>) -> String {
    let mut text = String::new();
    for &ply in &game.exported {
        let Some(played) = game.record.moves.get(ply) else {
            continue;
        };
        let Some(eval) = played.eval else {
            continue;
        };
        let position = &game.replayed.positions()[ply];
        let result = i32::from(thirds(game.record.result.for_white(position.side_to_move()))) - 1;
        let (fen, mv, score) = (position.fen(), played.mv.uci(position.game()), centipawns(eval, MATE));
        writeln!(text, "fen {fen}\nmove {mv}\nscore {score}\nply {ply}\nresult {result}\ne")
            .expect("writing to a string cannot fail");
    }
    text
}

/// 0 for a loss, 1 for a draw, 2 for a win. These formats have no other results: 0.75 and 0.25
/// points are draws, as in PGN.
fn thirds(points: Points) -> u8 {
    match points {
        Points::WIN => 2,
        Points::LOSS => 0,
        _ => 1,
    }
}

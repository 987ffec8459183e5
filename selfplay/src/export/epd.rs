//! Positions of a game as EPD, one line each.

use std::fmt::Write as _;

use assay_rules::san;

use super::ExportedGame;
use crate::game::{Eval, result_marker};

/// The score that the EPD standard gives to a checkmate; one in N plies counts N less.
pub(super) const MATE: i32 = 32_767;

pub(super) fn text(game: &ExportedGame<'_>) -> String {
    let mut text = String::new();
    for &ply in &game.exported {
        writeln!(text, "{}", line(game, ply)).expect("writing to a string cannot fail");
    }
    text
}

fn line(game: &ExportedGame<'_>, ply: usize) -> String {
    let (record, position) = (game.record, &game.replayed.positions()[ply]);
    let fen = position.fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let result = result_marker(record.result);
    let eval = record.moves.get(ply).and_then(|played| played.eval);
    let eval = eval.map(|eval| format!(" ce {};", centipawns(eval, MATE)));
    let played = game.replayed.moves().get(ply);
    let end = played.is_none().then(|| format!(" c5 \"end {}\";", record.end.name()));
    let played = played.map(|&mv| format!(" sm {};", san::format(position, mv)));
    format!(
        "{} hmvc {}; fmvn {};{}{} c0 \"variant {}\"; c1 \"result {result}\"; c2 \"score {}\"; c3 \"game {}\"; c4 \"pair {}\";{}",
        fields[..4].join(" "),
        position.halfmove_clock(),
        position.fullmove_number(),
        eval.unwrap_or_default(),
        played.unwrap_or_default(),
        position.game().name,
        record.result,
        game.id,
        game.pair,
        end.unwrap_or_default(),
    )
}

/// The largest score that is no mate, for any reader.
const MAX_CENTIPAWNS: i32 = 29_999;

/// The longest mate, in moves, that differs from other scores.
const MAX_MATE: i32 = 1_000;

/// An evaluation as one number. A mate counts `mate` less its plies.
pub(super) fn centipawns(eval: Eval, mate: i32) -> i32 {
    match eval {
        Eval::Centipawns(score) => score.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
        Eval::Mate(moves) if moves > 0 => mate - (2 * moves.min(MAX_MATE) - 1),
        Eval::Mate(moves) => -mate - 2 * moves.max(-MAX_MATE),
    }
}

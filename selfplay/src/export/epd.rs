//! A game as EPD, one line per position.

use std::fmt::Write as _;

use assay_rules::{Move, Points, Position, san};

use super::{game_id, pair_id};
use crate::game::{Eval, GameRecord, ReplayError};
use crate::run::RunHeader;

/// The score that the EPD standard gives to a checkmate; one in N plies counts N less.
const MATE: i32 = 32_767;

/// The operations of an EPD line.
#[derive(Clone, Copy, Debug)]
pub struct EpdNotes<'n> {
    /// The move that was played; `None` at the end of the game.
    pub played: Option<Move>,
    /// Evaluation from the side to move's point of view.
    pub eval: Option<Eval>,
    /// White's points, 0 to 1.
    pub score: f64,
    /// Identifier of the game.
    pub game: &'n str,
    /// Identifier of its opening pair.
    pub pair: &'n str,
    /// How the game ended, at its last position.
    pub end: Option<&'n str>,
}

/// One line per position, the final one included.
pub(super) fn text(run: &RunHeader, record: &GameRecord) -> Result<String, ReplayError> {
    let replayed = record.replay(run.settings.game())?;
    let (game, pair) = (game_id(run, record), pair_id(run, record));
    let mut text = String::new();
    for (ply, position) in replayed.positions().iter().enumerate() {
        let played = replayed.moves().get(ply).copied();
        let notes = EpdNotes {
            played,
            eval: record.moves.get(ply).and_then(|played| played.eval),
            score: record.result.as_f64(),
            game: &game,
            pair: &pair,
            end: Some(record.end.name()).filter(|_| played.is_none()),
        };
        writeln!(text, "{}", line(position, &notes)).expect("writing to a string cannot fail");
    }
    Ok(text)
}

/// One line without the line end.
pub fn line(position: &Position, notes: &EpdNotes<'_>) -> String {
    let fen = position.fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let result = match Points::from_f64(notes.score) {
        Some(Points::WIN) => "1-0",
        Some(Points::LOSS) => "0-1",
        _ => "1/2-1/2",
    };
    let eval = notes.eval.map(|eval| format!(" ce {};", centipawns(eval, MATE)));
    let played = notes.played.map(|mv| format!(" sm {};", san::format(position, mv)));
    let end = notes.end.map(|end| format!(" c5 \"end {end}\";"));
    format!(
        "{} hmvc {}; fmvn {};{}{} c0 \"variant {}\"; c1 \"result {result}\"; c2 \"score {}\"; c3 \"game {}\"; c4 \"pair {}\";{}",
        fields[..4].join(" "),
        position.halfmove_clock(),
        position.fullmove_number(),
        eval.unwrap_or_default(),
        played.unwrap_or_default(),
        position.game().name,
        notes.score,
        notes.game,
        notes.pair,
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

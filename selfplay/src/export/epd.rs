//! A game as EPD, one line per position.

use std::fmt::Write as _;

use assay_rules::{Move, Points, Position, san};

use super::game_id;
use crate::game::{GameRecord, ReplayError};
use crate::store::StoredRun;

/// One line per position, the final one included.
pub(super) fn text(run: &StoredRun, record: &GameRecord) -> Result<String, ReplayError> {
    let replayed = record.replay(run.settings.game())?;
    let id = game_id(run, record);
    let mut text = String::new();
    for (ply, position) in replayed.positions().iter().enumerate() {
        let played = replayed.moves().get(ply).copied();
        let line = line(position, played, record.result.as_f64(), &id);
        writeln!(text, "{line}").expect("writing to a string cannot fail");
    }
    Ok(text)
}

/// One line without the line end. `played` is the move that was played, if any; `score` White's
/// points, 0 to 1; `id` identifies the game.
pub fn line(position: &Position, played: Option<Move>, score: f64, id: &str) -> String {
    let fen = position.fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let result = match Points::from_f64(score) {
        Some(Points::WIN) => "1-0",
        Some(Points::LOSS) => "0-1",
        _ => "1/2-1/2",
    };
    let played = played.map_or_else(String::new, |mv| format!(" sm {};", san::format(position, mv)));
    format!(
        "{} hmvc {}; fmvn {};{played} c0 \"variant {}\"; c1 \"result {result}\"; c2 \"score {score}\"; c3 \"game {id}\";",
        fields[..4].join(" "),
        position.halfmove_clock(),
        position.fullmove_number(),
        position.game().name,
    )
}

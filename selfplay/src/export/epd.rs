//! A game as EPD, one line per position.

use std::fmt::Write as _;

use assay_rules::{Points, Position};

use super::game_id;
use crate::game::{GameRecord, ReplayError};
use crate::settings::GameSource;
use crate::store::StoredRun;

/// One line per position, the final one included.
pub(super) fn text(run: &StoredRun, source: &GameSource, record: &GameRecord) -> Result<String, ReplayError> {
    let game = &source.game;
    let replayed = record.replay(game)?;
    let id = game_id(run, record);
    let mut text = String::new();
    let mut before: Option<Vec<_>> = None;
    let mut unchanged = 0;
    for (ply, position) in replayed.positions().iter().enumerate() {
        let pieces = pieces(position);
        unchanged = if before.as_ref() == Some(&pieces) {
            unchanged + 1
        } else {
            0
        };
        before = Some(pieces);
        let best = record
            .moves
            .get(ply)
            .map_or_else(|| "none".to_owned(), |played| played.mv.uci(game));
        let line = line(
            &position.fen(),
            &game.name,
            &best,
            unchanged,
            record.result.as_f64(),
            &id,
        );
        writeln!(text, "{line}").expect("writing to a string cannot fail");
    }
    Ok(text)
}

/// One line without the line end. `best` is the move that was played, in UCI notation, or `none`; `unchanged` the number of plies
/// since the pieces on the board last changed; `score` White's points, 0 to 1; `id` identifies the game.
pub fn line(fen: &str, variant: &str, best: &str, unchanged: usize, score: f64, id: &str) -> String {
    let result = match Points::from_f64(score) {
        Some(Points::WIN) => "1-0",
        Some(Points::LOSS) => "0-1",
        _ => "1/2-1/2",
    };
    format!("{fen};variant {variant};bm {best};hmvc {unchanged};result {result};score {score};game {id}")
}

/// The pieces on the board, without their squares.
fn pieces(position: &Position) -> Vec<assay_rules::Piece> {
    let mut pieces: Vec<_> = position.pieces().map(|(_, piece)| piece).collect();
    pieces.sort_unstable();
    pieces
}

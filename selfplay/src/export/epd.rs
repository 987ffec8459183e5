//! A game as lines of positions.

use std::fmt::Write as _;

use assay_rules::{Position, Score};

use super::game_id;
use crate::store::{GameRecord, ReplayError, StoredRun};

/// One line for each position of the game, the last one included.
pub(super) fn text(run: &StoredRun, record: &GameRecord) -> Result<String, ReplayError> {
    let game = &run.settings.source.game;
    let replayed = record.replay(game)?;
    let result = match record.result {
        Score::WIN => "1-0",
        Score::LOSS => "0-1",
        _ => "1/2-1/2",
    };
    let id = game_id(run, record);
    let mut text = String::new();
    let mut before: Option<Vec<_>> = None;
    let mut unchanged = 0;
    for (ply, position) in replayed.positions().iter().enumerate() {
        let men = men(position);
        unchanged = if before.as_ref() == Some(&men) {
            unchanged + 1
        } else {
            0
        };
        before = Some(men);
        let best = record
            .moves
            .get(ply)
            .map_or_else(|| "none".to_owned(), |played| played.mv.uci(game));
        let line = format_args!(
            "{};variant {};bm {best};hmvc {unchanged};result {result};score {};game {id}",
            position.fen(),
            game.name,
            record.result
        );
        writeln!(text, "{line}").expect("a string takes any text");
    }
    Ok(text)
}

/// The men on the board, wherever they stand.
fn men(position: &Position) -> Vec<assay_rules::Man> {
    let mut men: Vec<_> = position.men().map(|(_, man)| man).collect();
    men.sort_unstable();
    men
}

//! Positions as rows of a table.

use std::borrow::Cow;
use std::fmt::Write as _;

use assay_rules::Color;

use super::ExportedGame;
use super::epd::{MATE, centipawns};

/// The columns of CSV, and of Parquet in the same order.
pub(super) const CSV_HEADER: &[u8] = b"fen,variant,side,ply,pieces,hmvc,best,eval,score,game,pair\n";

/// A position in which a move was played.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) fen: String,
    /// Protocol name of the game.
    pub(super) variant: String,
    /// Side to move as in FEN: `w` or `b`.
    pub(super) side: &'static str,
    /// Plies since the game's start.
    pub(super) ply: usize,
    /// Pieces of both sides on the board and in pockets, without kings.
    pub(super) pieces: usize,
    /// Plies since the material last changed.
    pub(super) hmvc: usize,
    /// The move played, in UCI notation.
    pub(super) best: String,
    /// Search score in centipawns from the side to move's point of view, a mate in N plies as in
    /// EPD; `None` if unknown.
    pub(super) eval: Option<i32>,
    /// White's score of the game in points, 0 to 1.
    pub(super) score: f64,
    pub(super) game: String,
    pub(super) pair: String,
}

pub(super) fn rows(game: &ExportedGame<'_>) -> Vec<Row> {
    let row = |&ply: &usize| {
        let (position, material) = (&game.replayed.positions()[ply], &game.plies[ply].material);
        let played = game.record.moves.get(ply)?;
        let unchanged = game.plies[..ply].iter().rev().take_while(|before| before.material.same_pieces(material));
        Some(Row {
            fen: position.fen(),
            variant: position.game().name.clone(),
            side: if position.side_to_move() == Color::White { "w" } else { "b" },
            ply,
            pieces: material.pieces(),
            hmvc: unchanged.count(),
            best: played.mv.uci(position.game()),
            eval: played.eval.map(|eval| centipawns(eval, MATE)),
            score: game.record.result.as_f64(),
            game: game.id.clone(),
            pair: game.pair.clone(),
        })
    };
    game.exported.iter().filter_map(row).collect()
}

pub(super) fn csv_text(game: &ExportedGame<'_>) -> String {
    let mut text = String::new();
    for row in rows(game) {
        let Row { side, ply, pieces, hmvc, score, game, pair, .. } = &row;
        let [fen, variant, best] = [&row.fen, &row.variant, &row.best].map(|field| quoted(field));
        let eval = row.eval.map_or_else(String::new, |eval| eval.to_string());
        writeln!(text, "{fen},{variant},{side},{ply},{pieces},{hmvc},{best},{eval},{score:?},{game},{pair}")
            .expect("writing to a string cannot fail");
    }
    text
}

/// A field of CSV, in quotes if it has a comma, as moves with walls do, or quotes.
fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains([',', '"']) { format!("\"{}\"", field.replace('"', "\"\"")).into() } else { field.into() }
}

//! Export of quiet positions for other programs: CSV, EPD, Parquet.

#[cfg(feature = "parquet")]
pub mod parquet;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_rules::{Color, GameDef, Position};
use assay_selfplay::export::{epd_line, game_id};
use assay_selfplay::game::Eval;
use assay_selfplay::store::StoredRun;
use assay_selfplay::{GameRecord, Store};
use rayon::prelude::*;

use crate::values::data::positions::{Ply, quiet};
use crate::values::data::replay::replay;
use crate::values::data::{self, DataError};

/// Games processed in parallel before their positions are written in order.
const CHUNK: usize = 256;

#[derive(Clone, Debug, PartialEq)]
pub struct QuietPosition {
    pub fen: String,
    /// Protocol name of the variant.
    pub variant: String,
    /// Side to move.
    pub side: Color,
    /// Plies since the game's start.
    pub ply: u32,
    /// Pieces of both sides on the board and in pockets, without kings.
    pub pieces: u32,
    /// Plies since the material last changed.
    pub unchanged: u32,
    /// The move played, in UCI notation.
    pub best: String,
    /// Search score in centipawns from the side to move's point of view; `None` if unknown.
    pub eval: Option<i32>,
    /// White's score of the game in points, 0 to 1.
    pub score: f64,
    /// Identifier of the game, unique among runs with different seeds.
    pub game: String,
    /// Opening pair.
    pub pair: u64,
}

/// A destination for exported positions.
pub trait PositionSink {
    /// Writes some positions.
    ///
    /// # Errors
    /// If writing fails.
    fn write(&mut self, rows: &[QuietPosition]) -> io::Result<()>;

    /// Finishes the output.
    ///
    /// # Errors
    /// If writing fails.
    fn finish(&mut self) -> io::Result<()>;
}

/// Why an export fails.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The files of games cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The files hold no quiet position.
    #[error("{files}: found no quiet position")]
    Nothing {
        /// The files of games.
        files: String,
    },
    /// Writing fails.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Writes the quiet positions of files of games to all sinks, in the order of files and games. Returns their number.
///
/// # Errors
/// If games cannot be read or replayed, have no quiet position, or writing fails.
pub fn write(paths: &[PathBuf], sinks: &mut [Box<dyn PositionSink + '_>]) -> Result<u64, ExportError> {
    let mut written = 0;
    for (path, run) in paths.iter().zip(data::load_runs(paths)) {
        let run = run?;
        let store = Store::open_read(path).map_err(DataError::from)?;
        for games in run.records.chunks(CHUNK) {
            let rows = rows(path, store.run(), &run.game, games)?;
            written += rows.len() as u64;
            for sink in sinks.iter_mut() {
                sink.write(&rows)?;
            }
        }
    }
    if written == 0 {
        let files: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(ExportError::Nothing {
            files: files.join(", "),
        });
    }
    for sink in sinks.iter_mut() {
        sink.finish()?;
    }
    Ok(written)
}

/// Quiet positions of games: those from which values are measured.
fn rows(
    path: &Path,
    run: &StoredRun,
    game: &Arc<GameDef>,
    games: &[GameRecord],
) -> Result<Vec<QuietPosition>, DataError> {
    let replay_error = |error| DataError::Replay {
        path: path.to_owned(),
        error,
    };
    let look = |record: &GameRecord, plies: &[Ply]| {
        let sees_mate = |ply: usize| matches!(record.moves[ply].eval, Some(Eval::Mate(_)));
        let found = quiet(plies, sees_mate).into_iter();
        found
            .map(|ply| (ply, unchanged(plies, ply), plies[ply].material.pieces()))
            .collect()
    };
    let quiet: Vec<Vec<(usize, usize, usize)>> = replay(game, games, look).map_err(replay_error)?;
    let of_game = |(record, quiet): (&GameRecord, &Vec<(usize, usize, usize)>)| {
        // Positions are not stored: the rules replay the game to write their FENs.
        let replayed = record.replay(game)?;
        let positions = replayed.positions();
        Ok(quiet
            .iter()
            .map(|&(ply, unchanged, pieces)| row(run, record, &positions[ply], (ply, unchanged, pieces)))
            .collect::<Vec<QuietPosition>>())
    };
    let rows: Result<Vec<Vec<QuietPosition>>, _> = games.par_iter().zip(&quiet).map(of_game).collect();
    Ok(rows.map_err(replay_error)?.into_iter().flatten().collect())
}

/// Number of plies for which the material has been the same.
fn unchanged(plies: &[Ply], at: usize) -> usize {
    let before = plies[..at].iter().rev();
    before
        .take_while(|ply| ply.material.same_pieces(&plies[at].material))
        .count()
}

fn row(
    run: &StoredRun,
    record: &GameRecord,
    position: &Position,
    (ply, unchanged, pieces): (usize, usize, usize),
) -> QuietPosition {
    let game = position.game();
    let played = &record.moves[ply];
    QuietPosition {
        fen: position.fen(),
        variant: game.name.clone(),
        side: position.side_to_move(),
        ply: ply as u32,
        pieces: pieces as u32,
        unchanged: unchanged as u32,
        best: played.mv.uci(game),
        eval: match played.eval {
            Some(Eval::Centipawns(score)) => Some(score),
            // Quiet positions have no mate score.
            Some(Eval::Mate(_)) | None => None,
        },
        score: record.result.as_f64(),
        game: game_id(run, record),
        pair: record.pair,
    }
}

/// CSV output: a header, then one record for each position.
pub struct Csv<W: Write> {
    out: csv::Writer<W>,
    has_header: bool,
}

impl<W: Write> Csv<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Csv<W> {
        Csv {
            out: csv::Writer::from_writer(out),
            has_header: false,
        }
    }
}

/// Columns of the CSV and the Parquet file.
pub const COLUMNS: [&str; 11] = [
    "fen", "variant", "side", "ply", "pieces", "hmvc", "best", "eval", "score", "game", "pair",
];

/// Side to move as in FEN.
pub(crate) fn side(color: Color) -> &'static str {
    match color {
        Color::White => "w",
        Color::Black => "b",
    }
}

impl<W: Write> PositionSink for Csv<W> {
    fn write(&mut self, rows: &[QuietPosition]) -> io::Result<()> {
        if !self.has_header {
            self.out.write_record(COLUMNS)?;
            self.has_header = true;
        }
        for row in rows {
            let eval = row.eval.map(|eval| eval.to_string()).unwrap_or_default();
            self.out.write_record([
                &row.fen,
                &row.variant,
                side(row.side),
                &row.ply.to_string(),
                &row.pieces.to_string(),
                &row.unchanged.to_string(),
                &row.best,
                &eval,
                &row.score.to_string(),
                &row.game,
                &row.pair.to_string(),
            ])?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// EPD output in the dialect of variant NNUE tools, as `assay-selfplay export --epd` writes for all positions.
pub struct Epd<W> {
    out: W,
}

impl<W: Write> Epd<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Epd<W> {
        Epd { out }
    }
}

impl<W: Write> PositionSink for Epd<W> {
    fn write(&mut self, rows: &[QuietPosition]) -> io::Result<()> {
        for row in rows {
            let line = epd_line(
                &row.fen,
                &row.variant,
                &row.best,
                row.unchanged as usize,
                row.score,
                &row.game,
            );
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests;

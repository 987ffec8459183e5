//! Quiet positions for other programs: CSV, EPD, Parquet.

#[cfg(feature = "parquet")]
mod parquet;

use std::io::{self, Write};

use assay_rules::Color;
use assay_selfplay::export::{EpdNotes, epd_line};
use assay_selfplay::game::{Eval, ReplayError};
use assay_selfplay::positions::{Ply, quiet};
use assay_selfplay::{GameRecord, RecordedRun};
use serde::Serialize;

use super::runs::{DataError, RunReader, read_runs, unwatched};

#[cfg(feature = "parquet")]
pub use parquet::ParquetWriter;

/// Games processed in parallel before their positions are written in order.
const CHUNK: usize = 256;

/// A quiet position of a game. Field names are the columns of CSV and Parquet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuietPosition {
    pub fen: String,
    /// The position and the move played as a line of EPD.
    #[serde(skip)]
    pub epd: String,
    /// Protocol name of the game.
    pub variant: String,
    /// Side to move as in FEN: `w` or `b`.
    pub side: &'static str,
    /// Plies since the game's start.
    pub ply: u32,
    /// Pieces of both sides on the board and in pockets, without kings.
    pub pieces: u32,
    /// Plies since the material last changed.
    pub hmvc: u32,
    /// The move played, in UCI notation.
    pub best: String,
    /// Search score in centipawns from the side to move's point of view; `None` if unknown.
    pub eval: Option<i32>,
    /// White's score of the game in points, 0 to 1.
    pub score: f64,
    /// Identifier of the game, unique over all runs: `RUN-NUMBER`, with a hash of the run's
    /// settings and the game's number in its file.
    pub game: String,
    /// Identifier of the opening pair, unique over all runs: `RUN-PAIR`. Standard errors are
    /// clustered by it.
    pub pair: String,
}

/// Passes the quiet positions of runs, with any number of pieces, to `write`, in the order of runs
/// and games, and of how many games they are.
///
/// # Errors
/// If games cannot be read or replayed, or `write` fails.
pub fn export<E: From<DataError>>(
    runs: &[&dyn RecordedRun],
    mut write: impl FnMut(&[QuietPosition], u64) -> Result<(), E>,
) -> Result<(), E> {
    read_runs(runs, &mut unwatched, |run, records, _| {
        records.chunks(CHUNK).try_for_each(|games| write(&quiet_positions(run, games)?, games.len() as u64))
    })
    .map(|_| ())
}

/// The quiet positions of some games of a run.
fn quiet_positions(run: &RunReader<'_>, games: &[GameRecord]) -> Result<Vec<QuietPosition>, DataError> {
    let (game, id) = (&run.game, &run.id);
    let look = |record: &GameRecord, plies: &[Ply]| -> Result<Vec<QuietPosition>, ReplayError> {
        // The rules replay the game again to write FENs and EPD.
        let replayed = record.replay(game)?;
        let positions = quiet(record, plies).into_iter().map(|at| {
            let (position, played, material) = (&replayed.positions()[at], &record.moves[at], &plies[at].material);
            let unchanged = plies[..at].iter().rev();
            let unchanged = unchanged.take_while(|ply| ply.material.same_pieces(material));
            let score = record.result.as_f64();
            let (number, pair) = (format!("{id}-{}", record.index), format!("{id}-{}", record.pair));
            let notes = EpdNotes {
                played: replayed.moves().get(at).copied(),
                eval: played.eval,
                score,
                game: &number,
                pair: &pair,
                end: None,
            };
            QuietPosition {
                fen: position.fen(),
                epd: epd_line(position, &notes),
                variant: game.name.clone(),
                side: if plies[at].side == Color::White { "w" } else { "b" },
                ply: at as u32,
                pieces: material.pieces() as u32,
                hmvc: unchanged.count() as u32,
                best: played.mv.uci(game),
                eval: match played.eval {
                    Some(Eval::Centipawns(score)) => Some(score),
                    // Quiet positions have no mate score.
                    Some(Eval::Mate(_)) | None => None,
                },
                score,
                game: number,
                pair,
            }
        });
        Ok(positions.collect())
    };
    let by_game = run.replay(games, look)?.into_iter();
    let by_game = by_game.collect::<Result<Vec<_>, _>>().map_err(|error| run.fault(error))?;
    Ok(by_game.into_iter().flatten().collect())
}

/// A file of exported positions. Call [`PositionWriter::finish`] at the end.
pub enum PositionWriter<W: Write + Send> {
    /// CSV: a header, then one record for each position.
    Csv(Box<csv::Writer<W>>),
    /// EPD, as `assay-selfplay export --epd` writes for all positions.
    Epd(W),
    #[cfg(feature = "parquet")]
    Parquet(ParquetWriter<W>),
}

impl<W: Write + Send> PositionWriter<W> {
    /// Writes some positions.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write(&mut self, positions: &[QuietPosition]) -> io::Result<()> {
        match self {
            PositionWriter::Csv(out) => positions.iter().try_for_each(|position| Ok(out.serialize(position)?)),
            PositionWriter::Epd(out) => positions.iter().try_for_each(|position| writeln!(out, "{}", position.epd)),
            #[cfg(feature = "parquet")]
            PositionWriter::Parquet(out) => out.write(positions),
        }
    }

    /// Flushes the output; a Parquet file is complete only after this.
    ///
    /// # Errors
    /// If writing fails.
    pub fn finish(&mut self) -> io::Result<()> {
        match self {
            PositionWriter::Csv(out) => out.flush(),
            PositionWriter::Epd(out) => out.flush(),
            #[cfg(feature = "parquet")]
            PositionWriter::Parquet(out) => out.finish(),
        }
    }
}

#[cfg(test)]
mod tests;

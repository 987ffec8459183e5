//! Quiet positions of games as rows for other programs: CSV, EPD, Parquet.

#[cfg(feature = "parquet")]
pub mod parquet;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use assay_rules::{Color, Position};
use assay_selfplay::export::{epd_line, game_id};
use assay_selfplay::players::player::Eval;
use assay_selfplay::store::StoredRun;
use assay_selfplay::{GameRecord, Store};
use rayon::prelude::*;

use crate::values::data::positions::{Ply, quiet};
use crate::values::data::replay::replay;
use crate::values::data::{self, DataError};

/// Games that are looked at in parallel before their rows go out in order.
const CHUNK: usize = 256;

/// A quiet position.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The position.
    pub fen: String,
    /// The game's name.
    pub variant: String,
    /// Who is to move.
    pub side: Color,
    /// Plies since the game's start.
    pub ply: u32,
    /// Pieces of both sides on the board and in pockets, kings apart.
    pub pieces: u32,
    /// Plies since the pieces last changed.
    pub unchanged: u32,
    /// The move that was played, as UCI writes it.
    pub best: String,
    /// What the player thought of it, in centipawns for the side to move; none when it did not say.
    pub eval: Option<i32>,
    /// White's score of the game in points, 0 to 1.
    pub score: f64,
    /// A name for the game that no other has, as long as seeds differ.
    pub game: String,
    /// The opening's number; the two games of an opening are the same pair.
    pub pair: u64,
}

/// Something that takes rows.
pub trait Sink {
    /// Takes some more of them.
    ///
    /// # Errors
    /// When they cannot be written.
    fn take(&mut self, rows: &[Row]) -> io::Result<()>;

    /// There are no more.
    ///
    /// # Errors
    /// When they cannot be written.
    fn finish(&mut self) -> io::Result<()>;
}

/// Why rows could not be written.
#[derive(Debug, thiserror::Error)]
pub enum RowsError {
    /// The games cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// There is nothing to write.
    #[error("{files}: found no quiet position")]
    Nothing {
        /// The files of games.
        files: String,
    },
    /// The rows cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Gives all quiet positions of some files of games to a sink, in the order of files and games; gives how many there were.
///
/// # Errors
/// When games cannot be read or played, have no quiet position, or rows cannot be written.
pub fn write(paths: &[PathBuf], sinks: &mut [Box<dyn Sink + '_>]) -> Result<u64, RowsError> {
    let mut written = 0;
    for (path, run) in paths.iter().zip(data::load_runs(paths)) {
        let run = run?;
        let store = Store::open_read(path).map_err(DataError::from)?;
        for games in run.records.chunks(CHUNK) {
            let rows = rows(path, store.settings(), games)?;
            written += rows.len() as u64;
            for sink in sinks.iter_mut() {
                sink.take(&rows)?;
            }
        }
    }
    if written == 0 {
        let files: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(RowsError::Nothing {
            files: files.join(", "),
        });
    }
    for sink in sinks.iter_mut() {
        sink.finish()?;
    }
    Ok(written)
}

/// The quiet positions of games, the same that values are measured from.
fn rows(path: &Path, run: &StoredRun, games: &[GameRecord]) -> Result<Vec<Row>, DataError> {
    let game = &run.settings.source.game;
    let wrong = |why| DataError::Replay {
        path: path.to_owned(),
        why,
    };
    let look = |record: &GameRecord, plies: &[Ply]| {
        let sees_mate = |ply: usize| matches!(record.moves[ply].eval, Some(Eval::Mate(_)));
        let found = quiet(plies, sees_mate).into_iter();
        found
            .map(|ply| (ply, unchanged(plies, ply), plies[ply].material.pieces()))
            .collect()
    };
    let quiet: Vec<Vec<(usize, usize, usize)>> = replay(game, games, look).map_err(wrong)?;
    let of_game = |(record, quiet): (&GameRecord, &Vec<(usize, usize, usize)>)| {
        // Positions are stored nowhere: their texts come from the rules.
        let replayed = record.replay(game)?;
        let positions = replayed.positions();
        Ok(quiet
            .iter()
            .map(|&(ply, unchanged, pieces)| row(run, record, &positions[ply], (ply, unchanged, pieces)))
            .collect::<Vec<Row>>())
    };
    let rows: Result<Vec<Vec<Row>>, _> = games.par_iter().zip(&quiet).map(of_game).collect();
    Ok(rows.map_err(wrong)?.into_iter().flatten().collect())
}

/// For how many plies the pieces have been the same.
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
) -> Row {
    let game = &run.settings.source.game;
    let played = &record.moves[ply];
    Row {
        fen: position.fen(),
        variant: game.name.clone(),
        side: position.side_to_move(),
        ply: ply as u32,
        pieces: pieces as u32,
        unchanged: unchanged as u32,
        best: played.mv.uci(game),
        eval: match played.eval {
            Some(Eval::Centipawns(score)) => Some(score),
            // No quiet position has one.
            Some(Eval::Mate(_)) | None => None,
        },
        score: record.result.as_f64(),
        game: game_id(run, record),
        pair: record.pair,
    }
}

/// A line for each row, and one with their names.
pub struct Csv<W> {
    out: W,
    has_header: bool,
}

impl<W: Write> Csv<W> {
    /// Writes there.
    pub fn new(out: W) -> Csv<W> {
        Csv { out, has_header: false }
    }
}

/// The columns of the CSV file, which are those of the Parquet file.
pub const COLUMNS: [&str; 11] = [
    "fen", "variant", "side", "ply", "pieces", "hmvc", "best", "eval", "score", "game", "pair",
];

/// The side as a FEN writes it.
pub(crate) fn side(color: Color) -> &'static str {
    match color {
        Color::White => "w",
        Color::Black => "b",
    }
}

impl<W: Write> Sink for Csv<W> {
    fn take(&mut self, rows: &[Row]) -> io::Result<()> {
        if !self.has_header {
            writeln!(self.out, "{}", COLUMNS.join(","))?;
            self.has_header = true;
        }
        for row in rows {
            let eval = row.eval.map(|eval| eval.to_string()).unwrap_or_default();
            // No field has commas, quotes or line breaks in it: FENs and moves know none, and a game's name is one word.
            writeln!(
                self.out,
                "{},{},{},{},{},{},{},{eval},{},{},{}",
                row.fen,
                row.variant,
                side(row.side),
                row.ply,
                row.pieces,
                row.unchanged,
                row.best,
                row.score,
                row.game,
                row.pair
            )?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Lines in the dialect of the tools that measure chess variants, as `assay-selfplay export --epd` writes them for all positions.
pub struct Epd<W> {
    out: W,
}

impl<W: Write> Epd<W> {
    /// Writes there.
    pub fn new(out: W) -> Epd<W> {
        Epd { out }
    }
}

impl<W: Write> Sink for Epd<W> {
    fn take(&mut self, rows: &[Row]) -> io::Result<()> {
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

//! Export of games as PGN, and of their positions as EPD, tables and training data.

mod epd;
#[cfg(feature = "parquet")]
mod parquet;
mod table;
mod training;

use std::collections::BTreeMap;
use std::io::{self, Write};

use assay_cli::output::printable;
use assay_rules::Game;
use rayon::prelude::*;
use thiserror::Error;

use crate::game::{GameRecord, ReplayError};
use crate::pgn::{self, PgnDetails, game_id};
use crate::positions::{Ply, quiet, replay};
use crate::store::{Store, StoreError};

/// Format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Portable Game Notation, with evaluation, depth, and time or nodes as comments.
    Pgn(PgnDetails),
    /// Positions of the games.
    Positions(PositionFormat, Positions),
}

/// Format of exported positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionFormat {
    /// One line of EPD per position: `hmvc` and `fmvn` are the counters of FEN, `sm` is the move
    /// that was played (missing at the end), `ce` its evaluation in centipawns (a mate in N plies
    /// is 32767 - N), and comments say which game it was:
    /// `c0 "variant NAME"; c1 "result R"; c2 "score S"; c3 "game ID"; c4 "pair ID";` and, at the
    /// end, `c5 "end HOW";`. `R` is the result as PGN writes it, `S` White's points (0.75 and 0.25
    /// included); IDs are the same for all positions of the game or of the pair.
    Epd,
    /// Comma-separated values: a header, then a row for each position with a move.
    Csv,
    /// The columns of CSV with types, in builds with the feature `parquet`.
    Parquet,
    /// bullet's text format for training networks: `FEN | SCORE | RESULT` in centipawns and points
    /// of White. Without positions that no trainer wants.
    Bullet,
    /// Stockfish's plain format: the lines `fen`, `move`, `score`, `ply`, `result` and `e` for each
    /// position with a score.
    Plain,
}

/// Choice of exported positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Positions {
    All,
    /// Those from which values are measured: the [`quiet`] ones of games that no engine lost by a
    /// fault.
    Quiet,
}

/// Why games could not be exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The run file cannot be read, or a game breaks the rules.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The output cannot be written.
    #[error("{0}")]
    Write(#[from] io::Error),
    #[cfg(not(feature = "parquet"))]
    #[error("this build cannot write Parquet; build it with --features parquet")]
    NoParquet,
}

/// Writes the games whose index `includes` accepts, in ascending order, and returns their number.
///
/// # Errors
/// If games cannot be read, break the rules, or cannot be written.
pub fn export(
    store: &Store,
    format: Format,
    includes: impl Fn(u64) -> bool,
    out: &mut (dyn Write + Send),
) -> Result<u64, ExportError> {
    let mut written = 0;
    let chunks = store.chunks().map(|chunk| -> Result<Vec<GameRecord>, StoreError> {
        let mut games: Vec<GameRecord> = chunk.into_iter().collect::<Result<_, _>>()?;
        games.retain(|game| includes(game.index));
        written += games.len() as u64;
        Ok(games)
    });
    let run = store.header();
    let id = run.id();
    match format {
        Format::Pgn(details) => {
            for games in chunks {
                let games = games?;
                let ends = games.first().zip(games.last());
                let tags =
                    ends.map_or_else(|| Ok(BTreeMap::new()), |(first, last)| store.tags(first.index..=last.index))?;
                let texts = games.par_iter().map(|game| pgn::text(run, &id, game, tags.get(&game.index), details));
                let texts: Vec<String> = texts.collect::<Result<_, _>>().map_err(|error| unusable(store, error))?;
                write_texts(&texts, out)?;
            }
        }
        #[cfg(feature = "parquet")]
        Format::Positions(PositionFormat::Parquet, positions) => {
            let mut file = parquet::ParquetWriter::new(out)?;
            for games in chunks {
                file.write(exported(store, &id, &games?, positions, table::rows)?.concat())?;
            }
            file.finish()?;
        }
        #[cfg(not(feature = "parquet"))]
        Format::Positions(PositionFormat::Parquet, _) => return Err(ExportError::NoParquet),
        Format::Positions(format, positions) => {
            let text = match format {
                PositionFormat::Epd => epd::text,
                PositionFormat::Bullet => training::bullet_text,
                PositionFormat::Plain => training::plain_text,
                PositionFormat::Csv | PositionFormat::Parquet => table::csv_text,
            };
            if format == PositionFormat::Csv {
                out.write_all(table::CSV_HEADER)?;
            }
            for games in chunks {
                write_texts(&exported(store, &id, &games?, positions, text)?, out)?;
            }
        }
    }
    Ok(written)
}

fn write_texts(texts: &[String], out: &mut dyn Write) -> io::Result<()> {
    // Names and answers of engines may contain control characters.
    texts.iter().try_for_each(|text| out.write_all(printable(text).as_bytes()))
}

fn unusable(store: &Store, error: ReplayError) -> StoreError {
    StoreError::unusable(store.path(), error)
}

/// A game of which positions are exported.
struct ExportedGame<'g> {
    record: &'g GameRecord,
    replayed: Game,
    /// The positions as the engine sees them, for material.
    plies: &'g [Ply],
    /// Numbers of the exported positions, ascending.
    exported: Vec<usize>,
    /// Identifier of the game, unique among runs with different games.
    id: String,
    /// Identifier of its opening pair, as unique.
    pair: String,
}

/// Results of `write` for some games of a run with this identifier.
fn exported<T: Send>(
    store: &Store,
    run: &str,
    games: &[GameRecord],
    positions: Positions,
    write: impl Fn(&ExportedGame<'_>) -> T + Sync,
) -> Result<Vec<T>, StoreError> {
    let game = store.header().settings.game();
    let look = |record: &GameRecord, plies: &[Ply]| -> Result<T, ReplayError> {
        let exported = match positions {
            Positions::All => (0..plies.len()).collect(),
            Positions::Quiet if record.fault.is_some() => Vec::new(),
            Positions::Quiet => quiet(record, plies),
        };
        let (id, pair) = (game_id(run, record), format!("{run}-{}", record.pair));
        // The rules replay the game again to write FENs and SAN.
        Ok(write(&ExportedGame { record, replayed: record.replay(game)?, plies, exported, id, pair }))
    };
    let written = replay(game, games, look).and_then(|games| games.into_iter().collect());
    written.map_err(|error| unusable(store, error))
}

#[cfg(test)]
mod tests;

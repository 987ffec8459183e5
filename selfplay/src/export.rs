//! Export of games as PGN and EPD, and as training data.

mod epd;
mod pgn;
mod training;

use std::collections::BTreeMap;
use std::io::{self, Write};

use assay_cli::output::printable;
use rayon::prelude::*;
use thiserror::Error;

pub use epd::{EpdNotes, line as epd_line};

use crate::game::{GameRecord, GameTags, ReplayError};
use crate::run::RunHeader;
use crate::store::{Store, StoreError};

/// Format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Portable Game Notation, with evaluation, depth, and time or nodes as comments.
    Pgn(PgnDetails),
    /// One line of EPD per position: `hmvc` and `fmvn` are the counters of FEN, `sm` is the move
    /// that was played (missing at the end), `ce` its evaluation in centipawns (a mate in N plies
    /// is 32767 - N), and comments say which game it was:
    /// `c0 "variant NAME"; c1 "result R"; c2 "score S"; c3 "game ID"; c4 "pair ID";` and, at the
    /// end, `c5 "end HOW";`. `R` is the result as PGN writes it, `S` White's points (0.75 and 0.25
    /// included); IDs are the same for all positions of the game or of the pair.
    Epd,
    /// bullet's text format for training networks, quiet positions only: `FEN | SCORE | RESULT` in
    /// centipawns and points of White.
    Bullet,
    /// Stockfish's plain format: the lines `fen`, `move`, `score`, `ply`, `result` and `e` for each
    /// position with a score.
    Plain,
}

/// Optional parts of the comment of a PGN move, besides evaluation, depth and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PgnDetails {
    /// Nodes searched: `n=4096`.
    pub nodes: bool,
    /// Selective search depth in plies: `sd=17`.
    pub seldepth: bool,
    /// Nodes per second: `nps=1250000`.
    pub nps: bool,
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
}

/// Writes the games whose index `includes` accepts, in ascending order, and returns their number.
///
/// # Errors
/// If games cannot be read, break the rules, or cannot be written.
pub fn export(
    store: &Store,
    format: Format,
    includes: impl Fn(u64) -> bool,
    out: &mut dyn Write,
) -> Result<u64, ExportError> {
    let (run, path) = (store.header(), store.path());
    let text = |game: &GameRecord, tags: Option<&GameTags>| -> Result<String, ExportError> {
        let text = match format {
            Format::Pgn(details) => pgn::text(run, game, tags, details),
            Format::Epd => epd::text(run, game),
            Format::Bullet => training::bullet_text(run, game),
            Format::Plain => training::plain_text(run, game),
        };
        Ok(text.map_err(|error| StoreError::unusable(path, error))?)
    };
    let mut written = 0;
    for chunk in store.chunks() {
        let mut games: Vec<GameRecord> = chunk.into_iter().collect::<Result<_, _>>()?;
        games.retain(|game| includes(game.index));
        let ends = games.first().zip(games.last());
        let tags = ends.map_or_else(|| Ok(BTreeMap::new()), |(first, last)| store.tags(first.index..=last.index))?;
        let texts = games.par_iter().map(|game| text(game, tags.get(&game.index)));
        let texts: Vec<String> = texts.collect::<Result<_, _>>()?;
        for text in texts {
            // Names and answers of engines may contain control characters.
            out.write_all(printable(&text).as_bytes())?;
        }
        written += games.len() as u64;
    }
    Ok(written)
}

/// A game of a match or of self-play as PGN.
///
/// # Errors
/// If it breaks the rules.
pub fn pgn_text(run: &RunHeader, game: &GameRecord, details: PgnDetails) -> Result<String, ReplayError> {
    pgn::text(run, game, None, details)
}

/// Identifier of a game: unique among runs with different games, seeds or imported files.
pub fn game_id(run: &RunHeader, game: &GameRecord) -> String {
    let (settings, name) = (&run.settings, &run.settings.game().name);
    match settings.import() {
        Some(import) => format!("{name}-{}-{}", import.hash, game.index),
        None => format!("{name}-{}-{}", settings.seed, game.index),
    }
}

/// Identifier of a game's opening pair, as unique as [`game_id`].
fn pair_id(run: &RunHeader, game: &GameRecord) -> String {
    format!("{}-{}-{}", run.settings.game().name, run.settings.seed, game.pair)
}

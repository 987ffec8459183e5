//! Games as text for other programs.

mod epd;
pub mod match_pgn;
mod pgn;

use std::io::{self, Write};
use std::path::PathBuf;

use rayon::prelude::*;
use thiserror::Error;

pub use epd::line as epd_line;

use crate::store::{GameRecord, ReplayError, Store, StoreError, StoredRun};

/// Games that are written out in parallel before their texts go to the file in order.
const CHUNK: usize = 256;

/// The form of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Portable Game Notation, with evaluation, depth and nodes as comments.
    Pgn,
    /// One line for each position, in the dialect of the tools that measure chess variants:
    /// `FEN;variant NAME;bm MOVE;hmvc N;result R;score S;game ID`. `bm` is the move that was played, in UCI's form, or `none`
    /// at the end; `hmvc` counts plies since the pieces on the board last changed; `result` is that of the game as PGN
    /// writes it, `score` White's points (0.75 and 0.25 included); `ID` is the same for all positions of a game.
    Epd,
}

/// Why games could not be written out.
#[derive(Debug, Error)]
pub enum ExportError {
    /// They cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// They are not games by the rules.
    #[error("{}: {error}", .path.display())]
    Replay {
        /// The file they are from.
        path: PathBuf,
        /// What is wrong.
        error: ReplayError,
    },
    /// The text cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Writes the games that are wanted by their numbers, in the order of their numbers; gives how many there were.
///
/// # Errors
/// When games cannot be read, break the rules, or cannot be written.
pub fn export(
    store: &Store,
    format: Format,
    wanted: impl Fn(u64) -> bool,
    out: &mut dyn Write,
) -> Result<u64, ExportError> {
    let (run, path) = (store.settings(), store.path());
    let text = |game: &GameRecord| -> Result<String, ExportError> {
        let text = match format {
            Format::Pgn => pgn::text(run, game),
            Format::Epd => epd::text(run, game),
        };
        text.map_err(|error| ExportError::Replay {
            path: path.to_owned(),
            error,
        })
    };
    let mut games = store.games();
    let mut written = 0;
    loop {
        let mut chunk = Vec::new();
        for game in games.by_ref() {
            let game = game?;
            if wanted(game.index) {
                chunk.push(game);
            }
            if chunk.len() == CHUNK {
                break;
            }
        }
        if chunk.is_empty() {
            return Ok(written);
        }
        let texts: Vec<String> = chunk.par_iter().map(text).collect::<Result<_, _>>()?;
        for text in texts {
            out.write_all(text.as_bytes())?;
        }
        written += chunk.len() as u64;
    }
}

/// A name for a game that no game of another run has, as long as seeds differ.
pub fn game_id(run: &StoredRun, game: &GameRecord) -> String {
    format!("{}-{}-{}", run.settings.source.game.name, run.settings.seed, game.index)
}

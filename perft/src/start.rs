//! Which position a subcommand works on: `--fen`, `--setup`, or the game's own start.

use std::sync::Arc;

use anyhow::{Context, Result};
use assay_rules::{GameDef, Position, Setup};
use clap::Args;

use crate::output;

/// The options that choose a position.
#[derive(Args, Clone, Debug, Default)]
pub struct StartArgs {
    /// Begin at this position instead of the game's start: six FEN fields in one argument, in quotes
    #[arg(long, value_name = "FEN", conflicts_with = "setup")]
    pub fen: Option<String>,
    /// Begin at this start of the game, with handicaps behind it if the game has them: `14`, `14+pawn:e4`
    #[arg(long, value_name = "ID[+HANDICAP]")]
    pub setup: Option<String>,
}

impl StartArgs {
    /// The position; what had to be left out of a FEN is said on standard error.
    ///
    /// # Errors
    /// When the FEN or the start is wrong.
    pub fn position(&self, game: &Arc<GameDef>) -> Result<Position> {
        if let Some(fen) = &self.fen {
            return read_fen(game, fen).with_context(|| format!("--fen `{fen}`"));
        }
        match &self.setup {
            Some(text) => Position::from_start(game, text).context("--setup"),
            None => Ok(Position::start(game)),
        }
    }
}

/// Reads a FEN; what had to be left out is said on standard error.
///
/// # Errors
/// When the FEN is wrong, or the position is impossible.
pub fn read_fen(game: &Arc<GameDef>, fen: &str) -> Result<Position> {
    let setup = Setup::from_fen(game, fen)?;
    let (position, warnings) = Position::from_setup(game, &setup).map_err(assay_rules::fen::FenError::from)?;
    for warning in warnings {
        output::warning(warning);
    }
    Ok(position)
}

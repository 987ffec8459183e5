//! Arguments that choose a position: `--fen`, `--setup`, or the game's default start.

use std::sync::Arc;

use anyhow::{Context, Result};
use assay_cli::output;
use assay_rules::position::{EnPassantField, SetupWarning};
use assay_rules::{GameDef, Position, Setup};
use clap::Args;

/// The position that a subcommand works on.
#[derive(Args, Clone, Debug, Default)]
pub struct PositionArgs {
    /// Position instead of the game's start: six FEN fields in one quoted argument
    #[arg(long, value_name = "FEN", conflicts_with = "setup")]
    pub fen: Option<String>,
    /// Start of the game, optionally with handicaps if the game has them: `14`, `14+pawn:e4`
    #[arg(long, value_name = "ID[+HANDICAP]")]
    pub setup: Option<String>,
}

impl PositionArgs {
    /// The chosen position. Prints a warning for each part of the FEN that is ignored.
    ///
    /// # Errors
    /// If the FEN or the start is wrong.
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

fn read_fen(game: &Arc<GameDef>, fen: &str) -> Result<Position> {
    let setup = Setup::from_fen(game, fen)?;
    let (position, warnings) = Position::from_setup(game, &setup).map_err(assay_rules::fen::FenError::from)?;
    warnings.iter().for_each(output::warning);
    let is_said = warnings.iter().any(|warning| matches!(warning, SetupWarning::EnPassant { .. }));
    if setup.en_passant != EnPassantField::None && position.en_passant().is_none() && !is_said {
        let square = fen.split_whitespace().nth(3).unwrap_or_default();
        output::warning(format_args!("en passant `{square}` left out: no legal capture uses it"));
    }
    Ok(position)
}

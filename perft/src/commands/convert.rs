//! `convert`: a game as a definition file.

use anyhow::Result;
use assay_cli::args::GameArg;
use assay_cli::{Exit, output};
use assay_rules::def::{definition_text, fairy_ini};

/// Arguments of `convert`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "Examples:
  assay-perft convert variants.ini:mygame > mygame.toml
  assay-perft convert mygame.toml --ini > mygame.ini
      for Fairy-Stockfish, whose option VariantPath loads it
  assay-perft convert gamma2
      the definition of a built-in game, to begin with")]
pub struct Args {
    /// The game.
    #[command(flatten)]
    pub game: GameArg,
    /// Print it as a variant file for Fairy-Stockfish instead
    #[arg(long)]
    pub ini: bool,
}

/// Runs `convert`.
///
/// # Errors
/// If the game is unknown or wrong.
pub fn run(args: &Args) -> Result<Exit> {
    let name = &args.game.game;
    // Errors in the definition come before its text.
    let game = assay_engine::load_game(name)?;
    if args.ini {
        output::print(fairy_ini::from_game(&game).map_err(anyhow::Error::msg)?)?;
        return Ok(Exit::Success);
    }
    match definition_text(name) {
        Some(text) => output::print(text)?,
        None => output::print(assay_engine::read_definition(name)?)?,
    }
    Ok(Exit::Success)
}

//! `convert`: a game as a definition file.

use anyhow::Result;
use assay_cli::args::{game_help, one_of_described};
use assay_cli::{Exit, output};
use assay_rules::def::{definition_text, fairy_ini};
use clap::ValueHint;

use crate::definition_keys::{self, KeyFormat};

/// The choices of --keys in words.
const FORMATS: &[&str] = &["A JSON Schema for editors", "Tables for people, with the built-in games that use each key"];

/// Arguments of `convert`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = include_str!("help/convert.txt").trim_ascii_end())]
pub struct Args {
    /// Name or path.
    #[arg(value_name = "GAME", value_hint = ValueHint::FilePath, help = game_help(), required_unless_present = "keys")]
    pub game: Option<String>,
    /// Print it as a variant file for Fairy-Stockfish instead
    #[arg(long, conflicts_with = "keys")]
    pub ini: bool,
    /// Print the keys of definition files instead
    #[arg(long, value_name = "FORMAT", value_parser = one_of_described::<KeyFormat>(KeyFormat::NAMES, FORMATS), conflicts_with = "game")]
    pub keys: Option<KeyFormat>,
}

/// Runs `convert`.
///
/// # Errors
/// If the game is unknown or wrong.
pub fn run(args: &Args) -> Result<Exit> {
    if let Some(format) = args.keys {
        output::print(definition_keys::text(format)?)?;
        return Ok(Exit::Success);
    }
    let name = args.game.as_deref().unwrap_or_default();
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

//! Plays a few games of the engine against itself and prints them as PGN.
//!
//! ```text
//! cargo run --release --example play_games -- gamma2
//! ```

use std::error::Error;
use std::sync::atomic::AtomicBool;

use assay_selfplay::export::{Format, export};
use assay_selfplay::pgn::PgnDetails;
use assay_selfplay::settings::{GameSource, RunOptions, SelfPlay};
use assay_selfplay::{Store, generate};

fn main() -> Result<(), Box<dyn Error>> {
    let game = std::env::args().nth(1).unwrap_or_else(|| "chess".to_owned());
    let choices = SelfPlay { nodes: 1_000, balance: Some(Some(150)), ..SelfPlay::default() };
    let settings = choices.settings(GameSource::load(&game)?)?;
    let options = RunOptions::self_play(4, 0);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games.db");
    generate(&settings, &options, &path, |_| {}, &AtomicBool::new(false))?;
    export(&Store::open_read(&path)?, Format::Pgn(PgnDetails::default()), |_| true, &mut std::io::stdout())?;
    Ok(())
}

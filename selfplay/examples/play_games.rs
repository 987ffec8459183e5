//! Plays a few games of the engine against itself and prints them as PGN.
//!
//! ```text
//! cargo run --release --example play_games -- gamma2
//! ```

use std::error::Error;
use std::sync::atomic::AtomicBool;

use assay_selfplay::export::{Format, export};
use assay_selfplay::settings::{GameSource, GenerateSettings, Material, OpeningSettings, RunSettings, StartChoice};
use assay_selfplay::{Store, generate};

fn main() -> Result<(), Box<dyn Error>> {
    let game = std::env::args().nth(1).unwrap_or_else(|| "chess".to_owned());
    let settings = GenerateSettings {
        run: RunSettings {
            source: GameSource::load(&game)?,
            seed: 1,
            nodes: 1_000,
            hash_mb: 4,
            opening: OpeningSettings {
                start: StartChoice::Random,
                plies: 8,
                balance: Some(150),
                material: Material::None,
            },
            eval_jitter: Default::default(),
        },
        games: 4,
        threads: 0,
    };
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games.db");
    generate(&settings, &path, |_| {}, &AtomicBool::new(false))?;
    export(&Store::open_read(&path)?, Format::Pgn, |_| true, &mut std::io::stdout())?;
    Ok(())
}

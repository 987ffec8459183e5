//! Runs of games, each in one file.

use std::path::Path;

use assay_selfplay::Store;
use assay_selfplay::settings::{Material, StartChoice};

use crate::values::data::DataError;

/// Purpose of a run of games.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunKind {
    /// Games with imbalances, as `validate` plays them.
    Values,
    /// Games of the playtest.
    Playtest,
    /// Games between equal armies, as `stats` plays them.
    Equal,
    /// Games from one start, with or without a handicap.
    Start(String),
}

/// A run of games, kept in one file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    /// Name of the game.
    pub game: String,
    pub kind: RunKind,
}

impl Run {
    pub fn new(game: &str, kind: RunKind) -> Run {
        let game = game.to_owned();
        Run { game, kind }
    }

    /// The run whose games a file holds; `None` for games that say nothing about any claim, such as those of a match.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn of_file(path: &Path) -> Result<Option<Run>, DataError> {
        let store = Store::open_read(path)?;
        let Some(openings) = store.run().settings.random_openings() else {
            return Ok(None);
        };
        let kind = match (openings.material, &openings.start) {
            (Material::Values | Material::Odds, _) => RunKind::Values,
            (Material::Playtest, _) => RunKind::Playtest,
            (Material::None, StartChoice::Random) => RunKind::Equal,
            (Material::None, StartChoice::Named(start)) => RunKind::Start(start.clone()),
        };
        Ok(Some(Run::new(&store.source().game.name, kind)))
    }

    /// File name, the same that `validate`, `playtest` and `stats` use by default.
    pub fn file_name(&self) -> String {
        let game = &self.game;
        match &self.kind {
            RunKind::Values => format!("assay-{game}.db"),
            RunKind::Playtest => format!("assay-{game}-playtest.db"),
            RunKind::Equal => format!("assay-{game}-stats.db"),
            RunKind::Start(start) => {
                let start = start.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
                format!("assay-{game}-from-{start}.db")
            }
        }
    }
}

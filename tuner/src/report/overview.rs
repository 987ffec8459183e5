//! Several games' measurements beside each other: a table for a document, and a picture.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use crate::report::words;
use crate::values::inference::estimate::Value;
use crate::values::inference::fieller::Region;
use crate::values::inference::verdict::Verdict;
use crate::values::playtest::agreement::Agreement;

/// Why a file is no measurement.
#[derive(Debug, Error)]
pub enum OverviewError {
    /// It cannot be read.
    #[error("{}: {why}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: std::io::Error,
    },
    /// It holds something else.
    #[error("{}: {why}; expected what `assay-tuner validate --json` prints", .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Where and why.
        why: serde_json::Error,
    },
}

/// What an overview needs of one game's measurement, as `validate --json` and `fit --json` print it.
#[derive(Clone, Debug, Deserialize)]
pub struct Measurement {
    /// The game's proper name.
    pub title: String,
    /// The table of values.
    pub values: Vec<Value>,
    /// How many games.
    pub games: Games,
    /// The values by both methods; none when only one was asked.
    pub agreement: Option<Agreement>,
    /// The files that the games are from.
    pub files: Vec<File>,
}

/// How much was played.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Games {
    /// All games.
    pub games: u64,
}

/// How it was played.
#[derive(Clone, Debug, Deserialize)]
pub struct File {
    /// Nodes for each move.
    pub nodes: u64,
}

impl Measurement {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read or holds something else.
    pub fn read(path: &Path) -> Result<Measurement, OverviewError> {
        let path = path.to_owned();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(why) => return Err(OverviewError::Read { path, why }),
        };
        serde_json::from_str(&text).map_err(|why| OverviewError::Format { path, why })
    }

    /// The title, and how much was played: `Gamma2 Chess (20,000 games of 500 nodes a move)`.
    pub fn heading(&self) -> String {
        let mut nodes: Vec<u64> = self.files.iter().map(|file| file.nodes).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let nodes: Vec<String> = nodes.into_iter().map(words::thousands).collect();
        format!(
            "{} ({} games of {} nodes a move)",
            self.title,
            words::thousands(self.games.games),
            nodes.join(" and ")
        )
    }

    /// What is worth showing: pieces that were measured against something, and what is claimed of pieces together.
    pub fn rows(&self) -> impl Iterator<Item = &Value> {
        let is_shown = |value: &&Value| {
            let is_unit = matches!(value.verdict, Verdict::Unit | Verdict::Unmeasurable);
            !is_unit && (value.letter.is_some() || value.inventor.is_some())
        };
        self.values.iter().filter(is_shown)
    }
}

/// A Markdown table: a row for each piece, the games one after another.
pub fn markdown(measurements: &[Measurement]) -> String {
    let mut text =
        "| piece | inventor | measured | 95% interval | full board, regression | full board, playtest | verdict |\n\
                    |---|--:|--:|--:|--:|--:|---|\n"
            .to_owned();
    for measurement in measurements {
        // A string never fails to take what is written.
        let _ = writeln!(text, "| **{}** | | | | | | |", measurement.heading());
        for value in measurement.rows() {
            let both = measurement
                .agreement
                .iter()
                .flat_map(|agreement| &agreement.values)
                .find(|both| both.piece == value.piece);
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} |",
                value.piece,
                words::decimals(value.inventor),
                words::decimals(value.measured),
                words::interval(value.interval),
                both.map_or_else(|| "—".to_owned(), |both| words::pawns(&both.regression)),
                both.map_or_else(|| "—".to_owned(), |both| words::pawns(&both.playtest)),
                value.verdict.text()
            );
        }
    }
    text
}

/// Measured over published, with the interval; none where nothing was published or nothing is bounded.
pub fn ratio(value: &Value) -> Option<(f64, f64, f64)> {
    let inventor = value.inventor.filter(|&inventor| inventor > 0.0)?;
    match value.interval? {
        Region::Bounded { low, high } => Some((value.measured? / inventor, low / inventor, high / inventor)),
        Region::Outside { .. } | Region::Everything => None,
    }
}

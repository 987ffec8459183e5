use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_rules::starts::StartError;
use assay_rules::{GameDef, Position};
use serde::{Deserialize, Serialize, Serializer};

use super::import::ImportSettings;

/// The start of the games of a run, before any random moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StartChoice {
    /// Any of the game's starts, with equal probability.
    Random,
    /// A start by its id, with handicaps if any (`14+pawn:e4`).
    #[serde(untagged)]
    Named(String),
}

impl StartChoice {
    /// The positions that games may begin at. Random starts are those of the game, without
    /// handicaps.
    ///
    /// # Errors
    /// If the named start does not exist.
    pub fn positions(&self, game: &Arc<GameDef>) -> Result<Vec<Position>, StartError> {
        match self {
            StartChoice::Random => {
                let ids = game.starts.iter().map(|start| start.id.as_str());
                ids.map(|id| Position::from_start(game, id)).collect()
            }
            StartChoice::Named(text) => Ok(vec![Position::from_start(game, text)?]),
        }
    }
}

impl fmt::Display for StartChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StartChoice::Random => "random",
            StartChoice::Named(text) => text,
        })
    }
}

impl From<String> for StartChoice {
    fn from(text: String) -> StartChoice {
        if text == "random" { StartChoice::Random } else { StartChoice::Named(text) }
    }
}

/// Material imbalances of the openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Material {
    /// Equal armies.
    None,
    /// Measure piece values: imbalances planned to be as informative as possible.
    Values,
    /// Measure piece values by matches: each kind against lighter pieces and pawns, and pawns alone.
    Playtest,
}

assay_cli::named!(Material: None = "none", Values = "values", Playtest = "playtest");

impl Material {
    /// Random plies and the largest evaluation in centipawns of the openings from which values are
    /// measured.
    ///
    /// Long random openings leave pieces en prise, and then the first capture decides the game
    /// rather than the imbalance.
    pub const VALUES_OPENING: (u32, u32) = (6, 100);
}

/// The version of the comparisons that [`Material::Values`] plays, to be increased when they
/// change. Run files did not store the first.
const VALUES_PLAN: u32 = 2;

/// Openings of random quiet moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomOpenings {
    pub start: StartChoice,
    /// Number of random plies.
    pub plies: u32,
    /// The largest score of either side, in centipawns, before material is removed; after that, the
    /// first move of the engine must not be a capture. `None` accepts every opening.
    pub balance: Option<u32>,
    pub material: Material,
}

/// The order in which the openings of a book are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookOrder {
    /// The order of the file.
    Sequential,
    /// Random order; every opening is used once before any is used again.
    Random,
}

assay_cli::named!(BookOrder: Sequential = "sequential", Random = "random");

/// The pairs of games that share an opening of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpeningPolicy {
    /// Those of a round.
    #[default]
    Round,
    /// None.
    Encounter,
}

assay_cli::named!(OpeningPolicy: Round = "round", Encounter = "encounter" | "default");

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// A FEN per line; text after a `;` is ignored.
    Epd,
    /// Games.
    Pgn,
    /// Moves of chess with weights, by position (`.bin`).
    Polyglot,
}

assay_cli::named!(BookFormat: Epd = "epd", Pgn = "pgn", Polyglot = "polyglot");

/// Openings from a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookSettings {
    /// Stored without its folder: the contents count, not the location.
    #[serde(serialize_with = "file_name")]
    pub file: PathBuf,
    pub format: BookFormat,
    pub order: BookOrder,
    /// The first opening used, from 1.
    pub start: usize,
    /// Plies played of each game, or by a Polyglot book; `None` for all.
    pub plies: Option<usize>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub policy: OpeningPolicy,
}

fn file_name<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy())
}

/// The source of a run's openings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "source", rename_all = "lowercase")]
pub enum OpeningSource {
    Random(RandomOpenings),
    Book(BookSettings),
    /// The starts of Chess960, each once before any is used again.
    Chess960 {
        /// By their numbers, or random.
        order: BookOrder,
    },
    /// Every game begins at the game's start.
    Start,
    /// The games were not played here, but read from files.
    Import(ImportSettings),
}

impl OpeningSource {
    /// The version of the plan of [`Material::Values`]: a run cannot be resumed with another one.
    /// `None` for other openings.
    pub(crate) fn plan_version(&self) -> Option<u32> {
        match self {
            OpeningSource::Random(random) if random.material == Material::Values => Some(VALUES_PLAN),
            _ => None,
        }
    }
}

/// In one line, as reports show it.
impl fmt::Display for OpeningSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningSource::Random(random) => {
                write!(f, "random plies={} balance=", random.plies)?;
                match random.balance {
                    Some(limit) => write!(f, "{limit}")?,
                    None => f.write_str("off")?,
                }
                write!(f, " setup={}", random.start)?;
                match random.material {
                    Material::None => Ok(()),
                    material => write!(f, " material={material}"),
                }
            }
            OpeningSource::Book(book) => {
                let name = book.file.file_name().unwrap_or(book.file.as_os_str());
                let BookSettings { format, order, start, .. } = book;
                write!(f, "file={} format={format} order={order} start={start}", name.display())?;
                if let Some(plies) = book.plies {
                    write!(f, " plies={plies}")?;
                }
                if book.policy == OpeningPolicy::Encounter {
                    f.write_str(" policy=encounter")?;
                }
                Ok(())
            }
            OpeningSource::Chess960 { order } => write!(f, "chess960 order={order}"),
            OpeningSource::Start => f.write_str("the game's start"),
            OpeningSource::Import(import) => import.fmt(f),
        }
    }
}

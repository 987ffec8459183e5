//! The settings of a run as rows of a table.

use std::collections::HashMap;
use std::path::Path;

use super::error::StoreError;
use crate::players::eval_jitter::EvalJitter;
use crate::settings::{GameSource, Material, OpeningSettings, RunSettings, StartChoice};

/// What this sort of file is called among those to come.
const SORT: &str = "generate";

/// The setting that files of older versions do not have: in their games nothing was changed.
const BELIEFS: &str = "jitter";

/// A run as its file tells it.
#[derive(Clone, Debug)]
pub struct StoredRun {
    /// What decides its games.
    pub settings: RunSettings,
    /// How many games it was last asked to have.
    pub games: u64,
    /// Who plays.
    pub player: String,
    /// The program that began it.
    pub program: String,
    /// When it was begun, in UTC.
    pub created: String,
}

/// The settings that must be the same for a run to be continued, by the names that messages use.
fn deciding(settings: &RunSettings, player: &str) -> Vec<(&'static str, String)> {
    let opening = &settings.opening;
    vec![
        ("sort", SORT.to_owned()),
        ("game", settings.source.game.name.clone()),
        ("definition-hash", settings.source.fingerprint()),
        ("seed", settings.seed.to_string()),
        ("nodes", settings.nodes.to_string()),
        ("hash", settings.hash_mb.to_string()),
        ("setup", opening.start.to_string()),
        ("opening-plies", opening.plies.to_string()),
        (
            "balance",
            opening
                .balance
                .map_or_else(|| "off".to_owned(), |limit| limit.to_string()),
        ),
        ("material", opening.material.name().to_owned()),
        (BELIEFS, settings.eval_jitter.to_string()),
        ("player", player.to_owned()),
    ]
}

/// All rows of a new run.
pub(super) fn rows(settings: &RunSettings, games: u64, player: &str) -> Vec<(&'static str, String)> {
    let mut rows = deciding(settings, player);
    rows.push(("definition", settings.source.text.clone().unwrap_or_default()));
    rows.push(("games", games.to_string()));
    rows.push((
        "program",
        format!("{} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
    ));
    rows
}

/// Rows of a file, by their keys.
pub(crate) type Rows = HashMap<String, String>;

/// Refuses when the run in the file is another one than wanted.
pub(super) fn compare(path: &Path, rows: &Rows, settings: &RunSettings, player: &str) -> Result<(), StoreError> {
    for (setting, expected) in deciding(settings, player) {
        let absent = if setting == BELIEFS { "0" } else { "(nothing)" };
        let found = rows.get(setting).map_or(absent, String::as_str);
        if found != expected {
            return Err(StoreError::Mismatch {
                path: path.to_owned(),
                setting,
                found: found.to_owned(),
                expected,
            });
        }
    }
    Ok(())
}

/// Reads what [`rows`] wrote.
pub(super) fn read(path: &Path, rows: &Rows) -> Result<StoredRun, StoreError> {
    let fault = |setting, why: String| StoreError::Setting {
        path: path.to_owned(),
        setting,
        why,
    };
    let text = |setting| rows.get(setting).ok_or_else(|| fault(setting, "missing".to_owned()));
    let number = |setting| {
        let found = text(setting)?;
        found
            .parse::<u64>()
            .map_err(|_| fault(setting, format!("found `{found}`, expected a number")))
    };
    let small = |setting| {
        let found = number(setting)?;
        u32::try_from(found).map_err(|_| fault(setting, format!("found {found}, which is too large")))
    };
    let sort = text("sort")?;
    if sort != SORT {
        return Err(fault("sort", format!("found `{sort}`, expected `{SORT}`")));
    }
    let material = text("material")?;
    let eval_jitter = rows.get(BELIEFS).map_or("0", String::as_str);
    let balance = text("balance")?.as_str();
    let settings = RunSettings {
        source: read_game(path, text("game")?, text("definition")?)?,
        seed: number("seed")?,
        nodes: number("nodes")?,
        hash_mb: small("hash")? as usize,
        opening: OpeningSettings {
            start: StartChoice::from(text("setup")?.as_str()),
            plies: small("opening-plies")?,
            balance: if balance == "off" {
                None
            } else {
                Some(small("balance")?)
            },
            material: Material::from_name(material).ok_or_else(|| {
                fault(
                    "material",
                    format!("found `{material}`, expected `none`, `odds`, `values` or `playtest`"),
                )
            })?,
        },
        eval_jitter: EvalJitter::parse(eval_jitter).map_err(|why| fault(BELIEFS, why))?,
    };
    let (found, expected) = (text("definition-hash")?, settings.source.fingerprint());
    if *found != expected {
        let why =
            format!("found {found}, expected {expected}: the game's rules are not those of this version of Assay");
        return Err(fault("definition-hash", why));
    }
    Ok(StoredRun {
        settings,
        games: number("games")?,
        player: text("player")?.clone(),
        program: text("program")?.clone(),
        created: text("created")?.clone(),
    })
}

pub(crate) fn read_game(path: &Path, name: &str, definition: &str) -> Result<GameSource, StoreError> {
    let fault = |setting, why: String| StoreError::Setting {
        path: path.to_owned(),
        setting,
        why,
    };
    if definition.is_empty() {
        return GameSource::builtin(name).ok_or_else(|| {
            fault(
                "game",
                format!("found `{name}`, which is no built-in game, without its definition"),
            )
        });
    }
    GameSource::from_text(definition.to_owned(), &format!("{name}.toml"))
        .map_err(|error| fault("definition", error.to_string()))
}

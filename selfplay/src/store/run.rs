//! The settings of a run as rows of the tables `run` and `players`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::error::StoreError;
use super::schema::{PlayerRow, RunRow};
use crate::settings::{EngineSettings, GameSource, PlayerSlots, RunOptions, RunSettings, Shard};
use crate::statistics::Sprt;

/// The run in a file.
#[derive(Clone, Debug)]
pub struct StoredRun {
    pub settings: RunSettings,
    /// Settings and players as the file has them, for reports.
    pub json: Value,
    /// Identity of each player: its name or version and a hash.
    pub identities: Vec<String>,
    /// The part of the run that the file holds; `None` for all of it.
    pub shard: Option<Shard>,
    /// Planned number of games of the run, in all shards together.
    pub games: u64,
    /// The value of the PGN tag `Event`.
    pub event: String,
    /// The program that started the run.
    pub program: String,
    /// When the run was started, in UTC.
    pub created: String,
}

impl StoredRun {
    /// Planned number of games of the file.
    pub fn shard_games(&self) -> u64 {
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        shard.games(self.games, self.settings.games_per_opening())
    }
}

/// Settings with which a run is started or resumed.
#[derive(Clone, Copy, Debug)]
pub struct NewRun<'r> {
    pub settings: &'r RunSettings,
    pub options: &'r RunOptions,
    /// Each player's identity, in the order of the players.
    pub identities: &'r [String],
    /// The hash of the opening book if there is one.
    pub book_hash: Option<&'r str>,
}

impl NewRun<'_> {
    /// The rows of the table `run`.
    pub(super) fn rows(&self) -> Vec<RunRow<'static>> {
        let settings = self.settings;
        vec![
            ("game", json!(settings.game().name)),
            ("rules_hash", json!(settings.source.rules_hash())),
            ("definition", json!(settings.source.text)),
            ("seed", json!(settings.seed)),
            ("openings", json!(settings.openings)),
            ("book_hash", json!(self.book_hash)),
            ("repeat", json!(settings.repeat)),
            ("eval_jitter", json!(settings.eval_jitter)),
            ("adjudication", json!(settings.adjudication)),
            ("sprt", json!(settings.sprt)),
            ("stall_ms", json!(settings.stall.as_millis() as u64)),
            ("shard", json!(self.options.shard)),
            ("games", json!(self.options.games)),
            ("event", json!(self.options.event)),
            (
                "program",
                json!(concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"))),
            ),
        ]
    }

    /// The rows of the table `players`.
    pub(super) fn players(&self) -> Vec<PlayerRow> {
        let players = self.settings.players.all().iter().zip(self.identities);
        let row = |(player, identity): (&EngineSettings, &String)| PlayerRow {
            name: player.name.clone(),
            identity: identity.clone(),
            settings: json!(player),
        };
        players.map(row).collect()
    }

    /// Checks that a file holds this run, or this shard of it.
    ///
    /// # Errors
    /// [`StoreError::Mismatch`] with the first setting that differs.
    pub(super) fn compare(&self, path: &Path, stored: &StoredRows) -> Result<(), StoreError> {
        let requested = StoredRows {
            run: self
                .rows()
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect(),
            players: self.players(),
        };
        let keys = COMPARED_KEYS.iter().chain(&["shard"]);
        match stored.first_difference(&requested, keys.copied()) {
            None => Ok(()),
            Some((setting, found, expected)) => Err(StoreError::Mismatch {
                path: path.to_owned(),
                setting,
                found,
                expected,
            }),
        }
    }
}

/// The keys of the table `run` that determine the games. The hash of the rules counts, not the text of the definition.
pub(super) const COMPARED_KEYS: &[&str] = &[
    "game",
    "rules_hash",
    "seed",
    "openings",
    "book_hash",
    "repeat",
    "eval_jitter",
    "adjudication",
    "sprt",
    "stall_ms",
];

/// The first difference between two values: its path, what was found and what was expected.
fn first_difference(path: &str, found: &Value, expected: &Value) -> Option<(String, String, String)> {
    if found == expected {
        return None;
    }
    if let (Value::Object(found), Value::Object(expected)) = (found, expected) {
        let keys = expected.keys().chain(found.keys());
        return keys.into_iter().find_map(|key| {
            let [found, expected] = [found, expected].map(|map| map.get(key).unwrap_or(&Value::Null));
            // Players are compared as a whole, but their settings need no name of their own.
            let name = if key == "settings" {
                path.to_owned()
            } else {
                format!("{path} {key}")
            };
            first_difference(&name, found, expected)
        });
    }
    let text = |value: &Value| match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    Some((path.to_owned(), text(found), text(expected)))
}

/// The rows of the tables `run` and `players`.
pub(super) struct StoredRows {
    pub(super) run: HashMap<String, Value>,
    pub(super) players: Vec<PlayerRow>,
}

impl StoredRows {
    pub(super) fn read(path: &Path, connection: &Connection) -> Result<StoredRows, StoreError> {
        // The schema admits JSON only; anything else fails as a setting of the wrong type.
        let json = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
        let read = || -> rusqlite::Result<StoredRows> {
            let mut run = connection.prepare("SELECT key, value FROM run")?;
            let run = run.query_map([], |row| Ok((row.get(0)?, json(row.get(1)?))))?;
            let mut players = connection.prepare("SELECT name, identity, settings FROM players ORDER BY player")?;
            let players = players.query_map([], |row| {
                Ok(PlayerRow {
                    name: row.get(0)?,
                    identity: row.get(1)?,
                    settings: json(row.get(2)?),
                })
            })?;
            Ok(StoredRows {
                run: run.collect::<Result<_, _>>()?,
                players: players.collect::<Result<_, _>>()?,
            })
        };
        read().map_err(|error| StoreError::of(path, error))
    }

    /// The first of these settings, or of the players, that differs from what is expected: its name, what was found and what was
    /// expected.
    pub(super) fn first_difference<'k>(
        &self,
        expected: &StoredRows,
        keys: impl IntoIterator<Item = &'k str>,
    ) -> Option<(String, String, String)> {
        for key in keys {
            let [found, expected] = [self, expected].map(|rows| rows.run.get(key).unwrap_or(&Value::Null));
            if let Some(difference) = first_difference(key, found, expected) {
                return Some(difference);
            }
        }
        (0..self.players.len().max(expected.players.len())).find_map(|number| {
            let [found, expected] =
                [self, expected].map(|rows| rows.players.get(number).map_or(Value::Null, PlayerRow::json));
            first_difference(&format!("player {}", number + 1), &found, &expected)
        })
    }

    /// Reads the run.
    ///
    /// # Errors
    /// [`StoreError::Setting`] with the first invalid setting.
    pub(super) fn parse(&self, path: &Path) -> Result<StoredRun, StoreError> {
        let rows = Parser { path, rows: &self.run };
        let settings = RunSettings {
            source: rows.source()?,
            players: rows.players(&self.players)?,
            openings: rows.get("openings")?,
            repeat: rows.get("repeat")?,
            seed: rows.get("seed")?,
            eval_jitter: rows.get("eval_jitter")?,
            adjudication: rows.get("adjudication")?,
            sprt: match rows.get::<Option<Sprt>>("sprt")?.map(Sprt::checked) {
                None => None,
                Some(Ok(sprt)) => Some(sprt),
                Some(Err(error)) => return Err(rows.invalid("sprt", error.to_string())),
            },
            stall: std::time::Duration::from_millis(rows.get("stall_ms")?),
        };
        let players = self.players.iter().map(PlayerRow::json).collect::<Vec<_>>();
        let mut json = json!(self.run);
        json["players"] = json!(players);
        Ok(StoredRun {
            settings,
            json,
            identities: self.players.iter().map(|player| player.identity.clone()).collect(),
            shard: rows.get("shard")?,
            games: rows.get("games")?,
            event: rows.get("event")?,
            program: rows.get("program")?,
            created: rows.get("created")?,
        })
    }
}

/// Parses settings by their keys.
struct Parser<'r> {
    path: &'r Path,
    rows: &'r HashMap<String, Value>,
}

impl Parser<'_> {
    fn invalid(&self, setting: &str, why: String) -> StoreError {
        StoreError::Setting {
            path: PathBuf::from(self.path),
            setting: setting.to_owned(),
            why,
        }
    }

    fn get<T: DeserializeOwned>(&self, key: &str) -> Result<T, StoreError> {
        let value = self.rows.get(key);
        let value = value.ok_or_else(|| self.invalid(key, "missing".to_owned()))?;
        serde_json::from_value(value.clone()).map_err(|error| self.invalid(key, format!("found `{value}`: {error}")))
    }

    fn source(&self) -> Result<GameSource, StoreError> {
        let name: String = self.get("game")?;
        let rules_hash: String = self.get("rules_hash")?;
        let source = match self.get::<Option<String>>("definition")? {
            Some(text) => GameSource::from_text(text, &format!("{name}.toml"))
                .map_err(|error| self.invalid("definition", error.to_string()))?,
            None => GameSource::builtin(&name).ok_or_else(|| {
                self.invalid(
                    "game",
                    format!("found `{name}`, which is not a built-in game, without a definition"),
                )
            })?,
        };
        let expected = source.rules_hash();
        if rules_hash != expected {
            let why =
                format!("found {rules_hash}, expected {expected}: this version of Assay has different rules of {name}");
            return Err(self.invalid("rules_hash", why));
        }
        Ok(source)
    }

    fn players(&self, rows: &[PlayerRow]) -> Result<PlayerSlots, StoreError> {
        let parse = |row: &PlayerRow| -> Result<EngineSettings, StoreError> {
            let player = serde_json::from_value(row.settings.clone());
            player.map_err(|error| self.invalid("players", error.to_string()))
        };
        match rows {
            [player] => Ok(PlayerSlots::Shared(parse(player)?)),
            [first, second] => Ok(PlayerSlots::Separate([parse(first)?, parse(second)?])),
            _ => Err(self.invalid("players", format!("found {} players, expected 1 or 2", rows.len()))),
        }
    }
}

//! The settings of a run as rows of the tables `run` and `players`.

use std::fmt;
use std::path::Path;

use rusqlite::Connection;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::error::{StoreError, sql};
use crate::run::{PROGRAM, RunHeader};
use crate::settings::{EngineSettings, GameSource, PlayerSlots, RunOptions, RunSettings, Tournament, TournamentFormat};
use crate::statistics::Sprt;

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
    /// The rows of the run's tables.
    pub(super) fn rows(&self) -> StoredRows {
        let (settings, options) = (self.settings, self.options);
        let run = [
            ("game", json!(settings.game().name)),
            ("rules_hash", json!(settings.source.rules_hash())),
            ("definition", json!(settings.source.text)),
            ("seed", json!(settings.seed)),
            ("openings", json!(settings.openings)),
            ("book_hash", json!(self.book_hash)),
            ("plan", json!(settings.openings.plan_version())),
            ("repeat", json!(settings.repeat)),
            ("eval_jitter", json!(settings.eval_jitter)),
            ("adjudication", json!(settings.adjudication)),
            ("sprt", json!(settings.sprt)),
            ("stall_ms", json!(settings.stall.as_millis() as u64)),
            ("shard", json!(options.shard)),
            ("games", json!(options.games)),
            ("event", json!(options.event)),
            ("program", json!(PROGRAM)),
        ];
        let players = settings.players.all().iter().zip(self.identities);
        let tournament = settings.players.tournament();
        let of_tournaments = tournament.map(|tournament| (TOURNAMENT, json!(tournament.format())));
        let run = run.into_iter().chain(of_tournaments);
        StoredRows {
            run: run.map(|(key, value)| (key.to_owned(), value)).collect(),
            pairings: tournament.map_or_else(Vec::new, |tournament| tournament.pairings().to_vec()),
            players: players.map(|(player, identity)| json!({"settings": player, "identity": identity})).collect(),
        }
    }
}

/// The key of the format of a match or tournament. Self-play has none.
const TOURNAMENT: &str = "tournament";

/// The keys of the table `run` that determine the games, and the tag that all of them have. The
/// hash of the rules counts, not the text of the definition.
const COMPARED_KEYS: &[&str] = &[
    "game",
    "rules_hash",
    "seed",
    "openings",
    "book_hash",
    "plan",
    "repeat",
    "eval_jitter",
    "adjudication",
    "sprt",
    "stall_ms",
    TOURNAMENT,
    "event",
];

/// The first difference between two values: its path, what was found and what was expected.
fn first_difference(path: &str, found: &Value, expected: &Value) -> Option<[String; 3]> {
    if found == expected {
        return None;
    }
    if let (Value::Object(found), Value::Object(expected)) = (found, expected) {
        let keys = expected.keys().chain(found.keys());
        return keys.into_iter().find_map(|key| {
            let [found, expected] = [found, expected].map(|map| map.get(key).unwrap_or(&Value::Null));
            // Players are compared as a whole, but their settings need no name of their own.
            let name = if key == "settings" { path.to_owned() } else { format!("{path} {key}") };
            first_difference(&name, found, expected)
        });
    }
    let text = |value: &Value| match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    Some([path.to_owned(), text(found), text(expected)])
}

/// The message about a wrong setting.
fn invalid(setting: &str, why: impl fmt::Display) -> String {
    format!("setting {setting}: {why}")
}

/// The rows of the tables `run`, `players` and `pairings`.
#[derive(Clone, Debug)]
pub(super) struct StoredRows {
    pub(super) run: Map<String, Value>,
    /// `settings` and `identity` of each player.
    pub(super) players: Vec<Value>,
    /// The players of each pairing; none in self-play.
    pub(super) pairings: Vec<[usize; 2]>,
}

impl StoredRows {
    pub(super) fn read(path: &Path, connection: &Connection) -> Result<StoredRows, StoreError> {
        // The schema admits JSON only; anything else fails as a setting of the wrong type.
        let json = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
        sql(path, || {
            let mut run = connection.prepare("SELECT key, value FROM run")?;
            let run = run.query_map([], |row| Ok((row.get(0)?, json(row.get(1)?))))?;
            let mut players = connection.prepare("SELECT name, identity, settings FROM players ORDER BY player")?;
            let players = players.query_map([], |row| {
                // The settings have the name, too; the column is for readers of the file.
                let _name: String = row.get(0)?;
                Ok(json!({"identity": row.get::<_, String>(1)?, "settings": json(row.get(2)?)}))
            })?;
            let run: Map<String, Value> = run.collect::<Result<_, _>>()?;
            let mut pairings = connection.prepare("SELECT first, second FROM pairings ORDER BY pairing")?;
            let player = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
            let pairings = pairings.query_map([], |row| Ok([row.get(0)?, row.get(1)?].map(player)))?;
            let (players, pairings) = (players.collect::<Result<_, _>>()?, pairings.collect::<Result<_, _>>()?);
            Ok(StoredRows { run, players, pairings })
        })
    }

    /// Checks that these rows have the settings and players that are expected, and the same value
    /// of `key` if there is one. The error, of the file at `path`, has the first difference and
    /// ends with `advice`.
    pub(super) fn check_equal(
        &self,
        expected: &StoredRows,
        key: Option<&str>,
        path: &Path,
        advice: &str,
    ) -> Result<(), StoreError> {
        let value = |rows: &StoredRows, key: &str| rows.run.get(key).cloned().unwrap_or_default();
        let player = |rows: &StoredRows, number: usize| rows.players.get(number).cloned().unwrap_or_default();
        let keys = COMPARED_KEYS.iter().copied().chain(key);
        let settings = keys.map(|key| (key.to_owned(), value(self, key), value(expected, key)));
        let players = (0..self.players.len().max(expected.players.len())).map(|number| {
            let name = format!("player {}", number + 1);
            (name, player(self, number), player(expected, number))
        });
        let mut compared = settings.chain(players);
        match compared.find_map(|(name, found, expected)| first_difference(&name, &found, &expected)) {
            None => Ok(()),
            Some([setting, found, expected]) => Err(StoreError::unusable(
                path,
                format_args!("found a run with {setting} {found}, expected {expected}{advice}"),
            )),
        }
    }

    /// Settings and players as the file has them.
    pub(super) fn json(&self) -> Value {
        let mut json = json!(self.run);
        json["players"] = json!(self.players);
        json
    }

    /// Reads the header of the run.
    ///
    /// # Errors
    /// The first invalid setting.
    pub(super) fn parse(&self, path: &Path) -> Result<RunHeader, StoreError> {
        self.header().map_err(|why| StoreError::unusable(path, why))
    }

    fn header(&self) -> Result<RunHeader, String> {
        let settings = RunSettings {
            source: self.source()?,
            players: self.players()?,
            openings: self.get("openings")?,
            repeat: self.get("repeat")?,
            seed: self.get("seed")?,
            eval_jitter: self.get("eval_jitter")?,
            adjudication: self.get("adjudication")?,
            sprt: (self.get::<Option<Sprt>>("sprt")?.map(Sprt::checked).transpose())
                .map_err(|error| invalid("sprt", error))?,
            stall: std::time::Duration::from_millis(self.get("stall_ms")?),
        };
        let identity = |player: &Value| player["identity"].as_str().unwrap_or_default().to_owned();
        Ok(RunHeader {
            settings,
            identities: self.players.iter().map(identity).collect(),
            shard: self.get("shard")?,
            games: self.get("games")?,
            event: self.get("event")?,
            program: self.get("program")?,
            created: self.get("created")?,
            looks: if self.run.contains_key("looks") { self.get("looks")? } else { Vec::new() },
        })
    }

    /// The value of a setting, or what is wrong with it.
    fn get<T: DeserializeOwned>(&self, key: &str) -> Result<T, String> {
        let value = self.run.get(key).ok_or_else(|| invalid(key, "missing"))?;
        serde_json::from_value(value.clone()).map_err(|error| invalid(key, format_args!("found `{value}`: {error}")))
    }

    fn source(&self) -> Result<GameSource, String> {
        let name: String = self.get("game")?;
        let rules_hash: String = self.get("rules_hash")?;
        let source = match self.get::<Option<String>>("definition")? {
            Some(text) => {
                GameSource::from_text(text, &format!("{name}.toml")).map_err(|error| invalid("definition", error))?
            }
            None => GameSource::builtin(&name).ok_or_else(|| {
                let why = format!("found `{name}`, which is not a built-in game, without a definition");
                invalid("game", why)
            })?,
        };
        if source.rules_hash() != rules_hash {
            let expected = source.rules_hash();
            let why =
                format!("found {rules_hash}, expected {expected}: this version of Assay has different rules of {name}");
            return Err(invalid("rules_hash", why));
        }
        Ok(source)
    }

    fn players(&self) -> Result<PlayerSlots, String> {
        let parse = |row: &Value| -> Result<EngineSettings, String> {
            EngineSettings::deserialize(&row["settings"]).map_err(|error| invalid("players", error))
        };
        let players: Vec<EngineSettings> = self.players.iter().map(parse).collect::<Result<_, _>>()?;
        if self.run.contains_key(TOURNAMENT) {
            let format: TournamentFormat = self.get(TOURNAMENT)?;
            let tournament = Tournament::new(players, format).map_err(|error| invalid(TOURNAMENT, error))?;
            if tournament.pairings() != self.pairings {
                return Err(invalid("pairings", format_args!("expected those of a {format}")));
            }
            return Ok(PlayerSlots::Tournament(tournament));
        }
        match <[EngineSettings; 1]>::try_from(players) {
            Ok([player]) if self.pairings.is_empty() => Ok(PlayerSlots::Shared(player)),
            Ok(_) => {
                let why = format_args!("found {}, expected none in self-play", self.pairings.len());
                Err(invalid("pairings", why))
            }
            Err(players) => {
                let why = format_args!("found {} players, expected 1 in self-play", players.len());
                Err(invalid("players", why))
            }
        }
    }
}

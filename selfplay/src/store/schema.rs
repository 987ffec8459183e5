//! The tables and views of a run file. `docs/data.md` documents them.

use rusqlite::Connection;
use serde_json::Value;

/// SQLite's `application_id` of a run file: `ASAY`.
pub(crate) const APPLICATION_ID: i64 = 0x4153_4159;

/// The version of the schema, SQLite's `user_version`. Version 1 had different tables for self-play and matches.
pub(crate) const VERSION: i64 = 2;

const SCHEMA: &str = "
CREATE TABLE run (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL CHECK (json_valid(value))
) STRICT, WITHOUT ROWID;
CREATE TABLE players (
    player INTEGER PRIMARY KEY CHECK (player IN (0, 1)),
    name TEXT NOT NULL,
    identity TEXT NOT NULL,
    settings TEXT NOT NULL CHECK (json_valid(settings))
) STRICT;
CREATE TABLE games (
    idx INTEGER PRIMARY KEY CHECK (idx >= 0),
    pair INTEGER NOT NULL,
    white INTEGER NOT NULL CHECK (white IN (0, 1)),
    start TEXT NOT NULL,
    opening TEXT NOT NULL,
    material TEXT,
    result INTEGER NOT NULL CHECK (result BETWEEN 0 AND 4),
    end TEXT NOT NULL,
    fault TEXT,
    plies INTEGER NOT NULL,
    moves BLOB NOT NULL,
    ended TEXT,
    digest BLOB NOT NULL
) STRICT;
CREATE VIEW game_list AS
    SELECT
        idx + 1 AS game,
        pair + 1 AS pair,
        CASE g.white WHEN 0 THEN first.name ELSE coalesce(second.name, first.name) END AS white,
        CASE g.white WHEN 1 THEN first.name ELSE coalesce(second.name, first.name) END AS black,
        result / 4.0 AS points,
        end,
        plies,
        opening,
        material,
        start
    FROM games AS g
    JOIN players AS first ON first.player = 0
    LEFT JOIN players AS second ON second.player = 1
    ORDER BY idx;
CREATE VIEW pair_results AS
    SELECT
        pair + 1 AS pair,
        count(*) AS games,
        sum(CASE white WHEN 0 THEN result ELSE 4 - result END) / 4.0 AS points,
        min(opening) AS opening,
        min(material) FILTER (WHERE white = 0) AS material
    FROM games
    GROUP BY pair
    ORDER BY pair;
";

/// Settings and other facts of a run: the rows of the table `run`.
pub(super) type RunRow<'k> = (&'k str, Value);

/// A row of the table `players`.
pub(super) struct PlayerRow {
    pub(super) name: String,
    pub(super) identity: String,
    pub(super) settings: Value,
}

/// Creates the schema and the rows of a run in an empty database, in one transaction. Unless the rows say when the run was
/// created, it is now.
pub(super) fn create(connection: &mut Connection, run: &[RunRow<'_>], players: &[PlayerRow]) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.execute_batch(SCHEMA)?;
    let now = "INSERT INTO run (key, value) VALUES ('created', json_quote(strftime('%Y-%m-%dT%H:%M:%SZ', 'now')))";
    transaction.execute(now, [])?;
    for (key, value) in run {
        let insert = "INSERT OR REPLACE INTO run (key, value) VALUES (?1, ?2)";
        transaction.execute(insert, (key, value.to_string()))?;
    }
    for (number, player) in players.iter().enumerate() {
        transaction.execute(
            "INSERT INTO players (player, name, identity, settings) VALUES (?1, ?2, ?3, ?4)",
            (
                number as i64,
                &player.name,
                &player.identity,
                player.settings.to_string(),
            ),
        )?;
    }
    transaction.commit()
}

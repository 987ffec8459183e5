//! The tables and views of a run file. `docs/data.md` documents them.

use rusqlite::Connection;

use super::run::StoredRows;

/// SQLite's `application_id` of a run file: `ASAY`.
pub(crate) const APPLICATION_ID: i64 = 0x4153_4159;

/// The version of the schema, SQLite's `user_version`.
pub(crate) const VERSION: i64 = 1;

/// The tables and views, word for word as SQLite stores their text in `sqlite_schema`.
const OBJECTS: [&str; 6] = [
    "CREATE TABLE run (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL CHECK (json_valid(value))
) STRICT, WITHOUT ROWID",
    "CREATE TABLE games (
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
) STRICT",
    "CREATE VIEW pair_results AS
    SELECT
        pair + 1 AS pair,
        count(*) AS games,
        sum(CASE white WHEN 0 THEN result ELSE 4 - result END) / 4.0 AS points,
        min(opening) AS opening,
        min(material) FILTER (WHERE white = 0) AS material
    FROM games
    GROUP BY pair
    ORDER BY pair",
    "CREATE TABLE players (
    player INTEGER PRIMARY KEY CHECK (player >= 0),
    name TEXT NOT NULL,
    identity TEXT NOT NULL,
    settings TEXT NOT NULL CHECK (json_valid(settings))
) STRICT",
    "CREATE TABLE pairings (
    pairing INTEGER PRIMARY KEY CHECK (pairing >= 0),
    first INTEGER REFERENCES players (player),
    second INTEGER REFERENCES players (player)
) STRICT",
    "CREATE VIEW game_list AS
    SELECT
        idx + 1 AS game,
        pair + 1 AS pair,
        pair / max((SELECT count(*) FROM pairings), 1) + 1 AS round,
        CASE g.white WHEN 0 THEN first.name ELSE coalesce(second.name, first.name) END AS white,
        CASE g.white WHEN 1 THEN first.name ELSE coalesce(second.name, first.name) END AS black,
        result / 4.0 AS points,
        end,
        plies,
        opening,
        material,
        start
    FROM games AS g
    LEFT JOIN pairings ON pairing = pair % (SELECT count(*) FROM pairings)
    JOIN players AS first ON first.player = coalesce(pairings.first, 0)
    LEFT JOIN players AS second ON second.player = coalesce(pairings.second, 1)
    ORDER BY idx",
];

/// The table of the tags of imported games, which only their files have.
const TAGS: &str = "CREATE TABLE tags (
    idx INTEGER PRIMARY KEY CHECK (idx >= 0),
    tags TEXT NOT NULL CHECK (json_valid(tags)),
    digest BLOB NOT NULL
) STRICT";

/// `table` or `view`, and the name, of one of our definitions.
fn kind_and_name(definition: &str) -> (String, &str) {
    let mut words = definition.split(' ').skip(1);
    let mut word = || words.next().unwrap_or_default();
    (word().to_lowercase(), word())
}

/// Checks that a database has the tables and views of a run file, word for word, so that every
/// column has its type. Other views are allowed, because no reader evaluates them. A trigger could
/// change what is written, and an index of another program what is read.
///
/// # Errors
/// The found and the expected text.
pub(super) fn check(connection: &Connection) -> rusqlite::Result<Result<(), String>> {
    let mut statement = connection.prepare("SELECT type, name, sql FROM sqlite_schema")?;
    let mut rows = statement.query([])?;
    let mut missing = OBJECTS.to_vec();
    while let Some(row) = rows.next()? {
        let (kind, name): (String, String) = (row.get(0)?, row.get(1)?);
        // Indices of SQLite's own have no definition.
        let sql = row.get::<_, Option<String>>(2)?.unwrap_or_default();
        let is_own = |definition: &&str| kind_and_name(definition).1.eq_ignore_ascii_case(&name);
        let own = missing.iter().position(is_own);
        match own.map(|index| missing.swap_remove(index)) {
            Some(expected) if kind != kind_and_name(expected).0 => {
                let expected = kind_and_name(expected).0;
                return Ok(Err(format!("found {name} as a {kind}, expected a {expected}")));
            }
            Some(expected) if sql != expected => {
                return Ok(Err(format!("{kind} {name}: {}", first_difference(&sql, expected))));
            }
            Some(_) => {}
            // What `ANALYZE` stores.
            None if sql == TAGS => {}
            None if kind == "view" || name.starts_with("sqlite_stat") => {}
            None => return Ok(Err(format!("found {kind} `{name}`, which Assay does not create"))),
        }
    }
    Ok(match missing.first().map(|definition| kind_and_name(definition)) {
        None => Ok(()),
        Some((kind, name)) => Err(format!("found no {kind} {name}, expected one")),
    })
}

/// The first line of a definition that differs.
fn first_difference(found: &str, expected: &str) -> String {
    const SHOWN: usize = 100;
    let mut lines = found.lines().map(Some).chain(std::iter::repeat(None));
    let expected = expected.lines().map(|line| (lines.next().flatten(), line));
    let different = expected.into_iter().find(|(found, expected)| *found != Some(*expected));
    let (found, expected) = different.map_or((None, "its end"), |(found, expected)| (found, expected.trim()));
    let found = found.unwrap_or("another end").trim();
    format!("found `{}`, expected `{expected}`", found.chars().take(SHOWN).collect::<String>())
}

/// Creates the schema and the rows of a run in an empty database, in one transaction. Unless the
/// rows say when the run was created, it is now.
pub(super) fn create(connection: &mut Connection, rows: &StoredRows) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    let has_tags = rows.run["openings"]["source"] == "import";
    for definition in OBJECTS.into_iter().chain(has_tags.then_some(TAGS)) {
        transaction.execute(definition, [])?;
    }
    let now = "INSERT INTO run (key, value) VALUES ('created', json_quote(strftime('%Y-%m-%dT%H:%M:%SZ', 'now')))";
    transaction.execute(now, [])?;
    for (key, value) in &rows.run {
        let insert = "INSERT OR REPLACE INTO run (key, value) VALUES (?1, ?2)";
        transaction.execute(insert, (key, value.to_string()))?;
    }
    for (number, player) in rows.players.iter().enumerate() {
        let (settings, identity) = (&player["settings"], player["identity"].as_str());
        let insert = "INSERT INTO players (player, name, identity, settings) VALUES (?1, ?2, ?3, ?4)";
        let row = (number as i64, settings["name"].as_str(), identity, settings.to_string());
        transaction.execute(insert, row)?;
    }
    for (number, [first, second]) in rows.pairings.iter().enumerate() {
        let insert = "INSERT INTO pairings (pairing, first, second) VALUES (?1, ?2, ?3)";
        transaction.execute(insert, [number, *first, *second].map(|number| number as i64))?;
    }
    transaction.commit()
}

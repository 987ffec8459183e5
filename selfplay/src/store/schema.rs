//! The tables, and how a file says that it has them.

use rusqlite::Connection;

/// SQLite's `application_id` of a file of games: `ASAY`.
pub(crate) const APPLICATION_ID: i64 = 0x4153_4159;

/// The version of the tables, SQLite's `user_version`. A newer one is refused; an older one would be brought up to date here.
pub(crate) const VERSION: i64 = 1;

/// `run` holds the settings, one row each. `games` holds finished games only; `result` is White's score in quarter points,
/// `material` what was taken from the armies (null in runs without odds), `moves` is in the format of `codec`,
/// `digest` is of all other columns.
const TABLES: &str = "
CREATE TABLE run (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE games (
    idx INTEGER PRIMARY KEY CHECK (idx >= 0),
    pair INTEGER NOT NULL,
    start TEXT NOT NULL,
    result INTEGER NOT NULL CHECK (result BETWEEN 0 AND 4),
    reason TEXT NOT NULL,
    plies INTEGER NOT NULL,
    material TEXT,
    moves BLOB NOT NULL,
    digest BLOB NOT NULL
) STRICT;
";

/// Makes the tables and the run's settings in an empty database, all at once or not at all.
pub(super) fn create(connection: &mut Connection, settings: &[(&'static str, String)]) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.execute_batch(TABLES)?;
    {
        let mut insert = transaction.prepare("INSERT INTO run (key, value) VALUES (?1, ?2)")?;
        for (key, value) in settings {
            insert.execute((key, value))?;
        }
        // The only thing in a file that two equal runs do not share.
        let now = "INSERT INTO run (key, value) VALUES ('created', strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))";
        transaction.execute(now, [])?;
    }
    transaction.commit()
}

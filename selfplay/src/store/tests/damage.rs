//! Files that are damaged or are not run files.

use super::*;

/// Opens a file for writing and for reading; returns both errors, and checks that the file is
/// unchanged.
fn rejections(path: &Path) -> [StoreError; 2] {
    let before = fs::read(path).unwrap();
    let errors = [open(path).unwrap_err(), Store::open_read(path).unwrap_err()];
    assert_eq!(fs::read(path).unwrap(), before, "the file is unchanged");
    errors
}

#[test]
fn rejects_files_that_are_not_databases() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("notes.txt");
    for text in ["x", "this is not a database, but a text that is longer than the header of one", &"-".repeat(9_000)] {
        fs::write(&path, text).unwrap();
        for error in rejections(&path) {
            assert!(error.to_string().contains("found a file that is not a database"), "{error}");
        }
    }
    assert!(matches!(Store::open_read(&folder.path().join("none.db")), Err(StoreError::Missing { .. })));
    assert!(matches!(open(folder.path()), Err(StoreError::Io { .. })));
    assert!(Store::open_read(folder.path()).is_err());
    let nowhere = folder.path().join("no/such/games.db");
    assert!(matches!(open(&nowhere), Err(StoreError::Io { .. })));
}

#[test]
fn rejects_databases_of_other_programs() {
    let folder = TempDir::new().unwrap();
    for (name, id) in [("plain.db", 0), ("other.db", 0x4747)] {
        let path = folder.path().join(name);
        let database = Connection::open(&path).unwrap();
        database.pragma_update(None, "application_id", id).unwrap();
        database.execute_batch("CREATE TABLE run (a); CREATE TABLE games (b)").unwrap();
        drop(database);
        for error in rejections(&path) {
            let expected = format!("a database of another program (application id {id:#x})");
            assert!(error.to_string().contains(&expected), "{error}");
        }
    }
}

#[test]
fn rejects_other_versions_of_the_format() {
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    for version in [schema::VERSION + 1, schema::VERSION - 1] {
        Connection::open(&path).unwrap().pragma_update(None, "user_version", version).unwrap();
        for error in rejections(&path) {
            let expected =
                format!("found file format {version}, expected {}: another version of Assay", schema::VERSION);
            assert!(error.to_string().contains(&expected), "{error}");
        }
    }
}

#[test]
fn rejects_damaged_files() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.db");
    let mut store = open(&path).unwrap();
    for index in 0..400 {
        store.add(&[record(index)]).unwrap();
    }
    store.close().unwrap();
    let whole = fs::read(&path).unwrap();
    for length in [10, 90, 600, 4_096, 8_192, whole.len() / 2, whole.len() - 4_096, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        for error in rejections(&path) {
            let text = error.to_string();
            let is_named = text.contains("the file is damaged: ") || text.contains("not a database (or is damaged");
            assert!(is_named, "{length} of {} bytes: {error}", whole.len());
        }
    }
}

#[test]
fn names_invalid_records() {
    let folder = TempDir::new().unwrap();
    let expected = "game 1: the record has changed since it was written: its digest does not match";
    for change in ["end = 'boredom'", "plies = 9", "pair = -1", "material = '-R/'", "result = 4", "moves = x'0c1c'"] {
        let change = format!("UPDATE games SET {change} WHERE idx = 1");
        let path = sample(&folder);
        Connection::open(&path).unwrap().execute_batch(&change).unwrap();
        let store = Store::open_read(&path).unwrap();
        let problems = store.problems().unwrap();
        assert!(problems.len() == 1 && problems[0].contains(expected), "{problems:?}");
        assert!(store.games().any(|game| game.is_err()));
        let intact: Vec<u64> = store.intact_games().map(|game| game.index).collect();
        assert!(intact.len() as u64 + 1 == store.count().unwrap() && !intact.contains(&1), "{intact:?}");
        drop(store);
        // The run is not continued.
        let error = open(&path).unwrap_err().to_string();
        assert!(error.ends_with(expected), "{error}");
        fs::remove_file(&path).unwrap();
    }
}

/// Values of other types, which another program may write into the pages: an error names the column
/// or the game.
#[test]
fn names_columns_of_other_types() {
    let folder = TempDir::new().unwrap();
    for (table, change, expected) in [
        ("run", "UPDATE run SET value = 7 WHERE key = 'seed'", "Invalid column type Integer at index: 1, name: value"),
        ("run", "UPDATE run SET key = x'ff' WHERE key = 'seed'", "Invalid column type Blob at index: 0, name: key"),
        ("players", "UPDATE players SET identity = 0.5", "Invalid column type Real at index: 1, name: identity"),
        ("players", "UPDATE players SET name = CAST(x'ff' AS TEXT)", "invalid utf-8 sequence"),
        ("games", "UPDATE games SET start = 3 WHERE idx = 1", "game 1: the record has changed"),
        ("games", "UPDATE games SET moves = 'x' WHERE idx = 1", "game 1: the record has changed"),
        ("games", "UPDATE games SET fault = 1 WHERE idx = 1", "game 1: the record has changed"),
        (
            "run",
            "UPDATE run SET value = '\"' || hex(zeroblob(9 << 20)) || '\"' WHERE key = 'event'",
            "found a text or a blob of more than 16 MiB",
        ),
        (
            "games",
            "UPDATE games SET start = hex(zeroblob(9 << 20)) WHERE idx = 1",
            "found a text or a blob of more than 16 MiB",
        ),
    ] {
        let path = sample(&folder);
        let database = Connection::open(&path).unwrap();
        // Without their types in the schema, columns take any value.
        let mut schema = database.prepare("SELECT sql FROM sqlite_schema WHERE name = ?1").unwrap();
        let strict: String = schema.query_row([table], |row| row.get(0)).unwrap();
        drop(schema);
        let untyped =
            strict.replace("STRICT, ", "").replace(" STRICT", "").replace(" TEXT", " BLOB").replace("NOT NULL", "");
        let untyped = untyped.replace(" CHECK (json_valid(value))", "");
        let edit = |sql: &str| {
            let sql = sql.replace('\'', "''");
            format!(
                "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '{sql}' WHERE name = '{table}'; PRAGMA writable_schema = RESET;"
            )
        };
        database.execute_batch(&edit(&untyped)).unwrap();
        database.execute_batch(change).expect(change);
        database.execute_batch(&edit(&strict)).unwrap();
        drop(database);
        let store = Store::open_checked(&path);
        let error = store.and_then(|store| store.games().find_map(Result::err).map_or(Ok(()), Err));
        let error = error.unwrap_err().to_string();
        assert!(error.contains("games.db: ") && error.contains(expected), "{change}: {error}");
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn names_invalid_settings() {
    let folder = TempDir::new().unwrap();
    let changes = [
        ("UPDATE run SET value = '\"x\"' WHERE key = 'seed'", "setting seed: found `\"x\"`: invalid type: string"),
        ("DELETE FROM run WHERE key = 'seed'", "setting seed: missing"),
        ("UPDATE run SET value = '\"halma\"' WHERE key = 'game'", "setting game: found `halma`"),
        (
            "UPDATE run SET value = json_set(value, '$.material', 'some') WHERE key = 'openings'",
            "setting openings: found `{",
        ),
        ("UPDATE run SET value = '\"ff\"' WHERE key = 'rules_hash'", "setting rules_hash: found ff"),
        ("DELETE FROM players", "setting players: found 0 players"),
        ("UPDATE players SET settings = '{}'", "setting players: missing field `name`"),
    ];
    for (change, expected) in changes {
        let path = sample(&folder);
        Connection::open(&path).unwrap().execute_batch(change).unwrap();
        let error = Store::open_read(&path).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        fs::remove_file(&path).unwrap();
    }
}

/// Tables, views and triggers that another program put in the place of ours. A reader of the first
/// ones would never end.
#[test]
fn rejects_other_schemas() {
    const IDX: &str = "idx INTEGER PRIMARY KEY CHECK (idx >= 0)";
    let untyped = |value: &str| {
        format!(
            "CREATE TABLE new (idx, pair, white, start, opening, material, result, end, fault, plies, moves, ended, digest);
             INSERT INTO new SELECT * FROM games; DROP TABLE games; ALTER TABLE new RENAME TO games; UPDATE games SET idx = {value}"
        )
    };
    let in_place = |table: &str, definition: &str| format!("DROP TABLE {table}; {definition}");
    let edited = |from: &str, to: &str| {
        format!(
            "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '{from}', '{to}') WHERE name = 'games';
             PRAGMA writable_schema = OFF"
        )
    };
    let recursive = "AS WITH RECURSIVE n(a) AS (SELECT 0 UNION ALL SELECT a + 1 FROM n) SELECT";
    let untyped_error = "table games: found `CREATE TABLE \"games\" (idx, pair, white";
    let cases = [
        (untyped("'x'"), untyped_error),
        (untyped("x'00'"), untyped_error),
        (untyped("0.5"), untyped_error),
        (untyped("NULL"), untyped_error),
        (
            in_place("games", &format!("CREATE VIEW games {recursive} a AS idx FROM n")),
            "found games as a view, expected a table",
        ),
        (
            in_place("run", &format!("CREATE VIEW run {recursive} a AS key, a AS value FROM n")),
            "found run as a view, expected a table",
        ),
        (in_place("players", ""), "found no table players, expected one"),
        (
            "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END".to_owned(),
            "found trigger `t`, which Assay does not create",
        ),
        ("CREATE INDEX by_pair ON games (pair)".to_owned(), "found index `by_pair`, which Assay does not create"),
        ("CREATE TABLE notes (text)".to_owned(), "found table `notes`, which Assay does not create"),
        (edited("    ended TEXT,", ""), "table games: found ``, expected `ended TEXT,`"),
        ("ALTER TABLE games ADD COLUMN more TEXT".to_owned(), "table games: found"),
        ("ALTER TABLE games ADD COLUMN more INTEGER AS (idx + 1)".to_owned(), "table games: found"),
        (edited(") STRICT", ")"), "table games: found `)`, expected `) STRICT`"),
        (
            edited(") STRICT", ") STRICT, WITHOUT ROWID"),
            "table games: found `) STRICT, WITHOUT ROWID`, expected `) STRICT`",
        ),
        (
            edited(IDX, "idx TEXT PRIMARY KEY"),
            "table games: found `idx TEXT PRIMARY KEY,`, expected `idx INTEGER PRIMARY KEY CHECK (idx >= 0),`",
        ),
        ("DROP VIEW pair_results; CREATE VIEW pair_results AS SELECT 1".to_owned(), "view pair_results: found"),
    ];
    let folder = TempDir::new().unwrap();
    for (change, expected) in cases {
        let path = sample(&folder);
        // As in SQLite before 3.26, tables are replaced without a look at the views.
        let change = format!("PRAGMA legacy_alter_table = ON; {change}");
        Connection::open(&path).unwrap().execute_batch(&change).expect(&change);
        for error in rejections(&path).iter().chain([&Store::open_checked(&path).unwrap_err()]) {
            let found = error.to_string();
            assert!(
                found.contains("games.db: not a run file of Assay: ") && found.contains(expected),
                "{change}: {found}"
            );
        }
        fs::remove_file(&path).unwrap();
    }
    // Views of one's own, and the statistics of `ANALYZE`, change nothing.
    let path = sample(&folder);
    let change = "CREATE VIEW mine AS SELECT count(*) FROM games; ANALYZE";
    Connection::open(&path).unwrap().execute_batch(change).unwrap();
    assert_eq!(all_games(&Store::open_read(&path).unwrap()).len(), 4);
    open(&path).unwrap();
}

/// Bytes of every page, changed in turn: an error or a game, but never a panic or a reader that
/// does not end.
#[test]
fn readers_of_damaged_pages_end() {
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    let whole = fs::read(&path).unwrap();
    for at in (100..whole.len()).step_by(37) {
        for flip in [0x01, 0x80, 0xff] {
            let mut damaged = whole.clone();
            damaged[at] ^= flip;
            fs::write(&path, damaged).unwrap();
            if let Ok(store) = Store::open_checked(&path) {
                let _ = (store.problems(), store.games().count(), store.intact_games().count());
            }
        }
    }
}

//! Files that are damaged or are not run files.

use super::*;

/// Opens a file for writing and for reading; returns both errors, and checks that the file is unchanged.
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
    for text in [
        "x",
        "this is not a database, but a text that is longer than the header of one",
        &"-".repeat(9_000),
    ] {
        fs::write(&path, text).unwrap();
        for error in rejections(&path) {
            assert!(matches!(error, StoreError::NotADatabase { .. }), "{error}");
        }
    }
    assert!(matches!(
        Store::open_read(&folder.path().join("none.db")),
        Err(StoreError::Missing { .. })
    ));
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
        database
            .execute_batch("CREATE TABLE run (a); CREATE TABLE games (b)")
            .unwrap();
        drop(database);
        for error in rejections(&path) {
            assert!(
                matches!(error, StoreError::Foreign { found, .. } if found == id),
                "{error}"
            );
        }
    }
}

#[test]
fn rejects_other_versions_of_the_format() {
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    for (version, words) in [(schema::VERSION + 1, "a newer version"), (1, "an older version")] {
        Connection::open(&path)
            .unwrap()
            .pragma_update(None, "user_version", version)
            .unwrap();
        for error in rejections(&path) {
            assert!(matches!(error, StoreError::Version { .. }), "{error}");
            assert!(error.to_string().contains(words), "{error}");
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
    for length in [
        10,
        90,
        600,
        4_096,
        8_192,
        whole.len() / 2,
        whole.len() - 4_096,
        whole.len() - 1,
    ] {
        fs::write(&path, &whole[..length]).unwrap();
        for error in rejections(&path) {
            assert!(
                matches!(error, StoreError::Damaged { .. } | StoreError::NotADatabase { .. }),
                "{length} of {} bytes: {error}",
                whole.len()
            );
        }
    }
}

#[test]
fn names_invalid_records() {
    let folder = TempDir::new().unwrap();
    let changes = [
        (
            "UPDATE games SET end = 'boredom' WHERE idx = 1",
            "game 1: found unknown end `boredom`",
        ),
        (
            "UPDATE games SET plies = 9 WHERE idx = 1",
            "game 1: found 3 moves, expected 9",
        ),
        (
            "UPDATE games SET pair = -1 WHERE idx = 1",
            "game 1: found pair -1, expected a number from 0",
        ),
        (
            "UPDATE games SET material = '-R/' WHERE idx = 1",
            "game 1: the record has changed since it was written",
        ),
        (
            "UPDATE games SET result = 4 WHERE idx = 1",
            "game 1: the record has changed since it was written",
        ),
        (
            "UPDATE games SET moves = x'0c1c' WHERE idx = 1",
            "game 1: moves: found the end at byte 2, expected more of a move",
        ),
    ];
    for (change, expected) in changes {
        let path = sample(&folder);
        Connection::open(&path).unwrap().execute_batch(change).unwrap();
        let store = Store::open_read(&path).unwrap();
        let problems = store.problems().unwrap();
        assert!(problems.len() == 1 && problems[0].contains(expected), "{problems:?}");
        assert!(store.games().any(|game| game.is_err()));
        let intact: Vec<u64> = store.intact_games().map(|game| game.index).collect();
        assert!(
            intact.len() as u64 + 1 == store.count().unwrap() && !intact.contains(&1),
            "{intact:?}"
        );
        drop(store);
        // The run is not continued.
        let error = open(&path).unwrap_err().to_string();
        assert!(
            error.ends_with("game 1: the record has changed since it was written: its digest does not match"),
            "{error}"
        );
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn names_invalid_settings() {
    let folder = TempDir::new().unwrap();
    let changes = [
        (
            "UPDATE run SET value = '\"x\"' WHERE key = 'seed'",
            "setting seed: found `\"x\"`: invalid type: string",
        ),
        ("DELETE FROM run WHERE key = 'seed'", "setting seed: missing"),
        (
            "UPDATE run SET value = '\"halma\"' WHERE key = 'game'",
            "setting game: found `halma`",
        ),
        (
            "UPDATE run SET value = json_set(value, '$.material', 'some') WHERE key = 'openings'",
            "setting openings: found `{",
        ),
        (
            "UPDATE run SET value = '\"ff\"' WHERE key = 'rules_hash'",
            "setting rules_hash: found ff",
        ),
        ("DELETE FROM players", "setting players: found 0 players"),
        (
            "UPDATE players SET settings = '{}'",
            "setting players: missing field `name`",
        ),
    ];
    for (change, expected) in changes {
        let path = sample(&folder);
        Connection::open(&path).unwrap().execute_batch(change).unwrap();
        let error = Store::open_read(&path).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        fs::remove_file(&path).unwrap();
    }
}

use std::fs;

use assay_rules::Square;
use tempfile::TempDir;

use super::*;
use crate::players::eval_jitter::EvalJitter;
use crate::players::player::Eval;
use crate::settings::{GameSource, GenerateSettings, Material, OpeningSettings, RunSettings, StartChoice};

const PLAYER: &str = "nobody 1";

fn settings() -> GenerateSettings {
    let opening = OpeningSettings {
        start: StartChoice::Random,
        plies: 8,
        balance: Some(300),
        material: Material::None,
    };
    let source = GameSource::builtin("chess").unwrap();
    GenerateSettings {
        run: RunSettings {
            source,
            seed: 7,
            nodes: 100,
            hash_mb: 1,
            opening,
            eval_jitter: EvalJitter::default(),
        },
        games: 10,
        threads: 1,
    }
}

fn record(index: u64) -> GameRecord {
    let mv = PackedMove {
        from: Square(12),
        to: Square(28),
        extra: None,
    };
    GameRecord {
        index,
        pair: index / 2,
        start_fen: "the start".to_owned(),
        moves: vec![
            PlayedMove {
                mv,
                eval: Some(Eval::Centipawns(-31)),
                depth: 9,
                nodes: 100
            };
            3
        ],
        result: Points::from_quarters((index % 5) as u8).unwrap(),
        reason: Termination::MoveRule,
        material: index.is_multiple_of(2).then(|| "-N/-B".to_owned()),
    }
}

/// A file with the games 0, 1, 4 and 5.
fn sample(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("games.db");
    let mut store = Store::open_run(&path, &settings(), PLAYER).unwrap();
    store.add(&[record(4), record(1)]).unwrap();
    store.add(&[record(0), record(5)]).unwrap();
    store.close().unwrap();
    path
}

fn files(folder: &TempDir) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn what_is_written_is_read() {
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    assert_eq!(files(&folder), ["games.db"], "one file at rest");
    let store = Store::open_read(&path).unwrap();
    let games: Vec<GameRecord> = store.games().collect::<Result<_, _>>().unwrap();
    assert_eq!(games, [record(0), record(1), record(4), record(5)]);
    assert_eq!(store.game(4).unwrap(), Some(record(4)));
    assert_eq!(store.game(2).unwrap(), None);
    assert_eq!(store.missing(8).unwrap(), [2, 3, 6, 7]);
    assert_eq!(store.missing(3).unwrap(), [2]);
    assert!(store.missing(0).unwrap().is_empty());
    assert_eq!(store.count().unwrap(), 4);
    let mut tally = Tally::default();
    for game in &games {
        tally.add(game);
    }
    assert_eq!(store.tally().unwrap(), tally);
    assert_eq!(store.faults().unwrap(), Vec::<String>::new());
    assert_eq!(store.settings().settings.seed, 7);
    assert_eq!(store.settings().settings.opening, settings().run.opening);
    assert_eq!(store.settings().player, PLAYER);
}

#[test]
fn games_are_added_together_or_not_at_all() {
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    let mut store = Store::open_run(&path, &settings(), PLAYER).unwrap();
    assert!(store.add(&[record(8), record(4)]).is_err(), "game 4 is there");
    assert_eq!(store.count().unwrap(), 4);
}

#[test]
fn a_run_without_close_is_read_and_continued() {
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    let mut store = Store::open_run(&path, &settings(), PLAYER).unwrap();
    store.add(&[record(9)]).unwrap();
    // Also while it is being written.
    assert_eq!(Store::open_read(&path).unwrap().count().unwrap(), 5);
    drop(store);
    assert_eq!(Store::open_read(&path).unwrap().count().unwrap(), 5);
}

#[test]
fn two_writers_are_one_too_many() {
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    let first = Store::open_run(&path, &settings(), PLAYER).unwrap();
    let error = Store::open_run(&path, &settings(), PLAYER).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("games.db: another process is writing this file"),
        "{error}"
    );
    first.close().unwrap();
    Store::open_run(&path, &settings(), PLAYER).unwrap();
}

#[test]
fn other_settings_are_refused_by_name() {
    type Change = fn(&mut RunSettings);
    let changes: [(&str, Change); 10] = [
        ("game chess, expected gunnery", |run| {
            run.source = GameSource::builtin("gunnery").unwrap();
        }),
        ("seed 7, expected 8", |run| run.seed = 8),
        ("nodes 100, expected 200", |run| run.nodes = 200),
        ("hash 1, expected 2", |run| run.hash_mb = 2),
        ("setup random, expected 1", |run| {
            run.opening.start = StartChoice::Named("1".to_owned());
        }),
        ("opening-plies 8, expected 9", |run| run.opening.plies = 9),
        ("balance 300, expected off", |run| run.opening.balance = None),
        ("material none, expected odds", |run| {
            run.opening.material = Material::Odds;
        }),
        ("material none, expected values", |run| {
            run.opening.material = Material::Values;
        }),
        ("jitter 0, expected 20,N+10", |run| {
            run.eval_jitter = EvalJitter::parse("20,N+10").unwrap();
        }),
    ];
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    let before = fs::read(&path).unwrap();
    for (expected, change) in changes {
        let mut wanted = settings();
        change(&mut wanted.run);
        let error = Store::open_run(&path, &wanted, PLAYER).unwrap_err();
        assert!(
            error.to_string().contains(&format!("found a run with {expected};")),
            "{error}"
        );
    }
    let error = Store::open_run(&path, &settings(), "nobody 2").unwrap_err();
    assert!(
        error.to_string().contains("player nobody 1, expected nobody 2"),
        "{error}"
    );
    assert_eq!(fs::read(&path).unwrap(), before, "the file is as it was");
}

#[test]
fn the_rules_must_be_the_same_not_only_the_name() {
    let text = include_str!("../../../rules/variants/chess.toml");
    let named = |change: fn(String) -> String| {
        let text = change(text.replace("name = \"chess\"", "name = \"mine\""));
        GameSource::from_text(text, "mine.toml").unwrap()
    };
    let mine = named(|text| text);
    let dearer = named(|text| text.replace("title = ", "title = \"My own\" # "));
    let slower = named(|text| text.replace("moves = 50", "moves = 75"));
    assert_eq!(mine.fingerprint(), dearer.fingerprint());
    assert_ne!(mine.fingerprint(), slower.fingerprint());

    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.db");
    let with = |source| GenerateSettings {
        run: RunSettings {
            source,
            ..settings().run
        },
        ..settings()
    };
    Store::open_run(&path, &with(mine.clone()), PLAYER)
        .unwrap()
        .close()
        .unwrap();
    let error = Store::open_run(&path, &with(slower), PLAYER).unwrap_err();
    assert!(
        matches!(
            error,
            StoreError::Mismatch {
                setting: "definition-hash",
                ..
            }
        ),
        "{error}"
    );
    // The file is enough to read the games of a user's game.
    assert_eq!(
        Store::open_read(&path).unwrap().settings().settings.source.game,
        mine.game
    );
}

#[test]
fn more_games_extend_a_run_fewer_do_not_shorten_it() {
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    let with = |games| GenerateSettings { games, ..settings() };
    for (games, expected) in [(20, 20), (4, 20)] {
        Store::open_run(&path, &with(games), PLAYER).unwrap().close().unwrap();
        assert_eq!(Store::open_read(&path).unwrap().settings().games, expected);
    }
}

/// Opens for writing and for reading; gives both errors, and sees that the file is as it was.
fn refused(path: &Path) -> [StoreError; 2] {
    let before = fs::read(path).unwrap();
    let errors = [
        Store::open_run(path, &settings(), PLAYER).unwrap_err(),
        Store::open_read(path).unwrap_err(),
    ];
    assert_eq!(fs::read(path).unwrap(), before, "the file is as it was");
    errors
}

#[test]
fn other_files_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("notes.txt");
    for text in [
        "x",
        "this is no database, but a text that is longer than the beginning of one",
        &"-".repeat(9_000),
    ] {
        fs::write(&path, text).unwrap();
        for error in refused(&path) {
            assert!(matches!(error, StoreError::NotADatabase { .. }), "{error}");
        }
    }
    assert!(matches!(
        Store::open_read(&folder.path().join("none.db")),
        Err(StoreError::Missing { .. })
    ));
    assert!(matches!(
        Store::open_run(folder.path(), &settings(), PLAYER),
        Err(StoreError::Io { .. })
    ));
    assert!(Store::open_read(folder.path()).is_err());
    let nowhere = folder.path().join("no/such/games.db");
    assert!(matches!(
        Store::open_run(&nowhere, &settings(), PLAYER),
        Err(StoreError::Io { .. })
    ));
}

#[test]
fn other_databases_are_refused() {
    let folder = TempDir::new().unwrap();
    for (name, id) in [("plain.db", 0), ("other.db", 0x4747)] {
        let path = folder.path().join(name);
        let database = Connection::open(&path).unwrap();
        database.pragma_update(None, "application_id", id).unwrap();
        database
            .execute_batch("CREATE TABLE run (a); CREATE TABLE games (b)")
            .unwrap();
        drop(database);
        for error in refused(&path) {
            assert!(
                matches!(error, StoreError::Foreign { found, .. } if found == id),
                "{error}"
            );
        }
    }
}

#[test]
fn newer_files_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    Connection::open(&path)
        .unwrap()
        .pragma_update(None, "user_version", schema::VERSION + 1)
        .unwrap();
    for error in refused(&path) {
        assert!(
            matches!(
                error,
                StoreError::Newer {
                    found: 2,
                    expected: 1,
                    ..
                }
            ),
            "{error}"
        );
    }
}

#[test]
fn torn_files_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.db");
    let mut store = Store::open_run(&path, &settings(), PLAYER).unwrap();
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
        for error in refused(&path) {
            assert!(
                matches!(error, StoreError::Torn { .. } | StoreError::NotADatabase { .. }),
                "{length} of {} bytes: {error}",
                whole.len()
            );
        }
    }
}

#[test]
fn records_that_make_no_sense_are_named() {
    let folder = TempDir::new().unwrap();
    let faults = [
        (
            "UPDATE games SET reason = 'boredom' WHERE idx = 1",
            "game 1: found unknown ending `boredom`",
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
            "game 1: the record is not what was written",
        ),
        (
            "UPDATE games SET moves = x'0c1c' WHERE idx = 1",
            "game 1: moves: found the end at byte 2, expected more of a move",
        ),
    ];
    for (change, expected) in faults {
        let path = sample(&folder);
        Connection::open(&path).unwrap().execute_batch(change).unwrap();
        let store = Store::open_read(&path).unwrap();
        let faults = store.faults().unwrap();
        assert!(faults.len() == 1 && faults[0].contains(expected), "{faults:?}");
        drop(store);
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn settings_that_make_no_sense_are_named() {
    let folder = TempDir::new().unwrap();
    let faults = [
        (
            "UPDATE run SET value = 'x' WHERE key = 'nodes'",
            "setting nodes: found `x`, expected a number",
        ),
        ("DELETE FROM run WHERE key = 'seed'", "setting seed: missing"),
        (
            "UPDATE run SET value = 'halma' WHERE key = 'game'",
            "setting game: found `halma`",
        ),
        (
            "UPDATE run SET value = 'some' WHERE key = 'material'",
            "setting material: found `some`",
        ),
        (
            "UPDATE run SET value = 'ff' WHERE key = 'definition-hash'",
            "setting definition-hash: found ff",
        ),
        (
            "UPDATE run SET value = 'match' WHERE key = 'sort'",
            "setting sort: found `match`, expected `generate`",
        ),
    ];
    for (change, expected) in faults {
        let path = sample(&folder);
        Connection::open(&path).unwrap().execute_batch(change).unwrap();
        let error = Store::open_read(&path).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        fs::remove_file(&path).unwrap();
    }
}

use std::fs;

use assay_rules::{Square, Termination};
use tempfile::TempDir;

use super::*;
use crate::game::clock::EngineLimits;
use crate::game::{Dispute, Eval, FaultKind, FaultRecord, MoveText, PackedMove, PlayedMove, RecordedMove};
use crate::settings::{
    EngineSettings, EvalJitter, Material, OpeningSource, PlayerSlots, RandomOpenings, Rules, RunOptions, RunSettings,
    StartChoice,
};

const IDENTITY: &str = "nobody 1";

fn settings() -> RunSettings {
    let openings = RandomOpenings {
        start: StartChoice::Random,
        plies: 8,
        balance: Some(300),
        material: Material::None,
    };
    let (seed, nodes, hash_mb) = (7, 100, 1);
    RunSettings::self_play(GameSource::builtin("chess").unwrap(), seed, nodes, hash_mb, openings)
}

/// A match of two built-in players.
fn match_settings() -> RunSettings {
    let player = |name: &str| EngineSettings {
        name: name.to_owned(),
        ..EngineSettings::self_play(100, 1)
    };
    RunSettings {
        players: PlayerSlots::Separate([player("new"), player("old")]),
        ..settings()
    }
}

fn random(settings: &mut RunSettings) -> &mut RandomOpenings {
    match &mut settings.openings {
        OpeningSource::Random(random) => random,
        other => panic!("{other:?}"),
    }
}

fn open_with(path: &Path, settings: &RunSettings, games: u64, identity: &str) -> Result<Store, StoreError> {
    let run = NewRun {
        settings,
        options: &RunOptions::self_play(games, 1),
        identities: &vec![identity.to_owned(); settings.players.all().len()],
        book_hash: None,
    };
    Store::open_run(path, &run, true)
}

fn open(path: &Path) -> Result<Store, StoreError> {
    open_with(path, &settings(), 10, IDENTITY)
}

fn record(index: u64) -> GameRecord {
    let mv = RecordedMove::Packed(PackedMove {
        from: Square(12),
        to: Square(28),
        extra: None,
    });
    GameRecord {
        index,
        pair: index / 2,
        white: (index % 2) as usize,
        start_fen: "the start".to_owned(),
        opening: "random 1".to_owned(),
        moves: vec![
            PlayedMove {
                mv,
                eval: Some(Eval::Centipawns(-31)),
                depth: 9,
                nodes: 100,
                time_ms: None,
            };
            3
        ],
        result: Points::from_quarters((index % 5) as u8).unwrap(),
        end: GameEnd::Rules(Termination::MoveRule),
        fault: None,
        material: index.is_multiple_of(2).then(|| "-N/-B".to_owned()),
        ended: None,
    }
}

/// A game of a match that ends with a fault, with moves as text, times, and every kind of evaluation.
fn faulty_record(index: u64) -> GameRecord {
    let played = |text: &str, eval| PlayedMove {
        mv: RecordedMove::Text(MoveText::new(text).unwrap()),
        eval,
        depth: 7,
        nodes: 1_234,
        time_ms: Some(56),
    };
    GameRecord {
        end: GameEnd::Fault(FaultKind::IllegalMove),
        fault: Some(FaultRecord {
            player: 1,
            what: "it \"moved\"\nbadly".to_owned(),
            dispute: Some(Dispute {
                ply: 3,
                fen: "x".to_owned(),
                found: "e2e5".to_owned(),
                legal: vec!["e2e4".to_owned()],
            }),
            stderr: vec!["oops".to_owned()],
        }),
        moves: vec![
            played("e2e4", Some(Eval::Centipawns(-35))),
            played("P@e5", Some(Eval::Mate(-2))),
            played("g1f3", None),
        ],
        ended: Some("2026-01-01T00:00:00Z".to_owned()),
        ..record(index)
    }
}

/// A file with the games 0, 1, 4 and 5.
fn sample(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("games.db");
    let mut store = open(&path).unwrap();
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

fn all_games(store: &Store) -> Vec<GameRecord> {
    store.games().collect::<Result<_, _>>().unwrap()
}

#[test]
fn games_and_settings_round_trip() {
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    assert_eq!(files(&folder), ["games.db"], "one file at rest");
    let store = Store::open_read(&path).unwrap();
    let games = all_games(&store);
    assert_eq!(games, [record(0), record(1), record(4), record(5)]);
    assert_eq!(store.game(4).unwrap(), Some(record(4)));
    assert_eq!(store.game(2).unwrap(), None);
    assert_eq!(store.indices().unwrap(), [0, 1, 4, 5]);
    assert_eq!(store.count().unwrap(), 4);
    let mut tally = Tally::default();
    for game in &games {
        tally.add(game);
    }
    assert_eq!(store.tally().unwrap(), tally);
    assert_eq!(store.problems().unwrap(), Vec::<String>::new());
    let run = store.run();
    assert_eq!(run.settings.seed, 7);
    assert_eq!(run.settings.openings, settings().openings);
    assert_eq!(run.settings.players, settings().players);
    assert_eq!(run.identities, [IDENTITY]);
}

#[test]
fn match_games_round_trip() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("match.db");
    let mut store = open_with(&path, &match_settings(), 10, IDENTITY).unwrap();
    store.add(&[faulty_record(2)]).unwrap();
    store.add(&[faulty_record(0)]).unwrap();
    assert!(store.add(&[faulty_record(2)]).is_err(), "one game per number");
    let expected = [faulty_record(0), faulty_record(2)];
    assert_eq!(
        all_games(&Store::open_read(&path).unwrap()),
        expected,
        "read while it is written"
    );
    store.close().unwrap();
    let store = open_with(&path, &match_settings(), 10, IDENTITY).unwrap();
    assert_eq!(all_games(&store), expected);
    assert_eq!(store.run().settings.players, match_settings().players);
    assert!(store.problems().unwrap().is_empty());
}

#[test]
fn adds_all_games_or_none() {
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    let mut store = open(&path).unwrap();
    assert!(store.add(&[record(8), record(4)]).is_err(), "game 4 exists");
    assert_eq!(store.count().unwrap(), 4);
}

#[test]
fn an_unclosed_run_is_readable_and_resumable() {
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    let mut store = open(&path).unwrap();
    store.add(&[record(9)]).unwrap();
    // Also while it is being written.
    assert_eq!(Store::open_read(&path).unwrap().count().unwrap(), 5);
    drop(store);
    assert_eq!(Store::open_read(&path).unwrap().count().unwrap(), 5);
}

#[test]
fn only_one_process_writes() {
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    let first = open(&path).unwrap();
    let error = open(&path).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("games.db: another process is writing this file"),
        "{error}"
    );
    first.close().unwrap();
    open(&path).unwrap();
}

#[test]
fn existing_files_are_not_overwritten() {
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    let before = fs::read(&path).unwrap();
    let (settings, options, identities) = (settings(), RunOptions::self_play(10, 1), [IDENTITY.to_owned()]);
    let run = NewRun {
        settings: &settings,
        options: &options,
        identities: &identities,
        book_hash: None,
    };
    let error = Store::open_run(&path, &run, false).unwrap_err().to_string();
    assert!(
        error.contains("the file exists; -resume continues the match in it"),
        "{error}"
    );
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn rejects_other_settings_by_name() {
    type Change = fn(&mut RunSettings);
    let changes: [(&str, Change); 14] = [
        ("game chess, expected gunnery", |run| {
            run.rules = Rules::Known(GameSource::builtin("gunnery").unwrap());
        }),
        ("seed 7, expected 8", |run| run.seed = 8),
        ("player 1 limits nodes 100, expected 200", |run| {
            run.players = PlayerSlots::Shared(EngineSettings::self_play(200, 1));
        }),
        ("player 1 hash_mb 1, expected 2", |run| {
            run.players = PlayerSlots::Shared(EngineSettings::self_play(100, 2));
        }),
        ("player 1 name assay, expected new", |run| {
            run.players = match_settings().players;
        }),
        ("openings start random, expected 1", |run| {
            random(run).start = StartChoice::Named("1".to_owned());
        }),
        ("openings plies 8, expected 9", |run| random(run).plies = 9),
        ("openings balance 300, expected none", |run| random(run).balance = None),
        ("openings material none, expected odds", |run| {
            random(run).material = Material::Odds;
        }),
        ("openings material none, expected values", |run| {
            random(run).material = Material::Values;
        }),
        ("openings source random, expected start", |run| {
            run.openings = OpeningSource::Start;
        }),
        ("eval_jitter 0, expected 20,N+10", |run| {
            run.eval_jitter = EvalJitter::parse("20,N+10").unwrap();
        }),
        ("adjudication max_moves none, expected 40", |run| {
            run.adjudication.max_moves = Some(40);
        }),
        ("repeat true, expected false", |run| run.repeat = false),
    ];
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    let before = fs::read(&path).unwrap();
    for (expected, change) in changes {
        let mut other = settings();
        change(&mut other);
        let error = open_with(&path, &other, 10, IDENTITY).unwrap_err().to_string();
        assert!(error.contains(&format!("found a run with {expected}")), "{error}");
    }
    let error = open_with(&path, &settings(), 10, "nobody 2").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("player 1 identity nobody 1, expected nobody 2"),
        "{error}"
    );
    assert_eq!(fs::read(&path).unwrap(), before, "the file is unchanged");
}

#[test]
fn a_run_needs_the_same_rules_not_only_the_same_name() {
    let text = include_str!("../../../rules/variants/chess.toml");
    let named = |change: fn(String) -> String| {
        let text = change(text.replace("name = \"chess\"", "name = \"mine\""));
        GameSource::from_text(text, "mine.toml").unwrap()
    };
    let mine = named(|text| text);
    let retitled = named(|text| text.replace("title = ", "title = \"My own\" # "));
    let slower = named(|text| text.replace("move-rule = 50", "move-rule = 75"));
    assert_eq!(mine.rules_hash(), retitled.rules_hash());
    assert_ne!(mine.rules_hash(), slower.rules_hash());

    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.db");
    let with = |source| RunSettings {
        rules: Rules::Known(source),
        ..settings()
    };
    open_with(&path, &with(mine.clone()), 10, IDENTITY)
        .unwrap()
        .close()
        .unwrap();
    let error = open_with(&path, &with(slower), 10, IDENTITY).unwrap_err();
    assert!(
        matches!(&error, StoreError::Mismatch { setting, .. } if setting == "rules_hash"),
        "{error}"
    );
    // The file is enough to read the games of a user's game.
    assert_eq!(Store::open_read(&path).unwrap().source().unwrap().game, mine.game);
}

#[test]
fn unruled_runs_have_no_definition() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.db");
    let settings = RunSettings {
        rules: Rules::Unruled {
            name: "shogi".to_owned(),
        },
        openings: OpeningSource::Start,
        ..match_settings()
    };
    open_with(&path, &settings, 10, IDENTITY).unwrap().close().unwrap();
    let store = Store::open_read(&path).unwrap();
    assert_eq!(store.run().settings.rules.name(), "shogi");
    let error = store.source().unwrap_err().to_string();
    assert!(error.contains("found a match of shogi, which is unruled"), "{error}");
}

#[test]
fn a_run_can_be_extended_but_not_shortened() {
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    for (games, expected) in [(20, 20), (4, 20)] {
        open_with(&path, &settings(), games, IDENTITY).unwrap().close().unwrap();
        assert_eq!(Store::open_read(&path).unwrap().run().games, expected);
    }
}

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
        drop(store);
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

/// Every query that `docs/data.md` gives as an example.
#[test]
fn documented_queries_work() {
    let folder = TempDir::new().unwrap();
    let self_play = sample(&folder);
    let versus = folder.path().join("match.db");
    let mut store = open_with(&versus, &match_settings(), 10, IDENTITY).unwrap();
    store.add(&[record(0), record(1), faulty_record(2)]).unwrap();
    store.close().unwrap();
    let document = include_str!("../../../docs/data.md");
    let queries: Vec<&str> = document
        .split("```sql\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert!(queries.len() >= 8, "the document has examples");
    for path in [&self_play, &versus] {
        let database = Connection::open(path).unwrap();
        for query in &queries {
            let mut statement = database
                .prepare(query)
                .unwrap_or_else(|error| panic!("{query}\n{error}"));
            let mut rows = statement.query([]).unwrap();
            while rows.next().unwrap_or_else(|error| panic!("{query}\n{error}")).is_some() {}
        }
    }
}

#[test]
fn views_show_names_and_points() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("match.db");
    let mut store = open_with(&path, &match_settings(), 10, IDENTITY).unwrap();
    store.add(&[record(3), record(4)]).unwrap();
    let row = |sql: &str| -> (String, String, f64) {
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        store.connection.query_row(sql, [], read).unwrap()
    };
    let game = row("SELECT white, black, points FROM game_list WHERE game = 4");
    assert_eq!(game, ("old".to_owned(), "new".to_owned(), 0.75));
    let pair = row("SELECT opening, '', points FROM pair_results WHERE pair = 2");
    assert!((pair.2 - 0.25).abs() < 1e-12, "the first player had Black");
}

#[test]
fn margins_and_time_controls_round_trip() {
    let limits = EngineLimits {
        clock: Some("40/60+0.5".parse().unwrap()),
        movetime: Some(std::time::Duration::from_millis(250)),
        nodes: None,
        depth: Some(9),
        margin: std::time::Duration::from_millis(35),
    };
    let text = serde_json::to_string(&limits).unwrap();
    assert_eq!(
        text,
        r#"{"tc":"40/60+0.5","movetime_ms":250,"nodes":null,"depth":9,"margin_ms":35}"#
    );
    assert_eq!(serde_json::from_str::<EngineLimits>(&text).unwrap(), limits);
}

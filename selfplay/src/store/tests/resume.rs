//! Runs that are resumed, and those that must not be.

use super::*;
use crate::run::Look;

#[test]
fn existing_files_are_not_overwritten() {
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    let before = fs::read(&path).unwrap();
    let (settings, options, identities) = (settings(), RunOptions::self_play(10, 1), [IDENTITY.to_owned()]);
    let run = NewRun { settings: &settings, options: &options, identities: &identities, book_hash: None };
    let error = Store::open_run(&path, &run, false).unwrap_err().to_string();
    assert!(error.ends_with(": the file exists"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn looks_are_stored_once_for_each_number_of_games() {
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    let look = |number: u64, games: u64| Look { number, games, is_interim: false };
    for number in [1, 2] {
        let mut store = Store::open_checked(&path).unwrap();
        store.add_look(number, false).unwrap();
        assert_eq!(store.header().looks, [look(1, 4)]);
    }
    let mut store = open(&path).unwrap();
    store.add(&[record(6)]).unwrap();
    store.close().unwrap();
    let mut store = Store::open_read(&path).unwrap();
    store.connection = Connection::open_with_flags(&path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    store.add_look(3, false).unwrap();
    assert_eq!(store.header().looks, [look(1, 4), look(3, 5)]);
    // The file could not be written.
    assert_eq!(Store::open_read(&path).unwrap().header().looks, [look(1, 4)]);
    let forged = "UPDATE run SET value = '7' WHERE key = 'looks'";
    Connection::open(&path).unwrap().execute(forged, []).unwrap();
    let error = Store::open_read(&path).unwrap_err().to_string();
    assert!(error.contains("setting looks: found `7`"), "{error}");
}

#[test]
fn rejects_other_settings_by_name() {
    type Change = fn(&mut RunSettings);
    let changes: [(&str, Change); 13] = [
        ("game chess, expected gunnery", |run| {
            run.source = GameSource::builtin("gunnery").unwrap();
        }),
        ("seed 7, expected 8", |run| run.seed = 8),
        ("player 1 limits nodes 100, expected 200", |run| {
            run.players = PlayerSlots::Shared(EngineSettings::self_play(200, 1, Evaluation::Network));
        }),
        ("player 1 hash_mb 1, expected 2", |run| {
            run.players = PlayerSlots::Shared(EngineSettings::self_play(100, 2, Evaluation::Network));
        }),
        ("tournament none, expected {\"format\":\"roundrobin\"}", |run| {
            run.players = match_settings().players;
        }),
        ("openings start random, expected 1", |run| {
            random(run).start = StartChoice::Named("1".to_owned());
        }),
        ("openings plies 8, expected 9", |run| random(run).plies = 9),
        ("openings balance 300, expected none", |run| random(run).balance = None),
        ("openings material none, expected values", |run| {
            random(run).material = Material::Values;
        }),
        ("openings source random, expected start", |run| {
            run.openings = OpeningSource::Start;
        }),
        ("eval_jitter 0, expected 20,N+10", |run| {
            run.eval_jitter = "20,N+10".parse().unwrap();
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
    assert!(error.to_string().contains("player 1 identity nobody 1, expected nobody 2"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before, "the file is unchanged");
}

#[test]
fn rejects_runs_with_another_plan() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("values.db");
    let mut planned = settings();
    random(&mut planned).material = Material::Values;
    drop(open_with(&path, &planned, 10, IDENTITY).unwrap());
    drop(open_with(&path, &planned, 10, IDENTITY).unwrap());
    let forget = "DELETE FROM run WHERE key = 'plan'";
    Connection::open(&path).unwrap().execute(forget, []).unwrap();
    let error = open_with(&path, &planned, 10, IDENTITY).unwrap_err().to_string();
    assert!(error.contains("found a run with plan none, expected 2"), "{error}");
    assert_eq!(Store::open_read(&path).unwrap().header().settings.openings, planned.openings);
}

#[test]
fn a_run_needs_the_same_rules_not_only_the_same_name() {
    let text = include_str!("../../../../rules/variants/chess.toml");
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
    let with = |source| RunSettings { source, ..settings() };
    open_with(&path, &with(mine.clone()), 10, IDENTITY).unwrap().close().unwrap();
    let error = open_with(&path, &with(slower), 10, IDENTITY).unwrap_err();
    assert!(error.to_string().contains("found a run with rules_hash "), "{error}");
    // The file is enough to read the games of a user's game.
    assert_eq!(Store::open_read(&path).unwrap().source().game, mine.game);
}

#[test]
fn a_run_can_be_extended_but_not_shortened() {
    let folder = TempDir::new().unwrap();
    let path = sample(&folder);
    for (games, expected) in [(20, 20), (4, 20)] {
        open_with(&path, &settings(), games, IDENTITY).unwrap().close().unwrap();
        assert_eq!(Store::open_read(&path).unwrap().header().games, expected);
    }
}

mod damage;
mod durability;
mod merge;
mod queries;
mod resume;

use std::fs;

use assay_rules::{Color, Points, Square, Termination};
use rusqlite::Row;
use tempfile::TempDir;

use super::*;
use crate::game::clock::EngineLimits;
use crate::game::{Dispute, Eval, FaultKind, FaultRecord, GameEnd, PackedMove, PlayedMove};
use crate::settings::{
    EngineSettings, Evaluation, Material, OpeningSource, PlayerSlots, RandomOpenings, RunOptions, RunSettings,
    SelfPlay, StartChoice,
};

const IDENTITY: &str = "nobody 1";

fn settings() -> RunSettings {
    let choices = SelfPlay { seed: 7, nodes: 100, hash_mb: 1, ..SelfPlay::default() };
    choices.settings(GameSource::builtin("chess").unwrap()).unwrap()
}

/// A match of two built-in players.
fn match_settings() -> RunSettings {
    let player =
        |name: &str| EngineSettings { name: name.to_owned(), ..EngineSettings::self_play(100, 1, Evaluation::Linear) };
    RunSettings { players: PlayerSlots::of_match([player("new"), player("old")]), ..settings() }
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

/// The starts of a pair of games with the armies exchanged.
const START: [&str; 2] = ["4k3/8/8/8/8/8/4P3/4K2R w - - 0 1", "4k2r/4p3/8/8/8/8/8/4K3 w - - 0 1"];

const MOVE: PackedMove = PackedMove { from: Square(12), to: Square(28), extra: None, wall: None };

fn record(index: u64) -> GameRecord {
    GameRecord {
        index,
        pair: index / 2,
        white: (index % 2) as usize,
        start_fen: START[(index % 2) as usize].to_owned(),
        opening: format!("random {}", index / 2 + 1),
        moves: vec![
            PlayedMove {
                mv: MOVE,
                eval: Some(Eval::Centipawns(-31)),
                depth: 9,
                seldepth: 0,
                nodes: 100,
                time_ms: None,
            };
            3
        ],
        result: Points::from_quarters((index % 5) as u8).unwrap(),
        end: GameEnd::Rules(Termination::MoveRule),
        fault: None,
        material: Some(["-N/-B", "-B/-N"][(index % 2) as usize].to_owned()),
        ended: None,
    }
}

/// A game of a match that ends with a fault, with times and every kind of evaluation.
fn faulty_record(index: u64) -> GameRecord {
    let played = |eval| PlayedMove { mv: MOVE, eval, depth: 7, seldepth: 0, nodes: 1_234, time_ms: Some(56) };
    GameRecord {
        end: GameEnd::Fault(FaultKind::IllegalMove),
        result: Points::WIN.for_white(if index.is_multiple_of(2) { Color::White } else { Color::Black }),
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
        moves: vec![played(Some(Eval::Centipawns(-35))), played(Some(Eval::Mate(-2))), played(None)],
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
    let mut names: Vec<String> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
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
    assert_eq!(store.problems().unwrap(), Vec::<String>::new());
    let run = store.header();
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
    assert_eq!(all_games(&Store::open_read(&path).unwrap()), expected, "read while it is written");
    store.close().unwrap();
    let store = open_with(&path, &match_settings(), 10, IDENTITY).unwrap();
    assert_eq!(all_games(&store), expected);
    assert_eq!(store.header().settings.players, match_settings().players);
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
    // Even while it is being written.
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
    assert!(error.to_string().ends_with("games.db: another process is writing this file"), "{error}");
    first.close().unwrap();
    open(&path).unwrap();
}

/// A row that another program wrote may have any player number.
#[test]
fn rejects_faults_of_unknown_players() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.db");
    let mut store = open(&path).unwrap();
    let mut record = faulty_record(0);
    record.fault.as_mut().unwrap().player = 5;
    store.add(&[record]).unwrap();
    let error = store.game(0).unwrap_err().to_string();
    assert!(error.ends_with("fault: found player 5, expected 0 or 1"), "{error}");
}

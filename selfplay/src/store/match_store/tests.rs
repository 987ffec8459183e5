use tempfile::TempDir;

use super::*;
use crate::game::fault::FaultKind;
use crate::game::match_record::{Detail, Dispute, PlayedHere};
use crate::players::player::Eval;

fn game(index: u64) -> MatchGame {
    let played = |uci: &str, eval| PlayedHere {
        uci: uci.to_owned(),
        eval,
        depth: 7,
        nodes: 1234,
        millis: 56,
    };
    MatchGame {
        index,
        round: index / 2,
        white: (index % 2) as usize,
        start: "startpos".to_owned(),
        opening: "line 3".to_owned(),
        result: Points::ADVANTAGE,
        ending: Ending::Fault(FaultKind::IllegalMove),
        culprit: Some(1),
        detail: Some(Detail {
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
            played("e7e5", Some(Eval::Mate(-2))),
            played("g1f3", None),
        ],
        ended: "2026-01-01T00:00:00Z".to_owned(),
    }
}

fn rows(seed: &str) -> Vec<(&'static str, String)> {
    vec![
        ("sort", "match".to_owned()),
        ("game", "chess".to_owned()),
        ("seed", seed.to_owned()),
    ]
}

fn open(path: &Path, seed: &str, resume: bool) -> Result<MatchStore, StoreError> {
    let (deciding, others) = (
        rows(seed),
        [("rounds", "3".to_owned()), ("words", "[\"chess\"]".to_owned())],
    );
    let new = NewMatch {
        deciding: &deciding,
        others: &others,
    };
    MatchStore::open(Some(path), &new, resume)
}

#[test]
fn games_come_back_as_they_were() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("match.db");
    let mut store = open(&path, "1", false).unwrap();
    for index in [2, 0] {
        store.add(&game(index)).unwrap();
    }
    assert!(store.add(&game(2)).is_err(), "one game a number");
    // Also by others, while it is being written.
    assert_eq!(
        MatchStore::open_read(&path).unwrap().games().unwrap(),
        [game(0), game(2)]
    );
    store.close().unwrap();
    drop(store);
    assert!(is_match(&path).unwrap());
    assert_eq!(stored_words(&path).unwrap(), ["chess"]);
    let store = open(&path, "1", true).unwrap();
    assert_eq!(store.games().unwrap(), [game(0), game(2)]);
    assert!(store.faults().unwrap().is_empty());
}

#[test]
fn nothing_is_overwritten_or_mixed() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("match.db");
    drop(open(&path, "1", false).unwrap());
    let error = |seed, resume| open(&path, seed, resume).unwrap_err().to_string();
    assert!(error("1", false).contains("the file exists already; -resume continues the match in it"));
    assert!(error("2", true).contains("found a run with seed 1, expected 2;"));
    let held = open(&path, "1", true).unwrap();
    assert!(error("1", true).contains("another process is writing"));
    drop(held);
    // A generated run is no match, and the other way round.
    let other = crate::store::Store::open_read(&path).unwrap_err().to_string();
    assert!(other.contains("found `match`, expected `generate`"), "{other}");
}

#[test]
fn changed_records_are_noticed() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("match.db");
    let mut store = open(&path, "1", false).unwrap();
    store.add(&game(0)).unwrap();
    store.connection.execute("UPDATE games SET result = 4", []).unwrap();
    assert!(
        store
            .games()
            .unwrap_err()
            .to_string()
            .contains("its digest does not fit")
    );
    assert_eq!(store.faults().unwrap().len(), 1);
}

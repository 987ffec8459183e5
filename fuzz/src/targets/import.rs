//! Imported PGN: the run file holds the games that were counted, all of which can be replayed, and
//! faults name the file.

use std::fs;
use std::sync::atomic::AtomicBool;

use assay_selfplay::Store;
use assay_selfplay::import::{Import, ImportEvent};
use assay_selfplay::settings::{ClusterBy, Filters};

use super::{common, pgn};

pub fn target(data: &[u8]) {
    common::with_file("games.pgn", data, |path| {
        let out = path.with_extension("db");
        let import = Import {
            files: vec![path.to_owned()],
            source: None,
            cluster: ClusterBy::default(),
            filters: Filters::default(),
            is_strict: false,
        };
        let mut broken = 0;
        let faults = |event: ImportEvent<'_>| {
            if let ImportEvent::Broken(line) = event {
                assert!(line.starts_with("games.pgn: game "), "{line}");
                broken += 1;
            }
        };
        match import.run(&out, faults, &AtomicBool::new(false)) {
            Ok(summary) => {
                let left_out: u64 = summary.left_out.values().sum();
                assert_eq!(summary.read, summary.games + summary.broken + left_out, "{summary:?}");
                assert_eq!(summary.broken, broken);
                let store = Store::open_read(&out).expect("a new run file");
                let mut games = 0;
                for game in store.games() {
                    let game = game.expect("a game of a new run file");
                    game.verify(&store.source().game).expect("an imported game can be replayed");
                    games += 1;
                }
                assert_eq!(games, summary.games);
                drop(store);
                fs::remove_file(&out).expect("a temporary file");
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert!(!out.exists(), "{error}");
            }
        }
    });
}

/// The seeds of `pgn`, and a file with games of several programs.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = pgn::seeds();
    seeds.push(crate::seeds::read("selfplay/tests/import.pgn").into_bytes());
    seeds
}

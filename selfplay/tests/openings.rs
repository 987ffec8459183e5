//! Openings that are shared or not, and the starts of Chess960.

use std::collections::HashSet;
use std::fs;

use crate::common::fake::fake_engine;
use crate::common::{games, printed};
use crate::matches::words;
use tempfile::TempDir;

/// Six positions after two plies.
const BOOK: &str = "1. e4 e5 *\n\n1. d4 d5 *\n\n1. c4 c5 *\n\n1. b3 b6 *\n\n1. a3 a6 *\n\n1. h3 h6 *\n";

#[test]
fn a_policy_gives_each_pair_its_own_opening() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("b.pgn"), BOOK).unwrap();
    for (policy, openings) in [("", 2), ("policy=round", 2), ("policy=encounter", 6), ("policy=default", 6)] {
        let command = format!(
            "match chess -engine builtin -engine builtin -engine builtin -each nodes=20 option.Hash=1 -rounds 2 -maxmoves 4 \
             -openings file=b.pgn {policy} -bookmode ram -data {openings}{policy}.db"
        );
        printed(&words(&command), folder.path());
        let played = games(&folder.path().join(format!("{openings}{policy}.db")));
        let distinct: HashSet<&str> = played.iter().map(|game| game.start_fen.as_str()).collect();
        assert_eq!((played.len(), distinct.len()), (12, openings), "{policy}");
        assert!(played.chunks(2).all(|pair| pair[0].start_fen == pair[1].start_fen));
        // What the settings say is what the file says.
        printed(&words(&(command + " -resume")), folder.path());
    }
}

#[test]
fn engines_castle_in_chess960_as_they_write_it() {
    let folder = TempDir::new().unwrap();
    // Only castling mates at once.
    fs::write(folder.path().join("mate.epd"), "5k2/4p1p1/3N3N/8/8/8/8/6KR w H -\n").unwrap();
    for (protocol, castling) in [("uci", "bestmove g1h1"), ("xboard", "move O-O")] {
        let run = |openings: &str, data: &str| {
            let command = format!(
                "match fischerandom -engine cmd={} args=assay name=program proto={protocol} depth=4 -engine builtin nodes=500 \
                 {openings} -maxmoves 25 -data {data} -log {data}.log",
                fake_engine().display()
            );
            printed(&words(&command), folder.path());
            let played = games(&folder.path().join(data));
            assert!(played.iter().all(|game| game.fault.is_none()), "{:?}", played[0].fault);
            played
        };
        let played = run("-openings chess960 -rounds 4", &format!("{protocol}.db"));
        let openings: HashSet<&str> = played.iter().map(|game| game.opening.as_str()).collect();
        assert!(openings.len() == 4 && openings.iter().all(|opening| opening.starts_with("start ")), "{openings:?}");
        let data = format!("{protocol}-castling.db");
        run("-openings file=mate.epd -rounds 1", &data);
        let log = fs::read_to_string(folder.path().join(format!("{data}.log"))).unwrap();
        assert!(log.lines().any(|line| line.ends_with(&format!("< {castling}"))), "{log}");
        let pgn = printed(&["export", &data, "--pgn", "-"], folder.path());
        assert_eq!(pgn.matches("1. O-O#").count(), 2, "{pgn}");
    }
}

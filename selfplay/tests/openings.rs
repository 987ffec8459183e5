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
    for (policy, openings) in [
        ("", 2),
        ("policy=round", 2),
        ("policy=encounter", 6),
        ("policy=default", 6),
    ] {
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
    for (protocol, castling) in [("uci", "bestmove "), ("xboard", "move O-O")] {
        let command = format!(
            "match fischerandom -engine cmd={} args=assay name=program proto={protocol} depth=4 -engine builtin nodes=100 \
             -each option.Hash=1 -rounds 4 -openings chess960 -maxmoves 25 -data {protocol}.db -log {protocol}.log",
            fake_engine().display()
        );
        let command = if protocol == "xboard" {
            command.replace("-each option.Hash=1 ", "")
        } else {
            command
        };
        printed(&words(&command), folder.path());
        let played = games(&folder.path().join(format!("{protocol}.db")));
        assert!(played.iter().all(|game| game.fault.is_none()), "{:?}", played[0].fault);
        let openings: HashSet<&str> = played.iter().map(|game| game.opening.as_str()).collect();
        assert!(
            openings.len() == 4 && openings.iter().all(|opening| opening.starts_with("start ")),
            "{openings:?}"
        );
        let log = fs::read_to_string(folder.path().join(format!("{protocol}.log"))).unwrap();
        assert!(log.lines().any(|line| line.contains(&format!("< {castling}"))), "{log}");
        let pgn = printed(&["export", &format!("{protocol}.db"), "--pgn", "-"], folder.path());
        assert!(pgn.contains(" O-O"), "{pgn}");
    }
}

//! Engines that speak CECP: the same games as under UCI, and the same faults.
#![cfg(unix)]

use crate::common::fake::{assert_none_left, fake_engine};
use crate::common::{assay_selfplay, games, printed};
use assay_selfplay::GameRecord;
use assay_selfplay::game::{FaultKind, GameEnd};
use tempfile::TempDir;

/// Plays a match of one round between the fake engine, as a CECP engine in a mode, and Assay's own;
/// returns its games.
fn play(mode: &str, more: &str) -> Vec<GameRecord> {
    let folder = TempDir::new().unwrap();
    let word = format!("word-cecp-{mode}-{}", std::process::id());
    let (command, arguments) = (format!("cmd={}", fake_engine().display()), format!("args={mode} 2 {word}"));
    let start = ["match", "chess", "-engine", &command, &arguments, "name=fake", "proto=xboard"];
    let rest = format!("{more} -engine builtin nodes=60 -rounds 1 -concurrency 2 -maxmoves 12 -data m.db");
    let args: Vec<&str> = start.into_iter().chain(rest.split_whitespace()).collect();
    printed(&args, folder.path());
    assert_none_left(&word);
    games(&folder.path().join("m.db"))
}

fn ends(mode: &str, more: &str) -> Vec<(GameEnd, u8)> {
    let end = |game: &GameRecord| (game.end, game.points_of(0).quarters());
    play(mode, more).iter().map(end).collect()
}

#[test]
fn faults_are_those_of_uci_engines() {
    let fault = |mode: &str, more: &str, kind| assert_eq!(ends(mode, more), [(GameEnd::Fault(kind), 0); 2], "{mode}");
    fault("illegal", "depth=1", FaultKind::IllegalMove);
    fault("garbage", "depth=1", FaultKind::Malformed);
    fault("nothing", "depth=1", FaultKind::Malformed);
    fault("none", "depth=1", FaultKind::WrongClaim);
    fault("crash", "depth=1", FaultKind::Crash);
    fault("close", "depth=1", FaultKind::Crash);
    fault("slow", "st=0.4 -stall 30", FaultKind::TimeLoss);
    fault("hang", "tc=0.3+0.3 -stall 3", FaultKind::Stall);
    fault("unready", "depth=1 -stall 3", FaultKind::Stall);
    fault("flood", "st=0.3 -stall 3", FaultKind::Stall);
}

#[test]
fn claims_and_complaints_are_checked() {
    for game in play("claim", "depth=1") {
        let (result, name) = if game.white == 0 { ("1-0", "White") } else { ("0-1", "Black") };
        assert_eq!(game.end, GameEnd::Fault(FaultKind::WrongClaim));
        let expected = format!("`{result} {{{name} mates}}` while there are legal moves");
        assert_eq!(game.fault.as_ref().unwrap().what, expected);
    }
    assert_eq!(ends("resign", "depth=1"), [(GameEnd::Resignation, 0); 2]);
    for game in play("reject", "depth=1") {
        assert_eq!(game.end, GameEnd::Fault(FaultKind::WrongClaim));
        let what = &game.fault.as_ref().unwrap().what;
        assert!(what.contains(", which is legal: `Illegal move (never heard of it): "), "{what}");
    }
}

/// Without `ping`, nothing separates the output of two games.
#[test]
fn late_output_of_a_game_does_not_decide_the_next_one() {
    for game in play("late-result", "depth=1") {
        assert!(game.fault.is_none() && game.end != GameEnd::Resignation, "{game:?}");
    }
    for restart in ["auto", "off"] {
        let settings = format!("depth=1 restart={restart}");
        assert_eq!(ends("late-move", &settings), [(GameEnd::Resignation, 0); 2], "{restart}");
    }
}

#[test]
fn repeated_and_missing_output_is_no_fault() {
    for mode in ["fine", "huge", "deaf", "child", "no-done"] {
        let games = play(mode, "depth=1 option.memory=16 option.Mood=good");
        assert_eq!(games.len(), 2, "{mode}");
        assert!(games.iter().all(|game| game.fault.is_none()), "{mode}: {games:?}");
        let reported = |game: &GameRecord| game.moves[usize::from(game.white != 0)];
        assert!(games.iter().all(|game| (reported(game).depth, reported(game).nodes > 0) == (1, true)), "{mode}");
    }
}

#[test]
fn the_log_has_all_lines_or_the_last_ones_before_a_fault() {
    let folder = TempDir::new().unwrap();
    let fake = format!("cmd={}", fake_engine().display());
    let log = |mode: &str, keys: &str| {
        let start =
            ["match", "chess", "-engine", &fake, mode, "name=fake", "depth=1", "-engine", "builtin", "nodes=60"];
        let rest = format!("-openings none -rounds 1 -maxmoves 4 -log log.txt append=true {keys}");
        printed(&start.into_iter().chain(rest.split_whitespace()).collect::<Vec<_>>(), folder.path());
        let text = std::fs::read_to_string(folder.path().join("log.txt")).unwrap();
        std::fs::remove_file(folder.path().join("log.txt")).unwrap();
        // Without the times.
        let lines = text.lines().map(|line| line.split_once(' ').unwrap().1.to_owned());
        lines.collect::<Vec<_>>()
    };
    let all = log("args=fine", "");
    for line in ["fake > uci", "fake < uciok", "-- game 1: fake (White) - assay (Black)", "fake > go depth 1"] {
        assert!(all.iter().any(|found| found == line), "{line}: {all:#?}");
    }
    assert_eq!(log("args=fine", "faults=3"), Vec::<String>::new());
    let last = log("args=illegal 2", "faults=3");
    // Of each game its name, two lines of the engine and the fault.
    let game = ["fake > go depth 1", "fake < bestmove e2e5", "-- fake: illegal-move: illegal move `e2e5`: "];
    assert_eq!(last.len(), 8, "{last:#?}");
    for (lines, name) in last.chunks(4).zip(["game 1: fake (White)", "game 2: assay (White)"]) {
        assert!(lines[0].contains(name), "{last:#?}");
        assert!(lines[1..].iter().zip(game).all(|(line, start)| line.starts_with(start)), "{last:#?}");
    }
}

#[test]
fn an_engine_that_cannot_play_is_rejected_with_the_reason() {
    let folder = TempDir::new().unwrap();
    let fake = format!("cmd={}", fake_engine().display());
    let cases = [
        ("chess", "nodes=9", "has no feature nps, without which it cannot count nodes; expected depth=, st= or tc="),
        ("chess", "depth=1 option.Moood=1", "has no option `Moood`; did you mean `Mood`?"),
        ("chess", "depth=1 option.Mood=bad", "reported an error of an option: `Mood: I am never bad`"),
        ("gamma2", "depth=1", "does not support the game `gamma2`: expected one of its 1 games"),
        ("chess", "tc=1 st=1", "has `1, 1s/move`, expected one of tc=, st= and nodes="),
    ];
    for (game, settings, expected) in cases {
        let start = ["match", game, "-engine", &fake, "proto=cecp"];
        let rest = "-engine builtin nodes=1 -rounds 1 -data m.db".split(' ');
        let args: Vec<&str> = start.into_iter().chain(settings.split(' ')).chain(rest).collect();
        let output = assay_selfplay(&args, folder.path());
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(expected), "found\n{stderr}\nexpected\n{expected}");
        assert!(!folder.path().join("m.db").exists());
    }
    // A program that only repeats its input has no features.
    let args = "match chess -engine cmd=cat proto=xboard depth=1 -engine builtin nodes=1 -rounds 1 -openings plies=4";
    let output = assay_selfplay(&args.split(' ').collect::<Vec<_>>(), folder.path());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains(
            "cat: has no feature setboard (it has sent no features), without which games begin at the start position"
        ),
        "{stderr}"
    );
    let engine = format!("cmd={}", fake_engine().display());
    let start = ["match", "duck", "-engine", &engine, "args=assay", "proto=xboard"];
    let rest = "depth=1 -engine builtin nodes=1 -rounds 1";
    let args: Vec<&str> = start.into_iter().chain(rest.split(' ')).collect();
    let output = assay_selfplay(&args, folder.path());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("expected proto=uci"), "{stderr}");
}

/// The games of a match between Assay's engine under UCI and the same engine under `protocol`.
fn own_games(game: &str, protocol: &str) -> Vec<GameRecord> {
    let folder = TempDir::new().unwrap();
    let engine = format!("cmd={}", fake_engine().display());
    let start = ["match", game, "-engine", &engine, "name=a", "-engine", &engine, "name=b", protocol];
    let rest = "-each args=assay depth=3 -rounds 2 -concurrency 2 -maxmoves 40 -seed 5 -data m.db";
    let args: Vec<&str> = start.into_iter().chain(rest.split(' ')).collect();
    printed(&args, folder.path());
    let mut games = games(&folder.path().join("m.db"));
    games.sort_by_key(|game| game.index);
    games
}

#[test]
fn both_protocols_give_the_same_games() {
    // Pockets, 10 and 12 ranks, gating, shuffled starts, promotion of pieces.
    for game in ["chess", "crazyhouse", "grand", "apothecary2", "fischerandom", "minishogi", "gamma2"] {
        let (uci, cecp) = (own_games(game, "proto=uci"), own_games(game, "proto=xboard"));
        for (uci, cecp) in uci.iter().zip(&cecp) {
            assert_eq!(cecp.fault, None, "{game}");
            let search = |game: &GameRecord| game.moves.iter().map(|mv| (mv.mv, mv.eval, mv.depth)).collect::<Vec<_>>();
            assert_eq!((search(uci), uci.end), (search(cecp), cecp.end), "{game}");
        }
        assert_eq!((uci.len(), cecp.len()), (4, 4), "{game}");
    }
}

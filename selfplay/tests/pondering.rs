//! Engines that think in the opponent's time, and when engines are started.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use crate::common::fake::{assert_none_left, fake_engine};
use crate::common::{assay_selfplay, games, printed};
use assay_selfplay::GameRecord;
use assay_selfplay::game::{Eval, FaultKind, GameEnd};
use tempfile::TempDir;

/// Plays a match of one round of the fake engine in two modes, with these settings of the first and
/// of both; returns its games and its log.
fn play(modes: [&str; 2], first: &str, both: &str) -> (Vec<GameRecord>, String) {
    let folder = TempDir::new().unwrap();
    let word = format!("word-ponder-{}-{}", modes.concat(), std::process::id());
    let fake = fake_engine().display();
    let arguments = modes.map(|mode| format!("args={mode} 2 {word}"));
    let words = format!(
        "match|chess|-engine|cmd={fake}|{}|{}|-engine|cmd={fake}|{}|-each|{}\
         |-rounds|1|-openings|plies=3|-maxmoves|12|-stall|3|-data|m.db|-log|m.log",
        arguments[0],
        first.replace(' ', "|"),
        arguments[1],
        both.replace(' ', "|")
    );
    let words: Vec<&str> = words.split('|').filter(|word| !word.is_empty()).collect();
    printed(&words, folder.path());
    assert_none_left(&word);
    let log = fs::read_to_string(folder.path().join("m.log")).unwrap();
    (games(&folder.path().join("m.db")), log)
}

/// How often programs were sent a line that ends with this command.
fn sent(log: &str, command: &str) -> usize {
    log.lines().filter(|line| line.ends_with(&format!("> {command}"))).count()
}

fn without_times(mut games: Vec<GameRecord>) -> Vec<GameRecord> {
    for game in &mut games {
        game.ended = None;
        game.moves.iter_mut().for_each(|played| played.time_ms = None);
    }
    games
}

#[test]
fn pondering_engines_play_the_same_games() {
    for protocol in ["", " proto=xboard"] {
        let limit = format!("depth=1{protocol}");
        let (expected, log) = play(["fine", "fine"], "", &limit);
        assert_eq!(sent(&log, "ponderhit") + sent(&log, "hard"), 0);
        let (played, log) = play(["fine", "fine"], "ponder", &limit);
        assert_eq!(without_times(played), without_times(expected), "{limit}");
        if protocol.is_empty() {
            // Each move but the first of each game; the last search is stopped.
            assert_eq!(sent(&log, "ponderhit"), 22, "{log}");
        } else {
            assert_eq!((sent(&log, "hard"), sent(&log, "easy")), (2, 2));
            let force = log.lines().filter(|line| line.contains("fake_engine > force")).count();
            // At the start of the program, and at the start and the end of each game.
            assert!(force <= 8, "{force}");
        }
    }
}

#[test]
fn another_move_than_expected_stops_the_search() {
    let folder = TempDir::new().unwrap();
    let command = format!("cmd={}", fake_engine().display());
    let start = ["match", "chess", "-engine", &command, "args=assay", "name=program", "option.Hash=1"];
    let rest = "ponder tc=5+0.1 -engine builtin nodes=3000 tc=5+0.1 option.Hash=1 -rounds 1 -maxmoves 30 -data m.db -log m.log";
    let args: Vec<&str> = start.into_iter().chain(rest.split(' ')).collect();
    printed(&args, folder.path());
    let log = fs::read_to_string(folder.path().join("m.log")).unwrap();
    assert!(sent(&log, "stop") > 0 && sent(&log, "ponderhit") > 0, "{log}");
    for game in games(&folder.path().join("m.db")) {
        assert!(game.fault.is_none(), "{:?}", game.fault);
    }
}

#[test]
fn the_opponents_time_is_not_the_own() {
    for protocol in ["", " proto=xboard"] {
        // The opponent takes 0.9 s for each move.
        let (games, _) =
            play(["fine", "slow"], "ponder st=0.5 timemargin=300", &format!("st=20{protocol} -maxmoves 4"));
        for game in games {
            assert_eq!(game.end, GameEnd::MoveLimit, "{:?}", game.fault);
            // What the engine thought about another position does not count.
            assert!(game.moves.iter().all(|played| played.eval == Some(Eval::Centipawns(13))));
        }
    }
}

#[test]
fn faults_in_the_opponents_time_lose() {
    let fault_of = |modes: [&str; 2], limit: &str, kinds: &[FaultKind]| {
        let (games, _) = play(modes, "ponder", limit);
        for game in games {
            let player = game.fault.as_ref().map(|fault| fault.player);
            let is_known = kinds.iter().any(|&kind| game.end == GameEnd::Fault(kind));
            assert!(is_known && player == Some(0), "{modes:?} {limit}: {:?} {:?}", game.end, game.fault);
        }
    };
    let fault = |mode: &str, limit: &str, kind: FaultKind| fault_of([mode, "fine"], limit, &[kind]);
    // The opponent takes 0.9 s. On a busy machine the move arrives after the opponent's even so, as
    // an answer to it.
    let early = [FaultKind::Malformed, FaultKind::IllegalMove];
    fault_of(["early", "slow"], "depth=1", &early);
    fault_of(["early", "slow"], "depth=1 proto=xboard", &early);
    fault("crash-pondering", "depth=1", FaultKind::Crash);
    fault("deaf-hit", "st=0.3", FaultKind::TimeLoss);
    fault("slow", "st=0.4", FaultKind::TimeLoss);
    fault("slow", "st=0.4 proto=xboard", FaultKind::TimeLoss);
    // The built-in engine does not play what the fake engine expects.
    let folder = TempDir::new().unwrap();
    let command = format!("cmd={}", fake_engine().display());
    let start = ["match", "chess", "-engine", &command, "args=deaf-stop", "ponder"];
    let rest = "-engine builtin -each nodes=60 -rounds 1 -openings none -stall 2 -data m.db";
    printed(&start.into_iter().chain(rest.split(' ')).collect::<Vec<_>>(), folder.path());
    for game in games(&folder.path().join("m.db")) {
        let fault = game.fault.as_ref().unwrap();
        assert!(game.end == GameEnd::Fault(FaultKind::Stall) && fault.what.contains("stop"), "{fault:?}");
    }
}

#[test]
fn an_engine_that_cannot_ponder_is_an_error() {
    let folder = TempDir::new().unwrap();
    let engine = "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; esac; done";
    let script = folder.path().join("engine.sh");
    fs::write(&script, engine).unwrap();
    let args =
        ["match", "chess", "-engine", "cmd=sh", "args=engine.sh", "ponder", "-engine", "builtin", "-each", "nodes=1"];
    let output = assay_selfplay(&[&args[..], &["-rounds", "1"]].concat(), folder.path());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && stderr.contains("Ponder"), "{stderr}");
}

#[test]
fn engines_are_started_again_as_they_are_told() {
    // Started once to identify it, and then for the first game or for both. The fake engine says
    // `reuse=0` as an XBoard engine.
    for (restart, [uci, xboard]) in
        [("", [2, 3]), ("restart=auto", [2, 3]), ("restart=on", [3, 3]), ("restart=off", [2, 2])]
    {
        let starts = |protocol: &str, command: &str| {
            let (games, log) = play(["fine", "fine"], restart, &format!("depth=1{protocol}"));
            assert!(games.len() == 2 && games.iter().all(|game| game.fault.is_none()));
            let line = format!("fake_engine > {command}");
            log.lines().filter(|logged| logged.ends_with(&line)).count()
        };
        assert_eq!([starts("", "uci"), starts(" proto=xboard", "protover 2")], [uci, xboard], "{restart}");
    }
}

#[test]
fn games_wait_for_each_other() {
    let started = std::time::Instant::now();
    play(["fine", "fine"], "", "depth=1 -wait 700");
    assert!(started.elapsed().as_millis() >= 700);
}

#[test]
#[cfg(target_os = "linux")]
fn games_have_their_own_processors() {
    let folder = TempDir::new().unwrap();
    // It prints the processors that it may use.
    fs::write(folder.path().join("engine.sh"), "grep Cpus_allowed_list /proc/self/status >> cpus; exec \"$@\"\n")
        .unwrap();
    let arguments = format!("args=engine.sh {} fine", fake_engine().display());
    let args = ["match", "chess", "-engine", "cmd=sh", &arguments, "-engine", "builtin", "-each", "nodes=1"];
    let rest = ["-rounds", "1", "-maxmoves", "4", "-use-affinity"];
    printed(&[&args[..], &rest].concat(), folder.path());
    let lists = fs::read_to_string(folder.path().join("cpus")).unwrap();
    let last = lists.lines().last().unwrap().split_whitespace().last().unwrap();
    // The first start only identifies the engine.
    assert!(lists.lines().count() == 2 && last.parse::<u32>().is_ok(), "{lists}");
    let output = assay_selfplay(&[&args[..], &rest, &["-concurrency", "1024"]].concat(), Path::new(folder.path()));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("--use-affinity: found 1,024 games at a time, which need 1,024 processors, expected at most "),
        "{stderr}"
    );
}

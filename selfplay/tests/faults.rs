//! Engines that misbehave: each kind of fault is recognized and costs one game, and no process is
//! left running.
#![cfg(unix)]

use crate::common::fake::{assert_none_left, fake_engine, some_are_there};
use crate::common::{assay_selfplay, games};
use crate::common::{signal, wait_until};
use assay_selfplay::GameRecord;
use assay_selfplay::game::{FaultKind, GameEnd};
use serde_json::Value;
use tempfile::TempDir;

/// Plays a match of two rounds between the fake engine in a mode and Assay's own; returns its
/// summary and its games.
fn play(mode: &str, limit: &str, more: &[&str]) -> (Value, Vec<GameRecord>) {
    let folder = TempDir::new().unwrap();
    let word = format!("word-{mode}-{}", std::process::id());
    let command = format!("cmd={}", fake_engine().display());
    let arguments = format!("args={mode} 2 {word}");
    let mut args = vec![
        "match",
        "chess",
        "-engine",
        &command,
        "name=fake",
        &arguments,
        limit,
        "-engine",
        "builtin",
        "name=good",
        "nodes=60",
        "-rounds",
        "2",
        "-concurrency",
        "2",
        "-maxmoves",
        "12",
        "-data",
        "match.db",
        "-json",
    ];
    args.extend(more);
    let output = assay_selfplay(&args, folder.path());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{mode}: {stderr}");
    let games = games(&folder.path().join("match.db"));
    assert_eq!(games.len(), 4, "{mode}");
    assert_none_left(&word);
    (serde_json::from_slice(&output.stdout).unwrap(), games)
}

/// All four games end with that fault of the fake engine, and the other engine has the points.
fn assert_fault(mode: &str, limit: &str, more: &[&str], kind: FaultKind) -> Vec<GameRecord> {
    let (json, games) = play(mode, limit, more);
    for game in &games {
        assert_eq!(
            (game.end, game.fault.as_ref().map(|fault| fault.player)),
            (GameEnd::Fault(kind), Some(0)),
            "{mode}: {:?}",
            game.fault
        );
        assert_eq!(game.points_of(0).quarters(), 0, "{mode}");
        assert!(game.moves.len() >= 2, "{mode}: the moves before the fault are kept");
    }
    for other in FaultKind::ALL {
        let expected = if other == kind { 4 } else { 0 };
        assert_eq!(json["faults"][0][other.name()], expected, "{mode}: {other}");
        assert_eq!(json["faults"][1][other.name()], 0, "{mode}: {other}");
    }
    assert_eq!(json["pairs"], serde_json::json!([2, 0, 0, 0, 0]), "{mode}");
    games
}

#[test]
fn crashes_are_reported_with_the_last_lines_of_stderr() {
    let games = assert_fault("crash", "nodes=1", &[], FaultKind::Crash);
    let fault = games[0].fault.as_ref().unwrap();
    assert!(fault.what.contains("exited (exit status: 3) while searching"), "{fault:?}");
    assert_eq!(fault.stderr, ["something is rotten"]);
}

#[test]
fn a_crash_is_shown_with_the_side_that_crashed() {
    let folder = TempDir::new().unwrap();
    let command = format!("cmd={}", fake_engine().display());
    let args = "name=fake nodes=1 -engine builtin nodes=60 -rounds 1 -openings none -pgnout a.pgn";
    let args = ["match", "chess", "-engine", &command, "args=crash 2"].into_iter().chain(args.split(' '));
    let output = assay_selfplay(&args.collect::<Vec<_>>(), folder.path());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("\n  standard error: something is rotten\n"), "{stderr}");
    let pgn = std::fs::read_to_string(folder.path().join("a.pgn")).unwrap();
    // Lines are wrapped.
    let pgn = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    for place in [" 2. {crash: ", " 2... {crash: "] {
        assert!(pgn.contains(place), "{place}: {pgn}");
    }
}

#[test]
fn an_exit_is_a_crash_even_if_a_child_holds_the_output() {
    // Waiting for the end of the output would end in a stall.
    let games = assert_fault("leave", "nodes=1", &["-stall", "600"], FaultKind::Crash);
    let fault = games[0].fault.as_ref().unwrap();
    assert!(fault.what.contains("exited (exit status: 3)"), "{fault:?}");
}

#[test]
fn a_repeated_answer_is_ignored() {
    let (_, games) = play("again", "nodes=1", &[]);
    assert!(games.iter().all(|game| game.fault.is_none()));
}

/// Plays a match of the fake engine, with these settings, against the built-in engine at one node
/// per move.
fn match_of_fake(settings: &[&str], more: &[&str], folder: &TempDir) -> std::process::Output {
    let command = format!("cmd={}", fake_engine().display());
    let start = ["match", "chess", "-engine", &command];
    let opponent = ["-engine", "builtin", "-each", "nodes=1"];
    assay_selfplay(&[&start, settings, &opponent, more].concat(), folder.path())
}

#[test]
fn control_characters_of_engines_reach_no_output() {
    let folder = TempDir::new().unwrap();
    let files = ["-rounds", "1", "-pgnout", "m.pgn", "-html", "m.html", "-data", "m.db"];
    let output = match_of_fake(&["args=garbage", "name=f\u{1b}ke"], &files, &folder);
    assert_eq!(output.status.code(), Some(0));
    let read = |name| std::fs::read(folder.path().join(name)).unwrap();
    let json = assay_selfplay(&["info", "m.db", "--json"], folder.path()).stdout;
    for text in [output.stdout, output.stderr, read("m.pgn"), read("m.html"), json] {
        let text = String::from_utf8(text).unwrap();
        let found = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
        assert_eq!(found, None, "{text}");
    }
}

#[test]
fn long_names_of_engines_are_cut() {
    let folder = TempDir::new().unwrap();
    let length = ["-rounds", "1", "-maxmoves", "2"];
    let output = match_of_fake(&["args=babble 999", "name=fake"], &length, &folder);
    let stdout = String::from_utf8(output.stdout).unwrap();
    let line = stdout.lines().find(|line| line.starts_with("fake: ")).unwrap();
    let (name, _) = line["fake: ".len()..].split_once(" (").unwrap();
    assert_eq!(name.len(), 60, "{line}");
    assert!(name.starts_with("Fake fake fake") && name.ends_with("..."), "{line}");
}

#[test]
fn a_signal_during_engine_startup_is_not_an_error() {
    let folder = TempDir::new().unwrap();
    let word = format!("word-start-{}", std::process::id());
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_assay-selfplay"))
        .args(["match", "chess", "-engine", &format!("cmd={}", fake_engine().display())])
        .args([&format!("args=sleep {word}"), "-engine", "builtin", "-each", "nodes=1", "-rounds", "1"])
        .current_dir(folder.path())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    wait_until(|| some_are_there(&word));
    signal(&child, "TERM");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "stopped before the first game\n");
    assert_none_left(&word);
}

#[test]
fn closed_output_is_a_crash_even_if_the_process_keeps_running() {
    let games = assert_fault("close", "nodes=1", &[], FaultKind::Crash);
    let fault = games[0].fault.as_ref().unwrap();
    assert!(fault.what.contains("closed its output"), "{fault:?}");
}

#[test]
fn hanging_is_a_stall_with_and_without_a_clock() {
    assert_fault("hang", "nodes=1", &["-stall", "3"], FaultKind::Stall);
    assert_fault("hang", "tc=0.3+0.3", &["-stall", "3"], FaultKind::Stall);
    assert_fault("flood", "st=0.3", &["-stall", "3"], FaultKind::Stall);
}

#[test]
fn a_late_answer_is_a_time_loss_not_a_stall() {
    for limit in ["tc=0.5+0.1", "st=0.4"] {
        assert_fault("slow", limit, &["-stall", "30"], FaultKind::TimeLoss);
    }
}

#[test]
fn illegal_moves_are_recorded_with_both_views() {
    let games = assert_fault("illegal", "nodes=1", &[], FaultKind::IllegalMove);
    let dispute = games[0].fault.as_ref().and_then(|fault| fault.dispute.as_ref()).unwrap();
    assert_eq!((dispute.ply, dispute.found.as_str()), (games[0].moves.len() + 1, "e2e5"));
    assert!(!dispute.legal.is_empty() && !dispute.legal.contains(&"e2e5".to_owned()));
    assert!(dispute.fen.split(' ').count() == 6);
}

#[test]
fn answers_that_are_not_moves_are_malformed() {
    assert_fault("garbage", "nodes=1", &[], FaultKind::Malformed);
    let games = assert_fault("nothing", "nodes=1", &[], FaultKind::Malformed);
    assert_eq!(games[0].fault.as_ref().unwrap().what, "`bestmove` without a move");
}

#[test]
fn claiming_no_move_is_a_wrong_claim_if_there_are_legal_moves() {
    assert_fault("none", "nodes=1", &[], FaultKind::WrongClaim);
    assert_fault("null", "nodes=1", &[], FaultKind::WrongClaim);
}

#[test]
fn unknown_output_is_not_a_fault() {
    let (json, games) = play("huge", "nodes=1", &[]);
    assert_eq!(json["faults"][0], json["faults"][1]);
    assert!(games.iter().all(|game| game.fault.is_none()));
}

#[test]
fn engines_that_ignore_quit_are_killed_with_their_children() {
    for mode in ["deaf", "child"] {
        let (_, games) = play(mode, "nodes=1", &[]);
        assert!(games.iter().all(|game| game.fault.is_none()), "{mode}");
    }
}

#[test]
fn an_engine_that_always_fails_ends_the_match_without_losing_games() {
    let folder = TempDir::new().unwrap();
    let command = format!("cmd={}", fake_engine().display());
    let output = assay_selfplay(
        &[
            "match",
            "chess",
            "-engine",
            &command,
            "args=crash 2",
            "name=fake",
            "nodes=1",
            "-engine",
            "builtin",
            "nodes=20",
            "-rounds",
            "50",
            "-maxfaults",
            "3",
            "-data",
            "match.db",
        ],
        folder.path(),
    );
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{stderr}");
    assert!(stderr.contains("engine fake: crashed or stalled in 3 games in a row"), "{stderr}");
    assert_eq!(games(&folder.path().join("match.db")).len(), 3);
}

#[test]
fn faults_of_the_opponent_end_a_row_of_faults() {
    let folder = TempDir::new().unwrap();
    let command = format!("cmd={}", fake_engine().display());
    let args = "nodes=1 -openings none -rounds 3 -maxfaults 2 -data match.db";
    // White is the first to crash.
    let engines = ["match", "chess", "-engine", &command, "name=a", "-engine", &command, "name=b"];
    let engines = [&engines[..], &["-each", "args=crash 2"]].concat();
    let output = assay_selfplay(&engines.into_iter().chain(args.split(' ')).collect::<Vec<_>>(), folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let faults = games(&folder.path().join("match.db")).into_iter().map(|game| game.fault.unwrap().player);
    assert_eq!(faults.collect::<Vec<_>>(), [0, 1, 0, 1, 0, 1]);
}

#[test]
fn engines_that_cannot_play_are_reported_before_a_file_is_created() {
    let folder = TempDir::new().unwrap();
    let fake = format!("cmd={}", fake_engine().display());
    let cases: [(&[&str], &str); 8] = [
        (&["cmd=./no-such-program"], "engine no-such-program: cannot start `./no-such-program`: No such file"),
        (&[&fake, "args=no-start"], "engine fake_engine: exited (exit status: 7) before it answered `uci`"),
        (&[&fake, "args=endless"], "engine fake_engine: found 4 MiB of output without the end of the answer to `uci`"),
        (&[&fake, "option.Hahs=1"], "engine fake_engine: has no option `Hahs`; did you mean `Hash`?"),
        (&[&fake, "option.Hash=0"], "option Hash: found `0`, expected a number from 1 to 1024"),
        (&[&fake, "option.Mood=ugly"], "option Mood: found `ugly`, expected one of good, bad"),
        (
            &[&fake, "option.Hash=64", "option.EvalFile=typo.network"],
            "error: engine fake_engine: reported an error of an option: `ERROR: typo.network was not loaded`\n",
        ),
        (&[&fake, "option.VariantPath=x.ini"], "engine fake_engine: has no option `VariantPath`"),
    ];
    for (engine, expected) in cases {
        let mut args = vec!["match", "chess", "-engine"];
        args.extend(engine);
        args.extend(["-engine", "builtin", "-each", "nodes=1", "-rounds", "1", "-data", "match.db"]);
        let output = assay_selfplay(&args, folder.path());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(expected), "found\n{stderr}\nexpected\n{expected}");
        assert!(!folder.path().join("match.db").exists());
    }
    let args = ["match", "gamma2", "-engine", &fake, "-engine", "builtin", "-each", "nodes=1", "-rounds", "1"];
    let stderr = String::from_utf8(assay_selfplay(&args, folder.path()).stderr).unwrap();
    assert!(
        stderr.contains("plays chess only (it has no option UCI_Variant), expected an engine that supports gamma2"),
        "{stderr}"
    );
}

//! `compare`, against shell scripts in place of engines.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::common::{json, run};

/// A UCI engine that answers `go perft` with the shell commands `answer`.
fn engine(answer: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine.sh");
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do\n  case \"$line\" in\n    uci) echo 'option name UCI_Variant type combo default chess var chess var gunnery'; echo uciok ;;\n    \
         isready) echo readyok ;;\n    'go perft'*) {answer} ;;\n    quit) exit ;;\n  esac\ndone\n"
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let command = path.display().to_string();
    (folder, command)
}

/// A suite of one position.
fn suite(folder: &tempfile::TempDir, fen: &str) -> String {
    let path = folder.path().join("suite.epd");
    fs::write(&path, format!("{fen} ;variant chess ;D1 1\n")).unwrap();
    path.display().to_string()
}

/// Arguments that compare a suite of chess with an engine.
fn against<'a>(command: &'a str, suite: &'a str, depth: &'a str) -> [&'a str; 8] {
    ["compare", "chess", "--against", command, "--suite", suite, "--depth", depth]
}

const BARE: &str = "8/8/8/8/8/k7/8/K7 w - - 0 1";

#[test]
fn agrees() {
    let (folder, command) = engine("echo 'a1b1: 1'; echo; echo 'Nodes searched: 1'");
    let suite = suite(&folder, BARE);
    let value = json(&against(&command, &suite, "1"), 0);
    assert_eq!((&value["agree"], &value["compared"], &value["nodes"]), (&true.into(), &1.into(), &1.into()));
    assert_eq!(value["differences"].as_array().unwrap().len(), 0);
}

#[test]
fn lists_missing_and_extra_moves() {
    let (folder, command) = engine("echo 'a1b2: 1'; echo 'Nodes searched: 1'");
    let suite = suite(&folder, BARE);
    let value = json(&against(&command, &suite, "1"), 1);
    let difference = &value["differences"][0];
    assert_eq!((&difference["missing"][0], &difference["extra"][0]), (&"a1b2".into(), &"a1b1".into()));
    assert_eq!((&difference["fen"], &difference["ours"][0]), (&BARE.into(), &"a1b1".into()));
    let (status, out, _) = run(&against(&command, &suite, "1"));
    assert_eq!(status, 1);
    assert!(out.contains("  missing: a1b2") && out.contains("1 difference: 1 position"), "{out}");
}

#[test]
fn makes_random_positions_as_they_are_needed() {
    let (_folder, command) = engine("echo 'a1b2: 1'; echo 'Nodes searched: 1'");
    let (folder, _) = engine("true");
    let suite = suite(&folder, BARE);
    let many = ["--positions", "1000000000000", "--threads", "2", "--max-differences", "3"];
    let value = json(&[&against(&command, &suite, "1")[..], &many].concat(), 1);
    assert_eq!(value["compared"], 6);
    let few = ["--positions", "5", "--threads", "2"];
    let few = json(&[&against(&command, &suite, "1")[..], &few].concat(), 1);
    assert_eq!(few["differences"], value["differences"]);
}

#[test]
fn follows_differences_down() {
    // Right at depth 2 but for the count below a1b1, wrong below it.
    let answer = "if [ \"$line\" = 'go perft 2' ]; then echo 'a1b1: 7'; echo 'Nodes searched: 7'; else echo 'a3a2: 1'; echo 'Nodes searched: 1'; fi";
    let (folder, command) = engine(answer);
    let suite = suite(&folder, BARE);
    let value = json(&against(&command, &suite, "2"), 1);
    let difference = &value["differences"][0];
    assert_eq!(difference["path"], serde_json::json!(["a1b1"]));
    assert_eq!(difference["fen"], "8/8/8/8/8/k7/8/1K6 b - - 1 1");
}

#[test]
fn detects_engines_that_hang_crash_or_cannot_be_read() {
    // Only the engines that hang should run into their timeout.
    let cases = [
        ("sleep 100", "3", "no answer to `go perft 1` within 3 s"),
        ("exit 3", "60", "exited (exit status: 3) before it answered `go perft 1`"),
        (
            "echo 'a1b1: one'; echo 'Nodes searched: 1'",
            "60",
            "go perft 1: found `a1b1: one`, expected a move and its count, such as `e2e4: 20`",
        ),
        ("echo 'Nodes searched: 1'", "60", "go perft 1: found the total 1 without moves"),
        (
            "echo 'a1b1: 1'",
            "3",
            "no end of the answer to `go perft 1` within 3 s: found counts of moves, expected also a total",
        ),
    ];
    for (answer, timeout, message) in cases {
        let (folder, command) = engine(answer);
        let suite = suite(&folder, BARE);
        let args = [&against(&command, &suite, "1")[..], &["--timeout", timeout]].concat();
        let (status, out, err) = run(&args);
        assert_eq!(status, 1, "{err}");
        assert!(out.contains(&format!("failure: {message}")), "{out}");
        assert!(out.contains(&format!("    position fen {BARE}\n    go perft 1\n")), "{out}");
    }
}

#[test]
fn leaves_no_process_behind() {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let (other, command) = engine(&format!("sleep 100 & echo $! > {}; wait", pid.display()));
    let suite = suite(&other, BARE);
    let args = [&against(&command, &suite, "1")[..], &["--timeout", "3"]].concat();
    assert_eq!(run(&args).0, 1);
    let child = fs::read_to_string(pid).unwrap().trim().to_owned();
    // A killed orphan may remain a zombie; it must not run.
    let state = fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
    let running = state.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with(['R', 'S', 'D']));
    assert!(!running, "{state}");
}

#[test]
fn rejects_games_that_the_engine_does_not_support() {
    let (_folder, command) = engine("true");
    let (status, _, err) = run(&["compare", "scorpion", "--against", &command, "--positions", "1"]);
    assert_eq!(status, 2);
    assert!(err.contains("does not support the game `scorpion`"), "{err}");
}

/// Positions without counts, a line that is wrong, and a FEN with a right that nothing gives.
#[test]
fn wrong_lines_of_a_suite_are_skipped_unless_strict() {
    let (folder, command) = engine("echo 'a1b1: 1'; echo 'Nodes searched: 1'");
    let path = folder.path().join("positions.epd");
    fs::write(&path, format!("% comment\n{BARE}\nnonsense\n8/8/8/8/8/k7/8/K7 w K - bm a1b1; id \"x\";\n")).unwrap();
    let path = path.display().to_string();
    let args = against(&command, &path, "1");
    let (status, out, err) = run(&args);
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("all agree: 2 positions"), "{out}");
    assert!(
        err.contains("positions.epd:3:1: found a FEN of 1 field") && err.contains("; this line is skipped"),
        "{err}"
    );
    assert!(err.contains("positions.epd:4: right `K` ignored"), "{err}");
    assert_eq!(json(&args, 0)["skipped_lines"], 1);
    let (status, out, err) = run(&[&args[..], &["--strict"]].concat());
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("positions.epd:3:1: "), "{err}");
}

/// A definition is loaded into an engine that does not list its game.
#[test]
fn the_definition_of_a_game_is_loaded_into_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("mine.toml");
    fs::write(&game, "name = \"mine\"\ntitle = \"Mine\"\nbase = \"chess\"\nsource = \"a test\"\n").unwrap();
    let path = folder.path().join("engine.sh");
    let script = "#!/bin/sh\nfiles=''\nwhile read -r line; do\n  case \"$line\" in\n    uci) echo \"option name UCI_Variant type combo default chess var chess $files\"; \
                  echo 'option name VariantPath type string default <empty>'; echo uciok ;;\n    isready) echo readyok ;;\n    \
                  *VariantPath*/mine.toml) files='var mine' ;;\n    'go perft'*) echo 'a1b1: 1'; echo 'Nodes searched: 1' ;;\n    quit) exit ;;\n  esac\ndone\n";
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let suite = folder.path().join("suite.epd");
    fs::write(&suite, format!("{BARE}\n")).unwrap();
    let (game, path, suite) = (game.display().to_string(), path.display().to_string(), suite.display().to_string());
    let value = json(&["compare", &game, "--against", &path, "--suite", &suite, "--depth", "1"], 0);
    assert_eq!((&value["agree"], &value["variant"]), (&true.into(), &"mine".into()));
}

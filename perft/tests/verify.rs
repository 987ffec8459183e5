//! `verify`.

use std::fs;

use crate::common::{json, perft, run};
use assay_rules::def::DATA_NAMES;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A suite in a temporary folder.
fn suite(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("suite.epd");
    fs::write(&path, text).unwrap();
    let path = path.display().to_string();
    (folder, path)
}

#[test]
fn embedded_suites_agree_on_small_counts() {
    let value = json(&["verify", "--max-nodes", "5000"], 0);
    assert_eq!(value["agree"], true);
    assert_eq!(value["differences"].as_array().unwrap().len(), 0);
    for game in ["chess", "berolina", "gamma2", "gunnery", "scorpion", "apothecary2", "capablanca", "gunnery10"] {
        let sum = &value["games"][game];
        let least = if ["capablanca", "gunnery10"].contains(&game) { 8 } else { 60 };
        assert!(sum["positions"].as_u64().unwrap() >= least, "{game}: {sum}");
        assert!(sum["skipped"]["engine"].as_u64().unwrap() > 0, "{game}: {sum}");
    }
    for game in DATA_NAMES {
        let positions = value["games"][game]["positions"].as_u64();
        assert!(positions.is_some_and(|positions| positions >= 4), "{game}: {positions:?}");
    }
}

#[test]
fn reports_large_counts_that_the_rules_generator_skips() {
    let (_folder, path) = suite(&format!("{START} ;variant chess ;D1 20 ;D2 400 ;D3 8902\n"));
    let (status, out, err) = run(&["verify", &path, "--rules-max-nodes", "500"]);
    assert_eq!(status, 0, "{out}");
    assert!(out.contains("skipped: rules 1"), "{out}");
    assert!(out.contains("all agree: 1 position, 5 counts"), "{out}");
    assert!(err.contains("rules-max-nodes 500"), "{err}");
}

#[test]
fn reports_a_wrong_count_with_root_counts() {
    let (_folder, path) = suite(&format!("# one is wrong\n{START} ;variant gunnery ;D1 20 ;D2 401\n"));
    let (status, out, _) = run(&["verify", &path]);
    assert_eq!(status, 1);
    assert!(out.contains(&format!("{path}:2: gunnery D2: suite 401, engine 400, rules 400")), "{out}");
    assert!(out.contains("the generators agree with each other but not with the suite"), "{out}");
    assert!(out.contains("    e2e4: 20"), "{out}");
    assert!(out.contains("1 position differs"), "{out}");
    let value = json(&["verify", &path, "--generator", "engine"], 1);
    let difference = &value["differences"][0];
    assert_eq!((&difference["line"], &difference["depth"]), (&2.into(), &2.into()));
    assert_eq!((&difference["expected"], &difference["found"]["engine"]), (&401.into(), &400.into()));
    assert_eq!(difference["divide"]["e2e4"], 20);
    assert_eq!(difference["first_difference"], serde_json::Value::Null);
}

#[test]
fn junit_has_a_test_case_per_line() {
    let (folder, path) = suite(&format!(
        "{START} ;variant chess ;D1 20\n{START} ;variant chess ;D1 21\n{START} ;variant chess ;D5 4865609\n"
    ));
    let report = folder.path().join("report.xml");
    let report_text = report.display().to_string();
    let (status, _, _) = run(&["verify", &path, "--max-nodes", "1000", "--junit", &report_text]);
    assert_eq!(status, 1);
    let xml = fs::read_to_string(report).unwrap();
    assert_eq!(xml.matches("<testcase ").count(), 3, "{xml}");
    assert_eq!(xml.matches("<failure ").count(), 1, "{xml}");
    assert_eq!(xml.matches("<skipped").count(), 1, "{xml}");
    assert!(xml.contains("name=\"line 2: rnbqkbnr/"), "{xml}");
    assert!(xml.contains("chess D1: suite 21, engine 20, rules 20"), "{xml}");
}

#[test]
fn takes_the_game_from_the_flag_or_from_a_path_relative_to_the_suite() {
    let (folder, path) = suite(&format!("{START} ;D1 20\n{START} ;variant berolina ;D1 30\n"));
    let value = json(&["verify", &path, "--game", "chess"], 0);
    assert_eq!((&value["all"]["positions"], &value["files"][0]["other_games"]), (&1.into(), &1.into()));
    let game = "name = \"mine\"\ntitle = \"Mine\"\nbase = \"chess\"\nsource = \"a test\"\n";
    fs::write(folder.path().join("mine.toml"), game).unwrap();
    fs::write(folder.path().join("suite.epd"), format!("{START} ;variant mine.toml ;D2 400\n")).unwrap();
    let value = json(&["verify", &path], 0);
    assert_eq!(value["games"]["mine"]["positions"], 1);
}

#[test]
fn reads_all_files_before_counting() {
    let (folder, path) = suite(&format!("{START} ;variant chess ;D1 19\n"));
    let other = folder.path().join("other.epd");
    fs::write(&other, "nonsense\n").unwrap();
    let (status, out, err) = run(&["verify", &path, &other.display().to_string()]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("other.epd:1:9: found no game, expected `;variant NAME`"), "{err}");
}

#[test]
fn embedded_suites_work_in_any_folder() {
    let folder = tempfile::tempdir().unwrap();
    let output =
        perft(&["verify", "--game", "chess", "--max-nodes", "100"]).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("chess.epd"));
}

/// Mechanisms that no built-in game has, against the counts of another engine.
#[test]
fn counts_of_user_games_agree() {
    for suite in ["testdata/games/perft.epd", "examples/games/perft.epd"] {
        let suite = format!("{}/../{suite}", env!("CARGO_MANIFEST_DIR"));
        let value = json(&["verify", &suite], 0);
        let lines = std::fs::read_to_string(&suite).unwrap();
        let positions = lines.lines().filter(|line| line.contains(";D1")).count();
        assert_eq!((&value["agree"], &value["all"]["positions"]), (&true.into(), &positions.into()), "{value}");
    }
}

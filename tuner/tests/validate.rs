//! End-to-end tests of `validate` and `fit` on a few games with few nodes.

use assay_selfplay::settings::{Material, RunOptions, SelfPlay};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{assay_tuner, error, json, play, printed, read};

#[test]
fn validate_plays_resumes_extends_and_measures() {
    let folder = TempDir::new().unwrap();
    // With so few games and nodes: one value per piece, and no second method.
    let small = "validate chess --nodes 30 --phase-model constant --playtest 0 --resamples 20";
    let output = assay_tuner(&format!("{small} --games 60 --json"), folder.path());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr, "", "nothing is drawn where there is no terminal");
    assert!(folder.path().join("assay-chess.db").exists());
    let first: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(first["games"]["games"], 60);
    assert_eq!(first["games"]["pairs"], 30);
    assert_eq!(first["games"]["incomplete_pairs"], 0);
    let pieces: Vec<&str> =
        first["tables"][0]["values"].as_array().unwrap().iter().map(|value| value["piece"].as_str().unwrap()).collect();
    assert_eq!(pieces, ["queen", "rook", "bishop", "knight", "pawn"]);

    // Running it again plays nothing and prints the same; more games extend the run.
    assert_eq!(json(&format!("{small} --games 60"), folder.path()), first);
    let more = json(&format!("{small} --games 80"), folder.path());
    assert_eq!(more["games"]["games"], 80);

    // In one run or two, on one thread or two: the same games, the same numbers.
    let at_once = json(&format!("{small} --games 80 --data once.db --threads 1"), folder.path());
    assert_eq!(at_once["files"][0]["hash"], more["files"][0]["hash"]);
    assert_eq!(at_once["fit"], more["fit"]);

    // Another seed makes another file; `fit` pools both and plays no games.
    let other = "validate chess --nodes 30 --games 60 --seed 2 --data two.db --phase-model constant --playtest 0";
    let table = printed(other, folder.path());
    assert!(table.contains("Orthodox chess: 60 games") && table.contains("two.db"), "{table}");
    let both = json("fit once.db two.db --phase-model constant --html both.html", folder.path());
    assert_eq!(both["games"]["games"], 140);
    assert_eq!(both["games"]["pairs"], 70);
    assert_eq!(both["command"], "assay-tuner fit once.db two.db --phase-model constant");
    assert!(read(folder.path(), "both.html").contains("</html>"));
}

/// Ctrl-C stops play; the games so far are kept and measured.
#[cfg(unix)]
#[test]
fn interrupted_run_is_measured() {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let folder = TempDir::new().unwrap();
    let data = folder.path().join("assay-chess.db");
    let running = Command::new(env!("CARGO_BIN_EXE_assay-tuner"))
        .args("validate chess --games 1000000 --nodes 30 --phase-model constant --playtest 100000 --json".split(' '))
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let played = || assay_selfplay::Store::open_read(&data).and_then(|store| store.count()).unwrap_or(0);
    for _ in 0..600 {
        if played() >= 100 {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Command::new("kill").args(["-INT", &running.id().to_string()]).status().unwrap();
    let output = running.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(
        stderr.contains("stopped after ") && stderr.contains("Run the same command again to play the rest."),
        "{stderr}"
    );
    assert!(
        stderr.contains("stopped before the playtest; the same command plays it") && !stderr.contains("no such file"),
        "{stderr}"
    );
    let measured: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(measured["playtest"], Value::Null, "nothing more is played");
    assert!(measured["games"]["games"].as_u64().unwrap() >= 100);
    assert_eq!(measured["games"]["games"], played());
}

/// Both methods, then the playtest alone from the same file.
#[test]
fn validate_compares_regression_and_playtest() {
    let folder = TempDir::new().unwrap();
    let both = "validate chess --nodes 60 --games 120 --playtest 400 --phase-model constant --data v.db";
    let output = assay_tuner(&format!("{both} --json"), folder.path());
    let stderr = String::from_utf8(output.stderr).unwrap();
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    if json["playtest"].is_null() {
        // So few games may leave a kind unmeasured; the output then names it.
        assert!(stderr.contains("no playtest: ") && stderr.contains("more games are needed"), "{stderr}");
        return;
    }
    assert_eq!(json["playtest"]["games"], 400);
    let pieces: Vec<&str> =
        json["agreement"]["values"].as_array().unwrap().iter().map(|value| value["piece"].as_str().unwrap()).collect();
    assert_eq!(pieces.len(), 5, "{pieces:?}");
    let alone = "fit v-playtest.db";
    assert_eq!(self::json(alone, folder.path()), json["playtest"]);
    let table = printed(alone, folder.path());
    assert!(
        table.contains("army: queen, rook, bishop, knight together are worth 20") && table.contains("queen"),
        "{table}"
    );
}

/// A budget is the time to play, even if it is too short for --games: the text says so, and the
/// command repeats the measurement from what was played.
#[test]
fn a_short_budget_is_reported() {
    let folder = TempDir::new().unwrap();
    let small = "validate chess --nodes 30 --phase-model constant --playtest 0 --data b.db";
    printed(&format!("{small} --games 80"), folder.path());
    let budget = format!("{small} --games 1000000 --budget 1s");
    let output = assay_tuner(&budget, folder.path());
    for said in [output.stdout, output.stderr].map(|said| String::from_utf8(said).unwrap()) {
        assert!(said.contains("The budget ended after ") && said.contains(" of 1,000,000 games."), "{said}");
    }
    let found = json(&budget, folder.path());
    let repeated = "fit b.db --phase-model constant";
    assert_eq!(found["command"], format!("assay-tuner {repeated}"));
    assert_eq!(json(repeated, folder.path()), found);
}

#[test]
fn a_precision_out_of_reach_is_an_error() {
    let folder = TempDir::new().unwrap();
    let args = "validate chess --nodes 30 --games 80 --phase-model constant --data p.db --precision 0.0000001";
    let stderr = error(args, folder.path());
    assert!(stderr.contains("--precision: found 0.0000001, which needs more than 1,099,511,627,776 games"), "{stderr}");
}

/// `w.db` and `w.sqlite` have the same file for the playtest.
#[test]
fn the_file_of_the_playtest_is_checked_before_any_game() {
    for (file, shard) in [("w-playtest.db", ""), ("w-playtest-shard-1-of-2.db", " --shard 1/2")] {
        let folder = TempDir::new().unwrap();
        let playtest = SelfPlay { seed: 2, nodes: 20, material: Material::Playtest, ..SelfPlay::default() };
        play(&folder.path().join(file), playtest, &RunOptions::self_play(4, 1));
        let args = format!("validate chess --games 1000000 --playtest 100 --nodes 20 --data w.sqlite{shard}");
        let stderr = error(&args, folder.path());
        assert!(stderr.contains(&format!("{file}: found a run with ")) && stderr.contains("expected 1"), "{stderr}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

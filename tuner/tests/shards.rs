//! Commands that play shards of their games, and commands that take several files.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use assay_selfplay::settings::{Material, RunOptions, SelfPlay};
use assay_selfplay::store::merge;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{error, json, play, printed};

fn merge_files(folder: &Path, out: &str, shards: &[&str]) {
    let shards: Vec<PathBuf> = shards.iter().map(|name| folder.join(name)).collect();
    merge(&folder.join(out), &shards, false, |_| {}, &AtomicBool::new(false)).unwrap();
}

/// Checks that two reports have the same contents, but for the names of files and the last digits:
/// sums depend on the order of the files.
fn assert_close(one: &Value, other: &Value, place: &str) {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            assert!((a - b).abs() <= 1e-6 * a.abs().max(1.0), "{place}: {a} {b}");
        }
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{place}");
            for (number, (a, b)) in a.iter().zip(b).enumerate() {
                assert_close(a, b, &format!("{place} {number}"));
            }
        }
        (Value::Object(a), Value::Object(b)) => {
            assert!(a.keys().eq(b.keys()), "{place}");
            for (key, a) in a {
                assert_close(a, &b[key], &format!("{place} {key}"));
            }
        }
        (Value::String(a), Value::String(b)) => {
            // `file.db, file.db: what is wrong with them`
            let without_files = |text: &str| text.rsplit(".db: ").next().map(str::to_owned);
            assert_eq!(without_files(a), without_files(b), "{place}");
        }
        (a, b) => assert_eq!(a, b, "{place}"),
    }
}

#[test]
fn shards_of_a_measurement_are_the_measurement() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let small = "validate chess --games 400 --nodes 30 --playtest 20 --phase-model constant --resamples 0";
    let whole = json(&format!("{small} --data whole.db"), folder);
    for number in [3, 1, 2] {
        let text = printed(&format!("{small} --data part.db --shard {number}/3"), folder);
        let games = if number == 3 { 132 } else { 134 };
        let expected = format!("part-shard-{number}-of-3.db: {games} of {games} games of shard {number}/3\n");
        assert!(text.starts_with(&expected), "{text}");
        assert!(text.contains(&format!("part-playtest-shard-{number}-of-3.db: ")), "{text}");
    }
    // Merged, the run is complete: nothing is played.
    let shards = ["part-shard-1-of-3.db", "part-shard-2-of-3.db", "part-shard-3-of-3.db"];
    let playtest = shards.map(|name| name.replace("part", "part-playtest"));
    merge_files(folder, "part.db", &shards);
    merge_files(folder, "part-playtest.db", &playtest.each_ref().map(String::as_str));
    let merged = json(&format!("{small} --data part.db"), folder);
    assert_eq!(merged["files"][0]["hash"], whole["files"][0]["hash"]);
    assert_eq!(merged["tables"], whole["tables"]);
    let (of_merged, of_whole) = (&merged["playtest"], &whole["playtest"]);
    assert_eq!(of_merged["files"][0]["hash"], of_whole["files"][0]["hash"]);
    assert!(of_whole["comparisons"].is_array(), "{of_whole}");
    assert_eq!(of_merged["comparisons"], of_whole["comparisons"]);

    // Not merged, the files have the same pairs.
    let [one, two, three] = shards;
    let files = format!("{three} {one} {two}");
    let several = json(&format!("fit --phase-model constant --resamples 0 {files}"), folder);
    assert_eq!(several["files"][0]["shard"], "3/3");
    assert_eq!(several["games"]["pairs"], 200);
    assert_close(&several["tables"], &whole["tables"], "tables");
    assert_close(&several["fit"]["covariance"], &whole["fit"]["covariance"], "covariance");
    let tuned = json(&format!("tune {files}"), folder);
    assert_eq!(tuned["pairs"], json("tune whole.db", folder)["pairs"]);

    // No game counts twice.
    std::fs::copy(folder.join(one), folder.join("copy.db")).unwrap();
    for (files, expected) in [
        (
            format!("{one} copy.db"),
            "copy.db: found shard 1/3 of the run of which part-shard-1-of-3.db holds shard 1/3;",
        ),
        (format!("whole.db {two}"), "part-shard-2-of-3.db: found shard 2/3 of the run of which whole.db holds all;"),
        (format!("{two} whole.db"), "whole.db: found all of the run of which part-shard-2-of-3.db holds shard 2/3;"),
        ("whole.db part.db".to_owned(), "part.db: found all of the run of which whole.db holds all;"),
    ] {
        for command in ["fit", "tune", "network"] {
            let stderr = error(&format!("{command} {files}"), folder);
            assert!(stderr.contains(expected), "{command} {files}: {stderr}");
        }
    }
    printed(&format!("{small} --data other.db --shard 1/2"), folder);
    let stderr = error(&format!("fit {two} other-shard-1-of-2.db"), folder);
    assert!(
        stderr.contains(
            "other-shard-1-of-2.db: found shard 1/2 of the run of which part-shard-2-of-3.db holds shard 2/3;"
        ),
        "{stderr}"
    );
}

#[test]
fn shards_of_claims_are_the_claims() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    for data in ["whole", "parts"] {
        std::fs::create_dir(folder.join(data)).unwrap();
    }
    let small = "claims gunnery --games 60 --nodes 20";
    let whole = json(&format!("{small} --folder whole"), folder);
    let mut files = Vec::new();
    for number in [2, 1] {
        let text = printed(&format!("{small} --folder parts --shard {number}/2"), folder);
        files.extend(text.lines().map(|line| line.split(':').next().unwrap().to_owned()));
    }
    // Gunnery's claims compare it with chess.
    assert!(files.len() >= 6, "{files:?}");
    let several = json(&format!("claims gunnery --from {}", files.join(" ")), folder);
    assert_close(&several["findings"], &whole["findings"], "findings");

    for first in files.iter().filter(|name| name.ends_with("-shard-1-of-2.db")) {
        let second = first.replace("shard-1", "shard-2");
        merge_files(folder, &first.replace("-shard-1-of-2", ""), &[first, &second]);
    }
    let merged = json(&format!("{small} --folder parts"), folder);
    assert_close(&merged["findings"], &whole["findings"], "findings");

    let stderr = error("claims berolina --from whole/assay-gunnery.db", folder);
    let expected =
        "whole/assay-gunnery.db: found games that no claim is tested on, expected games like those that `claims` plays";
    assert!(stderr.contains(expected), "{stderr}");
}

#[test]
fn a_playtest_is_measured_from_several_files() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    for (file, shard) in [("whole.db", None), ("one.db", Some("1/2")), ("two.db", Some("2/2"))] {
        let playtest = SelfPlay { nodes: 20, material: Material::Playtest, ..SelfPlay::default() };
        let shard = shard.map(|shard| shard.parse().unwrap());
        play(&folder.join(file), playtest, &RunOptions { shard, ..RunOptions::self_play(400, 2) });
    }
    let [whole, several] = ["whole.db", "two.db one.db"].map(|files| json(&format!("fit {files}"), folder));
    assert_eq!(several["games"], 400);
    for key in ["tables", "comparisons", "unit_log_odds"] {
        assert_close(&several[key], &whole[key], key);
    }
    let stderr = error("fit two.db one.db --csv new.csv", folder);
    assert!(stderr.contains("--csv: found only files of a playtest"), "{stderr}");
}

#[test]
fn a_shard_measures_nothing() {
    let folder = TempDir::new().unwrap();
    for (command, option) in [
        ("validate chess --shard 1/2 --budget 30s", "--budget"),
        ("validate chess --shard 1/2 --precision 0.1", "--precision"),
        ("weigh --piece WD --shard 1/2 --json", "--json"),
        ("validate chess --shard 1/2 --html new.html", "--html"),
        ("validate chess --shard 1/2 --csv new.csv", "--csv"),
        ("claims gunnery --shard 1/2 --budget 30s", "--budget"),
    ] {
        let stderr = error(command, folder.path());
        let expected =
            format!("error: --shard: found {option}, which needs the games of all shards; merge the shards first");
        assert!(stderr.contains(&expected), "{command}: {stderr}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

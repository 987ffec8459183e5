//! End-to-end test of `validate` at several strengths, on a few games with few nodes.

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

fn ladder(folder: &TempDir, more: &[&str]) -> String {
    let few = ["validate", "chess", "--nodes", "10,30", "--games", "60", "--match-games", "8"];
    // With so few games and nodes: one value per piece.
    let quick = ["--phase-model", "constant", "--resamples", "0"];
    let output = Command::cargo_bin("assay-tuner")
        .unwrap()
        .args(few)
        .args(quick)
        .args(more)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn measures_levels_and_plays_them_against_each_other() {
    let folder = TempDir::new().unwrap();
    let json = ladder(&folder, &["--json", "--html", "ladder.html"]);
    for file in ["assay-chess-10.db", "assay-chess-30.db", "assay-chess-30-against-10.db", "ladder.html"] {
        assert!(folder.path().join(file).exists(), "{file}");
    }
    let found: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(found["target"], 120);
    let levels = found["levels"].as_array().unwrap();
    assert_eq!(levels.iter().map(|level| level["nodes"].as_u64().unwrap()).collect::<Vec<_>>(), [10, 30]);
    assert_eq!(levels[1]["games"], 60);
    assert_eq!(levels[0]["elo"]["value"], 0.0);
    assert_eq!(levels[1]["match_below"]["games"], 8);
    let pieces = found["pieces"].as_array().unwrap();
    assert_eq!(pieces[0]["piece"], "queen");
    for piece in pieces {
        let number = |place: &Value| place.as_f64().unwrap();
        let [lowest, highest] = [0, 1].map(|level| number(&piece["values"][level]["value"]));
        assert!((number(&piece["change"]["value"]) - (highest - lowest)).abs() < 1e-9);
        let at_target = &piece["at_target"];
        let [low, value, high] =
            [&at_target["interval"][0], &at_target["value"], &at_target["interval"][1]].map(number);
        assert!(low < value && value < high);
        assert_eq!(piece["curves"][0]["p"], Value::Null, "two levels fit every curve");
    }
    let page = std::fs::read_to_string(folder.path().join("ladder.html")).unwrap();
    assert_eq!(page.matches("<figure>").count(), pieces.len());
    assert!(page.contains("Chess Life, March 1999"));

    // The same again plays nothing and prints the same.
    assert_eq!(ladder(&folder, &["--json"]), json);
    let text = ladder(&folder, &[]);
    assert!(text.contains("at 120 nodes") && text.contains("per doubling"), "{text}");
}

/// Bishop and knight are 1 on average. Kaufman's bishop has half of the pair's bonus, since the
/// measured one has.
#[test]
fn references_are_in_the_unit_of_the_ladder() {
    let folder = TempDir::new().unwrap();
    let found: Value = serde_json::from_str(&ladder(&folder, &["--json", "--unit", "minor-pieces"])).unwrap();
    let command = found["command"].as_str().unwrap();
    assert!(command.ends_with(" --phase-model constant --unit minor-pieces"), "{command}");
    let names: Vec<&str> =
        found["references"].as_array().unwrap().iter().map(|reference| reference["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Kaufman 1999", "AlphaZero 2020"]);
    let expected = [
        ("queen", [9.75 / 3.375, 9.5 / 3.19]),
        ("rook", [5.0 / 3.375, 5.63 / 3.19]),
        ("bishop", [3.5 / 3.375, 3.33 / 3.19]),
        ("knight", [3.25 / 3.375, 3.05 / 3.19]),
        ("pawn", [1.0 / 3.375, 1.0 / 3.19]),
    ];
    for (name, values) in expected {
        let mut pieces = found["pieces"].as_array().unwrap().iter();
        let piece = pieces.find(|piece| piece["piece"] == name).unwrap();
        for (reference, expected) in values.into_iter().enumerate() {
            let reference = &piece["references"][reference];
            let value = reference["value"].as_f64().unwrap();
            assert!((value - expected).abs() < 1e-9, "{name}: {value}, expected {expected}");
            for level in 0..2 {
                let measured = &piece["values"][level];
                let number = |number: &Value| number.as_f64().unwrap();
                let half_width = (number(&measured["interval"][1]) - number(&measured["interval"][0])) / 2.0;
                let expected = 1.959_963_985 * (number(&measured["value"]) - value) / half_width;
                let distance = number(&reference["distances"][level]);
                assert!((distance - expected).abs() < 1e-6 * expected.abs(), "{name}: {distance}, expected {expected}");
            }
        }
    }
}

fn report(folder: &TempDir, args: &[&str]) -> (bool, String, String) {
    let output = Command::cargo_bin("assay-tuner")
        .unwrap()
        .arg("report")
        .args(args)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_stored_ladder_is_reported_alone_and_with_the_values() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let json = ladder(&folder, &["--json", "--html", "ladder.html"]);
    std::fs::write(path("ladder.json"), &json).unwrap();
    let text = ladder(&folder, &[]);
    assert_eq!(report(&folder, &["ladder.json"]), (true, text.clone(), String::new()));
    let (success, _, stderr) = report(&folder, &["ladder.json", "--html", "again.html"]);
    assert!(success, "{stderr}");
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    assert_eq!(read("again.html"), read("ladder.html"));

    let chess = format!("{}/../testdata/values/chess.json", env!("CARGO_MANIFEST_DIR"));
    let gamma2 = chess.replace("chess.json", "gamma2.json");
    let (success, both, stderr) = report(&folder, &[&chess, "ladder.json", "--html", "both.html"]);
    assert!(success && both.contains("Values by nodes per move"), "{stderr}");
    assert!(read("both.html").contains("<h2>Values by nodes per move</h2>"));

    let wrong = |args: &[&str], expected: &str| {
        let (success, _, stderr) = report(&folder, args);
        assert!(!success && stderr.contains(expected), "{args:?}: {stderr}");
    };
    wrong(&[&gamma2, "ladder.json"], "ladder.json: found a ladder of chess, expected one of gamma2");
    wrong(&["ladder.json", "ladder.json"], "ladder.json: found claims or a ladder among other files");
    for (found, replacement, expected) in [
        ("\"nodes\": 10,", "\"nodes\": \"ten\",", "invalid type: string \"ten\""),
        ("\"curve\": \"logarithm\"", "\"curve\": \"circle\"", "unknown variant `circle`"),
    ] {
        assert!(json.contains(found), "{found}");
        std::fs::write(path("wrong.json"), json.replacen(found, replacement, 1)).unwrap();
        wrong(&["wrong.json"], expected);
    }
    let mut shorter: Value = serde_json::from_str(&json).unwrap();
    shorter["pieces"][1]["values"].as_array_mut().unwrap().pop();
    std::fs::write(path("wrong.json"), shorter.to_string()).unwrap();
    wrong(&["wrong.json"], "wrong.json: pieces[1].values: found 1 levels, expected 2");
}

#[test]
fn every_json_key_is_in_the_help() {
    let folder = TempDir::new().unwrap();
    let found: Value = serde_json::from_str(&ladder(&folder, &["--json"])).unwrap();
    let help = Command::cargo_bin("assay-tuner").unwrap().args(["validate", "--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let help = &help[help.find("Keys of --json with several --nodes:").unwrap()..];
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let piece = &found["pieces"][0];
    for key in [
        keys(&found),
        keys(&found["levels"][1]),
        keys(piece),
        keys(&piece["curves"][0]),
        keys(&piece["change"]),
        keys(&found["references"][0]),
        keys(&piece["references"][0]),
    ]
    .concat()
    {
        assert!(help.contains(&key), "{key}");
    }
}

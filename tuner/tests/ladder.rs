//! End-to-end test of `validate` at several strengths, on a few games with few nodes.

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{assay_tuner, error, json, printed, read};

/// With so few games and nodes: one value per piece.
const QUICK: &str = "validate chess --nodes 10,30 --games 60 --match-games 8 --phase-model constant --resamples 0";

#[test]
fn measures_levels_and_plays_them_against_each_other() {
    let folder = TempDir::new().unwrap();
    let found = json(&format!("{QUICK} --html ladder.html"), folder.path());
    for file in ["assay-chess-10.db", "assay-chess-30.db", "assay-chess-30-against-10.db", "ladder.html"] {
        assert!(folder.path().join(file).exists(), "{file}");
    }
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
    let page = read(folder.path(), "ladder.html");
    assert_eq!(page.matches("<figure>").count(), pieces.len());
    assert!(page.contains("Chess Life, March 1999"));

    // The same again plays nothing and prints the same.
    assert_eq!(json(QUICK, folder.path()), found);
    let text = printed(QUICK, folder.path());
    assert!(text.contains("at 120 nodes") && text.contains("per doubling"), "{text}");
}

/// Bishop and knight are 1 on average. Kaufman's bishop has half of the pair's bonus, since the
/// measured one has.
#[test]
fn references_are_in_the_unit_of_the_ladder() {
    let folder = TempDir::new().unwrap();
    let found = json(&format!("{QUICK} --unit minor-pieces"), folder.path());
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

#[test]
fn a_stored_ladder_is_reported_alone_and_with_the_values() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let json = printed(&format!("{QUICK} --json --html ladder.html"), folder.path());
    std::fs::write(path("ladder.json"), &json).unwrap();
    let reported = assay_tuner("report ladder.json", folder.path());
    assert_eq!((reported.stdout, reported.stderr), (printed(QUICK, folder.path()).into_bytes(), Vec::new()));
    printed("report ladder.json --html again.html", folder.path());
    let read = |name: &str| read(folder.path(), name);
    assert_eq!(read("again.html"), read("ladder.html"));

    let chess = format!("{}/../testdata/values/chess.json", env!("CARGO_MANIFEST_DIR"));
    let gamma2 = chess.replace("chess.json", "gamma2.json");
    let both = printed(&format!("report {chess} ladder.json --html both.html"), folder.path());
    assert!(both.contains("Values by nodes per move"), "{both}");
    assert!(read("both.html").contains("<h2>Values by nodes per move</h2>"));

    let wrong = |files: &str, expected: &str| {
        let stderr = error(&format!("report {files}"), folder.path());
        assert!(stderr.contains(expected), "{files}: {stderr}");
    };
    wrong(&format!("{gamma2} ladder.json"), "ladder.json: found a ladder of chess, expected one of gamma2");
    wrong("ladder.json ladder.json", "ladder.json: found claims or a ladder among other files");
    for (found, replacement, expected) in [
        ("\"nodes\": 10,", "\"nodes\": \"ten\",", "invalid type: string \"ten\""),
        ("\"curve\": \"logarithm\"", "\"curve\": \"circle\"", "unknown variant `circle`"),
    ] {
        assert!(json.contains(found), "{found}");
        std::fs::write(path("wrong.json"), json.replacen(found, replacement, 1)).unwrap();
        wrong("wrong.json", expected);
    }
    let mut shorter: Value = serde_json::from_str(&json).unwrap();
    shorter["pieces"][1]["values"].as_array_mut().unwrap().pop();
    std::fs::write(path("wrong.json"), shorter.to_string()).unwrap();
    wrong("wrong.json", "wrong.json: pieces[1].values: found 1 levels, expected 2");
}

#[test]
fn every_json_key_is_in_the_help() {
    let folder = TempDir::new().unwrap();
    let found = json(QUICK, folder.path());
    let help = printed("validate --help", folder.path());
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
